//! Elements that hold a whole book: what parts the paragraphs in them, for want of tags.
//!
//! Pages of the years before 2005 may have one `<p>` for all of a book and a `<br>` behind each of its
//! paragraphs, or nothing but the empty lines of their source. Such an element gives itself away: no
//! paragraph is so long and has so many lines that are paragraphs themselves.

use std::collections::BTreeMap;

use super::{
    blocks::{BREAK, Block, Leaves, Piece, counts, is_blank, small},
    builder::Builder,
    tags::Tag,
};

/// What parts paragraphs inside an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parting {
    /// Every line break.
    Breaks,
    /// The empty lines of the page's source.
    Blanks,
}

/// Such elements, by the place of their tag in the page.
pub(crate) type Parted = BTreeMap<u32, Parting>;

/// Shorter than this, what stands in one element is one paragraph.
const SHORTEST: u32 = 3_000;

/// Lines that make an element suspect.
const FEWEST: usize = 8;

/// A line of more bytes than this is no line of verse.
const LONG_LINE: usize = 110;

/// The elements of a page whose lines are paragraphs.
pub(crate) fn parted(leaves: &Leaves) -> Parted {
    let suspect = leaves.blocks.iter().filter(|block| block.letters >= SHORTEST);
    suspect.filter_map(|block| Some((block.element, parting(leaves, block)?))).collect()
}

fn parting(leaves: &Leaves, block: &Block) -> Option<Parting> {
    let text = leaves.text(block);
    let (mut lines, mut long) = (0, 0);
    for line in text.split(BREAK).map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        long += if line.len() > LONG_LINE { line.len() } else { 0 };
    }
    if lines >= FEWEST && long * 2 >= text.len() {
        return Some(Parting::Breaks);
    }
    let (mut chunks, mut ended) = (0, 0);
    for chunk in chunks_of(text) {
        chunks += 1;
        ended += usize::from(ends(chunk));
    }
    // Where each line of a source has an empty one behind it, most lines end amid a sentence.
    (chunks > FEWEST && ended * 2 > chunks).then_some(Parting::Blanks)
}

/// What stands between the empty lines of a text.
fn chunks_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        let (chunk, behind) = rest.split_at(end);
        rest = behind;
        Some(chunk.trim_end_matches(is_blank))
    })
}

/// Whether a paragraph may end so, or a heading.
fn ends(chunk: &str) -> bool {
    let signs = ".!?:…—-*_)]\"'”’»«“。！？」』：";
    chunk.ends_with(|c: char| signs.contains(c)) || !chunk.chars().any(char::is_lowercase)
}

impl Builder {
    /// What parts the paragraphs of the element at hand, beside tags.
    pub(super) fn parting_here(&self) -> Option<Parting> {
        if self.parted.is_empty() {
            return None;
        }
        self.parted.get(&self.holder().map_or(0, |open| open.at)).copied()
    }

    /// Whether the line break at hand ends a paragraph: an empty line does, but not in a heading or a
    /// table, and every line where lines are paragraphs.
    pub(super) fn break_parts(&self) -> bool {
        if self.all == 0 {
            return false;
        }
        let tag = self.holder().map_or(Tag::Body, |open| open.tag);
        let whole = tag.heading().is_some() || matches!(tag, Tag::Cell | Tag::Row | Tag::Table);
        self.parting_here() == Some(Parting::Breaks) || self.breaks > 0 && !whole
    }

    /// Ends the block at hand without the line breaks that end it; its element stays open.
    pub(super) fn part(&mut self) {
        let blank = |piece: &Piece, scroll: &str| {
            let text = &scroll[piece.text.start as usize..piece.text.end as usize];
            counts(text).1 == 0
        };
        while self.leaves.pieces.len() > self.first_piece
            && self.leaves.pieces.last().is_some_and(|last| blank(last, &self.leaves.scroll))
        {
            self.leaves.pieces.pop();
        }
        if let Some(last) = self.leaves.pieces.last() {
            self.leaves.scroll.truncate(last.text.end as usize);
        }
        // A picture among those line breaks belongs to what follows.
        let end = small(self.leaves.scroll.len());
        let inside =
            self.leaves.pictures[self.first_picture..].partition_point(|picture| picture.at <= end);
        let mut late = self.leaves.pictures.split_off(self.first_picture + inside);
        self.end_block();
        for picture in &mut late {
            picture.block = small(self.leaves.blocks.len());
            (picture.at, picture.behind) = (small(self.start), small(self.start));
        }
        self.leaves.pictures.append(&mut late);
        self.gap = 1;
    }
}

#[cfg(test)]
mod tests {
    const LINE: &str = "once upon a time there stood a mill beside a slow river, and the miller\n";

    /// In how many paragraphs a page is read that has so many times this text in one `<p>`.
    fn paragraphs(text: &str) -> usize {
        let page = format!("<p>{}</p>", text.repeat(40));
        super::super::leaves(&page).expect("it is a page").blocks.len()
    }

    #[test]
    fn empty_lines_part_paragraphs_and_not_the_lines_of_one() {
        assert_eq!(paragraphs(&format!("{LINE}{LINE}ground out stories.\n\n")), 40);
        assert_eq!(paragraphs(&format!("{LINE}\n{LINE}\n{LINE}\nground out stories.\n\n")), 1);
    }
}
