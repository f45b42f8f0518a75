//! What is cut out of a page and why, as ranges of the scroll.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Why a piece of a page is no part of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The header that Project Gutenberg puts before a book.
    Header,
    /// The licence and all else that Project Gutenberg puts behind a book.
    Footer,
    /// Who made the file.
    Credits,
    /// Notes about the file, its cover, its corrections.
    TranscriberNote,
    /// Title page, imprint, half title, dedication, motto of the whole book.
    TitlePage,
    /// Table of contents, list of illustrations.
    Contents,
    /// Preface, introduction, a note to the reader.
    Preface,
    /// A page number.
    PageNumber,
    /// A number of a line of verse.
    LineNumber,
    /// A note in the margin.
    Sidenote,
    /// A footnote's text.
    Footnote,
    /// A footnote's mark in the text.
    NoteMark,
    /// A caption or description of a picture.
    Caption,
    /// `THE END`, `FINIS`.
    EndLine,
    /// Advertisements, and lists of other books.
    Advertisement,
    /// Notes, index, glossary, appendix.
    BackMatter,
    /// A link back to the contents, an ornament, a heading that heads nothing.
    Navigation,
}

impl Why {
    /// All reasons.
    pub const ALL: [Self; 17] = [
        Self::Header,
        Self::Footer,
        Self::Credits,
        Self::TranscriberNote,
        Self::TitlePage,
        Self::Contents,
        Self::Preface,
        Self::PageNumber,
        Self::LineNumber,
        Self::Sidenote,
        Self::Footnote,
        Self::NoteMark,
        Self::Caption,
        Self::EndLine,
        Self::Advertisement,
        Self::BackMatter,
        Self::Navigation,
    ];

    /// The word by which the reason is shown and counted.
    pub fn word(self) -> &'static str {
        storymill_core::word(&self)
    }

    /// Whether it is Project Gutenberg's own text: the header or the licence.
    pub fn is_licence(self) -> bool {
        matches!(self, Self::Header | Self::Footer)
    }
}

/// Cuts inside blocks: ranges of the scroll in order, none over another.
#[derive(Debug, Default)]
pub(crate) struct Cuts(Vec<(Range<u32>, Why)>);

impl Cuts {
    /// Takes ranges in any order; where two overlap, the one that begins first stays.
    pub(crate) fn set(&mut self, mut cuts: Vec<(Range<u32>, Why)>) {
        cuts.append(&mut self.0);
        cuts.sort_by_key(|(range, why)| (range.start, std::cmp::Reverse(range.end), *why));
        let mut end = 0;
        cuts.retain_mut(|(range, _)| {
            range.start = range.start.max(end);
            end = end.max(range.end);
            range.start < range.end
        });
        self.0 = cuts;
    }

    /// The cuts inside a range.
    pub(crate) fn inside(&self, range: Range<u32>) -> &[(Range<u32>, Why)] {
        let first = self.0.partition_point(|(cut, _)| cut.end <= range.start);
        let last = self.0.partition_point(|(cut, _)| cut.start < range.end);
        &self.0[first..last.max(first)]
    }

    /// What is left of a range.
    pub(crate) fn kept(&self, range: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let cuts = self.inside(range.clone());
        let starts = std::iter::once(range.start).chain(cuts.iter().map(|(cut, _)| cut.end));
        let ends = cuts.iter().map(|(cut, _)| cut.start).chain(std::iter::once(range.end));
        starts.zip(ends).map(|(start, end)| start..end).filter(|range| range.start < range.end)
    }
}
