//! Makes a store of very many small books by the steps of `workflows/by-rule.toml`, as a build makes it but without
//! waiting for the disk: what a plan, a build with nothing to do and `--finalize` cost at 70,000 books can then be
//! measured with the program itself.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use storymill_disk::UnsyncedDisk;
use storymill_pipeline::{Claim, NoModel, RunOptions, Store, Workflow, run};

use crate::{
    Done,
    measure::{Dice, cpu_seconds, memory},
    record::registry,
    top,
};

/// Makes a store of very many small books, to measure with
///
/// Writes `books`, `many.toml` and `store` into the folder. With more books than were made before only the new
/// ones are made.
#[derive(clap::Args)]
pub(crate) struct Args {
    folder: PathBuf,
    /// How many books
    books: usize,
    /// How many sentences a book has
    #[arg(long, default_value_t = 20)]
    sentences: usize,
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let folder = self.folder.join("books");
        fs::create_dir_all(&folder)?;
        for at in 0..self.books {
            let path = folder.join(format!("{at:05}.txt"));
            if !path.exists() {
                fs::write(path, book(at, self.sentences))?;
            }
        }
        let file = self.folder.join("many.toml");
        fs::write(&file, workflow()?)?;
        make(&file, &self.folder.join("store"))
    }
}

/// Which other books each draws from: the corpus stage that looks at pairs of books.
const PARTNERS: &str = r#"
[stage.partners.partners]
books     = "books"
summaries = "summaries"
splits    = "splits"
"#;

/// The workflow that is told by rule, with these books, shorter scenes and partners.
fn workflow() -> Done<String> {
    let mut changed = fs::read_to_string(top().join("workflows/by-rule.toml"))?;
    for (from, to) in [
        ("\"by-rule\"", "\"many\""),
        ("path    = \"../data/books\"", "path    = \"books\""),
        ("catalog = \"../data/books/catalog.csv\"\n", ""),
        ("ids     = [\"sm01\", \"sm02\", \"sm03\", \"sm04\", \"sm05\", \"sm06\", \"sm07\"]\n", ""),
        ("max    = 3000", "max    = 500"),
        ("#:schema ../docs/workflow.schema.json\n", ""),
    ] {
        if !changed.contains(from) {
            return Err(format!("workflows/by-rule.toml no longer has `{from}`").into());
        }
        changed = changed.replace(from, to);
    }
    Ok(changed + PARTNERS)
}

/// Makes all that is not there yet.
fn make(file: &Path, store: &Path) -> Done {
    let start = Instant::now();
    let workflow = Workflow::read(file, &registry())?;
    let store = Store::open(store, Arc::new(UnsyncedDisk), Claim::Whole)?;
    let options = RunOptions { threads: 0, shard: None, stop: &AtomicBool::new(false) };
    let finished = run(&workflow, &store, &NoModel, &(), &options)?;
    for step in &finished.outcome.steps {
        let micros = step.time.as_secs_f64() * 1e6 / step.made.max(1) as f64;
        println!(
            "{:12} {:6} made, {:6} current, {:8} rows, {micros:8.0} us each",
            step.name, step.made, step.current, step.rows
        );
    }
    println!(
        "{:.0} s, {:.0} s of CPU, {} MiB at the most",
        start.elapsed().as_secs_f64(),
        cpu_seconds()?,
        memory("VmHWM")? >> 20
    );
    Ok(())
}

const FIRST: [&str; 16] = [
    "Ann", "Ben", "Clara", "David", "Emma", "Frank", "Grace", "Henry", "Ida", "John", "Kate",
    "Lewis", "Mary", "Ned", "Olive", "Peter",
];
const LAST: [&str; 12] = [
    "Ashdown", "Barlow", "Carver", "Dunmore", "Ellery", "Farrow", "Garside", "Holt", "Ingram",
    "Jessop", "Kershaw", "Lorimer",
];
const DID: [&str; 12] = [
    "opened",
    "closed",
    "found",
    "lost",
    "bought",
    "sold",
    "hid",
    "broke",
    "mended",
    "painted",
    "remembered",
    "forgot",
];
const HOW: [&str; 10] =
    ["old", "new", "black", "white", "heavy", "light", "broken", "silver", "wooden", "narrow"];
const WHAT: [&str; 16] = [
    "gate", "letter", "boat", "lantern", "clock", "bridge", "ladder", "mill", "garden", "cellar",
    "chapel", "horse", "kettle", "mirror", "orchard", "window",
];
const WHEN: [&str; 10] = [
    "in the morning",
    "at night",
    "before the rain",
    "after the fair",
    "on Monday",
    "in winter",
    "behind the church",
    "near the river",
    "without a word",
    "for the third time",
];

fn one<'w>(dice: &mut Dice, of: &[&'w str]) -> &'w str {
    of[dice.index(of.len())]
}

/// A book of short sentences in which a few people do something.
fn book(at: usize, sentences: usize) -> String {
    let mut dice = Dice(at as u64);
    let people: Vec<String> =
        (0..4).map(|_| format!("{} {}", one(&mut dice, &FIRST), one(&mut dice, &LAST))).collect();
    let (author, family, what) = (one(&mut dice, &FIRST), family(&mut dice), one(&mut dice, &WHAT));
    let mut text = format!("The Story of the {what}, {at}\n\nby {author} {family}\n\n");
    for sentence in 0..sentences {
        let who = &people[dice.index(people.len())];
        let (did, how, what) = (one(&mut dice, &DID), one(&mut dice, &HOW), one(&mut dice, &WHAT));
        let (count, when) = (2 + dice.below(30), one(&mut dice, &WHEN));
        let end = if sentence % 5 == 4 { "\n\n" } else { " " };
        let _ = write!(text, "{who} {did} the {how} {what} of {count} people {when}.{end}");
    }
    text
}

/// A family name that few others have: as in a real catalog, most authors share theirs with nobody.
fn family(dice: &mut Dice) -> String {
    let mut name = String::new();
    for _ in 0..4 {
        name.push(char::from(b"bcdfghklmnprst"[dice.index(14)]));
        name.push(char::from(b"aeiou"[dice.index(5)]));
    }
    name[..1].to_uppercase() + &name[1..]
}
