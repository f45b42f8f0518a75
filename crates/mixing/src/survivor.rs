//! Words that should be gone from a text and are not.

use storymill_core::SetQuestion;

use crate::{Language, replace::is_han};

/// A word of an old phrase that still stands in a replaced text: written with other capitals, or
/// as the beginning of a longer word where it is long enough to be told by that.
pub(crate) fn survivor(
    text: &str,
    question: &SetQuestion,
    language: Language,
) -> Option<(usize, String)> {
    if language == Language::Chinese {
        let left = |(at, rule): (usize, &storymill_core::Rule)| {
            text.contains(rule.from.trim()).then(|| (at, rule.from.trim().to_owned()))
        };
        return question.rules.iter().enumerate().find_map(left);
    }
    let low = text.to_lowercase();
    question.rules.iter().enumerate().find_map(|(at, rule)| {
        let from = rule.from.trim().to_lowercase();
        if from.is_empty() {
            return None;
        }
        let named = rule.from.starts_with(char::is_uppercase);
        low.match_indices(&from).find_map(|(start, _)| {
            let runs = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
            let end = start + from.len();
            if runs(low[..start].chars().next_back()) {
                return None;
            }
            let longer = low[end..].chars().take_while(|c| c.is_alphanumeric()).count();
            // A name in small letters is another word: `rose` is no `Rose`.
            let survives = if longer == 0 { !named } else { from.chars().count() >= 5 };
            let rest: String = low[end..].chars().take(longer).collect();
            survives.then(|| (at, format!("{from}{rest}")))
        })
    })
}
