//! Retellings, true and distorted.

use serde::{Deserialize, Serialize};

use crate::{BookId, Digest, Item, Scene, record};

/// A true retelling of a scene (level 0) or of several (level 1 and up).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The book.
    pub book: BookId,
    /// 0 for a scene, 1 for summaries of summaries, and so on.
    pub level: u8,
    /// Position among the summaries of its level; at level 0 the scene's position.
    pub at: u32,
    /// First scene covered.
    pub first_scene: u32,
    /// Last scene covered.
    pub last_scene: u32,
    /// How it was made: `extract`, `tag`, `json`.
    pub protocol: String,
    /// The text.
    pub text: String,
    /// The answers it was made from; none where it was made by rule.
    pub answers: Vec<Digest>,
}

impl Summary {
    /// The id: `84/0012/s0`, at higher levels `84/L1/003`.
    pub fn id(&self) -> String {
        match self.level {
            0 => format!("{}/s0", Scene::id_of(&self.book, self.at)),
            level => format!("{}/L{level}/{:03}", self.book, self.at),
        }
    }
}

record!(Summary, "summary", 1);

impl Item for Summary {
    fn item_id(&self) -> String {
        self.id()
    }
}

/// One change that makes a retelling false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What happens in the book, in words of the summary.
    pub true_event: String,
    /// What is told instead.
    pub false_event: String,
}

/// A false retelling, made from a true one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distortion {
    /// The book.
    pub book: BookId,
    /// [`Summary::id`] of the true retelling.
    pub summary: String,
    /// Level of the true retelling.
    pub level: u8,
    /// First scene covered.
    pub first_scene: u32,
    /// Last scene covered.
    pub last_scene: u32,
    /// Which of several false retellings of the same true one, from 0.
    pub sample: u32,
    /// How it was made: `swap-facts`, `edits`, `rewrite`; one of several with one true twin: `exchanges`, `orders`.
    pub protocol: String,
    /// The false text.
    pub text: String,
    /// The true retelling made by the same process; where made by rule, the true summary.
    pub twin: String,
    /// The changes.
    pub edits: Vec<Edit>,
    /// Similarity of the false and the true text by words, per mille.
    pub similarity_pm: u16,
    /// The answers it was made from.
    pub answers: Vec<Digest>,
}

impl Distortion {
    /// The id: `84/0012/d2`, at higher levels `84/L1/003/d0`; of several with one true twin `84/0012/v2`.
    pub fn id(&self) -> String {
        let of = self.summary.strip_suffix("/s0").unwrap_or(&self.summary);
        let sort = if matches!(&self.protocol[..], "exchanges" | "orders") { 'v' } else { 'd' };
        format!("{of}/{sort}{}", self.sample)
    }
}

record!(Distortion, "distortion", 1);

impl Item for Distortion {
    fn item_id(&self) -> String {
        self.id()
    }
}
