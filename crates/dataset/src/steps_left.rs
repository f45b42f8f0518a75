//! What each step left of documents and their questions, and what the ledger holds: the rows of both tables, counted for
//! the card.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{AskedDocument, Passed, Revision};

use crate::{numbers::thousands, publication::rank};

/// Steps in order, each with documents and questions.
type Steps = Vec<(String, [u64; 2])>;

/// What was noted.
#[derive(Debug, Default)]
pub(crate) struct StepsLeft {
    /// By split: the steps in order, each with documents that have questions, and questions.
    splits: BTreeMap<(usize, String), Steps>,
    /// Rows of the ledger by step, part, kind and state.
    changes: BTreeMap<[String; 4], u64>,
}

/// What the card is filled with.
#[derive(Debug, Serialize)]
pub(crate) struct StepsLeftView {
    steps: Vec<StepView>,
    changes: Vec<ChangeView>,
}

/// A line of the table of steps.
#[derive(Debug, Serialize)]
struct StepView {
    split: String,
    step: String,
    documents: String,
    questions: String,
}

/// A line of the table of changes.
#[derive(Debug, Serialize)]
struct ChangeView {
    step: String,
    part: String,
    kind: String,
    state: String,
    rows: String,
}

impl StepsLeft {
    /// Adds a document.
    pub(crate) fn note_document(&mut self, document: &AskedDocument, split: &str) {
        let noted = self.splits.entry((rank(split), split.to_owned())).or_default();
        for Passed { step, questions } in &document.passed {
            let known = noted.iter().position(|(known, _)| known == step);
            let known = known.unwrap_or_else(|| {
                noted.push((step.clone(), [0, 0]));
                noted.len() - 1
            });
            noted[known].1[0] += u64::from(*questions > 0);
            noted[known].1[1] += u64::from(*questions);
        }
    }

    /// Adds a change.
    pub(crate) fn note_change(&mut self, change: &Revision) {
        let Revision { step, part, kind, state, .. } = change;
        let key = [step.clone(), part.clone(), kind.clone(), state.name().to_owned()];
        *self.changes.entry(key).or_default() += 1;
    }

    /// What the card is filled with.
    pub(crate) fn view(&self) -> StepsLeftView {
        let steps = self.splits.iter().flat_map(|((_, split), steps)| {
            steps.iter().map(|(step, [documents, questions])| StepView {
                split: split.clone(),
                step: step.clone(),
                documents: thousands(*documents),
                questions: thousands(*questions),
            })
        });
        let change = |([step, part, kind, state], rows): (&[String; 4], &u64)| ChangeView {
            step: step.clone(),
            part: part.clone(),
            kind: kind.clone(),
            state: state.clone(),
            rows: thousands(*rows),
        };
        StepsLeftView { steps: steps.collect(), changes: self.changes.iter().map(change).collect() }
    }
}
