//! What a book's table of contents says of its documents: which title stands where, and how deep.
//!
//! The text comes first. Where it has a heading, that counts, whatever the contents call it; a paragraph
//! with the words of an entry becomes a heading; only where neither stands at the place of an entry, and a
//! section follows, the title is put in.

use std::{collections::HashMap, ops::Range};

use super::{
    blocks::Leaves,
    builder::name_hash,
    documents::{Document, Mark},
    marks::Marks,
    matter::is_prose,
    tags::Tag,
    voice,
    words::{Kind, fold, says},
};

/// An entry of the table of contents.
#[derive(Clone, Debug)]
pub(crate) struct Title {
    pub(crate) text: String,
    /// The anchor in the document, or blank for its beginning.
    pub(crate) fragment: String,
    /// How many levels of entries are below it: a part stands above chapters.
    pub(crate) height: u8,
}

/// A title that no text has at its place.
pub(super) struct Lacking<'t> {
    pub(super) title: &'t str,
    /// The place in the page before which it belongs.
    pub(super) at: usize,
}

/// The heading of an entry.
pub(super) struct Placed {
    block: usize,
    height: u8,
    /// The rank that the page itself gives it.
    rank: Option<u8>,
}

/// What a document has of its entries.
#[derive(Default)]
pub(super) struct Found<'t> {
    pub(super) lacking: Vec<Lacking<'t>>,
    pub(super) placed: Vec<Placed>,
}

/// Blocks in which a document's heading is looked for, and in which that of an anchor is.
const NEAR: usize = 6;
const NEXT: usize = 2;

/// A section of fewer letters takes no title: a page number, an ornament that a converter split off.
const SCRAP: u32 = 40;

/// A section shorter than this takes only titles that say what they are (`Chapter I`), or has running text.
const SHORT: u32 = 3_000;
const RUNNING: u32 = 300;

/// At one place begin a number and a title, no more.
const MOST: usize = 2;

/// Finds the headings of a document's entries. Where plain paragraphs hold their words, they become headings.
pub(super) fn found<'t>(
    leaves: &mut Leaves,
    mark: &Mark,
    document: &Document<'t>,
    placed: &[Placed],
) -> Found<'t> {
    let anchors: HashMap<u64, u32> = leaves.anchors[mark.anchors..].iter().copied().collect();
    let place = |title: &Title| {
        let hash = name_hash(&format!("{}#{}", document.path, title.fragment));
        let known = anchors.get(&hash).map(|at| *at as usize);
        if title.fragment.is_empty() { Some(mark.blocks) } else { known }
    };
    let entries = document.titles.iter().filter_map(|title| Some((place(title)?, title)));
    let entries: Vec<(usize, &Title)> = entries.collect();
    let mut found = Found::default();
    for (number, (at, title)) in entries.iter().enumerate() {
        let (at, end) = (*at, leaves.blocks.len());
        let behind = entries[number + 1..].iter().map(|(next, _)| *next);
        let shared = behind.clone().next() == Some(at);
        let next = behind.filter(|next| *next > at).min().unwrap_or(end);
        let same = entries.iter().filter(|(other, one)| *other == at && one.height == 0);
        if same.count() > MOST {
            continue;
        }
        let near = if title.fragment.is_empty() { NEAR } else { NEXT };
        let near = at..next.min(at + near).min(end);
        let split = split_off(leaves, at, title, at == mark.blocks, placed);
        let (is_headed, placed) = headed(leaves, near, title, [shared, split]);
        found.placed.extend(placed);
        if !is_headed && !split && wanted(leaves, at, next, title) {
            let block = leaves.blocks.get(at);
            let first = block.map(|block| leaves.pieces[block.pieces.start as usize].page.start);
            let at = first.map_or(document.range.end, |at| at as usize);
            found.lacking.push(Lacking { title: &title.text, at });
        }
    }
    found
}

fn is_plain(title: &Title) -> bool {
    says(&title.text).kind == Kind::Other
}

/// Whether a converter split a document behind its heading, and names it by that or by its own first lines.
fn split_off(leaves: &Leaves, at: usize, title: &Title, first: bool, placed: &[Placed]) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let block = &leaves.blocks[before];
    block.tag.heading().is_some()
        && (fold(&leaves.line(block)) == fold(&title.text)
            || first && is_plain(title) && placed.iter().all(|one| one.block != before))
}

