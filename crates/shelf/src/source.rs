//! The source `shelf`: private books, read from the shelf that the program has opened.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, BookId, Desk, Fault, FaultKind, Listing, Options, Record, Source, SourceUnit, Stop,
};

use crate::{Books, Cleaner, Shelf};

/// A workflow names a kind of source and no key, so the program lends the shelf that it has opened.
static LENT: Mutex<Option<Arc<Shelf>>> = Mutex::new(None);

/// Lends a shelf to every source `shelf` of this process, until another is lent.
pub fn lend(shelf: Option<Arc<Shelf>>) {
    *LENT.lock().unwrap_or_else(PoisonError::into_inner) = shelf;
}

/// Who makes books of pages, once the program has said so.
static CLEANER: OnceLock<Cleaner> = OnceLock::new();

/// Lends the one who makes books of pages: from then on doubts about the pages of private books are put
/// on the desk of a build. Who was lent first stays.
pub fn lend_cleaner(cleaner: Cleaner) {
    let _ = CLEANER.set(cleaner);
}

fn lent() -> Result<Arc<Shelf>, Fault> {
    LENT.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or_else(|| {
        Fault::new(FaultKind::Input, "the workflow reads private books, and no shelf is open")
            .hint("name it: `--shelf DIR --key FILE`")
    })
}

/// Private books: those on the shelf that `--shelf` names.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShelfBooks {
    /// Only the books with these ids.
    #[serde(default, skip_serializing)]
    #[schemars(with = "Option<Vec<String>>")]
    pub ids: Option<Vec<BookId>>,
}

impl Options for ShelfBooks {
    fn check(&self) -> Vec<(&'static str, String)> {
        let empty = self.ids.as_ref().is_some_and(Vec::is_empty);
        let fault = ("ids", "is empty; leave it out to take every book".to_owned());
        empty.then_some(fault).into_iter().collect()
    }
}

impl Source for ShelfBooks {
    const KIND: &'static str = "shelf";
    const VERSION: u32 = 2;
    type Out = Book;

    fn list(&self, _: &Path) -> Result<Listing, Fault> {
        let shelf = lent()?;
        let books = Books(&shelf);
        let all = books.ids();
        let unit = |id: &BookId| {
            let rows = books.rows(id)?;
            Ok(SourceUnit {
                unit: id.clone(),
                path: PathBuf::from(crate::MOUNT).join("books").join(id.as_str()),
                digest: shelf.digest("shelf source unit v1", rows.expose()),
                spoiled: None,
            })
        };
        let units = self.ids.as_ref().unwrap_or(&all).iter().map(unit);
        Ok(Listing { units: units.collect::<Result<_, Fault>>()?, notes: Vec::new() })
    }

    fn read(&self, _: &Path, unit: &SourceUnit, desk: &mut Desk<'_>) -> Result<Vec<Book>, Stop> {
        let shelf = lent()?;
        if let Some(cleaner) = CLEANER.get() {
            return Ok(vec![Books(&shelf).decided(&unit.unit, *cleaner, desk)?]);
        }
        let rows = Books(&shelf).rows(&unit.unit)?;
        Book::decode(rows.expose()).map_err(|_| {
            let message =
                format!("the book `{}` was put on the shelf by another version", unit.unit);
            Fault::new(FaultKind::Store, message).hint("add it again with `--replace`").into()
        })
    }
}
