//! Explanations that begin with the answer: a system that answers first does not reason first.

use serde::Serialize;
use storymill_metrics::pair_accuracy::{Verdict, verdict};
use storymill_text::{Language, one_line, sentence::sentences};

use super::Asked;
use crate::{deciding::explained::explanation, import::Set, pair::Half};

/// How a system's explanations begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Early {
    /// Answers with an explanation.
    pub explained: usize,
    /// Explanations whose first sentence says already whether the claim is true or false.
    pub early: usize,
    /// Early answers that the final one contradicts.
    pub contradicted: usize,
}

/// Counts over the pairs that are scored.
pub(super) fn count(set: &Set, pairs: &[usize], asked: &Asked<'_>) -> Option<Early> {
    let mut found = Early::default();
    for &pair in pairs {
        let row = asked.responses[pair].into_iter().zip(asked.verdicts[pair]);
        for ((response, settled), half) in row.zip(Half::BOTH) {
            let Some(explanation) = response.and_then(explanation) else { continue };
            found.explained += 1;
            let explanation = one_line(explanation);
            let Some(first) = sentences(&explanation, Language::English).next() else { continue };
            match verdict(first, set.pairs[pair].claim(half)) {
                None | Some(Verdict::Fail) => {}
                early => {
                    found.early += 1;
                    found.contradicted += usize::from(early != settled);
                }
            }
        }
    }
    (found.explained > 0).then_some(found)
}
