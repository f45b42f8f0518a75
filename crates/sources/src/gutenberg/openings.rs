//! Pictures before the first word of a paragraph, and what stands around each.

use std::{collections::BTreeMap, ops::Range};

use super::{
    blocks::{BREAK, Block, Leaves, is_blank, is_unseen},
    pictures::Picture,
    vocabulary::{folded, of_word},
};
use crate::cut::Why;

/// Blocks between a picture and the paragraph that it belongs to.
const NEAR: usize = 3;

/// How much of a paragraph is read.
const READ: usize = 120;

/// Bytes before a picture that still begins its paragraph: page numbers, quotation marks.
const FAR: u32 = 200;

/// A picture before a word.
pub(super) struct Case {
    pub(super) picture: Picture,
    /// Where the word begins.
    pub(super) from: u32,
    /// The word behind it, as printed; nothing where a sign follows.
    pub(super) word: String,
    /// The word after that, folded.
    pub(super) next: String,
    /// Whether a blank parts picture and word; nothing where they stand in two blocks.
    pub(super) blank: Option<bool>,
    /// Whether a paragraph begins here for sure.
    pub(super) opens: bool,
    /// Whether it is the first below a heading.
    pub(super) headed: bool,
}

impl Case {
    /// The word with a letter before it, folded.
    pub(super) fn with(&self, letter: &str) -> String {
        folded(letter) + &folded(&self.word)
    }

    /// Whether the word may go on one that began in a picture: `nce`, `NCE`.
    pub(super) fn goes_on(&self) -> bool {
        let upper = self.word.chars().any(char::is_uppercase);
        self.is_lower() || upper && !self.word.chars().any(char::is_lowercase)
    }

    pub(super) fn is_lower(&self) -> bool {
        self.word.starts_with(char::is_lowercase)
    }
}

/// The pictures that stand before a word, one for each word, in order.
pub(super) fn cases(leaves: &Leaves, body: &Range<usize>) -> Vec<Case> {
    let mut cases: BTreeMap<u32, Case> = BTreeMap::new();
    for picture in &leaves.pictures {
        let Some(case) = case(leaves, picture, body) else { continue };
        // Of two pictures before one word that which says a letter.
        let better = cases
            .get(&case.from)
            .is_none_or(|other| other.picture.says.is_none() && case.picture.says.is_some());
        if better {
            cases.insert(case.from, case);
        }
    }
    cases.into_values().collect()
}

fn case(leaves: &Leaves, picture: &Picture, body: &Range<usize>) -> Option<Case> {
    let own = picture.block as usize;
    let target = (own..body.end.min(own + NEAR)).find(|at| {
        let fate = leaves.blocks[*at].fate;
        !matches!(fate, Some(Why::PageNumber | Why::LineNumber))
    })?;
    let block = &leaves.blocks[target];
    let inside = picture.inside && target == own;
    if !body.contains(&target)
        || block.fate.is_some()
        || !inside && block.tag.heading().is_some()
        || inside && letters_before(leaves, block, picture.at)
    {
        return None;
    }
    let at = if inside { picture.at } else { block.text.start };
    let text = behind(leaves, block, at);
    let (skip, _) = text.iter().enumerate().find(|(_, (c, _))| !is_blank(*c) && !is_unseen(*c))?;
    let sign = |(c, _): &(char, u32)| of_word(*c);
    let word: Vec<_> = text[skip..].iter().copied().take_while(sign).collect();
    let rest = &text[skip + word.len()..];
    let next = rest.iter().skip_while(|one| !sign(one)).take_while(|one| sign(one));
    Some(Case {
        from: text[skip].1,
        next: folded(&next.map(|(c, _)| *c).collect::<String>()),
        word: word.iter().map(|(c, _)| *c).collect(),
        blank: inside.then(|| {
            leaves.scroll[picture.behind as usize..].starts_with(|c| is_blank(c) || c == '\n')
        }),
        opens: opens(leaves, target),
        headed: before(leaves, target).is_some_and(|block| block.tag.heading().is_some()),
        picture: Picture { inside, ..picture.clone() },
    })
}

/// Whether letters are kept before a place in its block.
fn letters_before(leaves: &Leaves, block: &Block, at: u32) -> bool {
    let start = block.text.start;
    at > start + FAR
        || leaves.cuts.kept(start..at.max(start)).any(|kept| {
            leaves.scroll[kept.start as usize..kept.end as usize].contains(char::is_alphanumeric)
        })
}

/// The first kept signs behind a place, each with its own place.
fn behind(leaves: &Leaves, block: &Block, at: u32) -> Vec<(char, u32)> {
    let mut signs = Vec::new();
    for kept in leaves.cuts.kept(at..block.text.end) {
        let text = &leaves.scroll[kept.start as usize..kept.end as usize];
        let text = &text[..text.floor_char_boundary(READ)];
        for (offset, c) in text.char_indices() {
            signs.push((c, kept.start + u32::try_from(offset).unwrap_or(0)));
        }
        if signs.len() >= READ {
            break;
        }
    }
    signs
}

/// The kept block before one.
fn before(leaves: &Leaves, target: usize) -> Option<&Block> {
    leaves.blocks[..target].iter().rev().take(12).find(|block| block.fate.is_none())
}

/// Whether the kept text before a block has ended: by a heading, a sign or a short line.
fn opens(leaves: &Leaves, target: usize) -> bool {
    before(leaves, target).is_none_or(|block| {
        let text = leaves.text(block).trim_end_matches(|c: char| is_blank(c) || c == BREAK);
        block.tag.heading().is_some()
            || block.letters < 60
            || text.ends_with(['.', '!', '?', '"', '”', '’', ':', '*', '—', ')', ']', '»'])
    })
}
