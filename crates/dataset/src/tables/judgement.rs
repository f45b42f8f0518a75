//! The table of judgements: what judges say of retellings, and what people say where they did.

use storymill_core::{Difficulty, Judgement, Label, PartVerdict};

use super::row::records;
use crate::table;

records! { PartRow(PartVerdict), |part|
    "sentence": Int => part.sentence.map_or(-1, i64::from), "the sentence that it is taken from, from 0; -1 if nobody said";
    "text": Text => part.text, "the sentence or the claim as it was judged";
    "status": Word => part.status.name(), "how the asking ended, as below";
    "label": Word => part.label.map_or("", Label::name), "faithful, unfaithful, ...; blank if there is no verdict";
    "reason": Text => part.reason, "the judge's reason; blank if it gives none";
}

table! { Judgement, "what a judge says of a retelling", evaluation, |judgement, added| {
        let known = |said: Option<bool>| said.map_or(-1, i8::from);
        let split = if judgement.split.is_empty() { added.split } else { &judgement.split };
        let difficulty = match judgement.difficulty {
            None => "",
            Some(Difficulty::Easy) => "easy",
            Some(Difficulty::Hard) => "hard",
        };
    }
    "judgement_id": Line => judgement.id, "retelling, protocol and judge";
    "of": Word => judgement.of, "the book, or the story of a file of labels";
    "retelling_id": Line => judgement.retelling, "the retelling";
    "story": Word => judgement.story, "what is kept together in a resampling";
    "protocol": Word => judgement.protocol, "how it was judged: claims, binary, reasoned, false-check, ...";
    "judge": Word => judgement.judge, "who judged";
    "written_by": Word => judgement.written_by, "the model that wrote the retelling; blank if nobody says";
    "split": Word => split, "val or test in a file of labels, else the split of the book";
    "status": Word => judgement.status.name(), "answered, unparsed, refused, cut, does-not-fit or failed";
    "faithful": Int => known(judgement.faithful), "1 if the judge says so, 0 if not, -1 without a verdict";
    "meant_false": Int => u8::from(judgement.meant_false), "1 if it was meant to be false, else 0";
    "gold": Int => known(judgement.gold), "1 if people hold it to be faithful, 0 if not, -1 if nobody said";
    "difficulty": Word => difficulty, "easy or hard to see for people; blank if nobody said";
    "parts": PartRow::kind() => PartRow::each(&judgement.parts), "verdicts on its parts, in order";
    "answer_ids": list(Line) => judgement.answers, "answers of the judge";
}
