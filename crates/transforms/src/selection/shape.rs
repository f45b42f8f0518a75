//! The shape of a text: how much of it is verse, how much is speech, how long it is.

use storymill_core::{Book, Paragraph, ParagraphKind};
use storymill_text::word::is_han;

/// What is counted letter by letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Words of the text, headings left out; two Han letters count as one.
    pub(super) words: u32,
    /// Of a thousand letters, how many stand in verse.
    pub(super) verse_pm: u32,
    /// Of a thousand letters of prose, how many are quoted speech.
    pub(super) quoted_pm: u32,
    /// Of a thousand paragraphs of prose, how many begin with speech.
    pub(super) quoting_pm: u32,
    /// Question and exclamation marks in a thousand words.
    pub(super) asking_pm: u32,
    /// Years (four digits) in a hundred thousand words.
    pub(super) years: u32,
    /// Of a thousand paragraphs of prose, how many begin with a number.
    pub(super) numbered_pm: u32,
}

impl Shape {
    /// Counts a book.
    pub(super) fn of(book: &Book) -> Self {
        let mut all = Tally::default();
        for paragraph in &book.paragraphs {
            let text = &book.text[paragraph.text.start as usize..paragraph.text.end as usize];
            match paragraph.kind {
                ParagraphKind::Heading | ParagraphKind::Break => {}
                ParagraphKind::Verse => all.add(text, true),
                ParagraphKind::Prose => all.add(text, false),
            }
        }
        let words = all.words + all.han / 2;
        Self {
            words: small(words),
            verse_pm: ratio(all.verse, all.verse + all.prose, 1000),
            quoted_pm: ratio(all.quoted, all.prose, 1000),
            quoting_pm: ratio(all.quoting, all.paragraphs, 1000),
            asking_pm: ratio(all.asks, words, 1000),
            years: ratio(all.years, words, 100_000),
            numbered_pm: ratio(all.numbered, all.paragraphs, 1000),
        }
    }
}

/// The words of some paragraphs, as [`Shape`] counts them.
pub(super) fn words(book: &Book, paragraphs: &[&Paragraph]) -> u32 {
    let mut all = Tally::default();
    for one in paragraphs {
        all.add(&book.text[one.text.start as usize..one.text.end as usize], false);
    }
    small(all.words + all.han / 2)
}

/// `part` of `of`, in `unit`s.
pub(super) fn ratio(part: u64, of: u64, unit: u64) -> u32 {
    small(part.saturating_mul(unit) / of.max(1))
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Tally {
    words: u64,
    han: u64,
    verse: u64,
    prose: u64,
    quoted: u64,
    quoting: u64,
    paragraphs: u64,
    asks: u64,
    years: u64,
    numbered: u64,
}

impl Tally {
    fn add(&mut self, text: &str, verse: bool) {
        let dashed = is_dashed(text);
        let single = text.starts_with(['‘', '\'']);
        let mut letters = 0;
        let mut quoted = 0;
        let mut open: Option<&[char]> = None;
        let mut inside = false; // a word
        let mut digits = 0;
        for c in text.chars() {
            let letter = c.is_alphabetic();
            if is_han(c) {
                self.han += 1;
            } else if letter && !inside {
                self.words += 1;
            }
            inside = letter && !is_han(c) || inside && matches!(c, '\'' | '’' | '-');
            letters += u64::from(letter);
            quoted += u64::from(letter && open.is_some());
            self.asks += u64::from(matches!(c, '?' | '!' | '？' | '！'));
            if c.is_ascii_digit() {
                digits += if digits == 0 && !matches!(c, '1' | '2') { 9 } else { 1 };
            } else {
                self.years += u64::from(digits == 4);
                digits = 0;
            }
            open = match open {
                Some(ends) if ends.contains(&c) => None,
                None => closing(c),
                open => open,
            };
        }
        self.years += u64::from(digits == 4);
        if (dashed || single) && quoted * 2 < letters {
            quoted = if dashed { letters } else { letters * 2 / 3 };
        }
        if verse {
            self.verse += letters;
        } else {
            self.prose += letters;
            self.quoted += quoted;
            self.paragraphs += 1;
            self.numbered += u64::from(text.starts_with(|c: char| c.is_ascii_digit()));
            self.quoting +=
                u64::from(dashed || single || text.chars().next().and_then(closing).is_some());
        }
    }
}

/// Whether a paragraph begins with the dash of a speech, as in Spanish and French.
fn is_dashed(text: &str) -> bool {
    let hyphen = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || " -¿¡".contains(c));
    text.starts_with(['—', '–', '―']) || text.strip_prefix('-').is_some_and(hyphen)
}

/// What may close a quotation that this letter opens. Germans write „…“ and »…«, the French «…»,
/// Swedes and Finns ”…” and »…», the Dutch and the Poles „…”; typists close all of them with ".
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '“' => &['”', '"'],
        '”' => &['”'],
        '„' | '‟' => &['“', '”', '"', '‟'],
        '«' | '»' => &['«', '»'],
        '‹' | '›' => &['‹', '›'],
        '‚' => &['‘', '\''],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

    #[test]
    fn speech_is_measured_by_its_letters() {
        let shape = Shape::of(&book("“Abcd,” efgh.\n\nIjkl in 1848?"));
        assert_eq!((shape.words, shape.quoted_pm, shape.quoting_pm), (4, 285, 500));
        assert_eq!((shape.asking_pm, shape.years), (250, 25_000));
        let dashed = Shape::of(&book("— Abcd, efgh."));
        assert_eq!((dashed.quoted_pm, dashed.quoting_pm), (1000, 1000));
        assert_eq!(Shape::of(&book("")), Shape::default());
    }

    #[test]
    fn every_language_has_its_marks_of_speech() {
        for speech in [
            "„Abcd,“ efgh.",
            "„Abcd,” efgh.",
            "„Abcd,\" efgh.",
            "»Abcd,« efgh.",
            "«Abcd,» efgh.",
            "»Abcd,» efgh.",
            "”Abcd,” efgh.",
            "‚Abcd,‘ efgh.",
            "›Abcd,‹ efgh.",
            "\"Abcd,\" efgh.",
        ] {
            let shape = Shape::of(&book(speech));
            assert_eq!((shape.quoted_pm, shape.quoting_pm), (500, 1000), "{speech}");
        }
        for speech in ["-Abcd, efgh.", "--Abcd, efgh.", "—Abcd, efgh.", "-¿Abcd? efgh."] {
            assert_eq!(Shape::of(&book(speech)).quoted_pm, 1000, "{speech}");
        }
        assert_eq!(Shape::of(&book("-1848- abcd.")).quoted_pm, 0);
    }
}
