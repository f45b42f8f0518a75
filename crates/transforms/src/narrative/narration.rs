//! What is told and what is spoken: the sentences of a scene, each with its share of quotation.

use storymill_core::Scene;
use storymill_text::{Language, sentence, word_count};

/// How a book marks what is spoken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narration {
    language: Language,
    /// Whether single quotation marks enclose speech.
    single: bool,
}

/// A sentence of running text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'t> {
    /// The text without the blanks around it.
    pub(crate) text: &'t str,
    /// Where it begins in the scene.
    pub(crate) at: usize,
    /// Which paragraph of the scene it belongs to.
    pub(crate) paragraph: usize,
    /// Bytes of it that are quoted.
    pub(crate) quoted: usize,
    /// Whether every quotation in it is whole.
    pub(crate) whole: bool,
}

impl Narration {
    pub(crate) fn of(scenes: &[Scene], language: Language) -> Self {
        let count = |marks: &[char]| -> usize {
            scenes.iter().take(20).map(|scene| scene.text.matches(marks).count()).sum()
        };
        let double = count(&['“', '”', '"', '„', '«', '»', '「', '」']);
        Self { language, single: count(&['‘']) > 2 * double }
    }

    /// The sentences of running text in a scene: no headings, no verse, no inscriptions.
    pub(crate) fn sentences(self, scene: &str) -> Vec<Told<'_>> {
        let mut told = Vec::new();
        let mut at = 0;
        for (paragraph, text) in scene.split("\n\n").enumerate() {
            let from = at;
            at += text.len() + 2;
            let running = !text.trim().contains('\n') && !is_heading(text.trim());
            if !running {
                continue;
            }
            let quotes = self.quotations(text);
            let mut start = 0;
            for end in sentence::ends(text, self.language) {
                let piece = &text[start..end];
                let trimmed = piece.trim();
                let begin = start + piece.len() - piece.trim_start().len();
                start = end;
                if trimmed.is_empty() {
                    continue;
                }
                let range = begin..begin + trimmed.len();
                let inside =
                    |(open, close): &&(usize, usize)| *open < range.end && *close > range.start;
                let inside: Vec<_> = quotes.iter().filter(inside).collect();
                let quoted = inside.iter().map(|q| q.1.min(range.end) - q.0.max(range.start)).sum();
                let whole = inside.iter().all(|q| q.0 >= range.start && q.1 <= range.end);
                told.push(Told { text: trimmed, at: from + begin, paragraph, quoted, whole });
            }
        }
        told
    }

    /// What is quoted in a paragraph, from mark to mark. A quotation may have begun before it and
    /// may go on behind it.
    fn quotations(self, text: &str) -> Vec<(usize, usize)> {
        let mut quotes = Vec::new();
        let mut open: Option<usize> = None;
        let mut any = false;
        let mut before = None;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let after = chars.peek().map(|(_, c)| *c);
            match self.mark(c, before, after, open.is_some()) {
                Some(true) if open.is_none() => open = Some(at),
                Some(false) if open.is_some() || !any => {
                    quotes.push((open.take().unwrap_or(0), at + c.len_utf8()));
                }
                _ => {}
            }
            any |= open.is_some() || !quotes.is_empty();
            before = Some(c);
        }
        quotes.extend(open.map(|open| (open, text.len())));
        quotes
    }

    /// Whether a mark opens (true) or closes a quotation; none if it does neither.
    fn mark(self, c: char, before: Option<char>, after: Option<char>, open: bool) -> Option<bool> {
        let german = self.language == Language::German;
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match c {
            '“' if german => Some(false),
            '»' => Some(german),
            '«' => Some(!german),
            '“' | '„' | '「' | '『' => Some(true),
            '”' | '」' | '』' => Some(false),
            '"' => Some(!open && before.is_none_or(|c| c.is_whitespace() || "(—-[".contains(c))),
            '‘' if self.single => Some(true),
            '’' if self.single && open && !(letter(before) && letter(after)) => {
                let ends = before.is_some_and(|c| ",.!?—…;".contains(c));
                ends.then_some(false)
            }
            _ => None,
        }
    }
}

/// Whether a paragraph is no sentence: it ends without a mark, or is all in capitals.
fn is_heading(text: &str) -> bool {
    const ENDS: &[char] = &[
        '.', '!', '?', '…', ':', ';', ',', '”', '"', '’', ')', '—', '。', '！', '？', '」', '»',
        '“',
    ];
    let capitals = !text.chars().any(char::is_lowercase) && text.chars().any(char::is_uppercase);
    let short = word_count(text) <= 12;
    capitals || short && !text.ends_with(ENDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::scenes;

    /// Sentences with the quoted share in per cent, `~` where a quotation is cut.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, usize)]) {
        let narration = Narration::of(&scenes(&[text]), Language::of_text(text));
        let told = narration.sentences(text);
        let found: Vec<_> = told.iter().map(|s| (s.text, s.quoted * 100 / s.text.len())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn speech_is_told_from_story() {
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
    }

    #[test]
    fn headings_and_verse_are_left_out() {
        check(
            "CHAPTER THE FIRST.\n\nThe Letter\n\nRoses are red\nand so on.\n\nHe came.",
            &[("He came.", 0)],
        );
    }
}
