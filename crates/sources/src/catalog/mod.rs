//! Catalogs: what is known of books beside their pages.
//!
//! Read are Project Gutenberg's `pg_catalog.csv` (`Text#,Type,Issued,Title,…`) and a plain CSV
//! (`id,title,author,…`) whose further columns are free. Each may be packed with gzip. A catalog knows
//! nothing of files on disk beyond the names in its `file` column.

mod agents;
mod columns;
pub mod filter;
mod write;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::Serialize;
use storymill_core::{Author, BookId, Fault, FaultKind, canonical};
use storymill_disk::most;
use storymill_text::filter::has;

pub use agents::Contributor;
pub(crate) use columns::quotes_close;
pub use filter::{Filter, Mistakes};
pub use write::csv;

use crate::page_says::PageSays;

/// What a catalog says of one book.
///
/// What has no say in how a book turns out is no part of the row's digest: to rename a file
/// changes no book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The book's id.
    pub id: BookId,
    /// The file it is tied to.
    #[serde(skip_serializing)]
    pub file: Option<String>,
    /// Title in one line.
    pub title: String,
    /// Authors in the catalog's order.
    pub authors: Vec<Author>,
    /// Language tags.
    pub language: String,
    /// What it is: `novel`, `stories`.
    pub kind: String,
    /// Rights as the catalog puts them.
    pub rights: String,
    /// Where the page came from.
    pub source_url: String,
    /// Subject headings: `England -- Fiction`.
    #[serde(skip_serializing)]
    pub subjects: Vec<String>,
    /// Classes of the Library of Congress: `PR`.
    #[serde(skip_serializing)]
    pub locc: Vec<String>,
    /// Bookshelves: `Category: Novels`.
    #[serde(skip_serializing)]
    pub bookshelves: Vec<String>,
    /// Marks that somebody gave it: `pg19`. The book has them too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Translators, illustrators, editors and others, in the catalog's order.
    #[serde(skip_serializing)]
    pub others: Vec<Contributor>,
    /// What is published: `Text`, `Sound`, `Image`.
    #[serde(skip_serializing)]
    pub medium: String,
    /// The day of publication, as `2008-06-25`.
    #[serde(skip_serializing)]
    pub issued: String,
}

impl Row {
    /// A row of which nothing is known but the id.
    pub fn of(id: BookId) -> Self {
        Self {
            id,
            file: None,
            title: String::new(),
            authors: Vec::new(),
            language: String::new(),
            kind: String::new(),
            rights: String::new(),
            source_url: String::new(),
            subjects: Vec::new(),
            locc: Vec::new(),
            bookshelves: Vec::new(),
            flags: Vec::new(),
            others: Vec::new(),
            medium: String::new(),
            issued: String::new(),
        }
    }

    /// A row made from what the page says, for want of a catalog.
    pub fn of_page(id: &BookId, says: &PageSays) -> Self {
        Self {
            title: says.title.clone(),
            authors: says.authors.iter().map(|name| agents::entry_of(name).0).collect(),
            language: says.language.clone(),
            ..Self::of(id.clone())
        }
    }

    /// Whether somebody still holds rights in it, as far as the catalog says.
    ///
    /// ```
    /// # use storymill_sources::catalog::Row;
    /// let mut row = Row::of("1".parse().unwrap());
    /// row.rights = "Copyrighted. Read the copyright notice inside this book for details.".into();
    /// assert!(row.is_copyrighted());
    /// row.rights = "Public domain in the USA.".into();
    /// assert!(!row.is_copyrighted());
    /// ```
    pub fn is_copyrighted(&self) -> bool {
        has(&self.rights, "copyrighted")
            && !has(&self.rights, "not copyrighted")
            && !has(&self.rights, "public domain")
    }

    /// Whether it is a text, or at least nothing says otherwise.
    pub fn is_text(&self) -> bool {
        self.medium.is_empty() || self.medium.eq_ignore_ascii_case("text")
    }

    /// The first year in which everybody who had a part in its words is dead for 70 years; nothing where
    /// a year of death is not known. Pictures and readings do not count: they are not taken.
    ///
    /// ```
    /// # use storymill_sources::catalog::Catalog;
    /// let text = "id,title,authors\n1,A,\"Austen, Jane, 1775-1817; Brock, C. E., -1938 [Illustrator]\"\n\
    ///     2,B,\"Zola, Émile, 1840-1902; Vizetelly, E., -1922 [Translator]\"\n3,C,Anonymous\n";
    /// let catalog = Catalog::parse(text.as_bytes()).unwrap();
    /// let years: Vec<_> = catalog.rows().iter().map(|row| row.life70()).collect();
    /// assert_eq!(years, [Some(1888), Some(1993), None]);
    /// ```
    pub fn life70(&self) -> Option<i32> {
        let others = self.others.iter().filter(|other| other.has_words());
        let all = self.authors.iter().chain(others.map(|other| &other.agent));
        let deaths: Option<Vec<_>> = all.map(|agent| agent.death_year).collect();
        Some(deaths?.into_iter().max()? + 71)
    }

