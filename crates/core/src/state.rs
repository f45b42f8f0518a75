//! Drafts of questions that need several scenes.

use serde::{Deserialize, Serialize};

use crate::{BookId, Digest, Item, record};

/// A question about what changes between scenes that lie far apart, with its answers. Each of the scenes is needed: a
/// reader of all of them knows the answer, and nobody who has not read one of them does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateDraft {
    /// The book.
    pub book: BookId,
    /// The scenes that are needed, in the order of the text.
    pub scenes: Vec<u32>,
    /// Words that the first and the last of their retellings share, the rarest first.
    pub things: Vec<String>,
    /// The question.
    pub question: String,
    /// The answers to choose from, in the order in which they were checked.
    pub options: Vec<String>,
    /// Position of the right one, from 0.
    pub right: u8,
    /// For each scene what its retelling tells of the answer.
    pub evidence: Vec<String>,
    /// The answers of the model: the draft, then the checks.
    pub answers: Vec<Digest>,
}

impl StateDraft {
    /// The id of the draft about these scenes of a book: `84/0012-0040/q`.
    pub fn id_of(book: &BookId, scenes: &[u32]) -> String {
        let scenes: Vec<String> = scenes.iter().map(|scene| format!("{scene:04}")).collect();
        format!("{book}/{}/q", scenes.join("-"))
    }
}

record!(StateDraft, "state-draft", 1);

impl Item for StateDraft {
    fn item_id(&self) -> String {
        Self::id_of(&self.book, &self.scenes)
    }
}
