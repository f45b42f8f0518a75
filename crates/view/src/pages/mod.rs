//! One file for each kind of page.

pub(crate) mod book;
pub(crate) mod cast;
mod context;
pub(crate) mod home;
pub(crate) mod left;
pub(crate) mod list;
pub(crate) mod question;
pub(crate) mod row;
pub(crate) mod search;
pub(crate) mod source;

use serde::Serialize;

/// A way on: a path of the site and what it is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Way {
    pub(crate) path: String,
    pub(crate) name: String,
}

impl Way {
    pub(crate) fn new(path: impl Into<String>, name: impl Into<String>) -> Self {
        Self { path: path.into(), name: name.into() }
    }
}

/// The path of a row.
pub(crate) fn row_path(config: &str, id: &str) -> String {
    format!("c/{config}/{id}")
}

/// A text in one line of at most so many symbols.
pub(crate) fn line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let short: String = line.chars().take(most).collect();
    format!("{}…", short.trim_end())
}
