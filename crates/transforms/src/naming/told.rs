//! What is told of a book, whatever it is: the texts of a row, to be written with other names, and to be
//! looked through for names that are left.

use storymill_core::{Distortion, Item, ReadAlongQuestion, Reconstruction, Record, Summary};

/// A row that tells of a book.
pub(super) trait Told: Record + Item + Clone {
    /// All its texts that tell of the book.
    fn texts(&mut self) -> Vec<&mut String>;
}

impl Told for Summary {
    fn texts(&mut self) -> Vec<&mut String> {
        vec![&mut self.text]
    }
}

impl Told for Distortion {
    fn texts(&mut self) -> Vec<&mut String> {
        let edits = self.edits.iter_mut();
        let events = edits.flat_map(|edit| [&mut edit.true_event, &mut edit.false_event]);
        [&mut self.text, &mut self.twin].into_iter().chain(events).collect()
    }
}

impl Told for ReadAlongQuestion {
    fn texts(&mut self) -> Vec<&mut String> {
        self.0.texts_mut()
    }
}

impl Told for Reconstruction {
    fn texts(&mut self) -> Vec<&mut String> {
        self.0.texts_mut()
    }
}
