//! A bound on what one tag may hold, kept while the tokenizer reads.
//!
//! `html5gum` takes a few frames of the stack for each quoted attribute of a tag, and gives them back
//! only where the tag ends: a tag with ten thousand of them would end the whole program. Its reader
//! is the one place from which it can be stopped in time, so the reader here looks at how many
//! attributes the walk has counted.

use std::cell::Cell;

use html5gum::{Readable, Reader};
use storymill_core::Reason;

/// Attributes of one tag; real pages have fewer than twenty.
pub(crate) const ATTRIBUTES: u32 = 200;

/// The tag that is being read: where it stands, and how many attributes it has so far.
#[derive(Debug, Default)]
pub(super) struct TagAtHand {
    start: Cell<usize>,
    attributes: Cell<u32>,
}

impl TagAtHand {
    pub(super) fn begin(&self, start: usize) {
        self.start.set(start);
        self.attributes.set(0);
    }

    pub(super) fn count(&self) {
        self.attributes.set(self.attributes.get().saturating_add(1));
    }
}

/// Reads a page until a tag has too many attributes.
pub(super) struct Bounded<'p> {
    inner: <&'p str as Readable<'p>>::Reader,
    at_hand: &'p TagAtHand,
}

impl<'p> Bounded<'p> {
    pub(super) fn new(page: &'p str, at_hand: &'p TagAtHand) -> Self {
        Self { inner: page.to_reader(), at_hand }
    }

    fn check(&self) -> Result<(), TooMany> {
        if self.at_hand.attributes.get() > ATTRIBUTES {
            return Err(TooMany { start: self.at_hand.start.get() });
        }
        Ok(())
    }
}

/// A tag has too many attributes.
#[derive(Debug, thiserror::Error)]
#[error("the tag at byte {start} has more than {most} attributes", most = ATTRIBUTES)]
pub(super) struct TooMany {
    start: usize,
}

impl From<TooMany> for Reason {
    fn from(error: TooMany) -> Self {
        Self::new("too-many-attributes", error.to_string())
    }
}

impl Reader for Bounded<'_> {
    type Error = TooMany;

    fn read_byte(&mut self) -> Result<Option<u8>, TooMany> {
        self.check()?;
        let Ok(byte) = self.inner.read_byte();
        Ok(byte)
    }

    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, TooMany> {
        let Ok(read) = self.inner.try_read_string(text, case_sensitive);
        Ok(read)
    }

    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        room: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, TooMany> {
        self.check()?;
        let Ok(bytes) = self.inner.read_until(needle, room);
        Ok(bytes)
    }
}
