//! What is refused, as the package's exceptions.

use std::path::Path;

use pyo3::{import_exception, prelude::*};
use storymill::Fault;
use storymill_metrics::score::FileError;

import_exception!(storymill.errors, DatasetError);
import_exception!(storymill.errors, ScoreError);

/// A fault with its place, its reason and what to do.
pub(crate) fn fault(fault: Fault, folder: &Path) -> PyErr {
    let place = fault.path.clone().unwrap_or_else(|| folder.to_owned());
    let mut reason = fault.message.clone();
    let mut cause = std::error::Error::source(&fault);
    while let Some(error) = cause {
        reason = format!("{reason}: {error}");
        cause = error.source();
    }
    DatasetError::new_err((place, reason, fault.hint))
}

/// A file of answers, claims or labels that cannot be scored: which line, and why.
pub(crate) fn file(error: FileError) -> PyErr {
    let (line, reason) = match error {
        FileError::Json { line, column: 0, what, .. } | FileError::Row { line, what } => {
            (Some(line), what)
        }
        FileError::Json { line, column, what, .. } => {
            (Some(line), format!("{what} (column {column})"))
        }
        FileError::Missing { line, field } => (Some(line), format!("no `{field}`")),
        other => (None, other.to_string()),
    };
    ScoreError::new_err((line, reason))
}
