//! Words that should be gone from a text and are not.

use std::ops::Range;

use storymill_core::Rule;
use storymill_text::{Language, one_line, word::is_han};

use crate::{
    Idle, Replacer,
    forms::plural,
    parts::{chinese_parts, is_common, words_of_name},
    replace::is_whole,
    stray::stray,
};

/// Whether rules leave nothing of what they replace in a passage of others, it can be put back as it
/// was, and they hit nothing that they are not about. `known` says of a rule whether its whole name
/// stands in other passages too.
pub(crate) fn leaves_clean(
    replacer: &Replacer,
    rules: &[Rule],
    language: Language,
    text: &str,
    known: &dyn Fn(usize) -> bool,
) -> bool {
    replacer.is_clean(text)
        && stray(replacer, text, rules, language, known).is_none()
        && survivor(&replacer.replaced(text), rules, language).is_none()
        && part(replacer, text, rules, language, false).is_none()
}

/// A word of an old phrase that still stands in a replaced text: written with other capitals, or
/// as the beginning of a longer word where it is long enough to be told by that.
pub(crate) fn survivor(text: &str, rules: &[Rule], language: Language) -> Option<(usize, String)> {
    if language == Language::Chinese {
        let left = |(at, rule): (usize, &Rule)| {
            text.contains(rule.from.trim()).then(|| (at, rule.from.trim().to_owned()))
        };
        return rules.iter().enumerate().find_map(left);
    }
    let low = plain(text);
    rules.iter().enumerate().find_map(|(at, rule)| {
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

/// A part of an old name that is left in a text: which rule, which part, and what it stands in. Then
/// the text would speak of two people. In a question's `own` texts every word of a phrase that has a
/// capital counts; in other passages the parts of names do, but for those that many names have.
pub(crate) fn part(
    replacer: &Replacer,
    text: &str,
    rules: &[Rule],
    language: Language,
    own: bool,
) -> Option<(usize, String, String)> {
    let chinese = language == Language::Chinese;
    // Most passages are others', and need no list of idle words.
    let idle = own.then(|| Idle::of(language));
    let rest = replacer.rest(text);
    let left = |part: String| {
        let forms =
            [part.clone(), part.to_uppercase(), plural(&part), plural(&part).to_uppercase()];
        let all = forms.iter().take(if chinese { 1 } else { forms.len() });
        let mut found = all.flat_map(|form| rest.match_indices(&form[..]));
        let (at, found) = found.find(|(at, form)| is_whole(&rest, &(*at..at + form.len())))?;
        Some((part, excerpt(text, &(at..at + found.len()))))
    };
    rules.iter().enumerate().find_map(|(at, rule)| {
        let from = rule.from.trim();
        let parts: Vec<String> = if chinese {
            chinese_parts(from)
        } else if let Some(idle) = &idle {
            capitals(from, idle)
        } else {
            let tells = |part: &&str| part.chars().count() > 1 && !is_common(part);
            words_of_name(from).into_iter().filter(tells).map(str::to_owned).collect()
        };
        let (part, excerpt) = parts.into_iter().find_map(left)?;
        Some((at, part, excerpt))
    })
}

/// The words of a phrase that have a capital and tell something, if it is more than one word.
fn capitals(phrase: &str, idle: &Idle) -> Vec<String> {
    let name = words_of_name(phrase).into_iter();
    let name = name.filter(|word| word.chars().count() == 2).map(str::to_owned);
    let many = phrase.split_whitespace().nth(1).is_some();
    let words = phrase.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        many && word.starts_with(char::is_uppercase)
            && word.chars().count() > 2
            && !idle.is(&word.to_lowercase())
    });
    words.map(str::to_owned).chain(name).collect()
}

/// What stands around a place, a few words on either side.
fn excerpt(text: &str, found: &Range<usize>) -> String {
    const AROUND: usize = 24;
    let from = text.floor_char_boundary(found.start.saturating_sub(AROUND));
    let from = text[from..found.start].find(' ').map_or(found.start.min(from), |at| from + at + 1);
    let from = if found.start <= AROUND { 0 } else { from };
    let upto = text.ceil_char_boundary((found.end + AROUND).min(text.len()));
    let upto = if upto == text.len() {
        upto
    } else {
        text[found.end..upto].rfind(' ').map_or(upto, |at| found.end + at)
    };
    one_line(&text[from..upto])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, left: Option<&str>, piece: Option<&str>) {
        let rule = |from: &str, to: &str| Rule { from: from.into(), to: to.into(), scope: vec![] };
        let rules = vec![rule("Ivo Marsh", "Jonas Thrale"), rule("salt mine", "dry dock")];
        let replacer = Replacer::new(&rules, Language::English);
        let found = survivor(&replacer.replaced(text), &rules, Language::English);
        assert_eq!(found.map(|(_, word)| word).as_deref(), left, "{text}");
        let found = part(&replacer, text, &rules, Language::English, true);
        assert_eq!(found.map(|(_, word, _)| word).as_deref(), piece, "{text}");
    }

    #[test]
    fn what_is_left_is_found_however_it_is_set() {
        check("Ivo Marsh’s salt mines; IVO MARSH", None, None);
        check("Ivo\nMarsh went to the salt\nmine.", None, None);
        check("the salt  mine of Ivo Marsh", Some("salt mine"), None);
        check("a salt\u{a0}mine", Some("salt mine"), None);
        check("Mr. Marsh’s hat, and Ivo Marsh in a marsh", None, None);
        check("It rained. Marsh’s hat was wet.", None, Some("Marsh"));
        check("a marsh and a mine", None, None);
        check("Marshall met Ivo Marsh", None, None);
    }

    #[test]
    fn parts_that_may_be_words_are_looked_for() {
        let rule = |from: &str, to: &str| Rule { from: from.into(), to: to.into(), scope: vec![] };
        let clean = |from: &str, to: &str, language, text: &str| {
            let rules = [rule(from, to)];
            leaves_clean(&Replacer::new(&rules, language), &rules, language, text, &|_| true)
        };
        let english = |text: &str| clean("May Gray", "Ann Finch", Language::English, text);
        assert!(english("Miss May’s aunt and Mr. Gray, the Grays, a gray day; she may."));
        assert!(!english("It was a day in May."));
        assert!(!english("Gray clouds hung there."));
        assert!(!english("GRAY AND COLD"));
        // Every other street is called so.
        assert!(clean("Quill Street", "Anvil Row", Language::English, "He lived in High Street."));
        let chinese = |text: &str| clean("许望舒", "顾青岚", Language::Chinese, text);
        assert!(chinese("许望舒来了。") && chinese("也许"));
        assert!(!chinese("望舒来了。") && !chinese("许先生来了。") && !chinese("老许来了。"));
    }
}
