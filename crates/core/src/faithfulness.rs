//! Retellings that are judged: what they tell of, what people say of them, and what judges say.

use serde::{Deserialize, Serialize};

use crate::{BookId, Digest, Edit, MadeBy, Status, UnitId, record};

/// What is said of a sentence or a claim.
///
/// `partial` and `inapplicable` are FABLES' words; StorySumm knows the first two and sets commentary aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// The source bears it out.
    Faithful,
    /// The source says otherwise, or nothing of the kind.
    Unfaithful,
    /// The source bears out a part of it.
    Partial,
    /// It cannot be held against the source.
    Inapplicable,
    /// It tells no event: what the writer thinks of the story. It counts for neither side.
    Commentary,
}

impl Label {
    /// Every label.
    pub const ALL: [Self; 5] =
        [Self::Faithful, Self::Unfaithful, Self::Partial, Self::Inapplicable, Self::Commentary];

    /// Its published name: `faithful`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

/// How easily people see that a retelling is unfaithful (StorySumm, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    /// Everybody saw it.
    Easy,
    /// Somebody did not see it.
    Hard,
}

/// What one person says of every sentence of a retelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelVote {
    /// The person's name or pseudonym.
    pub person: String,
    /// By which protocol: `annotator`, `expert`, `hybrid`.
    pub protocol: String,
    /// One label for each sentence.
    pub labels: Vec<Label>,
    /// Whether it settles earlier votes. These are kept beside it.
    pub adjudicated: bool,
}

/// What is held to be right of one sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SentenceLabel {
    /// The label.
    pub label: Label,
    /// Kinds of error, as the file of labels names them.
    pub kinds: Vec<String>,
    /// What is wrong, in words; blank where nobody said.
    pub explanation: String,
}

/// What is held to be right of a retelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldLabels {
    /// Whether all of it is faithful.
    pub faithful: bool,
    /// How easily people see that it is not; none where it is, or where nobody said.
    pub difficulty: Option<Difficulty>,
    /// One for each sentence, in order; empty where only the whole was judged.
    pub sentences: Vec<SentenceLabel>,
    /// The votes behind it; empty where they were not released.
    pub votes: Vec<LabelVote>,
}

/// A retelling that is to be judged, with what it tells of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retold {
    /// Its id: [`crate::Summary::id`], [`crate::Distortion::id`], or the id in a file of labels.
    pub id: String,
    /// The book, or the file of labels.
    pub of: UnitId,
    /// The book whose scenes it covers, with the first and the last of them; none where it is a story of a file.
    pub scenes: Option<(BookId, u32, u32)>,
    /// What is kept together in a resampling: retellings of one story are not independent.
    pub story: String,
    /// What it tells of: the story, or the text of the scenes that it covers.
    pub source: String,
    /// Where each scene ends in `source`, in symbols; empty where it is one piece.
    pub ends: Vec<u32>,
    /// Its sentences in order.
    pub sentences: Vec<String>,
    /// Claims that somebody made of it; empty if nobody did.
    pub claims: Vec<String>,
    /// The model that wrote it; blank where nobody says.
    pub written_by: String,
    /// `val`, `test`, or blank.
    pub split: String,
    /// The changes that are meant to make it false; none where it is meant to be true.
    pub edits: Option<Vec<Edit>>,
    /// What people say of it, where they do.
    pub gold: Option<GoldLabels>,
}

record!(Retold, "retold", 1, id);

/// What a judge says of a part of a retelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartVerdict {
    /// The sentence that the claim is taken from, from 0; none where nobody said.
    pub sentence: Option<u32>,
    /// The sentence or the claim as it was judged.
    pub text: String,
    /// How the asking ended.
    pub status: Status,
    /// The verdict, if there is one.
    pub label: Option<Label>,
    /// The judge's reason; blank where it gives none.
    pub reason: String,
}

/// What a judge says of a retelling. Whatever came of the asking, there is a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// The id: that of the retelling, the protocol and the judge's name, separated by slashes.
    pub id: String,
    /// The book, or the file of labels.
    pub of: UnitId,
    /// [`Retold::id`].
    pub retelling: String,
    /// [`Retold::story`].
    pub story: String,
    /// `binary`, `reasoned`, `claims`, `false-check`.
    pub protocol: String,
    /// What rows call the judge.
    pub judge: String,
    /// The model that wrote the retelling; blank where nobody says.
    pub written_by: String,
    /// [`Retold::split`].
    pub split: String,
    /// How the asking ended; `answered` if a verdict could be formed.
    pub status: Status,
    /// Whether all of it is faithful, if a verdict could be formed.
    pub faithful: Option<bool>,
    /// Whether it was meant to be false.
    pub meant_false: bool,
    /// Verdicts on its parts, in order; empty where only the whole was judged.
    pub parts: Vec<PartVerdict>,
    /// What people hold to be right, where they do.
    pub gold: Option<bool>,
    /// How easily people see that it is unfaithful.
    pub difficulty: Option<Difficulty>,
    /// The answers it was made from.
    pub answers: Vec<Digest>,
}

record!(Judgement, "judgement", 1, id);

/// A retelling as a gate saw it: whether it was kept, what it is like, and what judges said of it. So what was dropped can
/// be compared with what was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gated {
    /// [`crate::Summary::id`] or [`crate::Distortion::id`].
    pub id: String,
    /// The book.
    pub book: BookId,
    /// Level of the retelling: 0 for a scene.
    pub level: u8,
    /// The first and the last scene that it covers.
    pub scenes: (u32, u32),
    /// How it was made: `extract`, `tag`, `swap-facts`, ...
    pub protocol: String,
    /// Who made it.
    pub made_by: MadeBy,
    /// Whether it is meant to be false.
    pub meant_false: bool,
    /// Words, parted by whitespace.
    pub words: u32,
    /// Unicode scalar values.
    pub symbols: u32,
    /// Where its first scene begins, of a thousand symbols of the book's scenes.
    pub place_pm: u16,
    /// From there to the end of the book, in words: what is asked of it then demands so much.
    pub to_end_words: u32,
    /// The same in symbols.
    pub to_end_symbols: u32,
    /// Whether it went on.
    pub kept: bool,
    /// What each judge said of it, by judge and protocol; empty where none was asked.
    pub said: Vec<Flag>,
}

/// What one judge said of a retelling.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Flag {
    /// [`Judgement::judge`].
    pub judge: String,
    /// [`Judgement::protocol`].
    pub protocol: String,
    /// Whether it speaks against the retelling; none without a verdict.
    pub flagged: Option<bool>,
}

record!(Gated, "gated", 1, id);
