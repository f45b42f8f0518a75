//! What a call cost in tokens.

use serde::{Deserialize, Serialize};

/// Tokens of one call, or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub prompt: u64,
    /// Of these, the ones the server had in its cache.
    pub cached: u64,
    /// Of these, the ones it put there, where that has a price of its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write: u64,
    /// Tokens of the answer, reasoning included.
    pub completion: u64,
    /// Of these, the ones spent on reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// About how many tokens texts of so many symbols have, sent and answered: a quarter. English prose in common
    /// vocabularies lies within a fifth of it; other languages take more.
    ///
    /// ```
    /// assert_eq!(storymill_llm::Usage::about(15, 0).prompt, 4);
    /// ```
    pub fn about(symbols_in: u64, symbols_out: u64) -> Self {
        let [prompt, completion] = [symbols_in, symbols_out].map(|symbols| symbols.div_ceil(4));
        Self { prompt, completion, ..Self::default() }
    }

    /// Tokens in both directions.
    pub(crate) fn all(&self) -> u64 {
        self.prompt + self.completion
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.cached = self.cached.saturating_add(other.cached);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.completion = self.completion.saturating_add(other.completion);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}
