//! What a call cost in tokens.

use serde::{Deserialize, Serialize};

/// Tokens of one call, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub prompt: u64,
    /// Of these, the ones the server had in its cache.
    pub cached: u64,
    /// Tokens of the answer, reasoning included.
    pub completion: u64,
    /// Of these, the ones spent on reasoning.
    pub reasoning: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.cached = self.cached.saturating_add(other.cached);
        self.completion = self.completion.saturating_add(other.completion);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}
