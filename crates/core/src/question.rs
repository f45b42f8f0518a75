//! Questions, and how far back their answers lie.

use serde::{Deserialize, Serialize};

use crate::{BookId, Demand, Length, Record, Span, UnitId};

/// What the wrong options of a read-along question are made of. A question has decoys of one type
/// only (NarrativeXL, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionType {
    /// True retellings of scenes that come later in the book.
    Lookahead,
    /// False retellings of scenes that were read.
    SceneDistortion,
    /// True retellings of scenes of other books.
    OtherBook,
}

impl QuestionType {
    /// The type as it is published: `scene-distortion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lookahead => "lookahead",
            Self::SceneDistortion => "scene-distortion",
            Self::OtherBook => "other-book",
        }
    }
}

/// What an option of a read-along question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionKind {
    /// A true retelling of a scene that was read.
    True,
    /// A wrong option of this type.
    Decoy(QuestionType),
    /// None of the above.
    None,
}

impl OptionKind {
    /// The kind as it is published: `true`, `lookahead`, `none`.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::Decoy(of) => of.name(),
            Self::None => "none",
        }
    }
}

/// An option of a read-along question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is.
    pub kind: OptionKind,
    /// Its text.
    pub text: String,
    /// The retelling it is taken from: the id of a summary or of a distortion. Blank for none of
    /// the above.
    pub from: String,
    /// The book it tells of.
    pub book: Option<BookId>,
    /// The scene it tells of.
    pub scene: Option<u32>,
    /// How far back that scene lies, if it is in what was read.
    pub demand: Option<Demand>,
}

/// Which of these scenes was in what was read so far? Asked after every scene of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The id: `84/0040/lookahead`.
    pub id: String,
    /// The book.
    pub book: BookId,
    /// The last scene that was read when it is asked.
    pub asked_at: u32,
    /// What its decoys are.
    pub of: QuestionType,
    /// The question in words, without the options.
    pub question: String,
    /// The options; the last one is none of the above.
    pub options: Vec<Choice>,
    /// Position of the right option, from 0.
    pub answer: u8,
    /// The true scene; none if none of the above is right.
    pub scene: Option<u32>,
    /// Where the true scene stands in the book; empty if none of the above is right.
    pub evidence: Vec<Span>,
    /// How far back the true scene lies. If none of the above is right: all that was read.
    pub demand: Demand,
    /// The original's figure: scenes from the true scene to the last one read, `t - i`; if none of
    /// the above is right, `t` (NarrativeXL, `MEMLOADS`).
    pub memload: u32,
    /// How long the context is, scenes 0 to `asked_at`.
    pub context: Length,
}

impl Record for Question {
    const NAME: &'static str = "question";
    const VERSION: u32 = 1;
}

/// Rewrite a distorted summary so that it fits the book. Asked when the whole book is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconstruction {
    /// The id: `84/0012/d2/reconstruct`.
    pub id: String,
    /// The book.
    pub book: BookId,
    /// Level of the summary.
    pub level: u8,
    /// First scene covered.
    pub first_scene: u32,
    /// Last scene covered.
    pub last_scene: u32,
    /// The task in words.
    pub question: String,
    /// The false retelling to be put right.
    pub distorted: String,
    /// The true retelling.
    pub answer: String,
    /// Where the answer stands in the book.
    pub evidence: Vec<Span>,
    /// How far back that is.
    pub demand: Demand,
    /// How long the whole context is.
    pub context: Length,
}

impl Record for Reconstruction {
    const NAME: &'static str = "reconstruction";
    const VERSION: u32 = 2;
}

/// Which part of a dataset a unit belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The unit.
    pub unit: UnitId,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The units that must share its split, named by the smallest id among them.
    pub group: UnitId,
}

impl Record for Split {
    const NAME: &'static str = "split";
    const VERSION: u32 = 1;
}

/// A question that models are evaluated on: what read-along questions and reconstructions have in
/// common, whole enough to be asked and scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalItem {
    /// The id of the question.
    pub id: String,
    /// The book.
    pub book: BookId,
    /// What it asks: `lookahead`, `scene-distortion`, `reconstruction`.
    pub of: String,
    /// Level of the retelling that it is about; 0 for a scene.
    pub level: u8,
    /// The last scene that was read when it is asked.
    pub asked_at: u32,
    /// The task in words; for a reconstruction with the text that is to be put right.
    pub question: String,
    /// The options; none if the answer is free text.
    pub options: Vec<String>,
    /// Position of the right option; none if the answer is free text.
    pub answer: Option<u8>,
    /// The answer in words: the right option, or the text that was distorted.
    pub reference: String,
    /// Where the answer stands in the book; empty if none of the above is right.
    pub evidence: Vec<Span>,
    /// How far back that is.
    pub demand: Demand,
    /// How long the context is.
    pub context: Length,
}

impl Record for EvalItem {
    const NAME: &'static str = "eval-item";
    const VERSION: u32 = 1;
}
