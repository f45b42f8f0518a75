//! When something is asked, and the question that comes of what was drawn.

use storymill_core::{Choice, Item, OptionKind, ReadAlongQuestion, Scene, Span, Stream};

use super::{
    Decoys,
    drawn::{Drawn, SHOWN, Told},
};
use crate::{
    Preset,
    reading::{Reading, Said},
};

/// A moment of reading at which something is asked: after scene `t`, with decoys of a type.
pub(super) struct Moment<'s> {
    pub(super) t: usize,
    pub(super) scene: &'s Scene,
    pub(super) decoys: Decoys,
}

impl Item for Moment<'_> {
    fn item_id(&self) -> String {
        format!("{}/{}", self.scene.item_id(), self.decoys.question_type().name())
    }

    fn item_span(&self) -> Option<Span> {
        Some(self.scene.span)
    }
}

impl Moment<'_> {
    /// The question of what was drawn, the true option at a place that is drawn too.
    pub(super) fn question(
        &self,
        reading: &Reading<'_>,
        drawn: &Drawn<'_>,
        preset: Preset,
        draw: &mut Stream,
    ) -> ReadAlongQuestion {
        let read = self.t + 1;
        let choice = |kind, told: &Told<'_>| {
            let of = Some((told.book, told.scene));
            let choice = reading.choice(kind, told.text, told.from, of, read);
            Choice { names: told.names.to_vec(), ..choice }
        };
        let of = self.decoys.question_type();
        let decoy = |told: &Told<'_>| choice(OptionKind::Decoy(of), told);
        let mut options: Vec<Choice> = drawn.decoys.iter().map(decoy).collect();
        let mut right = SHOWN;
        if let Some(truth) = &drawn.truth {
            right = draw.index(SHOWN).expect("there are five places");
            options.insert(right, choice(OptionKind::True, truth));
        }
        options.push(reading.choice(OptionKind::None, "None of the above.", "", None, read));
        let (id, question) = (self.item_id(), wording(preset).to_owned());
        let answer = u8::try_from(right).expect("there are six options");
        let said = Said { id, of, question, options, answer };
        reading.question(self.t, drawn.truth.map(|truth| truth.scene), said)
    }
}

/// The question in words. The paper's speaks of the book, though decoys from later on are in the
/// book too.
fn wording(preset: Preset) -> &'static str {
    match preset {
        Preset::Storymill => {
            "In what you have read so far, was there a scene in which one of the following happens? \
             Choose the option that tells what happened, or the last one if none of them did."
        }
        Preset::Paper => "Which of the following scenes was in the book?",
    }
}
