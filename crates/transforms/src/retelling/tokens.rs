//! Words as the checks see them: folded, parted from their endings, and numbered for comparing.

use std::collections::{HashMap, HashSet};

use storymill_text::{Language, lists::is_small, sentence::sentences, stem::stem};

/// The words of a text in small letters. A Chinese or Japanese sign is a word of its own;
/// a possessive ending is none.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if is_sign(c) {
            flush(&mut word, &mut found);
            found.push(c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if matches!(c, '\'' | '’') && !word.is_empty() {
            word.push('\'');
        } else if c != '\u{ad}' {
            flush(&mut word, &mut found);
        }
    }
    flush(&mut word, &mut found);
    found
}

fn flush(word: &mut String, found: &mut Vec<String>) {
    let bare = word.trim_end_matches('\'');
    let bare = bare.strip_suffix("'s").unwrap_or(bare);
    if !bare.is_empty() {
        found.push(bare.to_owned());
    }
    word.clear();
}

/// Whether a character is a word by itself.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// The words that carry meaning, in order, without endings. A negation is always `not`.
pub(crate) fn content(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens(text) {
        if NEGATIONS.contains(&&token[..]) {
            found.push("not".to_owned());
        } else if let Some(verb) = token.strip_suffix("n't") {
            let verb = if verb == "wo" { "will" } else { verb };
            found.extend((!is_small(verb)).then(|| stem(verb)));
            found.push("not".to_owned());
        } else if !is_small(&token) {
            found.push(stem(&token));
        }
    }
    found
}

const NEGATIONS: [&str; 8] = ["not", "never", "no", "neither", "nor", "cannot", "none", "nobody"];

/// What a text tells: its meaningful words, whole and sentence by sentence.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    /// All of them.
    pub(crate) words: HashSet<String>,
    /// Those of each sentence, in order.
    pub(crate) sentences: Vec<Vec<String>>,
}

impl Telling {
    pub(crate) fn of(text: &str, language: Language) -> Self {
        let sentences: Vec<Vec<String>> = sentences(text, language).map(content).collect();
        Self { words: sentences.iter().flatten().cloned().collect(), sentences }
    }

    /// Whether some sentence has all these words in this order, and denies as much as they do.
    pub(crate) fn tells(&self, event: &[String]) -> bool {
        let denies = |words: &[String]| words.iter().any(|word| word == "not");
        self.sentences.iter().any(|sentence| {
            let mut rest = sentence.iter();
            denies(sentence) == denies(event)
                && event.iter().all(|word| rest.any(|other| other == word))
        })
    }

    /// How many of these words stand anywhere, per mille; all, of no words.
    pub(crate) fn share_pm(&self, event: &[String]) -> u32 {
        let hits = event.iter().filter(|word| self.words.contains(*word)).count();
        pm(hits, event.len(), 1000)
    }
}

/// A share per mille, or `empty` of nothing.
pub(crate) fn pm(part: usize, whole: usize, empty: u32) -> u32 {
    let share = (part * 1000).checked_div(whole);
    share.map_or(empty, |share| u32::try_from(share).unwrap_or(u32::MAX))
}

/// Two texts as lists of numbers, one number for each different word.
pub(crate) fn numbered(one: &str, other: &str) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut list = |text: &str| {
        let mut list = Vec::new();
        for token in tokens(text) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            list.push(*numbers.entry(token).or_insert(next));
        }
        list
    };
    (list(one), list(other))
}

/// The longest run of words that both have.
pub(crate) fn longest_run(one: &[u32], other: &[u32]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    let mut longest = 0;
    for word in one {
        let mut diagonal = 0;
        for (at, against) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == against { diagonal + 1 } else { 0 };
            longest = longest.max(row[at + 1]);
            diagonal = above;
        }
    }
    longest
}

/// How many words both have in the same order.
pub(crate) fn in_order<W: PartialEq>(one: &[W], other: &[W]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    for word in one {
        let mut diagonal = 0;
        for (at, against) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == against { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaningful_words_keep_their_negation() {
        assert_eq!(content("She didn’t give Anne’s letter."), ["not", "giv", "ann", "letter"]);
        assert_eq!(tokens("她走了。Ok"), ["她", "走", "了", "ok"]);
    }

    #[test]
    fn runs_and_orders_are_counted() {
        let (one, other) = numbered("a b c d e", "x b c y d");
        assert_eq!((longest_run(&one, &other), in_order(&one, &other)), (2, 3));
        assert_eq!(longest_run(&[], &other), 0);
    }
}
