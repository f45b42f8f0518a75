//! `spare-decoys`: more wrong options for questions that are there, to take the place of those that turn out to be right.
//!
//! A spare is drawn by the rules of the question's own decoys, from what these left. The question does not move by it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    BookId, Cast, Choice, Cx, Distortion, Edge, Inputs, OptionKind, Options, Partners, Question,
    QuestionType, ReadAlongQuestion, Rows, Scene, Spare, Spares, Stage, Stop, Stream, Summary,
};

use super::{
    FromOthers, NEAR_PM, draw_from,
    drawn::Told,
    lookahead,
    pool::{Named, Pool},
    scene_distortion,
};
use crate::{asking::at_least, questions::makers::Makers, reading::Reading};

/// Draws further wrong options for questions, by the rules of `read-along`. They are asked only where
/// `ambiguity` takes one in place of an option that did happen.
///
/// ```
/// use storymill_transforms::SpareDecoys;
/// let stage = "questions = 'q'\nscenes = 's'\nsummaries = 't'\ndistortions = 'd'";
/// let stage: SpareDecoys = toml::from_str(stage).unwrap();
/// assert_eq!(stage.spares, 3);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpareDecoys {
    /// The step that makes the questions.
    pub questions: Edge<ReadAlongQuestion>,
    /// The step that makes the scenes, as in the step of the questions; so the next ones.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings.
    pub summaries: Edge<Summary>,
    /// The step that makes the false retellings.
    pub distortions: Edge<Distortion>,
    /// The corpus stage that says which other books each book draws from. Needed for questions of type `other-book`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partners: Option<Edge<Partners>>,
    /// The step that makes the casts. Needed for the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casts: Option<Edge<Cast>>,
    /// How many spares each question has at most. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub spares: u32,
    /// How many scenes right behind the last one read are no lookahead decoys. Default: 1.
    #[serde(default)]
    pub gap: Option<u32>,
    /// How near a decoy may come to the retelling of another scene that was read, per mille. Default: 600.
    #[serde(default)]
    pub near_pm: Option<u16>,
}

impl Options for SpareDecoys {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = at_least(&[("spares", self.spares, 1)]);
        if self.near_pm.is_some_and(|near| near > 1000) {
            faults.push(("near_pm", "must be at most 1000, which is as near as a twin".to_owned()));
        }
        let (partners, casts) = (self.partners.is_some(), self.casts.is_some());
        if partners != casts {
            let (name, other) =
                if partners { ("partners", "casts") } else { ("casts", "partners") };
            faults.push((name, format!("is of use only together with `{other}`")));
        }
        faults
    }
}

/// What a question shows already.
pub(super) struct Shown<'q> {
    /// Its texts.
    pub(super) texts: Vec<&'q str>,
    /// The scenes of its own book that they tell of.
    pub(super) scenes: Vec<usize>,
    /// The books that they tell of.
    pub(super) books: Vec<&'q BookId>,
}

impl<'q> Shown<'q> {
    fn of(question: &'q Question) -> Self {
        let options = question.options();
        let own = |option: &&Choice| {
            option.book.as_ref().is_some_and(|book| book.as_str() == question.of.as_str())
        };
        let scenes = options.iter().filter(own).filter_map(|option| option.scene);
        Self {
            texts: options.iter().map(|option| option.text.as_str()).collect(),
            scenes: scenes.map(|scene| scene as usize).collect(),
            books: options.iter().filter_map(|option| option.book.as_ref()).collect(),
        }
    }
}

impl SpareDecoys {
    /// Draws the spares of a question of a type.
    fn draw<'r>(
        &self,
        (of, question): (QuestionType, &Question),
        pool: &'r Pool<'_>,
        draw: &mut Stream,
    ) -> Vec<Told<'r>> {
        let shown = Shown::of(question);
        let wanted = (self.spares as usize, &shown);
        let t = question.asked_at() as usize;
        if of == QuestionType::Lookahead {
            return lookahead::spares(pool, (t, self.gap.unwrap_or(1)), wanted, draw);
        }
        if of == QuestionType::SceneDistortion {
            return scene_distortion::spares(pool, t, wanted, draw);
        }
        if of == QuestionType::OtherBook {
            let truth = question.scene().map(|scene| scene as usize);
            return pool.others.spares(pool, (t, truth), wanted, draw);
        }
        // A type that is drawn in a way of its own has no spares until it says how.
        Vec::new()
    }
}

impl Stage for SpareDecoys {
    const KIND: &'static str = "spare-decoys";
    const VERSION: u32 = 1;
    type In =
        (Rows<ReadAlongQuestion>, Rows<Scene>, Rows<Summary>, Rows<Distortion>, Option<FromOthers>);
    type Out = Spares;

    fn edges(&self) -> <Self::In as Inputs>::Edges {
        let others = self.partners.as_ref().zip(self.casts.as_ref()).map(|(partners, casts)| {
            let near = (self.summaries.near(partners), casts.near(partners));
            (partners.clone(), casts.clone(), near.0, near.1)
        });
        let own = (self.summaries.clone(), self.distortions.clone());
        (self.questions.clone(), self.scenes.clone(), own.0, own.1, others)
    }

    fn run(
        &self,
        (questions, scenes, summaries, distortions, others): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Spares>, Stop> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let mut makers = Makers::new(&summaries, &distortions);
        if let Some((partners, _, near_told, _)) = &others {
            makers.add_partners(partners, near_told);
        }
        let named = Named::new(&summaries, &distortions);
        let near_pm = Some(self.near_pm.unwrap_or(NEAR_PM));
        let pool = draw_from(&named, (&scenes, &summaries), others.as_ref(), near_pm)?;
        let reading = Reading::new(&scenes);
        cx.each(&questions, |cx, question| {
            let question = &question.0;
            let t = question.asked_at() as usize;
            if t >= scenes.len() {
                let detail = format!("it is asked after scene {t}, which the book does not have");
                return Err(Stop::reject("no-scene", detail));
            }
            let mut draw = cx.stream(&question.id, "spares");
            let of = QuestionType::of_name(&question.kind);
            let told = of.map(|of| self.draw((of, question), &pool, &mut draw)).unwrap_or_default();
            let spare = |told: Told<'_>| {
                let kind = of.map_or(OptionKind::Wrong, OptionKind::Decoy);
                let place = Some((told.book, told.scene));
                let choice = reading.choice(kind, told.text, told.from, place, t + 1);
                let made_by = makers.of_one(told.from);
                Spare { choice: Choice { names: told.names.to_vec(), ..choice }, made_by }
            };
            Ok(Spares {
                question: question.id.clone(),
                spares: told.into_iter().map(spare).collect(),
            })
        })
    }
}

/// The spares of each question.
pub(crate) fn by_question(rows: &[Spares]) -> BTreeMap<&str, &[Spare]> {
    rows.iter().map(|row| (row.question.as_str(), &row.spares[..])).collect()
}

#[cfg(test)]
mod tests;
