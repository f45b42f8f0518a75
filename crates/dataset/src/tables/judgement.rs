//! The table of judgements: what judges say of retellings, and what people say where they did.

use serde::Serialize;
use storymill_core::{Digest, Encoding, Judgement, Label, PartVerdict, UnitId};

use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

/// A row of the table.
#[derive(Debug, Serialize)]
pub struct JudgementRow {
    judgement_id: String,
    of: UnitId,
    retelling_id: String,
    story: String,
    protocol: String,
    judge: String,
    written_by: String,
    split: String,
    status: &'static str,
    faithful: i8,
    meant_false: u8,
    gold: i8,
    difficulty: &'static str,
    parts: Vec<PartRow>,
    answer_ids: Vec<Digest>,
    canary: String,
}

/// A part of a retelling, as it is published.
#[derive(Debug, Serialize)]
struct PartRow {
    sentence: i64,
    text: String,
    status: &'static str,
    label: &'static str,
    reason: String,
}

impl From<PartVerdict> for PartRow {
    fn from(part: PartVerdict) -> Self {
        Self {
            sentence: part.sentence.map_or(-1, i64::from),
            text: part.text,
            status: part.status.name(),
            label: part.label.map_or("", Label::name),
            reason: part.reason,
        }
    }
}

impl Table for Judgement {
    type Row = JudgementRow;
    const ABOUT: &'static str = "what a judge says of a retelling";
    const EVALUATION: bool = true;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        let parts = Type::records(vec![
            int("sentence", "the sentence that it is taken from, from 0; -1 if nobody said"),
            Column::new("text", Type::Text, "the sentence or the claim as it was judged"),
            word("status", "how the asking ended, as below"),
            word("label", "faithful, unfaithful, ...; blank if there is no verdict"),
            Column::new("reason", Type::Text, "the judge's reason; blank if it gives none"),
        ]);
        vec![
            Column::new("judgement_id", Type::Line, "retelling, protocol and judge"),
            word("of", "the book, or the story of a file of labels"),
            Column::new("retelling_id", Type::Line, "the retelling"),
            word("story", "what is kept together in a resampling"),
            word("protocol", "how it was judged: claims, binary, reasoned, false-check, ..."),
            word("judge", "who judged"),
            word("written_by", "the model that wrote the retelling; blank if nobody says"),
            word("split", "val or test in a file of labels, else the split of the book"),
            word("status", "answered, unparsed, refused, cut, does-not-fit or failed"),
            int("faithful", "1 if the judge says so, 0 if not, -1 without a verdict"),
            int("meant_false", "1 if it was meant to be false, else 0"),
            int("gold", "1 if people hold it to be faithful, 0 if not, -1 if nobody said"),
            word("difficulty", "easy or hard to see for people; blank if nobody said"),
            Column::new("parts", parts, "verdicts on its parts, in order"),
            Column::new("answer_ids", Type::list(Type::Line), "answers of the judge"),
            Column::canary(),
        ]
    }

    fn row(self, added: &Added<'_>) -> JudgementRow {
        let known = |said: Option<bool>| said.map_or(-1, i8::from);
        JudgementRow {
            judgement_id: self.id,
            of: self.of,
            retelling_id: self.retelling,
            story: self.story,
            protocol: self.protocol,
            judge: self.judge,
            written_by: self.written_by,
            split: if self.split.is_empty() { added.split.to_owned() } else { self.split },
            status: self.status.name(),
            faithful: known(self.faithful),
            meant_false: u8::from(self.meant_false),
            gold: known(self.gold),
            difficulty: match self.difficulty {
                None => "",
                Some(storymill_core::Difficulty::Easy) => "easy",
                Some(storymill_core::Difficulty::Hard) => "hard",
            },
            parts: self.parts.into_iter().map(PartRow::from).collect(),
            answer_ids: self.answers,
            canary: added.canary.to_owned(),
        }
    }
}
