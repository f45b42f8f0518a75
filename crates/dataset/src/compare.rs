//! A dataset beside a published one: the figures of a paper, and the same figures of our rows.
//!
//! Nothing is judged here. Where a dataset has no such rows, it has no figure.

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::{RecordBatch, cast::AsArray};
use parquet::arrow::ProjectionMask;
use storymill_core::Fault;

use crate::{
    facts::{Asks, Facts, TableFacts, What, is_noted},
    inspect::{Found, Query, wanted},
    numbers::Numbers,
    reading::{each_batch, open},
    site::Site,
};

/// A published dataset, with the figures that its paper gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Original {
    /// Its name.
    pub name: &'static str,
    /// Where the figures are from.
    pub paper: &'static str,
    lines: &'static [(&'static str, Figure, u64, &'static str)],
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    Books,
    Questions(Option<Asks>),
    /// Questions about retellings of this level.
    Level(i32),
    /// Of questions with options, in words.
    Mean(What),
    Spread(What),
    NoneOfTheAbove,
}

/// `NarrativeXL`: the dataset whose kinds of questions storymill makes.
pub const NARRATIVE_XL: Original = Original {
    name: "NarrativeXL",
    paper: "A. Moskvichev and K.-V. Mai, NarrativeXL: a Large-scale Dataset for Long-Term Memory Models, arXiv:2305.13877",
    lines: &[
        ("books", Figure::Books, 15_000, "abstract"),
        ("questions", Figure::Questions(None), 9_905_950, "abstract"),
        ("read-along questions", Figure::Questions(Some(Asks::Choice)), 7_268_030, "statistics"),
        ("reconstructions", Figure::Questions(Some(Asks::Repair)), 2_637_920, "section 7.2"),
        ("  of scenes (level 0)", Figure::Level(0), 2_441_110, "appendix A.4"),
        ("  of level 1", Figure::Level(1), 150_860, "appendix A.4"),
        ("  of level 2", Figure::Level(2), 23_910, "appendix A.4"),
        ("  of level 3", Figure::Level(3), 7_030, "appendix A.4"),
        ("  of level 4", Figure::Level(4), 10, "appendix A.4"),
        ("words of a question, mean", Figure::Mean(What::Question), 4_995, "statistics"),
        ("words of a question, sd", Figure::Spread(What::Question), 548, "statistics"),
        ("words of context, mean", Figure::Mean(What::Context), 543_350, "statistics"),
        ("words of context, sd", Figure::Spread(What::Context), 482_040, "statistics"),
        ("retention demand in words, mean", Figure::Mean(What::Demand), 319_310, "statistics"),
        ("none of the above, %", Figure::NoneOfTheAbove, 167, "its program: 1 in 6"),
    ],
};

/// One figure of both datasets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// What it is.
    pub what: &'static str,
    /// Whether it is a count; else it is told in tenths.
    pub is_count: bool,
    /// Ten times ours; none where there are no such rows.
    pub ours_tenths: Option<u64>,
    /// Ten times the paper's.
    pub theirs_tenths: u64,
    /// The place in the paper.
    pub place: &'static str,
}

/// Reads a dataset's rows and sets their figures beside those of a published one. The query's
/// config and split choose the rows.
///
/// # Errors
///
/// No dataset here, or a file that cannot be read.
pub fn compare(
    path: impl Into<Site>,
    query: &Query,
    original: &Original,
) -> Result<Vec<Compared>, Fault> {
    let (_, found) = wanted(&path.into(), query)?;
    let mut facts = Facts::default();
    let mut asked = BTreeMap::new();
    for Found { config, split, path } in &found {
        facts.begin(config, "", split);
        let place = facts.tables.len();
        let reader = open(path)?;
        let names = reader.parquet_schema().columns().iter();
        let noted = names.enumerate().filter(|(_, leaf)| is_noted(&leaf.path().parts()[0]));
        let noted: Vec<_> = noted.map(|(at, _)| at).collect();
        let mask = ProjectionMask::leaves(reader.parquet_schema(), noted);
        each_batch(reader.with_projection(mask), path, |batch| {
            for rows in first_asked(batch, place, &mut asked) {
                facts.note(&rows);
            }
            Ok(())
        })?;
    }
    let mut ours = Ours::of(facts.tables);
    let lines = original.lines.iter();
    Ok(lines
        .map(|(what, figure, theirs_tenths, place)| Compared {
            what,
            is_count: !matches!(
                figure,
                Figure::Mean(_) | Figure::Spread(_) | Figure::NoneOfTheAbove
            ),
            ours_tenths: ours.figure(*figure),
            theirs_tenths: *theirs_tenths,
            place,
        })
        .collect())
}

