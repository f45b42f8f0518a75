//! The source `folder`: a folder of pages, with or without a catalog.
//!
//! It lists files, ties them to catalog rows, and hands each page to [`clean_decided`]. What decides which
//! files count (`ids`, `files`) is no part of any key: it chooses books and changes none.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, BookId, Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reason,
    Reviews, Source, SourceUnit, Stop, nearest, plural,
};
use storymill_disk::most;

use crate::{
    asked,
    catalog::{Catalog, Row},
    clean::clean_decided,
    files::{self, FolderPath, Links, PageFile},
    listed,
};

/// A folder of books: Project Gutenberg HTML or plain text, packed with gzip or not.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    /// The folder, or one file, relative to the workflow file.
    pub path: FolderPath,
    /// A catalog (docs/books.md): Project Gutenberg's `pg_catalog.csv`, or a CSV of your own. Without it title and author are
    /// read from the pages.
    #[serde(default)]
    pub catalog: Option<FolderPath>,
    /// Only the books with these ids.
    #[serde(default, skip_serializing)]
    #[schemars(with = "Option<Vec<String>>")]
    pub ids: Option<Vec<BookId>>,
    /// Only these files, by name: to choose where two files have one id.
    #[serde(default, skip_serializing)]
    pub files: Option<Vec<String>>,
    /// Whether symbolic links to files outside of the folder are followed; otherwise they are left out, with a note.
    #[serde(default, skip_serializing)]
    pub follow_links: bool,
    /// The least share, in percent, of a page's text (header and licence left out) that must be kept; a
    /// page below it is rejected.
    #[serde(default = "half")]
    pub min_kept: u8,
    /// Whether each HTML page is read a second time, as `storymill book clean --check` does; what differs is put before people.
    #[serde(default, skip_serializing_if = "is_off")]
    pub second_reading: bool,
    /// What to do with files that the catalog does not list.
    #[serde(default, skip_serializing)]
    pub uncatalogued: Uncatalogued,
}

/// An option that is off is in no key.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_off(on: &bool) -> bool {
    !on
}

fn half() -> u8 {
    50
}

/// What to do with files that the catalog does not list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Uncatalogued {
    /// An error that names them.
    #[default]
    Error,
    /// Keep them, with title and author from the page.
    Keep,
}

impl Options for Folder {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.path.as_path().as_os_str().is_empty() {
            faults.push(("path", "is empty; `.` is the workflow's own folder".to_owned()));
        }
        if self.min_kept > 100 {
            faults.push((
                "min_kept",
                format!("is {} and a percentage is at most 100", self.min_kept),
            ));
        }
        if self.ids.as_ref().is_some_and(Vec::is_empty) {
            faults.push(("ids", "is empty; leave it out to take every book".to_owned()));
        }
        if self.files.as_ref().is_some_and(Vec::is_empty) {
            faults.push(("files", "is empty; leave it out to take every file".to_owned()));
        }
        faults
    }
}

impl Source for Folder {
    const KIND: &'static str = "folder";
    const VERSION: u32 = 9;
    type Out = Book;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Book>>, Fault> {
        let folder = env.root.join(self.path.as_path());
        // A wrong `path` is told before a catalog that should lie there.
        files::look(&folder)?;
        let catalog = self.catalog.as_ref().map(|path| env.root.join(path.as_path()));
        let catalog = catalog.map(|path| Catalog::open(&path, files::CATALOG)).transpose()?;
        Ok(Box::new(OpenFolder { options: self.clone(), folder, catalog }))
    }
}

/// A folder with the catalog as it was when it was opened.
struct OpenFolder {
    options: Folder,
    folder: PathBuf,
    catalog: Option<Catalog>,
}

impl OpenSource<Book> for OpenFolder {
    fn units(&self, known: &Known) -> Result<Listing, Fault> {
        let Self { options, folder, catalog } = self;
        let mut notes = Vec::new();
        let links = if options.follow_links { Links::All } else { Links::Inside };
        let mut found = files::list(folder, options.files.as_deref(), links, &mut notes)?;
        if let Some(catalog) = catalog {
            tie(&mut found, catalog);
        }
        let mut found = identified(found, catalog.is_some() || options.ids.is_some())?;
        if let Some(ids) = &options.ids {
            found = chosen(found, ids, folder)?;
        }
        one_file_each(&found)?;
        if let Some(catalog) = catalog {
            options.uncatalogued(&found)?;
            if options.ids.is_none() && options.files.is_none() {
                notes.extend(unfiled(catalog, &found));
            }
        }
        let units = found.into_par_iter().map(|file| unit(file, known)).collect();
        Ok(Listing { units, notes })
    }

    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Vec<Book>, Stop> {
        let name = unit.path.file_name().unwrap_or_default().to_string_lossy();
        let row = self.catalog.as_ref().and_then(|catalog| catalog.find(&name, Some(&unit.unit)));
        let bytes = storymill_disk::read(&unit.path, most::BOOK)
            .map_err(|error| Fault::io("cannot read the page", &unit.path, error))?;
        let digest = digest(&bytes, &row.map(Row::canonical).unwrap_or_default());
        listed::unchanged(unit, digest, "the page or its catalog row")?;
        let cleaned = clean_decided(&bytes, &name, &unit.unit, reviews)?;
        cleaned.check(self.options.min_kept).map_err(Stop::Reject)?;
        cleaned.check_cuts().map_err(Stop::Reject)?;
        if self.options.second_reading {
            asked::ask(&cleaned, &unit.unit, reviews)?;
        }
        Ok(vec![cleaned.book(unit.unit.clone(), row)])
    }
}

