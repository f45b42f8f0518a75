//! The types of wrong options; how each is drawn by this project's rules stands in a file of its
//! own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{QuestionType, Stop, Stream};

use super::{ReadAlong, drawn::Drawn, lookahead, pool::Pool, scene_distortion};

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
}

impl Decoys {
    /// The type of a question that has them.
    pub(super) fn question_type(self) -> QuestionType {
        match self {
            Self::Lookahead => QuestionType::Lookahead,
            Self::SceneDistortion => QuestionType::SceneDistortion,
            Self::OtherBook => QuestionType::OtherBook,
        }
    }

    /// Draws a question after scene `t`. None where the type cannot be asked: both outcomes must
    /// be possible, that a scene is right and that none is, and that is settled before anything is
    /// drawn.
    pub(super) fn draw<'r>(
        self,
        stage: &ReadAlong,
        pool: &'r Pool<'_>,
        t: usize,
        draw: &mut Stream,
    ) -> Result<Option<Drawn<'r>>, Stop> {
        match self {
            Self::Lookahead => lookahead::draw(pool, t, stage.gap.unwrap_or(1), draw),
            Self::SceneDistortion => {
                scene_distortion::draw(pool, t, stage.twins.unwrap_or(true), draw)
            }
            Self::OtherBook => pool.others.draw(pool, t, draw),
        }
    }
}
