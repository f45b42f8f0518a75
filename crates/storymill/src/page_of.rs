//! The page that a book was made from, cleaned again as people decided: every cut beside what was kept.

use std::path::Path;

use storymill_core::{Book, BookId, Fault, FaultKind, Record, Reviews, Stop};
use storymill_disk::most;
use storymill_shelf::Books;
use storymill_sources::{Cleaned, clean_decided, sha256};

use crate::inventory::Inventory;

impl Inventory {
    /// The page of a book, cleaned; none if no source of the workflow lists such a page.
    ///
    /// # Errors
    ///
    /// The page cannot be read or cleaned, or is not the one that the book was made from.
    pub fn page(&self, book: &BookId) -> Result<Option<Cleaned>, Fault> {
        let Some(path) = self.pages.get(book) else { return Ok(None) };
        let (bytes, name) = match &self.shelf {
            Some(shelf) => {
                let Some((page, name)) = Books(shelf).page(book)? else { return Ok(None) };
                (page.expose().clone(), name)
            }
            None => (read(path)?, path.file_name().unwrap_or_default().to_string_lossy().into()),
        };
        if let Some(known) = self.book(book)?
            && known.page.sha256 != sha256(&bytes)
        {
            let message = "this is not the page that the book was made from: its bytes differ";
            return Err(Fault::new(FaultKind::Input, message).at(path).hint("build again"));
        }
        let decisions = self.workflow.decisions.clone().unwrap_or_default();
        let mut reviews = Reviews::new(&decisions);
        match clean_decided(&bytes, &name, book, &mut reviews) {
            Ok(cleaned) => Ok(Some(cleaned)),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Reject(reason) | Stop::LeftOut(reason)) => {
                let message = format!("the page is not a book: {}", reason.detail);
                Err(Fault::new(FaultKind::Input, message).at(path))
            }
            Err(Stop::Waiting) => Ok(None),
        }
    }

    /// Whether a source lists a page that a book was made from.
    pub fn has_page(&self, book: &BookId) -> bool {
        let makes =
            |step: &str| self.workflow.step(step).is_some_and(|one| one.record() == Book::NAME);
        self.pages.contains_key(book)
            && self.found.iter().any(|found| found.unit == *book && makes(&found.step))
    }

    /// A book as its source made it.
    ///
    /// # Errors
    ///
    /// Its rows are damaged.
    pub fn book(&self, id: &BookId) -> Result<Option<Book>, Fault> {
        let made =
            |step: &str| self.workflow.step(step).is_some_and(|one| one.record() == Book::NAME);
        let mut found = self.found.iter().filter(|found| found.unit == *id && made(&found.step));
        let Some(part) = found.find_map(|found| found.part.as_ref()) else { return Ok(None) };
        Ok(self.rows::<Book>(part)?.first().cloned())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    storymill_disk::read(path, most::BOOK)
        .map_err(|error| Fault::io("cannot read the page", path, error).input())
}
