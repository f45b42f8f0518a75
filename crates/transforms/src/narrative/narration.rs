//! What is narrated and what is spoken: the sentences of a scene, each with its share of quotation.

use std::ops::Range;

use storymill_text::{Language, sentence, word_count};

/// A sentence of running text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence<'t> {
    /// The text without the blanks around it.
    pub(crate) text: &'t str,
    /// Where it begins in the scene.
    pub(crate) at: usize,
    /// Bytes of it that are quoted.
    pub(crate) quoted: usize,
    /// Whether every quotation in it is whole.
    pub(crate) whole: bool,
}

/// The sentences of running text in a scene: no headings, no verse, no inscriptions.
pub(crate) fn sentences(scene: &str, language: Language) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    for text in scene.split("\n\n") {
        if !text.trim().contains('\n') && !is_heading(text.trim()) {
            let quotes = quotations(text);
            let mut start = 0;
            for end in sentence::ends(text, language) {
                let piece = &text[start..end];
                let begin = start + piece.len() - piece.trim_start().len();
                let range = begin..begin + piece.trim().len();
                start = end;
                let inside = quotes.iter().filter(|q| q.start < range.end && q.end > range.start);
                let length = |q: &Range<usize>| q.end.min(range.end) - q.start.max(range.start);
                found.push(Sentence {
                    text: piece.trim(),
                    at: from + begin,
                    quoted: inside.clone().map(length).sum(),
                    whole: inside.clone().all(|q| q.start >= range.start && q.end <= range.end),
                });
            }
        }
        from += text.len() + 2;
    }
    found
}

/// What is quoted in a paragraph, from mark to mark. A quotation may have begun before it and may
/// go on behind it.
fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut quotes: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |next| next.1);
        match open {
            None if opens(c, before) => open = Some((at, c)),
            None if "”」』".contains(c) && quotes.is_empty() => {
                quotes.push(0..at + c.len_utf8());
            }
            Some((from, mark)) if closes(mark, c, before, after) => {
                quotes.push(from..at + c.len_utf8());
                open = None;
            }
            _ => {}
        }
        before = c;
    }
    quotes.extend(open.map(|(from, _)| from..text.len()));
    quotes
}

/// Whether a mark opens a quotation where none is open.
fn opens(c: char, before: char) -> bool {
    let begins = before.is_whitespace() || "(—–-[".contains(before);
    "“„«»「『".contains(c) || "\"‘".contains(c) && begins
}

/// Whether a mark closes a quotation. An apostrophe inside of a word does not, nor one that no other mark precedes.
fn closes(mark: char, c: char, before: char, after: char) -> bool {
    let ends = mark != '‘' || !after.is_alphanumeric() && ",.!?—…;".contains(before);
    ends && "“” „” „“ «» »« 「」 『』 ‘’ \"\"".split(' ').any(|pair| pair.chars().eq([mark, c]))
}

/// Whether a paragraph is no sentence: it is short and ends without a mark, or is all in capitals.
fn is_heading(text: &str) -> bool {
    let capitals = !text.chars().any(char::is_lowercase) && text.chars().any(char::is_uppercase);
    capitals || word_count(text) <= 12 && text.ends_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences with the quoted share in per cent.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, usize)]) {
        let all = sentences(text, Language::of_text(text));
        let found: Vec<_> = all.iter().map(|s| (s.text, s.quoted * 100 / s.text.len())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn speech_is_known_from_narration() {
        check(
            "It rained. \"Yes,\" said the man.",
            &[("It rained.", 0), ("\"Yes,\" said the man.", 30)],
        );
        check(
            "It rained. “Yes. It was.” The end.",
            &[("It rained.", 0), ("“Yes.", 100), ("It was.”", 100), ("The end.", 0)],
        );
        check("and so on.” He left the house.", &[("and so on.”", 100), ("He left the house.", 0)]);
        check(
            "‘Yes,’ he said of the boys’ house. It’s late.",
            &[("‘Yes,’ he said of the boys’ house.", 25), ("It’s late.", 0)],
        );
        check("„Ja.“ Er ging.", &[("„Ja.“", 100), ("Er ging.", 0)]);
        check("»Ja.« Er ging.", &[("»Ja.«", 100), ("Er ging.", 0)]);
    }

    #[test]
    fn headings_and_verse_are_left_out() {
        check(
            "CHAPTER THE FIRST.\n\nThe Letter\n\nRoses are red\nand so on.\n\nHe came.",
            &[("He came.", 0)],
        );
    }
}
