//! The texts of published books, each found by where its rows stand: no file is read through for one book.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use storymill_core::Fault;

use crate::{
    exams::index::{Run, Tables},
    manifest::Manifest,
    site::Site,
};

/// Rows are sorted by book, so one text serves many questions; a few serve readers that jump.
const REMEMBERED: usize = 4;

/// The books of a published folder.
#[derive(Debug)]
pub(crate) struct Books {
    tables: Tables,
    /// Where the rows of each book stand, by config; of configs without texts nowhere.
    places: BTreeMap<String, BTreeMap<String, Vec<Run>>>,
    remembered: VecDeque<(String, String, Option<Arc<str>>)>,
}

impl Books {
    pub(crate) fn open(folder: &Site, manifest: &Manifest) -> Result<Self, Fault> {
        let tables = Tables::of(folder, manifest)?;
        Ok(Self { tables, places: BTreeMap::new(), remembered: VecDeque::new() })
    }

    /// The text of a book as a config has it; none if it is not there.
    pub(crate) fn text(&mut self, config: &str, book: &str) -> Result<Option<Arc<str>>, Fault> {
        let known = self.remembered.iter().position(|(of, name, _)| of == config && name == book);
        if let Some(at) = known {
            return Ok(self.remembered[at].2.clone());
        }
        if !self.places.contains_key(config) {
            let places = if self.tables.with_texts().contains(&config) {
                self.tables.places(config, "book_id")?
            } else {
                BTreeMap::new()
            };
            self.places.insert(config.to_owned(), places);
        }
        let runs = self.places[config].get(book).map_or(&[][..], Vec::as_slice);
        let text = self.tables.text(runs)?.map(Arc::from);
        self.remembered.truncate(REMEMBERED - 1);
        self.remembered.push_front((config.to_owned(), book.to_owned(), text.clone()));
        Ok(text)
    }
}
