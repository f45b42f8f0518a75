//! The source `shelf`: private books.
//!
//! A workflow names a kind of source and no key, so whoever runs it lends the source an `Arc<Shelf>`; and a
//! [`Cleaner`], if doubts about the pages of private books shall be among the reviews of the build.

use std::{path::PathBuf, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, BookId, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reviews, Source,
    SourceUnit, Stop,
};

use crate::{Books, Cleaner, Shelf};

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
    const PRIVATE: bool = true;
    type Out = Book;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Book>>, Fault> {
        let shelf = env.lent.get::<Arc<Shelf>>().ok_or_else(|| {
            Fault::new(FaultKind::Input, "the workflow reads private books, and no shelf is open")
                .hint("name it: `--shelf DIR --key FILE`")
        })?;
        let (shelf, cleaner) = (Arc::clone(shelf), env.lent.get().copied());
        Ok(Box::new(OpenShelf { ids: self.ids.clone(), shelf, cleaner }))
    }
}

struct OpenShelf {
    ids: Option<Vec<BookId>>,
    shelf: Arc<Shelf>,
    cleaner: Option<Cleaner>,
}

impl OpenSource<Book> for OpenShelf {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let books = Books(&self.shelf);
        let all = books.ids();
        let unit = |id: &BookId| {
            let rows = books.rows(id)?;
            Ok(SourceUnit {
                unit: id.clone(),
                path: PathBuf::from(crate::MOUNT).join("books").join(id.as_str()),
                digest: self.shelf.digest("shelf source unit v1", rows.expose()),
                spoiled: None,
                stamp: None,
            })
        };
        let units = self.ids.as_ref().unwrap_or(&all).iter().map(unit);
        Ok(Listing { units: units.collect::<Result<_, Fault>>()?, notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Vec<Book>, Stop> {
        let books = Books(&self.shelf);
        if let Some(cleaner) = self.cleaner {
            return Ok(vec![books.decided(&unit.unit, cleaner, reviews)?]);
        }
        Ok(vec![books.book(&unit.unit)?])
    }
}
