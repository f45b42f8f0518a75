//! The table of what people said of review items.

use serde::Serialize;
use storymill_core::{Digest, Encoding, UnitId, Vote};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct VoteRow {
    vote_id: String,
    review_id: Digest,
    queue: String,
    code: String,
    item_id: String,
    step: String,
    of: UnitId,
    split: String,
    person: String,
    choice: String,
    said: String,
    protocol: String,
    settles: u8,
    proposal_shown: u8,
    seconds: u32,
    seen: String,
    canary: String,
}

impl Table for Vote {
    type Row = VoteRow;
    const ABOUT: &'static str = "what a person said of an item that a build had doubts about";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let line = |name, about| Column::new(name, Type::Line, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        vec![
            line("vote_id", "the vote"),
            line("review_id", "the item that was decided: a digest of its code, name and content"),
            word("queue", "the kind of item: cuts, casts, faithfulness, corrections, ..."),
            word("code", "the doubt: preface, cast, sentence-labels, ..."),
            line("item_id", "what it is about: a question, a retelling, a book"),
            word("step", "the step of the workflow that asked"),
            word("of", "the book or other unit"),
            word("split", "train, validation or test; test where the unit was left out"),
            word("person", "a pseudonym: reader-01"),
            word("choice", "what was chosen"),
            Column::new("said", Type::Text, "what was said beyond it, as JSON; blank for nothing"),
            word("protocol", "independent, hybrid or adjudicator; blank where one person decided"),
            int("settles", "1 if it settled what others said, else 0"),
            int("proposal_shown", "1 if a model's proposal was visible, else 0"),
            int("seconds", "how long it took; 0 where nobody measured"),
            line("seen", "a digest of the text that was shown; blank where nobody kept it"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> VoteRow {
        VoteRow {
            vote_id: self.id,
            review_id: self.review,
            queue: self.queue,
            code: self.code,
            item_id: self.item,
            step: self.step,
            of: self.of,
            split: added.split.to_owned(),
            person: self.person,
            choice: self.choice,
            said: self.said,
            protocol: self.protocol,
            settles: u8::from(self.settles),
            proposal_shown: u8::from(self.proposal_shown),
            seconds: self.seconds,
            seen: self.seen.map(|seen| seen.to_string()).unwrap_or_default(),
            canary: added.canary.to_owned(),
        }
    }
}
