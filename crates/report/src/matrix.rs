//! A matrix of responses, as NoCha's site publishes it: for each pair of claims what each system made of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill_core::{Demand, Facet, Grade, Length, Spent, Status, UnitId};
use storymill_metrics::rasch::{self, Verdict};

use crate::{
    cell::rounded,
    claim_pairs::common,
    collect::{Collected, PAIRS},
    figures::Scope,
    system::System,
};

/// Why a file is no matrix of responses.
#[derive(Debug, thiserror::Error)]
pub enum NotAMatrix {
    /// It is no JSON of this shape.
    #[error(
        "a matrix is `{{\"pairs\": [{{\"id\": 1, \"results\": {{\"SYSTEM\": \"correct\"}}}}]}}`: {0}"
    )]
    Shape(#[from] serde_json::Error),
    /// A system has another word for a pair.
    #[error("pair {pair}: `{word}` is not `correct`, `incorrect` or `no_prediction`")]
    Word {
        /// The pair.
        pair: String,
        /// The word.
        word: String,
    },
    /// A book cannot be named so.
    #[error("pair {pair}: {why}")]
    Book {
        /// The pair.
        pair: String,
        /// Why not.
        why: String,
    },
}

/// The verdicts of all systems on all pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix {
    /// The pairs.
    pub pairs: Vec<Row>,
}

/// A pair, and what each system made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its name: a text or a number.
    pub id: serde_json::Value,
    /// `correct`, `incorrect` or `no_prediction`, by system.
    pub results: BTreeMap<String, String>,
    /// The book, or another name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// The scope of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The genre of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genre: Option<String>,
    /// The length of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// The year of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<String>,
}

pub(crate) const RIGHT: &str = "correct";
pub(crate) const WRONG: &str = "incorrect";
const NONE: &str = "no_prediction";

impl Row {
    /// How many systems have it right, and how many answered.
    pub fn right(&self) -> [usize; 2] {
        let count = |word: &str| self.results.values().filter(|one| *one == word).count();
        [count(RIGHT), count(RIGHT) + count(WRONG)]
    }

    /// The name of the pair.
    pub fn name(&self) -> String {
        match &self.id {
            serde_json::Value::String(id) => id.clone(),
            other => other.to_string(),
        }
    }
}

impl Collected {
    /// The pairs of a matrix. Where it names no books, all of one genre, length and year are taken for one: no book
    /// lies in two of them.
    ///
    /// # Errors
    ///
    /// It is no matrix.
    pub fn of_matrix(text: &str) -> Result<Self, NotAMatrix> {
        let Matrix { pairs } = serde_json::from_str(text)?;
        let mut all = Self::default();
        all.assisted = true;
        for row in pairs {
            let id = row.name();
            let facts = [("genre", &row.genre), ("length", &row.length), ("year", &row.year)];
            let known = facts.map(|(_, value)| value.as_deref().unwrap_or("unknown"));
            all.grouped |= row.book.is_none();
            let book = row.book.unwrap_or_else(|| known.join("-").replace(' ', "-"));
            let of: UnitId = book.parse().map_err(|error: storymill_core::BadId| {
                NotAMatrix::Book { pair: id.clone(), why: error.to_string() }
            })?;
            let facts = facts.into_iter().chain([("scope", &row.scope)]);
            let mut facets: Vec<Facet> =
                facts.filter_map(|(by, value)| Some(Facet::new(by, value.clone()?))).collect();
            if row.results.values().all(|word| word != NONE) {
                facets.push(common());
            }
            for (model, word) in row.results {
                let right = match word.as_str() {
                    RIGHT => true,
                    WRONG => false,
                    NONE => continue,
                    _ => return Err(NotAMatrix::Word { pair: id, word }),
                };
                all.add(grade(&id, of.clone(), model, right, facets.clone()));
            }
        }
        Ok(all)
    }

