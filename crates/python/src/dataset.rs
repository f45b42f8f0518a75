//! Published folders: what is read before a question is asked, and the audit.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::Value;
use storymill::{AuditOptions, Fault, FaultKind};
use storymill_dataset::{asked, context};
use storymill_transforms::prompt_of;

use crate::refused;

/// What is read before questions of one folder are asked, one question after another.
#[pyclass(module = "storymill")]
#[derive(Debug)]
pub(crate) struct Contexts {
    folder: PathBuf,
    texts: context::Contexts,
}

#[pymethods]
impl Contexts {
    #[new]
    fn new(folder: PathBuf) -> PyResult<Self> {
        let texts = context::Contexts::open(&*folder);
        let texts = texts.map_err(|fault| refused::fault(fault, &folder))?;
        Ok(Self { folder, texts })
    }

    /// The context of a row, given as JSON, from the first of these configs that has it.
    fn of(&mut self, py: Python<'_>, row: &str, configs: Vec<String>) -> PyResult<String> {
        let Self { folder, texts } = self;
        py.detach(|| {
            let (row, question) = read(row)?;
            texts.of(&row, &question, &configs).map(str::to_owned)
        })
        .map_err(|fault| refused::fault(fault, folder))
    }

    /// Context and question of a row as one text, as `storymill evaluate` puts it to a model.
    fn prompt(&self, py: Python<'_>, row: &str, context: &str) -> PyResult<String> {
        py.detach(|| prompt_of(&read(row)?.1, context))
            .map_err(|fault| refused::fault(fault, &self.folder))
    }
}

/// A row, and what it asks.
fn read(row: &str) -> Result<(Value, storymill_core::Question), Fault> {
    let wrong = |why: &str| Fault::new(FaultKind::Input, why);
    let row: Value =
        serde_json::from_str(row).map_err(|error| wrong("no row in JSON").because(error))?;
    let question = asked::question(&row)?;
    let question = question.ok_or_else(|| {
        wrong("this row is not a question: no question_id, no book_id, no context_symbols")
    })?;
    Ok((row, question))
}

/// What of a published folder can be answered without understanding it, as `storymill audit --format json` prints it.
#[pyfunction]
pub(crate) fn audit(
    py: Python<'_>,
    folder: PathBuf,
    config: Option<String>,
    without_book: bool,
) -> PyResult<String> {
    let told = py.detach(|| {
        let dataset = storymill::Dataset::open(&*folder)?;
        let figures =
            dataset.audit(&AuditOptions { config, without_book, ..Default::default() })?;
        serde_json::to_string(&figures)
            .map_err(|error| Fault::new(FaultKind::Internal, "no JSON").because(error))
    });
    told.map_err(|fault| refused::fault(fault, &folder))
}