    /// The authors as a list in one line, with their years: `Austen, Jane, 1775-1817`.
    pub fn author_line(&self) -> String {
        let authors = self.authors.iter().map(|author| agents::entry(author, ""));
        authors.collect::<Vec<_>>().join("; ")
    }

    /// The bytes by which the row enters a digest.
    pub(crate) fn canonical(&self) -> String {
        canonical::json(self)
    }
}

/// A catalog, its rows found by file and by id.
#[derive(Debug, Default)]
pub struct Catalog {
    rows: Vec<Row>,
    by_file: BTreeMap<String, usize>,
    by_id: BTreeMap<BookId, Vec<usize>>,
    columns: Vec<String>,
}

impl Catalog {
    /// Reads a catalog file. `hint` says what to do if there is no such file.
    pub fn open(path: &Path, hint: &str) -> Result<Self, Fault> {
        let bytes = storymill_disk::read(path, most::CATALOG).map_err(|error| {
            Fault::io("cannot read the catalog", path, error).input().hint(hint)
        })?;
        Self::parse(&bytes).map_err(|fault| fault.at(path))
    }

    /// Reads a catalog from its bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        columns::catalog(bytes)
    }

    fn add(&mut self, row: Row, line: u64) -> Result<(), Fault> {
        let at = self.rows.len();
        if let Some(file) = &row.file
            && self.by_file.insert(file.clone(), at).is_some()
        {
            let message = format!("line {line}, column `file`: `{file}` has a row already");
            return Err(Fault::new(FaultKind::Input, message).hint("give each file one row"));
        }
        let twins = self.by_id.entry(row.id.clone()).or_default();
        if row.file.is_none() && twins.iter().any(|twin| self.rows[*twin].file.is_none()) {
            let message = format!("line {line}, column `id`: `{}` has a row already", row.id);
            let hint = "ids may repeat only where a column `file` tells the rows apart";
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        twins.push(at);
        self.rows.push(row);
        Ok(())
    }

    /// Flags the books with these ids; which of them it does not know.
    pub fn flag<'i>(&mut self, flag: &str, ids: &'i BTreeSet<BookId>) -> Vec<&'i BookId> {
        for row in self.rows.iter_mut().filter(|row| ids.contains(&row.id)) {
            if !row.flags.iter().any(|other| other == flag) {
                row.flags.push(flag.to_owned());
            }
        }
        if !self.columns.iter().any(|name| name.eq_ignore_ascii_case("flags")) {
            self.columns.push("flags".to_owned());
        }
        ids.iter().filter(|id| !self.by_id.contains_key(*id)).collect()
    }

    /// All rows in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that a filter lets through. Unless it speaks of `rights`, books under copyright
    /// are left out; unless it speaks of `type`, all that is no text.
    ///
    /// # Errors
    ///
    /// The filter tests a field for which the catalog has no column.
    pub fn choose(&self, filter: &Filter) -> Result<Chosen<'_>, Mistakes> {
        let all = filter.beyond(&self.columns);
        if !all.is_empty() {
            return Err(Mistakes { all });
        }
        let mut chosen = Chosen { rows: Vec::new(), copyrighted: 0, other_types: 0 };
        for row in self.rows.iter().filter(|row| filter.matches(row)) {
            if !row.is_text() && !filter.speaks_of("type") {
                chosen.other_types += 1;
            } else if row.is_copyrighted() && !filter.speaks_of("rights") {
                chosen.copyrighted += 1;
            } else {
                chosen.rows.push(row);
            }
        }
        Ok(chosen)
    }

    /// The row of an id, where one alone has it.
    pub fn get(&self, id: &str) -> Option<&Row> {
        match self.by_id.get(id)?.as_slice() {
            [only] => Some(&self.rows[*only]),
            several => several.iter().map(|at| &self.rows[*at]).find(|row| row.file.is_none()),
        }
    }

    /// The row of a file: by its name, else by the id that its name holds.
    pub fn find(&self, file: &str, id: Option<&BookId>) -> Option<&Row> {
        if let Some(at) = self.by_file.get(file) {
            return Some(&self.rows[*at]);
        }
        self.get(id?.as_str())
    }
}

/// What a filter chose of a catalog.
#[derive(Debug)]
pub struct Chosen<'c> {
    /// The rows, in the catalog's order.
    pub rows: Vec<&'c Row>,
    /// How many more it would have let through that are under copyright.
    pub copyrighted: usize,
    /// How many more it would have let through that are no texts.
    pub other_types: usize,
}