    /// The pairs of claims as a matrix, under the names that are given to pairs and books, and in their order. A model that was asked
    /// in another setting than `full` is a system of its own: `small (retrieved-5)`. Rules that answer without a model are left out.
    ///
    /// # Errors
    ///
    /// A pair has no name.
    pub fn to_matrix<E>(
        &self,
        pair: impl Fn(&str) -> Result<String, E>,
        book: impl Fn(&str) -> String,
    ) -> Result<Matrix, E> {
        let twins = self.pairs_of_claims();
        let mut verdicts: BTreeMap<u32, BTreeMap<u32, &str>> = BTreeMap::new();
        for answer in &twins.answers {
            let word = if answer.right == Some(true) { RIGHT } else { WRONG };
            verdicts.entry(answer.system).or_default().insert(answer.question, word);
        }
        let system = |at: u32| {
            let of = &twins.systems[at as usize];
            let shown =
                if of.setting == "full" { String::new() } else { format!(" ({})", of.setting) };
            (!of.is_baseline()).then(|| of.model.clone() + &shown)
        };
        let systems: Vec<_> =
            verdicts.iter().filter_map(|(at, words)| Some((system(*at)?, words))).collect();
        let row = |(at, question): (u32, &crate::collect::Question)| {
            let fact = |by: &str| {
                let fact = question.facets.iter().find(|facet| facet.by == by);
                fact.map(|facet| facet.value.clone())
            };
            let word = |words: &BTreeMap<u32, &str>| (*words.get(&at).unwrap_or(&NONE)).to_owned();
            let results = systems.iter().map(|(name, words)| (name.clone(), word(words)));
            Ok(Row {
                id: pair(&question.id)?.into(),
                results: results.collect(),
                book: Some(book(&twins.books[question.book as usize].id)),
                scope: fact("scope"),
                genre: fact("genre"),
                length: fact("length"),
                year: fact("year"),
            })
        };
        let mut pairs = (0..).zip(&twins.questions).map(row).collect::<Result<Vec<_>, E>>()?;
        pairs.sort_by_key(Row::name);
        Ok(Matrix { pairs })
    }
}

fn grade(id: &str, of: UnitId, model: String, right: bool, facets: Vec<Facet>) -> Grade {
    Grade {
        question: id.to_owned(),
        config: PAIRS.to_owned(),
        of,
        title: String::new(),
        author: String::new(),
        split: String::new(),
        flags: Vec::new(),
        written_by: Vec::new(),
        model,
        setting: "full".to_owned(),
        form: PAIRS.to_owned(),
        kind: "claim".to_owned(),
        status: Status::Answered,
        right: Some(right),
        none_of_the_above: false,
        choices: 4,
        pair: String::new(),
        facets,
        score_ppm: if right { 1_000_000 } else { 0 },
        measures: Vec::new(),
        demand: Demand::default(),
        context: Length::default(),
        spent: Spent::default(),
    }
}

/// Adds to each system the share of all pairs that it would have right, with its interval.
pub(crate) fn assist(scope: &Scope<'_>, systems: &mut [System]) {
    let place = |system: u32| scope.systems.iter().position(|own| *own == system);
    let verdict = |answer: &&crate::collect::Answer| {
        Some(Verdict {
            system: place(answer.system)?,
            item: answer.question as usize,
            right: answer.right == Some(true),
        })
    };
    let verdicts: Vec<Verdict> = scope.answers.iter().filter_map(verdict).collect();
    let books = scope.all.questions.iter().map(|question| question.book as usize);
    let books: Vec<usize> = books.collect();
    // Of fewer than five books nothing is defined, as for any other interval.
    let found = rasch::all_items(&verdicts, systems.len(), &books, scope.level);
    for (system, share) in systems.iter_mut().zip(found.into_iter().flatten()) {
        let named = [("", share.value), (" low", share.low), (" high", share.high)];
        let named = named.map(|(end, value)| (format!("all pairs{end}"), rounded(value)));
        system.measures.extend(named);
    }
}
