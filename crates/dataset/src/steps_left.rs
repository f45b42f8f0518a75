//! What each step left of documents and their questions, and what the ledger holds: the rows of both tables, counted for
//! the card.

use std::collections::BTreeMap;

use arrow_array::{RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use serde::Serialize;

use crate::{numbers::thousands, publication::rank};

/// The columns that rows of documents are known by.
const DOCUMENT: [&str; 2] = ["document_id", "steps"];
/// The column that rows of a ledger are known by.
const REVISION: &str = "revision_id";

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
    /// Adds the rows of a batch, if they are documents or changes.
    pub(crate) fn note(found: &mut Option<Self>, rows: &RecordBatch, split: &str) {
        if DOCUMENT.iter().all(|name| rows.column_by_name(name).is_some()) {
            found.get_or_insert_default().note_documents(rows, split);
        }
        if rows.column_by_name(REVISION).is_some() {
            found.get_or_insert_default().note_changes(rows);
        }
    }

    fn note_documents(&mut self, rows: &RecordBatch, split: &str) {
        let steps = rows.column_by_name("steps").and_then(|lists| lists.as_list_opt::<i32>());
        let Some(steps) = steps else { return };
        let noted = self.splits.entry((rank(split), split.to_owned())).or_default();
        for at in 0..rows.num_rows() {
            let of_row = steps.value(at);
            let Some(of_row) = of_row.as_struct_opt() else { return };
            let names = of_row.column_by_name("step").and_then(|one| one.as_string_opt::<i32>());
            let left = of_row.column_by_name("questions");
            let left = left.and_then(|one| one.as_primitive_opt::<Int32Type>());
            let (Some(names), Some(left)) = (names, left) else { return };
            for (step, questions) in names.iter().flatten().zip(left.iter().flatten()) {
                let questions = u64::try_from(questions).unwrap_or(0);
                let known = noted.iter().position(|(known, _)| known == step);
                let known = known.unwrap_or_else(|| {
                    noted.push((step.to_owned(), [0, 0]));
                    noted.len() - 1
                });
                noted[known].1[0] += u64::from(questions > 0);
                noted[known].1[1] += questions;
            }
        }
    }

    fn note_changes(&mut self, rows: &RecordBatch) {
        let column = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
        let columns = ["step", "part", "kind", "state"].map(column);
        let [Some(step), Some(part), Some(kind), Some(state)] = columns else { return };
        for at in 0..rows.num_rows() {
            let key = [step, part, kind, state].map(|one: &StringArray| one.value(at).to_owned());
            *self.changes.entry(key).or_default() += 1;
        }
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
