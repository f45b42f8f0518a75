//! A matrix of responses, as NoCha's site publishes it: for each pair of claims what each system made of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use storymill_core::{Demand, Facet, Grade, Length, Spent, Status, UnitId};
use storymill_metrics::rasch::{self, Verdict};

use crate::{
    cell::rounded, claim_pairs::common, collect::Collected, figures::Scope, report::PAIRS,
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

#[derive(Deserialize)]
struct Matrix {
    pairs: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    id: serde_json::Value,
    results: BTreeMap<String, String>,
    book: Option<String>,
    scope: Option<String>,
    genre: Option<String>,
    length: Option<String>,
    year: Option<String>,
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
            let id = match row.id {
                serde_json::Value::String(id) => id,
                other => other.to_string(),
            };
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
            if row.results.values().all(|word| word != "no_prediction") {
                facets.push(common());
            }
            for (model, word) in row.results {
                let right = match word.as_str() {
                    "correct" => true,
                    "incorrect" => false,
                    "no_prediction" => continue,
                    _ => return Err(NotAMatrix::Word { pair: id, word }),
                };
                all.add(grade(&id, of.clone(), model, right, facets.clone()));
            }
        }
        Ok(all)
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
