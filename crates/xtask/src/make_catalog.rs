//! Writes a made-up catalog to standard output. Rows are as long and as varied as those of
//! `pg_catalog.csv`: titles over several lines, several agents with roles, dates of every form, half
//! a dozen subjects.

use std::io::{self, BufWriter, Write};

use storymill_core::Seed;

use crate::Done;

/// Writes a made-up catalog to standard output
#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(default_value_t = 70_000)]
    rows: u32,
    #[arg(default_value_t = 0)]
    seed: u64,
}

const FIRST: [&str; 8] =
    ["Anne", "Émile", "John", "Mary Ann", "Søren", "Walter", "Agnès", "Thomas"];
const LAST: [&str; 8] = ["Brook", "Dornröschen", "Ellery", "Pike", "Voss", "Hale", "Öst", "Winter"];
const DATES: [&str; 8] = [
    ", 1775-1817",
    ", 1845?-1933",
    ", 43 BCE-18?",
    ", 1850-",
    ", -1901",
    "",
    ", 1820-1891",
    ", 1861-1944",
];
const ROLES: [&str; 3] = [" [Illustrator]", " [Translator]", " [Author of introduction, etc.]"];
const NOUNS: [&str; 8] = [
    "River",
    "Mill",
    "Captain",
    "Orchard",
    "Letters",
    "Winter Garden",
    "Voyage",
    "House by the Sea",
];
const SUBJECTS: [&str; 12] = [
    "England -- Social life and customs -- 19th century -- Fiction",
    "Detective and mystery stories",
    "Sea stories",
    "Domestic fiction",
    "Love stories",
    "United States -- History -- Civil War, 1861-1865 -- Personal narratives",
    "Short stories, English",
    "English drama",
    "Poetry",
    "Young women -- Fiction",
    "Natural history",
    "Voyages and travels",
];
const LOCC: [&str; 8] = ["PR", "PS", "PZ", "PQ", "PT", "DA", "QH", "E201"];
const SHELVES: [&str; 5] = [
    "Category: Novels",
    "Category: British Literature",
    "Browsing: Literature",
    "Best Books Ever Listings",
    "Category: Poetry",
];
const LANGUAGES: [&str; 10] = ["en", "en", "en", "en", "en", "en", "fr", "de", "fi", "en; fr"];

impl Args {
    pub(crate) fn run(self) -> Done {
        let unit = "catalog".parse()?;
        let mut stream = Seed::new(self.seed).derive("make-catalog", &unit, "", "rows");
        let mut out = BufWriter::new(io::stdout().lock());
        writeln!(out, "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves")?;
        for id in 1..=self.rows {
            let mut pick = |list: &[&'static str]| stream.choose(list).copied().unwrap_or_default();
            let title = format!(
                "The {} of {} {}\nBeing an Account in Three Volumes; with Forty Illustrations",
                pick(&NOUNS),
                pick(&FIRST),
                pick(&LAST)
            );
            let agent = format!("{}, {}{}", pick(&LAST), pick(&FIRST), pick(&DATES));
            let other =
                format!("{}, {}{}{}", pick(&LAST), pick(&FIRST), pick(&DATES), pick(&ROLES));
            let subjects: Vec<_> = (0..4).map(|_| pick(&SUBJECTS)).collect();
            let kind = if id % 50 == 0 { "Sound" } else { "Text" };
            writeln!(
                out,
                "{id},{kind},20{:02}-{:02}-{:02},\"{title}\",{},\"{agent}; {other}\",\"{}\",{}; {},{}; {}",
                id % 24,
                1 + id % 12,
                1 + id % 28,
                pick(&LANGUAGES),
                subjects.join("; "),
                pick(&LOCC),
                pick(&LOCC),
                pick(&SHELVES),
                pick(&SHELVES)
            )?;
        }
        Ok(())
    }
}
