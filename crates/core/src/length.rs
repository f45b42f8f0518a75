//! How long a text is, in the units of this field.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An encoding of tokens, by the name that its makers gave it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// GPT-2 and the first GPT-3 models.
    R50kBase,
    /// Codex models.
    P50kBase,
    /// GPT-3.5 and GPT-4.
    Cl100kBase,
    /// GPT-4o and later.
    O200kBase,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 4] = [Self::R50kBase, Self::P50kBase, Self::Cl100kBase, Self::O200kBase];

    /// Its name: `o200k_base`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no encoding.
#[derive(Debug, thiserror::Error)]
#[error("no encoding of this name; known: r50k_base, p50k_base, cl100k_base, o200k_base")]
pub struct NoEncoding;

impl FromStr for Encoding {
    type Err = NoEncoding;

    fn from_str(name: &str) -> Result<Self, NoEncoding> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or(NoEncoding)
    }
}

/// How many tokens a text has in one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// The encoding.
    pub encoding: Encoding,
    /// How many tokens.
    pub count: u32,
}

/// A length in the units of this field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// Scenes.
    pub scenes: u32,
    /// Whitespace-separated words.
    pub words: u32,
    /// Unicode scalar values.
    pub symbols: u32,
    /// Tokens, in the encodings that were counted.
    pub tokens: Vec<Tokens>,
}

/// Retention demand: how far back from the moment of asking the evidence lies
/// (NarrativeXL, section 5, there in scenes; here in every unit).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demand {
    /// From the moment of asking back to the first symbol of the evidence. In scenes: `t - i + 1`
    /// for evidence that begins in scene `i`, asked after scene `t`.
    pub to_start: Length,
    /// From the moment of asking back to the last symbol of the evidence, in symbols.
    pub to_end_symbols: u32,
}
