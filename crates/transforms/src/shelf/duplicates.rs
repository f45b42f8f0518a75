//! `duplicates`: which books hold the same text, and which of them is to be kept.
//!
//! It compares sketches, never titles: two editions of one work share most of their text, a volume
//! stands wholly in the whole, and a sequel shares nothing with what it goes on from. Books are
//! taken from the longest to the shortest, each looked up by its hashes among those before it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, ByUnit, CorpusStage, Digest, Duplicate, Edge, Options, Record, Relation, Rows, Seed,
    Stop, UnitId,
};

use super::{
    groups::{Groups, Link},
    sketch::Sketch,
};
use crate::corpus::people;

/// Rules which books hold the same text, and which of them is kept.
///
/// ```
/// use storymill_transforms::Duplicates;
/// let stage: Duplicates = toml::from_str("from = 'novels'").unwrap();
/// assert_eq!((stage.same, stage.max_books_per_author), (300, None));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Duplicates {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// Of a thousand, how much of two texts must be in both (of the shorter one, where it is much
    /// shorter) for them to be the same work. Default: 300.
    #[serde(default = "same")]
    pub same: u16,
    /// From this share on, of a thousand, two books belong into one split. Default: 100.
    #[serde(default = "overlap")]
    pub overlap: u16,
    /// How many books of one author are kept at most, duplicates left out. Which ones follows from
    /// the seed and their ids; those that the base lock kept come first. Default: all.
    #[serde(default)]
    pub max_books_per_author: Option<u32>,
}

fn same() -> u16 {
    300
}

fn overlap() -> u16 {
    100
}

/// What a ruling needs to know of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicatesFact {
    /// Its words: the longest of its like is kept.
    pub words: u32,
    /// Its chapters, which decide between texts of about one length.
    pub chapters: u32,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its text in short.
    pub sketch: Sketch,
}

impl Record for DuplicatesFact {
    const NAME: &'static str = "duplicates-fact";
    const VERSION: u32 = 1;
}

impl Options for Duplicates {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if !(100..=1000).contains(&self.same) {
            faults.push(("same", format!("is {} and must be between 100 and 1000", self.same)));
        }
        if !(30..=self.same).contains(&self.overlap) {
            faults.push((
                "overlap",
                format!("is {} and must be between 30 and `same`, {}", self.overlap, self.same),
            ));
        }
        if self.max_books_per_author == Some(0) {
            faults.push((
                "max_books_per_author",
                "must be at least 1; leave it out to keep all".into(),
            ));
        }
        faults
    }
}

impl CorpusStage for Duplicates {
    const KIND: &'static str = "duplicates";
    const VERSION: u32 = 1;
    type In = Rows<Book>;
    type Fact = DuplicatesFact;
    type Out = Duplicate;

    fn edges(&self) -> Edge<Book> {
        self.from.clone()
    }

    fn fact(&self, _: &UnitId, books: Rows<Book>) -> Result<DuplicatesFact, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "the unit holds no book"));
        };
        let words = super::shape::words(book);
        let chapters = u32::try_from(book.chapters.len()).unwrap_or(u32::MAX);
        let authors = people::keys(book, MOST_AUTHORS);
        Ok(DuplicatesFact { words, chapters, authors, sketch: Sketch::of(book) })
    }

    fn run(
        &self,
        facts: &ByUnit<DuplicatesFact>,
        before: &ByUnit<Duplicate>,
        seed: Seed,
    ) -> Result<ByUnit<Duplicate>, Stop> {
        let units: Vec<&UnitId> = facts.keys().collect();
        let groups = Groups::of(&facts.values().collect::<Vec<_>>(), self.same, self.overlap);
        let mut rulings = ByUnit::new();
        for works in &groups.works {
            let chosen = chosen(works, &units, facts, before);
            for at in works {
                let ruling = ruling(*at, chosen, works, &groups, &units);
                rulings.insert(units[*at].clone(), ruling);
            }
        }
        if let Some(most) = self.max_books_per_author {
            crowd_out(&mut rulings, facts, before, most, seed);
        }
        Ok(rulings)
    }
}

/// Keeps a fact below 4 kB.
const MOST_AUTHORS: usize = 8;

/// Texts whose lengths differ by less than this, of a thousand, count as equally long.
const AS_LONG_PM: u64 = 30;

