//! How far voters agree, whatever they vote on: kappa of every two, alpha of all, with intervals over books.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Decisions, Digest, Protocol, Said};
use storymill_metrics::{
    Undefined,
    bootstrap::{Plan, statistic},
    krippendorff::Scale,
};

use crate::{
    agreement::{couples, overall},
    annotators::Estimate,
};

/// With fewer books, draws of them say next to nothing, and look sure of it.
const LEAST_BOOKS: usize = 5;

/// Rounds of resampling: an interval that is shown while people vote.
const ROUNDS: usize = 500;

/// A vote of a person on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voted<'v> {
    /// Who.
    pub by: &'v str,
    /// The choice.
    pub choice: &'v str,
    /// What was said beyond it: labels are compared sentence by sentence.
    pub said: &'v Said,
}

/// Two people who voted on the same items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Couple {
    /// The one; the first by name.
    pub one: String,
    /// The other.
    pub other: String,
    /// Items that both voted on; sentences, where these are labelled.
    pub items: usize,
    /// Those on which they agree.
    pub agreed: usize,
    /// Cohen's kappa.
    pub kappa: Estimate,
}

/// How far people agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Who voted, by name.
    pub voters: Vec<String>,
    /// Items with two votes or more; sentences, where these are labelled.
    pub items: usize,
    /// Every two of them.
    pub pairs: Vec<Couple>,
    /// Krippendorff's alpha, nominal.
    pub alpha: Estimate,
}

/// The votes on one item: by whom, and which of the choices.
type Votes<'v> = Vec<(&'v str, usize)>;

impl Agreement {
    /// The agreement on items of books by what people decided; an item is given by its ids. Votes that were made with a
    /// proposal in sight count under the protocol `hybrid` alone.
    pub fn on<B: Ord>(
        decisions: &Decisions,
        items: impl IntoIterator<Item = (B, [Digest; 2])>,
    ) -> Self {
        let hybrid = decisions.rule().protocol == Protocol::Hybrid;
        let mut books: BTreeMap<B, Vec<Vec<Voted<'_>>>> = BTreeMap::new();
        for (book, ids) in items {
            let votes = decisions.votes_of(&ids).into_iter();
            let votes = votes.filter(|vote| hybrid || !vote.proposal_shown);
            let voted =
                votes.map(|vote| Voted { by: &vote.by, choice: &vote.choice, said: &vote.said });
            books.entry(book).or_default().push(voted.collect());
        }
        Self::of(books.into_values())
    }

    /// The agreement on items, by book. Who says two things of one item says nothing yet.
    pub fn of<'v>(books: impl IntoIterator<Item = Vec<Vec<Voted<'v>>>>) -> Self {
        let mut words: BTreeMap<String, usize> = BTreeMap::new();
        let books: Vec<Vec<Votes<'v>>> = books
            .into_iter()
            .map(|items| {
                let of_item = |votes: Vec<Voted<'v>>| rows(clear(votes), &mut words);
                items.into_iter().flat_map(of_item).collect()
            })
            .collect();
        told(&books, words.len())
    }
}

/// The choice of who has not said anything yet, of all questions that have such a choice.
const OPEN: &str = "open";

/// The votes of people who said one thing, by name; who said it twice, on two machines, said it once. Who left a question open did not
/// answer it.
fn clear(mut votes: Vec<Voted<'_>>) -> Vec<Voted<'_>> {
    votes.retain(|vote| vote.choice != OPEN);
    votes.sort_unstable();
    votes.dedup();
    let torn = |vote: &Voted<'_>| votes.iter().filter(|one| one.by == vote.by).count() > 1;
    votes.iter().copied().filter(|vote| !torn(vote)).collect()
}

/// One row for an item, or one for each of its sentences where these are labelled.
fn rows<'v>(votes: Vec<Voted<'v>>, words: &mut BTreeMap<String, usize>) -> Vec<Votes<'v>> {
    let mut number = |word: &str| {
        let next = words.len();
        *words.entry(word.to_owned()).or_insert(next)
    };
    let mut sentences: Vec<Votes<'v>> = Vec::new();
    let mut whole: Votes<'v> = Vec::new();
    for vote in votes {
        if let Said::Labels(labels) = vote.said {
            sentences.resize(sentences.len().max(labels.len()), Vec::new());
            for (row, label) in sentences.iter_mut().zip(labels) {
                row.push((vote.by, number(label.label.name())));
            }
        } else {
            whole.push((vote.by, number(vote.choice)));
        }
    }
    sentences.push(whole);
    sentences.retain(|row| !row.is_empty());
    sentences
}

