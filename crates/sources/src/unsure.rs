//! Where the text hardly tells how it is to be read, what people need to tell it.

use std::ops::Range;

/// Bytes before and behind the first difference of two readings that are shown.
const AROUND: usize = 40;

/// Two readings between which the text hardly tells.
#[derive(Debug)]
pub struct Unsure {
    /// Their encodings: the better one first.
    pub encodings: [&'static str; 2],
    /// The first words in which they differ, in each.
    pub words: String,
    /// Where these stand in the decoded page.
    pub page: Range<usize>,
}

impl Unsure {
    /// What two texts of a page say; `second` where people decided for the second.
    pub(crate) fn of(texts: [&str; 2], encodings: [&'static str; 2], second: bool) -> Option<Self> {
        let [one, other] = texts;
        let at = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b)?.0.0;
        let around = |text: &str| {
            let start = text.floor_char_boundary(at.saturating_sub(AROUND));
            let blank = text[start..at].char_indices().rfind(|(_, c)| c.is_whitespace());
            let start = blank.map_or(start, |(blank, c)| start + blank + c.len_utf8());
            let end = text.ceil_char_boundary((at + AROUND).min(text.len()));
            start..text[at..end].find(char::is_whitespace).map_or(end, |blank| at + blank)
        };
        let shown =
            |one: usize| format!("{} ({})", &texts[one][around(texts[one])], encodings[one]);
        let page = at..around(texts[usize::from(second)]).end;
        Some(Self { encodings, words: [shown(0), shown(1)].join(" or "), page })
    }
}