/// The rows of a batch that an earlier config does not have too. The questions of a book under other names keep their
/// ids, and a question counts once: as it stands in the first config that asks it (`place`). Those chosen from other
/// tables are left out anyway.
fn first_asked(
    batch: &RecordBatch,
    place: usize,
    asked: &mut BTreeMap<String, usize>,
) -> Vec<RecordBatch> {
    let ids = batch.column_by_name("question_id").and_then(|ids| ids.as_string_opt::<i32>());
    let Some(ids) = ids.filter(|_| batch.column_by_name("source_config").is_none()) else {
        return vec![batch.clone()];
    };
    let mut is_first = |id: &str| *asked.entry(id.to_owned()).or_insert(place) == place;
    let first: Vec<bool> = ids.iter().map(|id| id.is_some_and(&mut is_first)).collect();
    let mut from = 0;
    let runs = first.chunk_by(|one, next| one == next);
    let runs = runs.filter_map(|run| {
        let rows = batch.slice(from, run.len());
        from += run.len();
        run[0].then_some(rows)
    });
    runs.collect()
}

/// The tables of questions; those chosen from others would count twice and are left out.
struct Ours {
    books: BTreeSet<String>,
    tables: Vec<TableFacts>,
    /// What was measured already.
    numbers: Vec<(What, Option<Numbers>)>,
}

impl Ours {
    fn of(mut tables: Vec<TableFacts>) -> Self {
        let books = tables.iter_mut().flat_map(|table| std::mem::take(&mut table.books)).collect();
        tables.retain(|table| table.asks.is_some() && !table.chosen);
        Self { books, tables, numbers: Vec::new() }
    }

    fn figure(&mut self, figure: Figure) -> Option<u64> {
        match figure {
            Figure::Books => Some(self.books.len() as u64 * 10).filter(|books| *books > 0),
            Figure::Questions(of) => self.rows(|table| of.is_none_or(|of| table.asks == Some(of))),
            Figure::Level(level) => {
                let repairs = self.tables.iter().filter(|t| t.asks == Some(Asks::Repair));
                let mut kinds = repairs.flat_map(|table| &table.kinds).peekable();
                kinds.peek()?;
                let rows = kinds.filter(|(kind, _)| kind.level == Some(level));
                Some(rows.map(|(_, rows)| rows * 10).sum())
            }
            Figure::Mean(what) => Some(self.numbers(what)?.mean_tenths),
            Figure::Spread(what) => Some(self.numbers(what)?.sd_tenths),
            Figure::NoneOfTheAbove => {
                let rows = self.rows(|table| table.none_of_the_above.is_some())? / 10;
                let none: u64 = self.tables.iter().filter_map(|t| t.none_of_the_above).sum();
                Some((2_000 * none + rows) / (2 * rows))
            }
        }
    }

    /// Ten times the rows of some tables; none if there are none.
    fn rows(&self, of: impl Fn(&TableFacts) -> bool) -> Option<u64> {
        let kinds = self.tables.iter().filter(|table| of(table)).flat_map(|table| &table.kinds);
        Some(kinds.map(|(_, rows)| rows * 10).sum()).filter(|rows| *rows > 0)
    }

    /// What the lengths of questions with options are like, in words.
    fn numbers(&mut self, what: What) -> Option<Numbers> {
        if let Some((_, known)) = self.numbers.iter().find(|(known, _)| *known == what) {
            return *known;
        }
        let choices = self.tables.iter_mut().filter(|table| table.asks == Some(Asks::Choice));
        let words = choices.flat_map(|table| table.take_lengths(what, "words")).collect();
        let numbers = Numbers::of(words);
        self.numbers.push((what, numbers));
        numbers
    }
}
