//! Chinese texts cut into words by jieba's algorithm, with the dictionary named in the result.
//!
//! jieba (precise mode, unknown words by its hidden Markov model) decides by the frequencies of
//! its dictionary, so scores over its words only compare under one dictionary. The crate
//! `jieba-rs` brings a dictionary with the words and frequencies of jieba 0.42.1's. Where the two
//! programs cut otherwise (Latin words joined by point, dash or underscore; rare ideographs) its
//! words are cut again here, so that both agree.

use std::fmt;

use jieba_rs::Jieba;

/// Cuts Chinese texts into words.
pub struct Segmenter {
    jieba: Jieba,
}

/// What results call the dictionary that jieba-rs brings.
pub const DICTIONARY: &str = "jieba-rs-0.11";

impl Segmenter {
    /// The segmenter with the dictionary that jieba-rs brings.
    pub fn new() -> Self {
        Self { jieba: Jieba::new() }
    }

    /// The words of a text. Law: joined, they are the text.
    pub fn words<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        for part in text.split_inclusive(is_outside) {
            let (inside, outside) = match part.char_indices().next_back() {
                Some((at, c)) if is_outside(c) => part.split_at(at),
                _ => (part, ""),
            };
            for token in self.jieba.cut(inside, true) {
                self.latin(token.word, &mut words);
            }
            words.extend((!outside.is_empty()).then_some(outside));
        }
        words
    }

    /// jieba 0.42.1 keeps a number with its point together and no other joined word, such as
    /// `model-path` or `utils.py`; jieba-rs keeps those whole.
    fn latin<'t>(&self, word: &'t str, words: &mut Vec<&'t str>) {
        let joins = |b: u8| matches!(b, b'.' | b'_' | b'-');
        let latin = |b: u8| b.is_ascii_alphanumeric() || joins(b) || b == b'%';
        if word.len() < 3
            || !word.bytes().all(latin)
            || !word.bytes().any(joins)
            || self.jieba.has_word(word)
        {
            words.push(word);
            return;
        }
        let bytes = word.as_bytes();
        let run = |from: usize, of: fn(&u8) -> bool| {
            from + bytes[from..].iter().take_while(|b| of(b)).count()
        };
        let mut at = 0;
        while at < bytes.len() {
            let mut end = run(at, u8::is_ascii_alphanumeric);
            if end == at {
                end = run(at, |b| !b.is_ascii_alphanumeric());
            } else {
                if bytes.get(end) == Some(&b'.')
                    && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                {
                    end = run(end + 1, u8::is_ascii_digit);
                }
                end += usize::from(bytes.get(end) == Some(&b'%'));
            }
            words.push(&word[at..end]);
            at = end;
        }
    }

    /// The words of the words joined by spaces, as LV-Eval's ROUGE cuts a text twice.
    pub fn twice(&self, text: &str) -> Vec<String> {
        let joined = self.words(text).join(" ");
        self.words(&joined).into_iter().map(str::to_owned).collect()
    }
}

/// Ideographs that jieba-rs cuts by its model and jieba 0.42.1 gives out one by one.
fn is_outside(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{9fd6}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

impl Default for Segmenter {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Segmenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segmenter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Segmenter;

    #[test]
    fn table() {
        let segmenter = Segmenter::new();
        for (text, expect) in [
            ("贝多芬。", "贝多芬|。"),
            ("GPT-4的utils.py", "GPT|-|4|的|utils|.|py"),
            ("增长3.5%，v1.5.2", "增长|3.5%|，|v1.5|.|2"),
            ("task_name", "task|_|name"),
            ("㐀㐁天", "㐀|㐁|天"),
            ("", ""),
        ] {
            assert_eq!(segmenter.words(text).join("|"), expect);
        }
    }
}
