//! Same scene: all options retell one scene, and at most one of them tells what happened in it.
//!
//! Every true retelling that has false ones enough is asked about once, at a moment that is drawn from all after which it
//! can be asked: so no text is an option twice, and no answer gives another away. Of the true retelling and five false
//! ones, one is left out by lot. If it is the true one, none of the above is right; so each of the six options is right
//! once in six questions, whatever the texts have in common.

use storymill_core::{
    Choice, Cx, Distortion, Item, MadeBy, OptionKind, QuestionType, ReadAlongQuestion, Span, Stop,
    Stretch,
};

use super::drawn::{SHOWN, some_is_right};
use crate::reading::{Reading, Said};

/// A true retelling, by its false ones.
struct Retold<'r> {
    lies: &'r [Distortion],
    span: Option<Span>,
}

impl Item for Retold<'_> {
    fn item_id(&self) -> String {
        let of = &self.lies[0].summary;
        let name = QuestionType::SameScene.name();
        format!("{}/{name}", of.strip_suffix("/s0").unwrap_or(of))
    }

    fn item_span(&self) -> Option<Span> {
        self.span
    }
}

/// The questions of a book, in the order of its retellings.
pub(super) fn ask(
    variants: &[Distortion],
    reading: &Reading<'_>,
    cx: &mut Cx<'_>,
) -> Result<Vec<ReadAlongQuestion>, Stop> {
    let of_one = variants.chunk_by(|one, other| one.summary == other.summary);
    let retold = |lies: &'_ [Distortion]| {
        let span = reading.place(&[stretch(&lies[0])], reading.scenes());
        span.map(|place| place.evidence.first().copied())
    };
    // Those of scenes that the book does not have are passed over.
    let retold = of_one.filter_map(|lies| Some(Retold { lies, span: retold(lies)? }));
    cx.each(&retold.collect::<Vec<_>>(), |cx, retold| question(retold, reading, cx))
}

fn question(
    retold: &Retold<'_>,
    reading: &Reading<'_>,
    cx: &Cx<'_>,
) -> Result<ReadAlongQuestion, Stop> {
    let one = &retold.lies[0];
    let shared: Vec<&Distortion> =
        retold.lies.iter().filter(|lie| lie.twin == one.twin && lie.text != one.twin).collect();
    if shared.len() < SHOWN {
        let why =
            format!("{} false retellings share a true twin, and {SHOWN} are needed", shared.len());
        return Err(Stop::left_out("few-variants", why));
    }
    let about = stretch(one);
    let id = retold.item_id();
    let mut draw = cx.stream(&id, "draw");
    let (first, last) = (about.first_scene as usize, about.last_scene as usize);
    let t = last + draw.index(reading.scenes() - last).expect("the book has its last scene");
    let some = some_is_right(&mut draw);
    let mut lies = shared;
    draw.shuffle(&mut lies);
    lies.truncate(SHOWN - usize::from(some));
    let choice = |kind, text: &str, from: &str| Choice {
        demand: Some(reading.demand(&(first..last + 1), t + 1)),
        ..reading.choice(kind, text, from, Some((&one.book, first)), t + 1)
    };
    let decoy = OptionKind::Decoy(QuestionType::SameScene);
    let mut options: Vec<Choice> =
        lies.iter().map(|lie| choice(decoy, &lie.text, &lie.id())).collect();
    let mut right = SHOWN;
    if some {
        right = draw.index(SHOWN).expect("there are five places");
        options.insert(right, choice(OptionKind::True, &one.twin, &one.id()));
    }
    options.push(reading.choice(OptionKind::None, "None of the above.", "", None, t + 1));
    let said = Said {
        id,
        kind: QuestionType::SameScene.name().to_owned(),
        question: WORDING.to_owned(),
        given: Vec::new(),
        options,
        answer: u8::try_from(right).expect("there are six options"),
    };
    let mut asked = reading.about(t, some.then_some(about).into_iter().collect(), said);
    asked.0.made_by = MadeBy::of_all(lies.iter().map(|lie| MadeBy::of(&lie.answers)));
    Ok(asked)
}

fn stretch(of: &Distortion) -> Stretch {
    Stretch { level: of.level, first_scene: of.first_scene, last_scene: of.last_scene }
}

const WORDING: &str = "These options all tell of the same place in what you have read so far, and at most one of them is true. \
    Choose the option that tells what happened there, as it happened and in that order, or the last one if none of them does.";

#[cfg(test)]
mod tests;
