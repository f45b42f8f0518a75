//! Does a passage hold the answer? Then it distracts from nothing.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use storymill_text::{Language, word::is_han};

/// The search for an answer in passages.
#[derive(Debug)]
pub struct Holds {
    search: Option<AhoCorasick>,
    /// For each pattern: a whole answer, or the number of a keyword.
    means: Vec<Option<u32>>,
    keywords: u32,
}

impl Holds {
    /// The search for these answers and for keywords separated by spaces.
    ///
    /// A passage holds the answer if it says one of the answers, or the keywords in a row, or every
    /// keyword somewhere. Words in `idle` are no keywords; an answer of idle words alone (`yes`)
    /// is looked for nowhere, for it stands everywhere.
    pub fn new(
        answers: &[String],
        keywords: &str,
        language: Language,
        idle: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut patterns: Vec<String> = Vec::new();
        let mut means = Vec::new();
        let tells = |phrase: &str| {
            if language != Language::Chinese {
                return words(phrase).any(|word| !idle(&word.to_lowercase()));
            }
            !idle(phrase)
                && phrase.chars().filter(|c| is_han(*c) || c.is_alphanumeric()).count() > 1
        };
        for phrase in answers.iter().map(String::as_str).chain([keywords]) {
            let phrase = phrase.trim_matches(|c: char| !c.is_alphanumeric());
            if !phrase.is_empty() && tells(phrase) {
                patterns.push(phrase.to_owned());
                means.push(None);
            }
        }
        let mut single: Vec<String> = words(keywords).map(str::to_lowercase).collect();
        single.retain(|word| !idle(word));
        single.sort();
        single.dedup();
        // One keyword alone is a phrase by now; several are looked for apart.
        if single.len() < 2 || single.len() > 64 {
            single.clear();
        }
        let keywords = u32::try_from(single.len()).unwrap_or(0);
        for (at, word) in (0..).zip(single) {
            patterns.push(word);
            means.push(Some(at));
        }
        let search = (!patterns.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::Standard)
                .kind(Some(AhoCorasickKind::DFA))
                .ascii_case_insensitive(true)
                .build(&patterns)
                .expect("answers are few and short")
        });
        Self { search, means, keywords }
    }

    /// Whether a text holds the answer.
    pub fn is_in(&self, text: &str) -> bool {
        let Some(search) = &self.search else { return false };
        let mut found = 0_u64;
        let all = if self.keywords == 0 { u64::MAX } else { u64::MAX >> (64 - self.keywords) };
        for hit in search.find_overlapping_iter(text) {
            let whole = {
                let runs = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
                !runs(text[..hit.start()].chars().next_back())
                    && !runs(text[hit.end()..].chars().next())
            };
            if !whole {
                continue;
            }
            match self.means[hit.pattern().as_usize()] {
                None => return true,
                Some(keyword) => found |= 1 << keyword,
            }
            if found == all {
                return true;
            }
        }
        false
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, keywords: &str, text: &str, expected: bool) {
        let language =
            if answer.chars().any(is_han) { Language::Chinese } else { Language::English };
        let idle = |word: &str| ["yes", "of", "the"].contains(&word);
        let holds = Holds::new(&[answer.to_owned()], keywords, language, &idle);
        assert_eq!(holds.is_in(text), expected, "{answer} / {text}");
    }

    #[test]
    fn answers_are_found_as_words() {
        check("the red Key", "", "She took THE RED KEY.", true);
        check("the red key", "", "a key that was red", false);
        check("the red key", "red key", "a key that was red", true);
        check("key", "", "monkeys", false);
        check("yes", "", "Oh yes, of the", false);
        check("in Ghent", "Ghent", "It was in Ghent-Sud.", true);
        check("七号码头", "", "他在七号码头等人。", true);
        check("七号码头", "", "他在八号码头等人。", false);
    }
}
