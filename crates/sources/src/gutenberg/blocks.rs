//! From events to blocks: the runs of shown text between two paragraph borders, each with what
//! the elements around it say.
//!
//! Text of all blocks lies in one string, the *scroll*, in the order of the page; a block, a line
//! break or a cut is a range of it, and [`Piece`]s lead from it back to the page. What a block is
//! (heading, footnote, story) is left to the rooms that follow.

#![expect(
    clippy::needless_bitwise_bool,
    reason = "without a jump, many bytes are compared at once"
)]

use std::ops::Range;

use storymill_core::Reason;

use super::{marks::Marks, pictures::Picture, tags::Tag};
use crate::{
    cut::{Cuts, Why},
    glance,
};

/// Stands in the scroll for a `<br>`; in a page it is a blank.
pub(crate) const BREAK: char = '\u{1}';

/// A stretch of the scroll and where it stands in the page.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) text: Range<u32>,
    pub(crate) page: Range<u32>,
    pub(crate) marks: Marks,
}

/// A run of shown text between two paragraph borders.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The innermost element that parts paragraphs.
    pub(crate) tag: Tag,
    /// What that element and those around it say.
    pub(crate) marks: Marks,
    /// Marks that all its visible letters share.
    pub(crate) all: Marks,
    /// Marks that some of its letters have.
    pub(crate) any: Marks,
    /// Where it stands in the scroll.
    pub(crate) text: Range<u32>,
    /// Its pieces.
    pub(crate) pieces: Range<u32>,
    /// The element around it, by number, to tell the lines of one stanza from the next.
    pub(crate) parent: u32,
    /// Where the tag of the element that it stands in begins in the page.
    pub(crate) element: u32,
    /// Empty paragraphs and line breaks before it, at most 255.
    pub(crate) gap: u8,
    /// Whether a rule stands before it.
    pub(crate) rule: bool,
    /// Whether something in the page links to it or could.
    pub(crate) anchored: bool,
    /// Letters and digits that show.
    pub(crate) letters: u32,
    /// Why it is no part of the book.
    pub(crate) fate: Option<Why>,
}

/// A first letter that stands in a picture.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    /// Before which place of the scroll.
    pub(crate) at: u32,
    /// The picture.
    pub(crate) page: Range<u32>,
    /// The letter; a blank behind it where it is a word of its own.
    pub(crate) text: String,
}

/// A page as blocks.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) scroll: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) pieces: Vec<Piece>,
    /// Cuts inside blocks.
    pub(crate) cuts: Cuts,
    /// Anchors: the hash of a name, the block it stands in or before.
    pub(crate) anchors: Vec<(u64, u32)>,
    /// Links within the page: the hash of the name, the block.
    pub(crate) links: Vec<(u64, u32)>,
    /// Pictures, in order.
    pub(crate) pictures: Vec<Picture>,
    /// Letters that stand in pictures, in order.
    pub(crate) initials: Vec<Initial>,
    /// Where first letters end whose words stand apart from them, in order.
    pub(crate) torn: Vec<u32>,
    /// The page's `<title>`.
    pub(crate) title: String,
    /// Whether line ends in the scroll are line breaks, as in plain text.
    pub(crate) plain: bool,
}

impl Leaves {
    /// The text of a block, cuts and all.
    pub(crate) fn text(&self, block: &Block) -> &str {
        &self.scroll[block.text.start as usize..block.text.end as usize]
    }

    /// The lines of a block as they show, cuts and all.
    pub(crate) fn lines(&self, block: &Block) -> impl Iterator<Item = &str> {
        let typed = self.plain || block.marks.any(Marks::PRE);
        self.text(block).split(move |c| c == BREAK || typed && c == '\n')
    }

    /// Whether a block is one line.
    pub(crate) fn is_one_line(&self, block: &Block) -> bool {
        let text = self.text(block);
        let typed = self.plain || block.marks.any(Marks::PRE);
        !(text.contains(BREAK) || typed && text.contains('\n'))
    }

    /// The letters in pictures that stand in a stretch of the scroll.
    pub(crate) fn initials(&self, text: &Range<u32>) -> &[Initial] {
        let first = self.initials.partition_point(|initial| initial.at < text.start);
        let end = self.initials.partition_point(|initial| initial.at < text.end);
        &self.initials[first..end.max(first)]
    }

    /// Whether a picture stands inside a block, right before it, or right behind it.
    pub(crate) fn is_pictured(&self, at: usize) -> bool {
        let first = self.pictures.partition_point(|picture| picture.block as usize + 2 < at);
        self.pictures.get(first).is_some_and(|picture| picture.block as usize <= at + 1)
    }

    /// Whether a block begins with a picture that is no first letter.
    pub(crate) fn begins_with_picture(&self, at: usize) -> bool {
        let first = self.pictures.partition_point(|picture| (picture.block as usize) < at);
        self.pictures.get(first).is_some_and(|picture| {
            let here = picture.block as usize == at && picture.inside && !picture.initial;
            here && picture.at <= self.blocks[at].text.start
        })
    }

    /// Whether a picture stands between two places of the page.
    pub(crate) fn is_picture_between(&self, from: u32, upto: u32) -> bool {
        let first = self.pictures.partition_point(|picture| picture.page.start < from);
        self.pictures.get(first).is_some_and(|picture| picture.page.end <= upto)
    }

