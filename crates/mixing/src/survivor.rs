//! Words that should be gone from a text and are not.

use storymill_core::SetQuestion;
use storymill_text::{Language, one_line, word::is_han};

use crate::{Idle, Replacer};

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
    let low = plain(text);
    question.rules.iter().enumerate().find_map(|(at, rule)| {
        let from = plain(rule.from.trim());
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

/// Small letters, one blank between words, one kind of apostrophe: however a phrase is set, it is
/// the same phrase.
fn plain(text: &str) -> String {
    one_line(&text.to_lowercase().replace('’', "'"))
}

/// A word of an old name that stands alone in a text, where no rule replaces it: `Marsh`, and the
/// rule is for `Ivo Marsh`. Then the text would speak of two people. Only words with a capital tell
/// that they mean the same; Chinese names are not told by their parts.
pub(crate) fn part(
    replacer: &Replacer,
    text: &str,
    question: &SetQuestion,
    language: Language,
) -> Option<(usize, String)> {
    if language == Language::Chinese {
        return None;
    }
    let idle = Idle::of(language);
    let left = replacer.rest(text);
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| {
            word.starts_with(char::is_uppercase)
                && word.chars().count() > 2
                && !idle.is(&word.to_lowercase())
        });
        words.map(str::to_owned).collect()
    };
    let left = words(&left);
    question.rules.iter().enumerate().find_map(|(at, rule)| {
        let own = words(rule.from.trim());
        let many = rule.from.split_whitespace().nth(1).is_some();
        let found = own.into_iter().find(|word| many && left.contains(word));
        found.map(|word| (at, word))
    })
}

#[cfg(test)]
mod tests {
    use storymill_core::Rule;

    use super::*;

    #[track_caller]
    fn check(text: &str, left: Option<&str>, piece: Option<&str>) {
        let rule = |from: &str, to: &str| Rule { from: from.into(), to: to.into(), scope: vec![] };
        let rules = vec![rule("Ivo Marsh", "Jonas Thrale"), rule("salt mine", "dry dock")];
        let replacer = Replacer::new(&rules, Language::English);
        let question = SetQuestion { rules, ..SetQuestion::default() };
        let found = survivor(&replacer.replaced(text), &question, Language::English);
        assert_eq!(found.map(|(_, word)| word).as_deref(), left, "{text}");
        let found = part(&replacer, text, &question, Language::English);
        assert_eq!(found.map(|(_, word)| word).as_deref(), piece, "{text}");
    }

    #[test]
    fn what_is_left_is_found_however_it_is_set() {
        check("Ivo Marsh’s salt mines; IVO MARSH", None, None);
        check("Ivo\nMarsh went to the salt\nmine.", None, None);
        check("the salt  mine of Ivo Marsh", Some("salt mine"), None);
        check("a salt\u{a0}mine", Some("salt mine"), None);
        check("Marsh’s hat, and Ivo Marsh in a marsh", None, Some("Marsh"));
        check("a marsh and a mine", None, None);
        check("Marshall met Ivo Marsh", None, None);
    }
}
