//! The source `narrativeqa`: documents, questions and summaries as NarrativeQA releases them, each with its book.
//!
//! A unit is a book: its id is the number at Project Gutenberg that stands in the document's address, or else the name of
//! the page. The pages are read as the source `folder` reads them. Scripts of films have no such page and are passed over.

mod files;
mod table;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    AskedDocument, Book, BookId, Digest, Env, Fault, FaultKind, Known, Listing, OpenSource,
    Options, Reviews, Source, SourceUnit, Stop, canonical, did_you_mean, plural,
};

use crate::{
    catalog::Catalog,
    files::{self as pages, FolderPath, Links},
    folder::Folder,
};
use files::Released;

/// Questions about whole books in the columns of NarrativeQA: `documents.csv`, `qaps.csv`, `summaries.csv`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NarrativeQa {
    /// The folder with `documents.csv` and `qaps.csv`, relative to the workflow file. `summaries.csv` may lie there too, or
    /// below `third_party/wikipedia`, as it is released.
    pub path: FolderPath,
    /// The folder with the pages of the books: a page is found by the number in the document's `story_url`.
    pub pages: FolderPath,
    /// A catalog of the books, as for the source `folder`.
    #[serde(default)]
    pub catalog: Option<FolderPath>,
    /// Only the documents of these sets: `train`, `valid`, `test`.
    #[serde(default, skip_serializing)]
    pub sets: Option<Vec<String>>,
    /// Only the documents of these books.
    #[serde(default, skip_serializing)]
    #[schemars(with = "Option<Vec<String>>")]
    pub ids: Option<Vec<BookId>>,
    /// Of pages, these files, by name: to choose where two files have one id.
    #[serde(default, skip_serializing)]
    pub files: Option<Vec<String>>,
    /// The least share of a page's text, in percent, that must be kept, as for the source `folder`.
    #[serde(default = "half")]
    pub min_kept: u8,
}

fn half() -> u8 {
    50
}

impl Options for NarrativeQa {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        for (name, path) in [("path", &self.path), ("pages", &self.pages)] {
            if path.as_path().as_os_str().is_empty() {
                faults.push((name, "is empty; `.` is the workflow's own folder".to_owned()));
            }
        }
        if self.min_kept > 100 {
            let detail = format!("is {} and a percentage is at most 100", self.min_kept);
            faults.push(("min_kept", detail));
        }
        for (name, empty) in [
            ("sets", self.sets.as_ref().is_some_and(Vec::is_empty)),
            ("ids", self.ids.as_ref().is_some_and(Vec::is_empty)),
            ("files", self.files.as_ref().is_some_and(Vec::is_empty)),
        ] {
            if empty {
                faults.push((name, "is empty; leave it out to take every one".to_owned()));
            }
        }
        faults
    }
}

