//! What a cleaned page is told in: paragraphs that are kept, pieces that are cut, doubts about either.

use storymill_core::{ByteSpan, ParagraphKind};

use crate::cut::Why;

/// One paragraph of the book and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanParagraph {
    /// What it is.
    pub kind: ParagraphKind,
    /// Of a heading: 0 for parts, 1 for chapters, 2 for sections.
    pub level: Option<u8>,
    /// Its text; lines of verse are separated by a line break.
    pub text: String,
    /// Where it stands in the decoded page, from its first to its last kept letter.
    pub page: ByteSpan,
}

/// One piece that was cut out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where it stands in the decoded page.
    pub page: ByteSpan,
    /// The reason.
    pub why: Why,
    /// Its text in one line.
    pub text: String,
}

/// A decision on which reasonable editors differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What it is about, in the decoded page.
    pub page: ByteSpan,
    /// A short stable word: `preface`.
    pub code: &'static str,
    /// The question, for people.
    pub question: &'static str,
    /// Whether the text was kept, the line taken for a heading, the first of two readings taken.
    pub kept: bool,
    /// Per mille of the page's letters that are cut with it; 0 where it was kept.
    pub cut_pm: u16,
    /// Whether people decided on it.
    pub decided: bool,
    /// What people choose from; the first is what was done where `kept`.
    pub choices: [&'static str; 2],
}

impl Doubt {
    /// One that costs nothing.
    pub(crate) fn new(
        page: ByteSpan,
        (code, question): (&'static str, &'static str),
        kept: bool,
        choices: [&'static str; 2],
    ) -> Self {
        Self { page, code, question, kept, cut_pm: 0, decided: false, choices }
    }

    /// What was done.
    pub fn done(&self) -> &'static str {
        self.choices[usize::from(!self.kept)]
    }
}
