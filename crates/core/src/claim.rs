//! Claims as they are put to a model, and what it says to them.

use serde::{Deserialize, Serialize};

use crate::{Chat, Digest, Item, Record, Turn};

/// A claim as it is put to a model, with what is shown of the book. Which claim it is, and whether it is
/// true, the request does not tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// Its id.
    pub id: String,
    /// What stands above the conversation.
    pub system: Option<String>,
    /// The conversation, whose last turn is to be answered.
    pub turns: Vec<Turn>,
    /// How long the answer may be, in tokens.
    pub max_tokens: u32,
}

impl ClaimRequest {
    /// What is said to the model.
    pub fn chat(&self) -> Chat {
        Chat {
            system: self.system.clone(),
            turns: self.turns.clone(),
            schema: None,
            max_tokens: Some(self.max_tokens),
            shared: 0,
        }
    }

    /// A digest of what is said, whatever the id.
    pub fn said(&self) -> Digest {
        let most = self.max_tokens.to_le_bytes();
        let system = self.system.iter().flat_map(|text| [&b"system"[..], text.as_bytes()]);
        let turns =
            self.turns.iter().flat_map(|turn| [turn.role.word().as_bytes(), turn.text.as_bytes()]);
        let parts = [&most[..]].into_iter().chain(system).chain(turns);
        Digest::of_parts("storymill 2026 claim request said v1", parts)
    }
}

impl Item for ClaimRequest {
    fn item_id(&self) -> String {
        self.id.clone()
    }
}

impl Record for ClaimRequest {
    const NAME: &'static str = "claim-request";
    const VERSION: u32 = 1;
}

/// What a model said to a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimAnswer {
    /// The request's id.
    pub id: String,
    /// The answer, or the word of the field for why there is none: `SKIPPED`.
    pub answer: String,
}

impl Record for ClaimAnswer {
    const NAME: &'static str = "claim-answer";
    const VERSION: u32 = 1;
}