fn told(books: &[Vec<Votes<'_>>], words: usize) -> Agreement {
    let all: Vec<Votes<'_>> = books.concat();
    let voters: BTreeSet<&str> = all.iter().flatten().map(|(person, _)| *person).collect();
    let pairs = couples(&all)
        .into_iter()
        .map(|couple| {
            let tables: Vec<Table> = books
                .iter()
                .map(|rows| pair_table(rows, &couple.one, &couple.other, words))
                .collect();
            Couple {
                items: couple.items,
                agreed: couple.agreed,
                kappa: estimate(&couple.kappa, &tables, kappa),
                one: couple.one,
                other: couple.other,
            }
        })
        .collect();
    let numbers: Vec<Vec<f64>> = all
        .iter()
        .map(|row| {
            row.iter().map(|(_, word)| f64::from(u32::try_from(*word).unwrap_or(0))).collect()
        })
        .collect();
    let found = overall(&numbers, Scale::Nominal);
    let tables: Vec<Table> = books.iter().map(|rows| coincidences(rows, words)).collect();
    let mut alpha = estimate(&found.alpha, &tables, alpha_of);
    if voters.len() < 2 {
        let count = voters.len();
        alpha.value = None;
        alpha.undefined =
            Some(format!("undefined: agreement needs two voters, and there is {count}"));
    }
    let voters = voters.into_iter().map(str::to_owned).collect();
    Agreement { voters, items: found.items, pairs, alpha }
}

/// Counts of pairs of choices. A draw of books has the sum of their tables, so that no vote is looked at again.
#[derive(Clone, Debug)]
struct Table {
    words: usize,
    counts: Vec<f64>,
}

impl Table {
    fn new(words: usize) -> Self {
        Self { words, counts: vec![0.0; words * words] }
    }

    fn add(&mut self, one: usize, other: usize, by: f64) {
        self.counts[one * self.words + other] += by;
    }

    fn sum(tables: &[Self], drawn: &[usize]) -> Option<Self> {
        let mut sum = Self::new(tables.first()?.words);
        for at in drawn {
            sum.counts.iter_mut().zip(&tables[*at].counts).for_each(|(sum, own)| *sum += own);
        }
        Some(sum)
    }

    fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    fn agreed(&self) -> f64 {
        (0..self.words).map(|at| self.counts[at * self.words + at]).sum()
    }

    fn left(&self, at: usize) -> f64 {
        self.counts[at * self.words..(at + 1) * self.words].iter().sum()
    }

    fn right(&self, at: usize) -> f64 {
        (0..self.words).map(|row| self.counts[row * self.words + at]).sum()
    }
}

fn pair_table(rows: &[Votes<'_>], one: &str, other: &str, words: usize) -> Table {
    let mut table = Table::new(words);
    for row in rows {
        let of = |name: &str| row.iter().find(|(person, _)| *person == name).map(|(_, word)| *word);
        if let (Some(left), Some(right)) = (of(one), of(other)) {
            table.add(left, right, 1.0);
        }
    }
    table
}

fn coincidences(rows: &[Votes<'_>], words: usize) -> Table {
    let mut table = Table::new(words);
    for row in rows.iter().filter(|row| row.len() > 1) {
        let share = 1.0 / f64::from(u32::try_from(row.len() - 1).unwrap_or(1));
        for (at, (_, one)) in row.iter().enumerate() {
            let others = row.iter().enumerate().filter(|(other, _)| *other != at);
            others.for_each(|(_, (_, other))| table.add(*one, *other, share));
        }
    }
    table
}

fn kappa(table: &Table) -> Option<f64> {
    let n = table.total();
    let chance: f64 = (0..table.words).map(|at| (table.left(at) / n) * (table.right(at) / n)).sum();
    (n > 0.0 && 1.0 - chance > 1e-12).then(|| (table.agreed() / n - chance) / (1.0 - chance))
}

fn alpha_of(table: &Table) -> Option<f64> {
    let n = table.total();
    let same: f64 = (0..table.words).map(|at| table.left(at) * (table.left(at) - 1.0)).sum();
    let expected = n * (n - 1.0) - same;
    (n > 1.0 && expected > 1e-9).then(|| 1.0 - (n - 1.0) * (n - table.agreed()) / expected)
}

fn estimate(
    found: &Result<f64, Undefined>,
    tables: &[Table],
    of: fn(&Table) -> Option<f64>,
) -> Estimate {
    let value = match found {
        Ok(value) => *value,
        Err(error) => {
            let undefined = Some(format!("undefined: {error}"));
            return Estimate { undefined, ..Estimate::default() };
        }
    };
    // A book without such votes is no book that could have been drawn.
    let tables: Vec<Table> = tables.iter().filter(|table| table.total() > 0.0).cloned().collect();
    let books = tables.len();
    let plan = Plan { rounds: ROUNDS, ..Plan::default() };
    let drawn = |drawn: &[usize]| of(&Table::sum(&tables, drawn)?);
    let without =
        |why: String| Estimate { value: Some(value), undefined: Some(why), ..Estimate::default() };
    match statistic(books, plan, drawn) {
        _ if books < LEAST_BOOKS => {
            without(format!("no interval: votes on {books} books, and it needs {LEAST_BOOKS}"))
        }
        Ok(drawn) => Estimate {
            value: Some(value),
            low: Some(drawn.interval.low),
            high: Some(drawn.interval.high),
            undefined: None,
        },
        Err(error) => without(format!("no interval: {error}")),
    }
}

#[cfg(test)]
#[path = "voters_tests.rs"]
mod tests;
