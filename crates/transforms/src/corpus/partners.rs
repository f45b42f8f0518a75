//! `partners`: which other books each book draws from.
//!
//! Every book has a fixed number of places, and at each stands the book with the largest hash of the
//! two ids (rendezvous hashing). So one more book in N takes about one place in N, and leaves the
//! others as they are. Books that are told alike come first: by somebody in the story or not, in the
//! same tense, and by authors of one time.

mod seating;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, ByUnit, Cast, CorpusStage, Digest, Edge, Options, Rows, Seed, Stop, Summary, UnitId,
    record, stage,
};

use storymill_text::Voice;

use super::{
    people::{self, Writer},
    sets,
};
use seating::Seating;

/// Rules which other books each book draws from: of the same split, and by nobody who wrote it.
///
/// ```
/// use storymill_transforms::Partners;
/// let stage = "books = 'books'\nsummaries = 'summaries'\ncasts = 'casts'\nsplits = 'splits'";
/// let stage: Partners = toml::from_str(stage).unwrap();
/// assert_eq!(stage.places, 8);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Partners {
    /// The step that makes the books.
    pub books: Edge<Book>,
    /// The step that makes the true retellings: a book without one is nobody's partner. Default: none,
    /// it does not matter.
    #[serde(default)]
    pub summaries: Option<Edge<Summary>>,
    /// The step that makes the casts: a book without one has no partners and is nobody's. Default:
    /// none, it does not matter.
    #[serde(default)]
    pub casts: Option<Edge<Cast>>,
    /// The step that rules on splits: partners share one. Default: none, all books are in one.
    #[serde(default)]
    pub splits: Option<Edge<storymill_core::Split>>,
    /// How many places a book has. Fewer books than places stand at several. Default: 8.
    #[serde(default = "crate::defaults::small::<8>")]
    pub places: u8,
    /// Who may stand there: `pinned`, only books that were in the pool when this one joined it, as the base
    /// lock has it, so that no book changes when others join; or `rolling`, all. Default: `pinned`.
    #[serde(default)]
    pub pool: Pool,
}

/// Who may be a partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pool {
    /// Books that joined with this one or before it.
    #[default]
    Pinned,
    /// All books.
    Rolling,
}

/// What the corpus stage needs to know of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartnersFact {
    /// Its split; blank where there are none.
    pub split: String,
    /// The books that must share its split, by the smallest id among them.
    pub group: Option<UnitId>,
    /// Its authors; none where they are unknown or a crowd.
    pub authors: Vec<Writer>,
    /// Whether a scene of it was told, where that matters.
    pub told: bool,
    /// Whether somebody in the story tells it, as far as its retellings say.
    pub first_person: bool,
    /// Whether it is told in the present tense.
    pub present: bool,
}

record!(PartnersFact, "partners-fact", 3);

/// Keeps a fact below 4 kB.
const MOST_AUTHORS: usize = 20;

impl Options for Partners {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.places < 5 {
            return vec![(
                "places",
                "must be at least 5: a question has up to five wrong options".into(),
            )];
        }
        Vec::new()
    }
}

impl CorpusStage for Partners {
    stage!("partners", 3,
        (Rows<Book>, Option<Rows<Summary>>, Option<Rows<Cast>>, Option<Rows<storymill_core::Split>>) =>
            PartnersFact =>
            storymill_core::Partners,
        books, summaries, casts, splits);

    fn fact(
        &self,
        _: &UnitId,
        (books, summaries, casts, splits): Self::In,
    ) -> Result<PartnersFact, Stop> {
        let split = splits.as_ref().and_then(|rows| rows.first());
        let voice = summaries.as_ref().map(|rows| voice(rows)).unwrap_or_default();
        Ok(PartnersFact {
            split: split.map(|row| row.split.clone()).unwrap_or_default(),
            group: split.map(|row| row.group.clone()),
            authors: books
                .first()
                .map(|book| people::writers(book, MOST_AUTHORS))
                .unwrap_or_default(),
            told: casts.is_none_or(|rows| !rows.is_empty())
                && summaries.is_none_or(|rows| rows.iter().any(|summary| summary.level == 0)),
            first_person: 1000 * voice.first_person > FIRST_PERSON_PM * voice.words,
            present: voice.present > voice.past,
        })
    }

