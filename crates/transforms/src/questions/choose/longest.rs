//! The longest context of a question that may be chosen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Fault, FaultKind, Length, Stop};

/// A bound on contexts: in tokens, in words, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Longest {
    /// At most so many tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
    /// At most so many words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<u32>,
}

impl Longest {
    /// Whether it bounds nothing, or leaves nothing.
    pub(super) fn is_nothing(self) -> bool {
        let bounds = [self.tokens, self.words];
        bounds == [None, None] || bounds.contains(&Some(0))
    }

    /// Whether a context is no longer.
    pub(super) fn holds(self, context: &Length) -> Result<bool, Stop> {
        let within = |most: Option<u32>, count: u32| most.is_none_or(|most| count <= most);
        if self.tokens.is_some() && context.tokens.is_empty() {
            let message = "`longest` is in tokens, and nobody counted those of the questions";
            let hint =
                "name an encoding in `tokens` of the steps that ask, or give `longest` in words";
            return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
        }
        let tokens = context.tokens.iter().all(|one| within(self.tokens, one.count));
        Ok(tokens && within(self.words, context.words))
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Encoding, Tokens};

    use super::*;

    #[test]
    fn a_context_is_no_longer_than_each_bound() {
        let context = |words: u32, tokens: &[u32]| {
            let of = |(encoding, count)| Tokens { encoding, count };
            let tokens = Encoding::ALL.into_iter().zip(tokens.iter().copied()).map(of).collect();
            Length { words, tokens, ..Length::default() }
        };
        let (tokens, words) = (Some(100), Some(70));
        for (bound, context, holds) in [
            (Longest { tokens, words: None }, context(999, &[100]), Some(true)),
            (Longest { tokens, words: None }, context(1, &[101]), Some(false)),
            (Longest { tokens, words: None }, context(1, &[99, 101]), Some(false)),
            (Longest { tokens, words: None }, context(1, &[]), None),
            (Longest { tokens: None, words }, context(70, &[]), Some(true)),
            (Longest { tokens: None, words }, context(71, &[1]), Some(false)),
            (Longest { tokens, words }, context(71, &[100]), Some(false)),
        ] {
            assert_eq!(bound.holds(&context).ok(), holds, "{bound:?} {context:?}");
        }
    }
}
