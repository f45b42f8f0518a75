//! `a` or `an`: which of them stands before a word, by its sound. English only.

use std::{ops::Range, sync::LazyLock};

use crate::{
    lists::lines,
    word::{Word, fold, words},
};

/// What the data file says of a word's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    A,
    An,
    Word,
}

static LISTED: LazyLock<Vec<(&str, Says)>> = LazyLock::new(|| {
    let mut listed: Vec<(&str, Says)> = lines(include_str!("../data/articles.txt"))
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(key, words)| {
            let says = match key {
                "a" => Says::A,
                "an" => Says::An,
                _ => Says::Word,
            };
            words.split_whitespace().map(move |word| (word, says))
        })
        .collect();
    // The longest that fits counts, so it comes first.
    listed.sort_by_key(|(word, _)| std::cmp::Reverse(word.trim_end_matches('*').len()));
    listed
});

/// Whether `an` stands before a text, by the sound that it begins with; none if it has no letter and
/// no digit. Words go by a list and then by their letter, numbers as they are read, a single letter
/// and few capitals by the names of letters.
///
/// ```
/// use storymill_text::article::takes_an;
/// assert!(["hour", "MP", "18th of May", "X-ray", "“owl”"].iter().all(|one| takes_an(one) == Some(true)));
/// assert!(["unicorn", "UFO", "1,800", "one", "M’Gregor"].iter().all(|one| takes_an(one) == Some(false)));
/// assert_eq!(takes_an("—"), None);
/// ```
pub fn takes_an(text: &str) -> Option<bool> {
    let text = &text[text.find(char::is_alphanumeric)?..];
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        return Some(number_takes_an(text));
    }
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let word = &text[..end];
    let tied = text[end..].starts_with(['’', '\'']);
    Some(if is_spelt(word) && !tied { letter_takes_an(first) } else { word_takes_an(word) })
}

/// Whether a word is read letter by letter: `MP`, `X`, `MPs`.
fn is_spelt(word: &str) -> bool {
    let bare = word.strip_suffix('s').filter(|bare| bare.len() > 1).unwrap_or(word);
    let capitals = bare.chars().all(char::is_uppercase);
    let letters = bare.chars().count();
    let vowel = bare.chars().any(|c| "AEIOUY".contains(c));
    let listed = LISTED.iter().any(|(one, says)| *says == Says::Word && *one == bare);
    word.chars().count() == 1 || capitals && !listed && (letters <= 3 || !vowel)
}

fn letter_takes_an(letter: char) -> bool {
    "aefhilmnorsx".contains(letter.to_ascii_lowercase())
}

fn word_takes_an(word: &str) -> bool {
    let low = fold(word);
    let fits = |(one, _): &&(&str, Says)| match one.strip_suffix('*') {
        Some(start) => low.starts_with(start),
        None => low == **one,
    };
    let listed = LISTED.iter().filter(|(_, says)| *says != Says::Word).find(fits);
    if let Some((_, says)) = listed {
        return *says == Says::An;
    }
    let mut chars = low.chars();
    let vowel = |c: char| "aeiouæœø".contains(c);
    match (chars.next(), chars.next()) {
        // `yclept`, `Ypres`, `Yvonne`: a vowel.
        (Some('y'), Some(next)) => !vowel(next),
        (Some(first), _) => vowel(first),
        _ => false,
    }
}

/// `an 8`, `an 11`, `an 18,000`; a year is read by its first two digits: `an 1874 map`.
fn number_takes_an(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(text.len());
    let number = text[..end].trim_end_matches(',');
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let grouped = number.contains(',');
    // Of a long number the digits before the thousands are read first.
    let head = if digits == 4 && !grouped { 2 } else { (digits - 1) % 3 + 1 };
    number.starts_with('8') || head == 2 && (number.starts_with("11") || number.starts_with("18"))
}

/// The article that a text ends with, before whatever comes next: a blank, and marks that open a
/// quotation, may stand behind it. A capital `A` in the middle of a sentence is a name or a mark:
/// `vitamin A`.
pub fn at_end(text: &str) -> Option<Range<usize>> {
    let bare = text.trim_end_matches(['“', '‘', '"', '\'', '_', '*', '(', '[']);
    let end = bare.trim_end().len();
    if end == bare.len() {
        return None;
    }
    let tie = |c: char| c.is_alphanumeric() || matches!(c, '’' | '\'' | '-' | '.');
    let start = bare[..end]
        .rfind(|c: char| !tie(c))
        .map_or(0, |at| at + bare[at..].chars().next().map_or(1, char::len_utf8));
    let word = bare[start..end].trim_start_matches(['\'', '’', '-', '.']);
    let start = end - word.len();
    let marked = word == "A" && {
        let before = bare[..start].trim_end_matches(' ');
        before.len() < start && words_last(before).is_some_and(|last| last == last.to_lowercase())
    };
    (matches!(word, "a" | "an" | "A" | "An" | "AN") && !marked).then_some(start..end)
}

/// The last word of a text that ends with one.
fn words_last(text: &str) -> Option<&str> {
    let start = text
        .rfind(|c: char| !c.is_alphabetic())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    Some(&text[start..]).filter(|word| !word.is_empty())
}

/// The article that says `an` or not, with the capitals of one that stands there: none if it does
/// already. `loud` is what stands all in capitals.
///
/// ```
/// use storymill_text::article::instead;
/// assert_eq!(instead("A", true, false), Some("An"));
/// assert_eq!(instead("a", false, false), None);
/// ```
pub fn instead(article: &str, an: bool, loud: bool) -> Option<&'static str> {
    let small = article.starts_with('a');
    let fitting = match (small, an) {
        (true, true) => "an",
        (true, false) => "a",
        (false, true) if loud => "AN",
        (false, true) => "An",
        (false, false) => "A",
    };
    (an != (article.len() == 2)).then_some(fitting)
}

/// Where a text has the wrong article: from its beginning to the end of the word behind it. What may
/// be read as a word or by its letters, `HAT`, fits either.
pub fn slips(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut before: Option<Word<'_>> = None;
    words(text).filter_map(move |word| {
        let last = before.replace(word)?;
        let article = at_end(&text[..word.start]).filter(|found| found.start == last.start)?;
        let either = is_spelt(word.text) && word.text.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
        let an = takes_an(word.text).filter(|_| !either || word.text.chars().count() == 1)?;
        let wrong = instead(&text[article.clone()], an, false).is_some();
        wrong.then_some(article.start..word.end)
    })
}

#[cfg(test)]
mod tests;