    fn run(
        &self,
        facts: &ByUnit<PartnersFact>,
        before: &ByUnit<storymill_core::Partners>,
        seed: Seed,
    ) -> Result<ByUnit<storymill_core::Partners>, Stop> {
        let next = before.values().map(|row| row.joined + 1).max().unwrap_or(0);
        let joined = |unit: &UnitId| before.get(unit).map_or(next, |row| row.joined);
        let authors = components(facts);
        let all: Vec<Candidate<'_>> = facts
            .iter()
            .zip(authors)
            .map(|((unit, fact), authors)| Candidate {
                unit,
                fact,
                authors,
                joined: joined(unit),
                hash: hash(unit, seed),
                birth: fact.authors.iter().filter_map(|author| author.birth).min(),
            })
            .collect();
        let seating = Seating::new(&all);
        let rule = |(at, one): (usize, &Candidate<'_>)| {
            let places = seating.places(self, at).into_iter().map(|at| all[at].unit.clone());
            let (unit, joined) = (one.unit.clone(), one.joined);
            let row = storymill_core::Partners { unit, joined, places: places.collect() };
            (one.unit.clone(), row)
        };
        Ok(all.iter().enumerate().map(rule).collect())
    }
}

/// A book that has partners and may be one.
struct Candidate<'f> {
    unit: &'f UnitId,
    fact: &'f PartnersFact,
    /// The books that share an author with it, directly or by way of others, as one number.
    authors: usize,
    joined: u32,
    hash: u64,
    /// When the first of its authors was born whose year is known.
    birth: Option<i32>,
}

impl Partners {
    /// Whether a book may draw from another of its split that was told.
    fn may(&self, one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
        one.authors != other.authors && (self.pool == Pool::Rolling || other.joined <= one.joined)
    }
}

/// From how many words of the first person in a thousand on somebody in the story tells it.
const FIRST_PERSON_PM: u32 = 15;

/// How the retellings of a book speak, all together.
fn voice(summaries: &[Summary]) -> Voice {
    let told = summaries.iter().filter(|summary| summary.level == 0);
    told.map(|summary| Voice::of(&summary.text)).fold(Voice::default(), |all, one| Voice {
        words: all.words + one.words,
        first_person: all.first_person + one.first_person,
        past: all.past + one.past,
        present: all.present + one.present,
    })
}

/// How many years lie between authors of one time at most.
const ONE_TIME: i32 = 50;

/// For each book, a number that it shares with all books that share an author or a group with it,
/// directly or by way of others.
fn components(facts: &ByUnit<PartnersFact>) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..facts.len()).collect();
    let mut first_of: BTreeMap<usize, usize> = BTreeMap::new();
    let authors = people::people(facts.values().map(|fact| &fact.authors[..]));
    for (at, authors) in authors.into_iter().enumerate() {
        for author in authors {
            sets::join(&mut roots, at, *first_of.entry(author).or_insert(at));
        }
    }
    let mut first_in: BTreeMap<&UnitId, usize> = BTreeMap::new();
    for (at, fact) in facts.values().enumerate() {
        if let Some(group) = &fact.group {
            sets::join(&mut roots, at, *first_in.entry(group).or_insert(at));
        }
    }
    (0..facts.len()).map(|at| sets::root(&mut roots, at)).collect()
}

/// The hash of a unit, taken once; pairs only mix two of them.
fn hash(unit: &UnitId, seed: Seed) -> u64 {
    let parts = [&seed.root().to_le_bytes()[..], unit.as_str().as_bytes()];
    let digest = Digest::of_parts("storymill 2026 partners of a unit v1", parts);
    let head = digest.as_bytes().first_chunk::<8>().expect("a digest has 32 bytes");
    u64::from_le_bytes(*head)
}

/// Two numbers to one that looks drawn (the finish of SplitMix64: Steele, Lea and Flood, 2014).
fn mix(one: u64, other: u64) -> u64 {
    let mut sum = one.rotate_left(23) ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    sum ^ (sum >> 31)
}

#[cfg(test)]
mod tests;