impl Source for NarrativeQa {
    const KIND: &'static str = "narrativeqa";
    const VERSION: u32 = 1;
    type Out = AskedDocument;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<AskedDocument>>, Fault> {
        let mut released = files::read(&env.root.join(self.path.as_path()))?;
        if let Some(sets) = &self.sets {
            let known = |set: &&String| released.has_set(set);
            if let Some(unknown) = sets.iter().find(|set| !known(set)) {
                let message = format!("`sets` names `{unknown}`, and no document is of that set");
                return Err(Fault::new(FaultKind::Input, message)
                    .at(&released.documents_path)
                    .hint(did_you_mean(unknown, released.sets()).unwrap_or_default()));
            }
        }
        released.retain(self.sets.as_deref(), self.ids.as_deref())?;
        let folder = env.root.join(self.pages.as_path());
        let catalog = self.catalog.as_ref().map(|path| env.root.join(path.as_path()));
        let catalog = catalog.map(|path| Catalog::open(&path, pages::CATALOG)).transpose()?;
        let mut listed = Vec::new();
        for file in pages::list(&folder, self.files.as_deref(), Links::Inside, &mut Vec::new())? {
            let row = catalog.as_ref().and_then(|all| all.find(&file.name, file.id.as_ref().ok()));
            listed.extend(row.map(|row| row.id.clone()).or(file.id.ok()));
        }
        let (present, missing): (Vec<BookId>, Vec<BookId>) =
            released.by_book.keys().cloned().partition(|id| listed.contains(id));
        if present.is_empty() {
            let message = "the folder has a page for none of the documents";
            let names: Vec<&str> = missing.iter().map(BookId::as_str).collect();
            return Err(Fault::new(FaultKind::Input, message).at(folder).hint(format!(
                "pages are found by number; wanted are {}",
                pages::some(&names, 5)
            )));
        }
        let mut inner = Folder::at(self.pages.as_path());
        inner.catalog.clone_from(&self.catalog);
        inner.ids = Some(present);
        inner.files.clone_from(&self.files);
        inner.min_kept = self.min_kept;
        inner.uncatalogued = crate::Uncatalogued::Keep;
        let books = inner.open(env)?;
        // What an earlier listing tells is of pages and questions together, so the pages are looked at anew.
        let listing = books.units(&Known::default())?;
        Ok(Box::new(OpenDocuments { released, books, listing, missing }))
    }
}

/// Released files that were read, over a folder of pages that is open.
struct OpenDocuments {
    released: Released,
    books: Box<dyn OpenSource<Book>>,
    listing: Listing,
    missing: Vec<BookId>,
}

impl OpenSource<AskedDocument> for OpenDocuments {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let mut notes = self.listing.notes.clone();
        let units = self.listing.units.iter().map(|unit| self.unit(unit)).collect();
        notes.extend_from_slice(&self.released.notes);
        if !self.missing.is_empty() {
            let names: Vec<&str> = self.missing.iter().map(BookId::as_str).collect();
            let many = plural(names.len() as u64, "document");
            notes.push(format!("{many} without a page: {}", pages::some(&names, 5)));
        }
        Ok(Listing { units, notes })
    }

    fn read(
        &self,
        unit: &SourceUnit,
        reviews: &mut Reviews<'_>,
    ) -> Result<Vec<AskedDocument>, Stop> {
        let mut books = self.books.read(self.page(&unit.unit)?, reviews)?;
        let Some(book) = books.pop() else {
            return Err(Stop::reject("no-book", "the page gives no book"));
        };
        let mut documents = self.released.by_book.get(&unit.unit).cloned().unwrap_or_default();
        for document in &mut documents {
            document.book_title.clone_from(&book.title);
            document.pass(NarrativeQa::KIND);
        }
        let last = documents.len().saturating_sub(1);
        for document in &mut documents[..last] {
            document.book = Some(book.clone());
        }
        if let Some(document) = documents.last_mut() {
            document.book = Some(book);
        }
        Ok(documents)
    }
}

impl OpenDocuments {
    fn page(&self, unit: &BookId) -> Result<&SourceUnit, Fault> {
        let page = self.listing.units.iter().find(|page| page.unit == *unit);
        page.ok_or_else(|| {
            Fault::new(FaultKind::Internal, format!("unit {unit} was not listed and is read"))
        })
    }

    /// The unit of a page with what is asked about it.
    fn unit(&self, page: &SourceUnit) -> SourceUnit {
        let asked: &[AskedDocument] =
            self.released.by_book.get(&page.unit).map_or(&[], Vec::as_slice);
        let asked = canonical::json(&asked);
        let parts = [page.digest.as_bytes().as_slice(), asked.as_bytes()];
        let digest = Digest::of_parts("storymill 2026 narrativeqa source unit", parts);
        SourceUnit { digest, stamp: None, ..page.clone() }
    }
}

/// Documents by the book that they are about.
type ByBook = BTreeMap<BookId, Vec<AskedDocument>>;