impl Folder {
    /// The pages at a path, without a catalog.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: FolderPath::from(path.into()),
            catalog: None,
            ids: None,
            files: None,
            min_kept: half(),
            second_reading: false,
            uncatalogued: Uncatalogued::default(),
            follow_links: false,
        }
    }

    /// Stops at files that the catalog does not list, unless they are to be kept.
    fn uncatalogued(&self, found: &[PageFile]) -> Result<(), Fault> {
        let missing: Vec<_> =
            found.iter().filter(|file| file.row.is_none()).map(|file| file.name.as_str()).collect();
        if missing.is_empty() || self.uncatalogued == Uncatalogued::Keep {
            return Ok(());
        }
        let message = format!(
            "the catalog has no row for {}: {}",
            plural(missing.len() as u64, "file"),
            files::some(&missing, 10)
        );
        Err(Fault::new(FaultKind::Input, message).hint(
            "add rows, name the wanted books in `ids`, or set `uncatalogued = \"keep\"` to read title and author from the page",
        ))
    }
}

/// Gives each file its row, and the row's id.
fn tie(found: &mut [PageFile], catalog: &Catalog) {
    for file in found {
        if let Some(row) = catalog.find(&file.name, file.id.as_ref().ok()) {
            file.id = Ok(row.id.clone());
            file.row = Some(row.clone());
        }
    }
}

/// Leaves files whose name holds no id to the error, unless a list of ids chooses others.
fn identified(found: Vec<PageFile>, lenient: bool) -> Result<Vec<PageFile>, Fault> {
    let bad: Vec<_> = found.iter().filter_map(|file| file.id.as_ref().err()).collect();
    if bad.is_empty() {
        return Ok(found);
    }
    if lenient && found.iter().any(|file| file.id.is_ok()) && bad.len() < found.len() / 2 {
        return Ok(found.into_iter().filter(|file| file.id.is_ok()).collect());
    }
    let names: Vec<_> = bad.iter().map(|name| name.as_str()).collect();
    let message = format!(
        "no id can be made from the name of {}: {}",
        plural(names.len() as u64, "file"),
        files::some(&names, 10)
    );
    Err(Fault::new(FaultKind::Input, message)
        .hint("rename it to 1 to 64 of A-Z a-z 0-9 . _ - before the ending, or give it a catalog row with `file` and `id`"))
}

/// The files with these ids.
fn chosen(found: Vec<PageFile>, ids: &[BookId], folder: &Path) -> Result<Vec<PageFile>, Fault> {
    let known: Vec<&str> =
        found.iter().filter_map(|file| file.id.as_ref().ok()).map(BookId::as_str).collect();
    let missing: Vec<_> = ids.iter().filter(|id| !known.contains(&id.as_str())).collect();
    if let Some(first) = missing.first() {
        let names: Vec<_> = missing.iter().map(|id| id.as_str()).collect();
        let message = format!(
            "`ids` names {} without a file: {}",
            plural(names.len() as u64, "book"),
            files::some(&names, 10)
        );
        let hint = match nearest(first.as_str(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the folder holds {}", files::some(&known, 5)),
        };
        return Err(Fault::new(FaultKind::Input, message).at(folder).hint(hint));
    }
    Ok(found.into_iter().filter(|file| file.id.as_ref().is_ok_and(|id| ids.contains(id))).collect())
}

/// Two files with one id: one error for all such pairs.
fn one_file_each(found: &[PageFile]) -> Result<(), Fault> {
    let mut by_id: BTreeMap<&BookId, Vec<&str>> = BTreeMap::new();
    for file in found {
        if let Ok(id) = &file.id {
            by_id.entry(id).or_default().push(&file.name);
        }
    }
    let pairs: Vec<_> = by_id
        .iter()
        .filter(|(_, names)| names.len() > 1)
        .map(|(id, names)| format!("`{id}` ({})", names.join(", ")))
        .collect();
    if pairs.is_empty() {
        return Ok(());
    }
    let message = format!("several files have one id: {}", pairs.join("; "));
    Err(Fault::new(FaultKind::Input, message)
        .hint("choose with `files = [\"…\"]`, move the others away, or give them ids of their own in the catalog"))
}

/// A note on rows for which no file is here.
fn unfiled(catalog: &Catalog, found: &[PageFile]) -> Option<String> {
    let have: std::collections::BTreeSet<_> =
        found.iter().filter_map(|file| file.row.as_ref()).map(|row| (&row.id, &row.file)).collect();
    let missing: Vec<_> = catalog
        .rows()
        .iter()
        .filter(|row| !have.contains(&(&row.id, &row.file)))
        .map(|row| row.id.as_str())
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "{} of the catalog without a file: {}",
            plural(missing.len() as u64, "row"),
            files::some(&missing, 5)
        )
    })
}

fn unit(file: PageFile, known: &Known) -> SourceUnit {
    let id = file.id.unwrap_or_else(|_| unreachable!("files without an id were left out"));
    let row = file.row.as_ref().map(Row::canonical).unwrap_or_default();
    listed::unit(id, &[&file.path], &row, known, || {
        match storymill_disk::read(&file.path, most::BOOK) {
            Ok(bytes) => {
                let empty = || Reason::new("empty", "the file is empty");
                (digest(&bytes, &row), bytes.is_empty().then(empty))
            }
            Err(error) => {
                let code = match error.kind() {
                    ErrorKind::FileTooLarge => "too-large",
                    _ => "unreadable",
                };
                let detail = format!("{}: {error}", file.name);
                (digest(b"", &row), Some(Reason::new(code, detail)))
            }
        }
    })
}

/// The digest of all that a book is made from: the file's bytes and its catalog row.
fn digest(bytes: &[u8], row: &str) -> Digest {
    Digest::of_parts("storymill 2026 folder source unit", [bytes, row.as_bytes()])
}