/// Whether a heading stands among these blocks for an entry, and its own, which a paragraph becomes unless it was split off.
/// Where a part and its first chapter stand at one place, other words are not the part's.
fn headed(
    leaves: &mut Leaves,
    near: Range<usize>,
    entry: &Title,
    [shared, split]: [bool; 2],
) -> (bool, Option<Placed>) {
    let title = fold(&entry.text);
    for at in near {
        let block = &leaves.blocks[at];
        // What was put in takes no room in the page.
        let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
        let put_in = pieces.iter().all(|piece| piece.page.is_empty());
        let rank = block.tag.heading().filter(|_| !put_in);
        let is_heading = rank.is_some() || (block.marks | block.all).any(Marks::HEADING);
        // Made-up tables of contents list pictures too, by their captions.
        if !is_heading && block.marks.any(Marks::TABLE | Marks::FIGURE | Marks::CAPTION) {
            continue;
        }
        let line = fold(&leaves.line(block));
        let alike = line == title
            || line.len() > 3 && block.letters < 90 && title.contains(&line)
            || title.len() > 3
                && block.letters < 120
                && line.contains(&title)
                && !is_sentence(leaves, at);
        if alike && (is_heading || !split) {
            if rank.is_none() {
                leaves.blocks[at].tag = Tag::H2;
            }
            return (true, Some(Placed { block: at, height: entry.height, rank }));
        }
        if is_heading && !shared {
            let placed = Placed { block: at, height: 0, rank };
            return (true, (entry.height == 0).then_some(placed));
        }
    }
    (false, None)
}

/// Whether a line ends like a sentence.
fn is_sentence(leaves: &Leaves, at: usize) -> bool {
    let block = &leaves.blocks[at];
    block.tag.heading().is_none()
        && leaves.line(block).trim_end().ends_with(['.', '!', '?', ',', ';', ':', '”', '"'])
}

/// Whether a section is one that has a title: up to the next entry, it has text to read.
fn wanted(leaves: &Leaves, at: usize, next: usize, title: &Title) -> bool {
    let folded = fold(&title.text);
    if folded.is_empty() {
        return false;
    }
    let Some(first) = leaves.blocks.get(at) else { return title.height > 0 };
    if first.marks.any(Marks::TABLE | Marks::FIGURE | Marks::CAPTION) {
        return false;
    }
    // A title that is how the text begins names it and was never printed.
    let line = fold(&leaves.line(first));
    let letters: u32 = leaves.blocks[at..next].iter().map(|block| block.letters).sum();
    if title.height > 0 {
        return matches!(
            says(&title.text).kind,
            Kind::Part | Kind::Chapter | Kind::Number | Kind::Other
        );
    }
    if letters >= SHORT || !is_plain(title) {
        return letters >= SCRAP;
    }
    let running = (at..next).filter(|at| is_prose(leaves, *at));
    let running: u32 = running.map(|at| leaves.blocks[at].letters).sum();
    running >= RUNNING
        && !(folded.contains(' ') && line.starts_with(&folded))
        && voice::tells(leaves, at..next, at..next) > voice::EXPLAINS
}

/// Gives the headings of entries that have none of the page their ranks. Where all that it has are of one rank, the
/// contents say which stand above others.
pub(super) fn rank(leaves: &mut Leaves, placed: &[Placed]) {
    let own = |height: Option<u8>| {
        let ranks =
            placed.iter().filter(move |one| height.is_none_or(|height| one.height == height));
        ranks.filter_map(|one| one.rank)
    };
    let most = |height: u8| {
        let count = |rank: u8| own(Some(height)).filter(|one| *one == rank).count();
        (1..=6).rev().max_by_key(|rank| count(*rank)).filter(|rank| count(*rank) > 0)
    };
    let highest = placed.iter().map(|one| one.height).max().unwrap_or(0);
    let is_flat = highest > 0 && own(None).min() == own(None).max();
    // The first heading of the first rank is the book's title.
    let least = if is_flat { highest + 2 } else { 1 };
    let chapters = most(0).or_else(|| Some(most(1)? + 1)).unwrap_or(2).max(least);
    for one in placed.iter().filter(|one| is_flat || one.rank.is_none()) {
        let rank = if is_flat { None } else { most(one.height) };
        let rank = rank.unwrap_or(chapters.saturating_sub(one.height));
        leaves.blocks[one.block].tag = Tag::of_rank(rank);
    }
}
