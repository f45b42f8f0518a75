//! `duplicates`: which books hold the same text, and which of them is to be kept.
//!
//! It compares sketches, never titles: two editions of one work share most of their text, a volume
//! stands wholly in the whole, and a sequel shares nothing with what it goes on from. Books are
//! taken from the longest to the shortest, each looked up by its hashes among those before it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, ByUnit, CorpusStage, Digest, Duplicate, Edge, Options, Relation, Rows, Seed, Stop,
    UnitId, stage,
};

use super::{duplicates_fact::DuplicatesFact, groups::COPY, keepers::Keepers};
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
    /// Of a thousand, how much of two texts of about one length must be in both for them to be
    /// editions of one work, 100 to 900. Of a much shorter text so much, and never less than 600,
    /// must be in the longer one for it to be a part. Default: 300.
    #[serde(default = "crate::defaults::thousandths::<300>")]
    pub same: u16,
    /// From this share on, of a thousand, two books belong into one split. Default: 100.
    #[serde(default = "crate::defaults::thousandths::<100>")]
    pub overlap: u16,
    /// How many books of one author are kept at most, duplicates left out. Which ones follows from
    /// the seed and their ids; those that the base lock kept come first. Default: all.
    #[serde(default)]
    pub max_books_per_author: Option<u32>,
}

impl Options for Duplicates {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        // From there on they are copies, whatever is asked for.
        if !(100..=COPY).contains(&self.same) {
            faults.push(("same", format!("is {} and must be between 100 and {COPY}", self.same)));
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
    stage!("duplicates", 3, Rows<Book> => DuplicatesFact => Duplicate, from);

    fn fact(&self, _: &UnitId, books: Rows<Book>) -> Result<DuplicatesFact, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "the unit holds no book"));
        };
        Ok(DuplicatesFact::of(book))
    }

    fn run(
        &self,
        facts: &ByUnit<DuplicatesFact>,
        before: &ByUnit<Duplicate>,
        seed: Seed,
    ) -> Result<ByUnit<Duplicate>, Stop> {
        let mut verdicts = Keepers::choose(facts, before, self.same, self.overlap).verdicts();
        if let Some(most) = self.max_books_per_author {
            crowd_out(&mut verdicts, facts, before, most, seed);
        }
        Ok(verdicts)
    }
}

/// Takes books away from authors who have too many.
///
/// Books come in the order of their hashes, so one more book of an author takes the place of one
/// at most.
fn crowd_out(
    verdicts: &mut ByUnit<Duplicate>,
    facts: &ByUnit<DuplicatesFact>,
    before: &ByUnit<Duplicate>,
    most: u32,
    seed: Seed,
) {
    let root = seed.root().to_le_bytes();
    let mut order: Vec<UnitId> =
        verdicts.values().filter(|one| one.kept).map(|one| one.unit.clone()).collect();
    order.sort_by_cached_key(|unit| {
        let parts = [&root[..], unit.as_str().as_bytes()];
        let hash = *Digest::of_parts("storymill 2026 books of an author v1", parts).as_bytes();
        (!before.get(unit).is_some_and(|verdict| verdict.kept), hash)
    });
    let people = people::people(facts.values().map(|fact| &fact.authors[..]));
    let people: BTreeMap<&UnitId, Vec<usize>> = facts.keys().zip(people).collect();
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    for unit in order {
        let authors = &people[&unit];
        let full =
            authors.iter().any(|author| counts.get(author).is_some_and(|count| *count >= most));
        if full {
            let verdict = verdicts.get_mut(&unit).expect("it was listed");
            verdict.kept = false;
            verdict.relation = Relation::Crowded;
            let names = facts[&unit].authors.iter().map(|author| author.name.as_str());
            let names = names.collect::<Vec<_>>().join("; ");
            verdict.why = format!("{most} other books of {names} are kept, as many as are wanted");
        } else {
            for author in authors {
                *counts.entry(*author).or_default() += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
