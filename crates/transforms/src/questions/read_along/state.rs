//! State: what changes between scenes that lie far apart, as `draft-state` had it drafted and checked.
//!
//! Every draft is asked once, at a moment that is drawn from all after its last scene. Each of its scenes is needed.

use storymill_core::{
    Cx, Given, Item, MadeBy, OptionKind, QuestionType, ReadAlongQuestion, StateDraft,
};

use crate::reading::{Reading, Said};

/// The questions of a book, in the order of the drafts.
pub(super) fn ask(
    drafts: &[StateDraft],
    reading: &Reading<'_>,
    cx: &Cx<'_>,
) -> Vec<ReadAlongQuestion> {
    // Those of scenes that the book does not have are passed over.
    let last = |draft: &StateDraft| draft.scenes.last().map(|last| *last as usize);
    let known = drafts.iter().filter_map(|draft| Some((draft, last(draft)?)));
    let known = known.filter(|(_, last)| *last < reading.scenes());
    known.map(|(draft, last)| question(draft, last, reading, cx)).collect()
}

fn question(
    draft: &StateDraft,
    last: usize,
    reading: &Reading<'_>,
    cx: &Cx<'_>,
) -> ReadAlongQuestion {
    let name = QuestionType::State.name();
    let from = draft.item_id();
    let id = format!("{}/{name}", from.strip_suffix("/q").unwrap_or(&from));
    let mut draw = cx.stream(&id, "draw");
    let t = last + draw.index(reading.scenes() - last).expect("the book has its last scene");
    let right = usize::from(draft.right);
    let options = draft.options.iter().enumerate().map(|(at, text)| {
        let decoy = OptionKind::Decoy(QuestionType::State);
        let kind = if at == right { OptionKind::True } else { decoy };
        reading.choice(kind, text, "", None, t + 1)
    });
    let said = Said {
        id,
        kind: name.to_owned(),
        question: WORDING.to_owned(),
        // It names people, who may be called otherwise: the words of the task itself stay as they are.
        given: vec![Given { text: draft.question.clone(), from }],
        options: options.collect(),
        answer: draft.right,
    };
    let needed = draft.scenes.iter().map(|scene| *scene as usize);
    let mut asked = reading.question(t, needed, said);
    asked.0.made_by = Some(MadeBy::of(&draft.answers));
    asked
}

const WORDING: &str =
    "Choose the option that answers this question about what you have read so far.";

#[cfg(test)]
mod tests;