/// The one of its like that is kept: what the base lock kept, else the longest; of equally long
/// ones that with most chapters, and at last the smallest id.
fn chosen(
    works: &[usize],
    units: &[&UnitId],
    facts: &ByUnit<DuplicatesFact>,
    before: &ByUnit<Duplicate>,
) -> usize {
    let longest = works.iter().map(|at| facts[units[*at]].words).max().unwrap_or(0);
    let rank = |at: &usize| {
        let (unit, fact) = (units[*at], &facts[units[*at]]);
        let settled = before.get(unit).is_some_and(|ruling| ruling.kept);
        let shorter = u64::from(longest - fact.words) * 1000 > u64::from(longest) * AS_LONG_PM;
        (!settled, shorter, std::cmp::Reverse(fact.chapters), unit)
    };
    works.iter().copied().min_by_key(|at| rank(at)).expect("a work has a book")
}

fn ruling(
    at: usize,
    chosen: usize,
    works: &[usize],
    groups: &Groups,
    units: &[&UnitId],
) -> Duplicate {
    let unit = units[at].clone();
    let group = units[groups.group[at]].clone();
    let best = |one: usize| {
        groups.links[one].iter().max_by_key(|link| (link.mine, std::cmp::Reverse(link.other)))
    };
    // What it is to the chosen one counts most, then what it is to anything else of the work.
    let link = groups.links[at].iter().find(|link| link.other == chosen);
    let link = link.filter(|link| link.relation != Relation::Overlap);
    let link = link.or_else(|| {
        groups.links[at]
            .iter()
            .filter(|link| works.contains(&link.other))
            .max_by_key(|link| link.mine)
    });
    if at != chosen {
        let link = link.copied().unwrap_or(Link {
            other: chosen,
            relation: Relation::Edition,
            mine: 0,
            its: 0,
        });
        let what = match link.relation {
            Relation::Copy => "the same text as",
            Relation::Part => "a part of",
            _ => "another edition of",
        };
        let mut why = format!(
            "{what} {}, which has {}.{} % of it",
            units[link.other],
            link.mine / 10,
            link.mine % 10
        );
        if link.other != chosen {
            why = format!("{why}; {} is kept", units[chosen]);
        }
        let of = units[link.other].clone();
        return Duplicate {
            unit,
            group,
            kept: false,
            relation: link.relation,
            of,
            shared_pm: link.mine,
            why,
        };
    }
    if works.len() > 1 {
        let others: Vec<&str> =
            works.iter().filter(|one| **one != at).map(|one| units[*one].as_str()).collect();
        let why = format!("kept of {} books that hold its text: {}", works.len(), some(&others));
        let shared_pm = best(at).map_or(0, |link| link.mine);
        return Duplicate {
            unit: unit.clone(),
            group,
            kept: true,
            relation: Relation::Itself,
            of: unit,
            shared_pm,
            why,
        };
    }
    let (relation, of, shared_pm, why) = if let Some(link) = best(at) {
        let other = units[link.other];
        let why =
            format!("{other} has {}.{} % of it; both are kept", link.mine / 10, link.mine % 10);
        (Relation::Overlap, other.clone(), link.mine, why)
    } else {
        (Relation::Itself, unit.clone(), 0, "no other book holds its text".into())
    };
    Duplicate { unit, group, kept: true, relation, of, shared_pm, why }
}

/// A few names, and how many more there are.
fn some(names: &[&str]) -> String {
    match names.get(..MOST_NAMES) {
        Some(few) if names.len() > MOST_NAMES => {
            format!("{} and {} more", few.join(", "), names.len() - MOST_NAMES)
        }
        _ => names.join(", "),
    }
}

const MOST_NAMES: usize = 8;

/// Takes books away from authors who have too many.
///
/// Books come in the order of their hashes, so one more book of an author takes the place of one
/// at most.
fn crowd_out(
    rulings: &mut ByUnit<Duplicate>,
    facts: &ByUnit<DuplicatesFact>,
    before: &ByUnit<Duplicate>,
    most: u32,
    seed: Seed,
) {
    let root = seed.root().to_le_bytes();
    let mut order: Vec<UnitId> =
        rulings.values().filter(|one| one.kept).map(|one| one.unit.clone()).collect();
    order.sort_by_cached_key(|unit| {
        let parts = [&root[..], unit.as_str().as_bytes()];
        let hash = *Digest::of_parts("storymill 2026 books of an author v1", parts).as_bytes();
        (!before.get(unit).is_some_and(|ruling| ruling.kept), hash)
    });
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for unit in order {
        let authors = &facts[&unit].authors;
        let full = authors
            .iter()
            .find(|author| counts.get(author.as_str()).is_some_and(|count| *count >= most));
        if let Some(author) = full {
            let ruling = rulings.get_mut(&unit).expect("it was listed");
            ruling.kept = false;
            ruling.relation = Relation::Crowded;
            ruling.why = format!("{most} other books of {author} are kept, as many as are wanted");
        } else {
            for author in authors {
                *counts.entry(author).or_default() += 1;
            }
        }
    }
}

#[cfg(test)]
#[path = "duplicates_tests.rs"]
mod tests;
