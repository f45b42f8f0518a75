//! The table of pairs that people tell apart.

use serde::Serialize;
use storymill_core::{AdequacyPair, BookId, Encoding};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct AdequacyRow {
    pair_id: String,
    book_id: BookId,
    split: String,
    first_scene: u32,
    last_scene: u32,
    first: String,
    second: String,
    right: &'static str,
    qualifies: u8,
    qualify_pm: u16,
    said: Vec<String>,
    persons: Vec<String>,
    canary: String,
}

impl Table for AdequacyPair {
    type Row = AdequacyRow;
    const ABOUT: &'static str = "a true and a false retelling that people tell apart";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        vec![
            Column::new(
                "pair_id",
                Type::Line,
                "the pair: the false retelling, `/q` if it qualifies",
            ),
            word("book_id", "the book"),
            word("split", "train, validation or test"),
            int("first_scene", "first scene told"),
            int("last_scene", "last scene told"),
            Column::new("first", Type::Text, "the retelling that is shown first"),
            Column::new("second", Type::Text, "the one that is shown second"),
            word("right", "first or second: the true one"),
            int(
                "qualifies",
                "1 if the answer is known beforehand and tells who is counted, else 0",
            ),
            int("qualify_pm", "the share of those that a person must get right to be counted"),
            Column::new(
                "said",
                Type::list(Type::Word),
                "what each person said: first, second or neither",
            ),
            Column::new(
                "persons",
                Type::list(Type::Word),
                "who said it, by a pseudonym: reader-01",
            ),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> AdequacyRow {
        AdequacyRow {
            pair_id: self.id,
            book_id: self.book,
            split: added.split.to_owned(),
            first_scene: self.scenes.0,
            last_scene: self.scenes.1,
            first: self.first,
            second: self.second,
            right: if self.first_is_true { "first" } else { "second" },
            qualifies: u8::from(self.qualifies),
            qualify_pm: self.qualify_pm,
            said: self.votes.iter().map(|vote| vote.said.clone()).collect(),
            persons: self
                .votes
                .iter()
                .map(|vote| added.people.get(&vote.person).cloned().unwrap_or_default())
                .collect(),
            canary: added.canary.to_owned(),
        }
    }
}
