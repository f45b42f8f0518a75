//! A scene: a piece of a book of at most so many symbols.

use serde::{Deserialize, Serialize};

use crate::{BookId, Encoding, Item, Span, record};

/// A piece of a book, 3,000 symbols at most by default (NarrativeXL, section 3).
///
/// The scenes of a book, joined, are its text, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// The book.
    pub book: BookId,
    /// Position in the book, from 0.
    pub scene: u32,
    /// Position of the chapter that holds its first symbol, in `Book::chapters`; none before the
    /// first.
    pub chapter: Option<u32>,
    /// Where it stands in the book.
    pub span: Span,
    /// Whitespace-separated words.
    pub words: u32,
    /// Its tokens, in the encodings that the workflow names.
    pub tokens: Vec<SceneTokens>,
    /// The text.
    pub text: String,
}

/// The tokens of a scene in one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneTokens {
    /// The encoding.
    pub encoding: Encoding,
    /// The tokens of the scene alone.
    pub count: u32,
    /// What joining it to the scene before adds or takes away: so the tokens of neighbouring scenes
    /// are the sum of their counts, and of the seams between them.
    pub seam: i32,
}

impl Scene {
    /// The id of a scene of a book: `84/0012`.
    pub fn id_of(book: &BookId, scene: u32) -> String {
        format!("{book}/{scene:04}")
    }
}

record!(Scene, "scene", 2);

impl Item for Scene {
    fn item_id(&self) -> String {
        Self::id_of(&self.book, self.scene)
    }

    fn item_span(&self) -> Option<Span> {
        Some(self.span)
    }
}
