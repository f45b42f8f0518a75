//! When something is asked, and the question that comes of what was drawn.

use storymill_core::{Choice, Given, Item, ReadAlongQuestion, Scene, Span};

use super::{Decoys, posed::Posed};
use crate::reading::{Reading, Said};

/// A moment of reading at which something is asked: after scene `t`, with decoys of a type.
pub(super) struct Moment<'s> {
    pub(super) t: usize,
    pub(super) scene: &'s Scene,
    pub(super) decoys: Decoys,
    /// Which of the questions of that type, where it asks several at once.
    pub(super) part: &'static str,
}

impl Item for Moment<'_> {
    fn item_id(&self) -> String {
        format!("{}/{}{}", self.scene.item_id(), self.decoys.question_type().name(), self.part)
    }

    fn item_span(&self) -> Option<Span> {
        Some(self.scene.span)
    }
}

impl Moment<'_> {
    /// The question at its place in the book.
    pub(super) fn question(&self, reading: &Reading<'_>, posed: Posed<'_>) -> ReadAlongQuestion {
        let read = self.t + 1;
        let options = posed.options.iter().map(|option| {
            let (from, of, names) = match &option.told {
                Some(told) => (told.from, Some((told.book, told.scene)), told.names),
                None => ("", option.scene.map(|scene| (&self.scene.book, scene)), &[][..]),
            };
            let choice = reading.choice(option.kind, &option.text, from, of, read);
            Choice { names: names.to_vec(), ..choice }
        });
        let given = posed.given.iter();
        let given =
            given.map(|told| Given { text: told.text.to_owned(), from: told.from.to_owned() });
        let kind = format!("{}{}", self.decoys.question_type().name(), posed.ending);
        let said = Said {
            id: format!("{}/{kind}", self.scene.item_id()),
            kind,
            question: posed.task.into_owned(),
            given: given.collect(),
            options: options.collect(),
            answer: u8::try_from(posed.right).expect("there are a handful of options"),
        };
        reading.question(self.t, posed.needed, said)
    }
}
