//! A change of the shelf: several files at once, or nothing.

use storymill_core::Fault;

use crate::{
    Private, Shelf,
    index::{Extent, Index},
    journal::Journal,
    records,
};

/// A change that is being made ready. Nothing counts before [`Shelf::change`] has returned.
#[expect(missing_debug_implementations, reason = "it holds names of private files")]
pub struct Change<'s> {
    shelf: &'s Shelf,
    pub(crate) next: Index,
    /// Records written for it, for the case that it fails.
    pub(crate) fresh: Vec<String>,
    pub(crate) journal: Journal,
}

impl<'s> Change<'s> {
    pub(crate) fn new(shelf: &'s Shelf, next: Index, journal: Journal) -> Self {
        Self { shelf, next, fresh: Vec::new(), journal }
    }

    /// Keeps a file, in place of one of that name.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let extent = self.seal(bytes)?;
        self.next.files.insert(name.to_owned(), vec![extent]);
        Ok(())
    }

    /// Whether there would be a file of that name if the change were made.
    pub fn has(&self, name: &str) -> bool {
        self.next.files.contains_key(name)
    }

    /// Adds to the end of a file.
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let extent = self.seal(bytes)?;
        self.next.files.entry(name.to_owned()).or_default().push(extent);
        Ok(())
    }

    /// Takes a file away; whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        self.next.files.remove(name).is_some()
    }

    /// Gives a file another name, in place of one of that name; whether it was there.
    pub fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(extents) = self.next.files.remove(from) else { return false };
        self.next.files.insert(to.to_owned(), extents);
        true
    }

    /// What a file would hold if the change were made.
    pub fn read(&self, name: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        self.next
            .files
            .get(name)
            .map(|extents| self.shelf.gather(extents, &self.next.secret))
            .transpose()
    }

    fn seal(&mut self, bytes: &[u8]) -> Result<Extent, Fault> {
        let record = records::name()?;
        self.journal.fresh(&record).map_err(|error| {
            Fault::io("cannot go on with a change of the shelf", self.shelf.root(), error)
        })?;
        self.fresh.push(record.clone());
        self.shelf.seal(record, bytes, &self.next)
    }
}
