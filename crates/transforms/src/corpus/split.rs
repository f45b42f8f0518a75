//! `split`: deals the books out to train, validation and test.
//!
//! Books that share an author or a text stay together, so that nothing is learned in one part and
//! tested in another. A book that the base lock has placed never moves, and no part that was asked
//! for stays empty where there are enough groups.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, ByUnit, CorpusStage, Digest, Duplicate, Edge, Fault, FaultKind, Options, Rows, Seed,
    Stop, UnitId, few, record, stage,
};

use super::{
    fill::{Placed, Share, fill},
    people::{self, Writer},
    sets::{join, root},
};

/// Rules which part of the dataset each book belongs to.
///
/// ```
/// use storymill_transforms::Split;
/// let split: Split = toml::from_str("from = 'books'\nvalidation = 0.1\ntest = 0.1").unwrap();
/// assert_eq!(split.validation, 0.1);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// The step that rules which books share text: those stay together too. Default: none.
    #[serde(default)]
    pub duplicates: Option<Edge<Duplicate>>,
    /// What stays together: all books of an `author`, each `book` for itself, or `none`: no
    /// split, everything is `train`. Default: `author`.
    #[serde(default)]
    pub by: By,
    /// The share of groups that go to validation, from 0 to 1. Default: 0.1.
    #[serde(default = "tenth")]
    pub validation: f64,
    /// The share of groups that go to test, from 0 to 1. Default: 0.1.
    #[serde(default = "tenth")]
    pub test: f64,
}

/// What stays together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// All books that share an author, directly or by way of others.
    #[default]
    Author,
    /// Each book for itself.
    Book,
    /// No split: everything is `train`.
    None,
}

fn tenth() -> f64 {
    0.1
}

/// What a corpus stage needs to know of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitFact {
    /// Its title, to name it where books disagree.
    pub title: String,
    /// Its authors; none where they are unknown or a crowd.
    pub authors: Vec<Writer>,
    /// The group of books with which it shares text.
    pub alike: Option<UnitId>,
}

record!(SplitFact, "split-fact", 3);

impl Options for Split {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        for (name, share) in [("validation", self.validation), ("test", self.test)] {
            if !(0.0..=1.0).contains(&share) {
                faults.push((name, format!("must be between 0 and 1, not {share}")));
            }
        }
        if faults.is_empty() && self.validation + self.test > 1.0 {
            faults.push(("test", "validation and test together must not be above 1".into()));
        }
        faults
    }
}

impl CorpusStage for Split {
    stage!("split", 2, (Rows<Book>, Option<Rows<Duplicate>>) => SplitFact => storymill_core::Split,
        from, duplicates);

    fn fact(&self, unit: &UnitId, (books, alike): Self::In) -> Result<SplitFact, Stop> {
        let title = books.first().map_or_else(|| unit.to_string(), |book| book.title.clone());
        let title = title.chars().take(100).collect();
        let authors =
            books.first().map(|book| people::writers(book, MOST_AUTHORS)).unwrap_or_default();
        let alike = alike.as_ref().and_then(|rows| rows.first()).map(|row| row.group.clone());
        Ok(SplitFact { title, authors, alike })
    }

    fn run(
        &self,
        facts: &ByUnit<SplitFact>,
        before: &ByUnit<storymill_core::Split>,
        seed: Seed,
    ) -> Result<ByUnit<storymill_core::Split>, Stop> {
        let shares = self.shares();
        let mut groups = Vec::new();
        for units in self.groups(facts) {
            let placed = settled(&units, facts, before)?;
            let lot = if placed.is_none() { Some(self.lot(&units, facts, seed)) } else { None };
            let drawn = lot.and_then(|lot| shares.iter().find(|(_, lots)| lots.contains(&lot)));
            let split = placed.unwrap_or_else(|| drawn.map_or("train", |share| share.0).to_owned());
            groups.push(Placed { units, split, lot });
        }
        fill(&mut groups, &shares);
        let mut verdicts = ByUnit::new();
        for Placed { units, split, .. } in &groups {
            for unit in units {
                let verdict = storymill_core::Split {
                    unit: (*unit).clone(),
                    split: split.clone(),
                    group: units[0].clone(),
                };
                verdicts.insert((*unit).clone(), verdict);
            }
        }
        Ok(verdicts)
    }

    fn has_notes(&self) -> bool {
        self.by == By::Author
    }

    fn notes(&self, facts: &ByUnit<SplitFact>) -> Vec<String> {
        let unnamed = facts.iter().filter(|(_, fact)| fact.authors.is_empty());
        let unnamed: Vec<_> =
            unnamed.map(|(unit, fact)| format!("{unit} ({})", fact.title)).collect();
        unnamed_note(&unnamed).into_iter().collect()
    }
}

