//! Files that cannot be scored.

/// Why a file cannot be scored, with the place in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// No JSON, or JSON of another shape.
    #[error("line {line}, column {column}: {what}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1; 0 where the whole line is meant.
        column: usize,
        /// What is wrong there.
        what: String,
        /// The reader's own error.
        source: serde_json::Error,
    },
    /// A row that lacks a field.
    #[error("line {line}: no `{field}`")]
    Missing {
        /// Line, from 1.
        line: usize,
        /// The field, with its other names.
        field: &'static str,
    },
    /// A value that makes no sense.
    #[error("line {line}: {what}")]
    Row {
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A prediction of what another file predicts too.
    #[error("line {line}: `{id}` was predicted in another file already")]
    Twice {
        /// Line, from 1.
        line: usize,
        /// What is predicted.
        id: String,
        /// The number of the other file, and the line in it.
        first: (usize, usize),
    },
    /// An entry of a file keyed by ids.
    #[error("`{id}`: {what}")]
    Entry {
        /// The id.
        id: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file without rows.
    #[error("the file has no rows")]
    Empty,
    /// A system that no row has an answer of.
    #[error("no row has a field `{name}`; those of systems are `{known}`")]
    System {
        /// The field.
        name: String,
        /// Those that there are.
        known: String,
    },
}

impl FileError {
    /// Explains an error of the JSON reader; `text` is what it read, `line` the line it began at.
    pub fn json(source: serde_json::Error, text: &str, line: usize) -> Self {
        // A fault at a line's end is told of the next line, before its first letter.
        let (at, column) = match (source.line(), source.column()) {
            (at, 0) if at > 1 => {
                (at - 1, text.lines().nth(at - 2).map_or(0, |line| line.chars().count()))
            }
            (at, column) => (at.max(1), column),
        };
        let rest = text.lines().nth(at - 1).unwrap_or("");
        let near: String = rest.chars().skip(column.saturating_sub(2)).take(9).collect();
        let word = ["NaN", "Infinity"].into_iter().find(|word| near.contains(word));
        let told = source.to_string();
        let told = told.split(" at line ").next().unwrap_or_default();
        let what = if let Some(word) = word {
            format!("`{word}` is not a number in JSON, and no score")
        } else if told.contains("control character") {
            format!("{told}: a quotation mark is missing, or one stands here too many")
        } else {
            told.to_owned()
        };
        Self::Json { line: line + at - 1, column, what, source }
    }
}
