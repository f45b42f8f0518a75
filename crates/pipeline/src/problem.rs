//! What is wrong with a workflow: all of it at once, each with its exact place.

use std::{fmt, ops::Range, path::PathBuf};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A lower-case fragment without a full stop.
    pub message: String,
    /// The bytes of the workflow file that it is about.
    pub span: Option<Range<usize>>,
    /// What the user can do next.
    pub hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>, span: impl Into<Option<Range<usize>>>) -> Self {
        Self { message: message.into(), span: span.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Everything that is wrong with a workflow file.
#[derive(Debug)]
pub struct Problems {
    /// The file.
    pub path: PathBuf,
    /// Its text, for drawing the places.
    pub text: String,
    /// What is wrong, in the order of places.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.shown().iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", self.path.display())?;
            if let Some(span) = &problem.span {
                let (line, column) = line_and_column(&self.text, span.start);
                write!(f, ":{line}:{column}")?;
            }
            write!(f, ": {}", problem.message)?;
            if let Some(hint) = &problem.hint {
                write!(f, " (hint: {hint})")?;
            }
        }
        match self.more() {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Problems {}

impl Problems {
    /// How many are shown: who made so many has made the first of them many times.
    const SHOWN: usize = 20;

    /// Those that are shown.
    pub fn shown(&self) -> &[Problem] {
        &self.problems[..self.problems.len().min(Self::SHOWN)]
    }

    /// How many there are beside.
    pub fn more(&self) -> usize {
        self.problems.len() - self.shown().len()
    }
}

/// Line and column of a byte, both from 1, the column in symbols.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    (line, column)
}