    /// Hands on what is kept of a stretch, each letter in a picture where it belongs.
    pub(crate) fn each_kept(&self, text: Range<u32>, mut take: impl FnMut(&str)) {
        for range in self.cuts.kept(text) {
            let mut from = range.start;
            for initial in self.initials(&range) {
                take(&self.scroll[from as usize..initial.at as usize]);
                take(&initial.text);
                from = initial.at;
            }
            take(&self.scroll[from as usize..range.end as usize]);
        }
    }

    /// The text of a block in one line, without what is cut inside it.
    pub(crate) fn line(&self, block: &Block) -> String {
        let mut line = String::with_capacity(block.text.len());
        if !self.initials(&block.text).is_empty() {
            self.each_kept(block.text.clone(), |part| line.push_str(part));
            let words = line.split(is_blank).filter(|word| !word.is_empty());
            return words.collect::<Vec<_>>().join(" ").replace(is_unseen, "");
        }
        for range in self.cuts.kept(block.text.clone()) {
            let text = &self.scroll[range.start as usize..range.end as usize];
            if is_even(text) {
                for words in text.split('\n').map(|words| words.trim_matches(' ')) {
                    if !line.is_empty() && !words.is_empty() {
                        line.push(' ');
                    }
                    line.push_str(words);
                }
                continue;
            }
            for word in text.split(is_blank).filter(|word| !word.is_empty()) {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.extend(word.chars().filter(|c| !is_unseen(*c)));
            }
        }
        line
    }
}

/// Paragraphs of a page; the longest books have some ten thousand.
pub(crate) const PARAGRAPHS: usize = 1_000_000;

/// A page of more paragraphs than any book.
pub(crate) fn too_many() -> Reason {
    let detail = format!("the page has more than {PARAGRAPHS} paragraphs");
    Reason::new("too-many-paragraphs", detail)
}

/// How many letters and digits a text has, and how many characters that show.
pub(crate) fn counts(text: &str) -> (u32, u32) {
    let bytes = text.as_bytes();
    let mut letters = glance::count(bytes, |byte| byte.is_ascii_alphanumeric());
    if text.is_ascii() {
        return (letters, glance::count(bytes, |byte| byte > b' '));
    }
    let blank = |byte: u8| {
        (byte == b' ') | (byte.wrapping_sub(b'\t') < 5) | (byte == BREAK as u8) | (byte > 0x7f)
    };
    let mut shown = glance::count(bytes, |byte| !blank(byte));
    for c in glance::beyond_ascii(text) {
        let is_sign = is_printed_sign(c);
        letters += u32::from(!is_sign && c.is_alphanumeric());
        shown += u32::from(is_sign || !is_blank(c) && !is_unseen(c));
    }
    (letters, shown)
}

/// Whether a character is one of the quotes, dashes and dots that most books have.
fn is_printed_sign(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2027}')
}

/// Whether a text has nothing between its words but single blanks and line ends, and nothing in it that
/// parts no words or shows nothing: then each of its lines is as it will be printed.
pub(crate) fn is_even(text: &str) -> bool {
    let uneven =
        |byte: u8, next: u8| (byte < b' ') & (byte != b'\n') | (byte == b' ') & (next == b' ');
    !glance::any(text, uneven, |byte, next, third| {
        let printed = (next == 0x80) & (third.wrapping_sub(0x90) < 0x18);
        let sign = (byte == 0xe2) & (printed | (next.wrapping_sub(0x82) < 0x38));
        uneven(byte, next)
            | (byte == 0xc2) & ((next < 0xa1) | (next == 0xad))
            | (byte > 0xe0) & !sign
    })
}

/// Whether a character only parts words.
pub(crate) fn is_blank(c: char) -> bool {
    c == BREAK || c.is_whitespace()
}

/// Whether a character shows nothing at all.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Offsets fit: a page has at most 64 MB.
pub(crate) fn small(at: usize) -> u32 {
    u32::try_from(at).expect("a page has at most 64 MB")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Letters and signs of all sorts, each kind of blank, what shows nothing.
    const TEXT: &str = "([a-zA-Z0-9,.—“”’é]{0,40}[ \n\t\u{1}\u{2}\u{a0}\u{ad}\u{200b}\u{2009}\u{2028}\u{3000}\u{feff}«»€好]{0,2}){0,6}";

    proptest! {
        /// Law: letters and characters that show are counted as they are one by one.
        #[test]
        fn all_are_counted(text in TEXT) {
            let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            let shown = |c: &char| {
                if text.is_ascii() { *c > ' ' } else { !is_blank(*c) && !is_unseen(*c) }
            };
            let shown = text.chars().filter(shown).count();
            prop_assert_eq!(counts(&text), (small(letters), small(shown)));
        }

        /// Law: an even text is its words, and a blank or a line end between each two.
        #[test]
        fn even_texts_are_words_and_blanks(text in TEXT) {
            let words: Vec<_> = text.split(is_blank).filter(|word| !word.is_empty()).collect();
            let words = words.join(" ").replace(is_unseen, "");
            let lines = text.split('\n').map(|line| line.trim_matches(' '));
            let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
            prop_assert!(!is_even(&text) || lines.join(" ") == words);
        }
    }
}
