//! The types of wrong options; how each is drawn by this project's rules stands in a file of its
//! own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{QuestionType, Stop, Stream};

use super::{
    ReadAlong, lookahead, moment::Moment, paper, pool::Pool, posed::Posed, scene_distortion, since,
    told_order, who_when,
};
use crate::Preset;

/// What wrong options may be.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Decoys {
    /// True retellings of scenes that come later.
    Lookahead,
    /// False retellings of scenes that were read.
    SceneDistortion,
    /// True retellings of scenes of other books.
    OtherBook,
    /// None: four scenes that were read are to be told apart by when they were told.
    ToldOrder,
    /// True retellings of scenes that come before the one in the question.
    Since,
    /// People who came earlier or later, or who have not met.
    WhoWhen,
    /// Other retellings of the same scene, all false.
    SameScene,
    /// What was so at other times, or might have been, as it was drafted.
    State,
}

impl Decoys {
    /// The type of a question that has them.
    pub(super) fn question_type(self) -> QuestionType {
        match self {
            Self::Lookahead => QuestionType::Lookahead,
            Self::SceneDistortion => QuestionType::SceneDistortion,
            Self::OtherBook => QuestionType::OtherBook,
            Self::ToldOrder => QuestionType::ToldOrder,
            Self::Since => QuestionType::Since,
            Self::WhoWhen => QuestionType::WhoWhen,
            Self::SameScene => QuestionType::SameScene,
            Self::State => QuestionType::State,
        }
    }

    /// What the questions of the type that are asked after a scene are called behind its name, where it asks several.
    pub(super) fn parts(self) -> &'static [&'static str] {
        match self {
            Self::ToldOrder => &told_order::PARTS,
            Self::WhoWhen => &who_when::PARTS,
            _ => &[""],
        }
    }

    /// Draws a question. None where the type cannot be asked: all outcomes must be possible, as that a scene is right and
    /// that none is, and that is settled before anything is drawn.
    pub(super) fn pose<'r>(
        stage: &ReadAlong,
        pool: &'r Pool<'_>,
        moment: &Moment<'_>,
        draw: &mut Stream,
    ) -> Result<Option<Posed<'r>>, Stop> {
        let (of, t, apart) = (moment.decoys, moment.t, stage.apart());
        let drawn = match (stage.preset, of) {
            (Preset::Paper, Self::Lookahead | Self::SceneDistortion) => {
                paper::draw(of, pool, t, draw)?
            }
            (_, Self::Lookahead) => lookahead::draw(pool, t, stage.gap.unwrap_or(1), draw)?,
            (_, Self::SceneDistortion) => {
                scene_distortion::draw(pool, t, stage.twins.unwrap_or(true), draw)?
            }
            (_, Self::OtherBook) => pool.others.draw(pool, t, draw)?,
            (_, Self::ToldOrder) => {
                return told_order::pose(pool, t, (apart, moment.part), draw);
            }
            (_, Self::Since) => return since::pose(pool, t, apart, draw),
            (_, Self::WhoWhen) => return Ok(who_when::pose(pool, t, moment.part, draw)),
            // Asked of each retelling and each draft once, not after each scene.
            (_, Self::SameScene | Self::State) => return Ok(None),
        };
        let posed = drawn.map(|drawn| drawn.posed(of.question_type(), wording(stage.preset), draw));
        Ok(posed)
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