/// What it means for the split that nobody knows who wrote some books.
fn unnamed_note(books: &[String]) -> Option<String> {
    const SHOWN: usize = 5;
    let who = match books.len() {
        0 => return None,
        1 => "1 book names no author, so it stands alone".to_owned(),
        many => format!("{many} books name no author, so each stands alone"),
    };
    let shown = few(books, SHOWN);
    Some(format!(
        "{who} and another book by the same hand may be in another split: {shown}; \
         a catalog with a column `author` can name the author"
    ))
}

/// Keeps a fact below 4 kB: a book with more authors than this is a collection.
const MOST_AUTHORS: usize = 20;

/// The split that the base lock gives to a group; a fault if it gives several.
fn settled(
    group: &[&UnitId],
    facts: &ByUnit<SplitFact>,
    before: &ByUnit<storymill_core::Split>,
) -> Result<Option<String>, Stop> {
    let mut by_split: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for unit in group {
        if let Some(verdict) = before.get(*unit) {
            let title = facts.get(*unit).map(|fact| fact.title.as_str()).unwrap_or_default();
            by_split.entry(&verdict.split).or_default().push(format!("{unit} ({title})"));
        }
    }
    if by_split.len() > 1 {
        let sides = by_split.iter().map(|(split, books)| format!("{split}: {}", books.join(", ")));
        let sides = sides.collect::<Vec<_>>().join("; ");
        let new = group.iter().filter(|unit| !before.contains_key(**unit));
        let new = new.map(|unit| unit.as_str()).collect::<Vec<_>>().join(", ");
        let message =
            format!("books that now share an author or a text are in different splits: {sides}");
        let hint = if new.is_empty() {
            "put the authors right in the catalog, or start without a base lock".to_owned()
        } else {
            format!("leave out the books that join them ({new}), or start without a base lock")
        };
        return Err(Fault::new(FaultKind::Lock, message).hint(hint).into());
    }
    Ok(by_split.into_keys().next().map(str::to_owned))
}

impl Split {
    /// The units that must stay together, each group in the order of ids.
    fn groups<'f>(&self, facts: &'f ByUnit<SplitFact>) -> Vec<Vec<&'f UnitId>> {
        let units: Vec<&UnitId> = facts.keys().collect();
        let mut roots: Vec<usize> = (0..units.len()).collect();
        let authors = match self.by {
            By::Author => people::people(facts.values().map(|fact| &fact.authors[..])),
            By::Book | By::None => Vec::new(),
        };
        let mut first_of: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, authors) in authors.into_iter().enumerate() {
            for author in authors {
                join(&mut roots, at, *first_of.entry(author).or_insert(at));
            }
        }
        let mut first_in: BTreeMap<&UnitId, usize> = BTreeMap::new();
        if self.by != By::None {
            for (at, fact) in facts.values().enumerate() {
                if let Some(group) = &fact.alike {
                    join(&mut roots, at, *first_in.entry(group).or_insert(at));
                }
            }
        }
        let mut groups: BTreeMap<usize, Vec<&UnitId>> = BTreeMap::new();
        for (at, unit) in units.into_iter().enumerate() {
            groups.entry(root(&mut roots, at)).or_default().push(unit);
        }
        groups.into_values().collect()
    }

    /// The splits that are asked for, each with the lots that fall into it.
    fn shares(&self) -> Vec<Share> {
        if self.by == By::None {
            return vec![("train", 0.0..1.0)];
        }
        let (test, both) = (self.test, self.test + self.validation);
        vec![("test", 0.0..test), ("validation", test..both), ("train", both..1.0)]
    }

    /// The lot of a group that nobody has placed, from 0 to 1.
    ///
    /// The group's name is the one with the smallest hash, so that one more author seldom changes
    /// it; a second hash of that name decides, so that large groups have no better luck.
    fn lot(&self, group: &[&UnitId], facts: &ByUnit<SplitFact>, seed: Seed) -> f64 {
        let hash = |purpose: &str, name: &str| {
            let root = seed.root().to_le_bytes();
            let parts = [&root[..], purpose.as_bytes(), name.as_bytes()];
            Digest::of_parts("storymill 2026 split v1", parts)
        };
        let authors = group.iter().flat_map(|unit| &facts[*unit].authors);
        let authors = authors.map(|author| format!("author {}", author.id));
        let unnamed = group.iter().map(|unit| format!("unit {unit}"));
        let names: Vec<String> = match self.by {
            By::Author => authors.collect(),
            By::Book | By::None => Vec::new(),
        };
        let names = if names.is_empty() { unnamed.collect() } else { names };
        let name = names.iter().min_by_key(|name| hash("name", name)).map_or("", String::as_str);
        let [first, second, third, fourth, ..] = *hash("place", name).as_bytes();
        let lot = f64::from(u32::from_le_bytes([first, second, third, fourth]));
        lot / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests;
