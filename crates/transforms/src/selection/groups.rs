//! Books that share text, found by their sketches.
//!
//! Linear in books: each looks up its hashes among the books before it, at most a few of which
//! are listed under one hash, and a copy lists nothing of its own.

use std::collections::{BTreeMap, HashMap};

use storymill_core::Relation;

use super::{duplicates_fact::DuplicatesFact, sketch::Hashes};
use crate::corpus::sets::{join, root};

/// What one book is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The other.
    pub(super) other: usize,
    /// What it is to the other.
    pub(super) relation: Relation,
    /// Of a thousand, how much of it the other has.
    pub(super) mine: u16,
    /// Of a thousand, how much of the other it has.
    pub(super) its: u16,
}

/// Books that share text.
#[derive(Debug)]
pub(super) struct Groups {
    /// The links of each book to others.
    pub(super) links: Vec<Vec<Link>>,
    /// Of each book, the first of its group.
    pub(super) group: Vec<usize>,
    /// The books of each work, copies and editions of one text, in order. A part is a work of its
    /// own: a story may stand in two collections.
    pub(super) works: Vec<Vec<usize>>,
    /// Of each book, its work.
    pub(super) work: Vec<usize>,
}

/// So many books are listed under one hash; what more books have is a common phrase.
const LISTED: usize = 16;

/// From here on, of a thousand, two texts are the same but for a few words.
pub(super) const COPY: u16 = 900;

/// A part is shorter than the whole by so much, of a thousand.
const SHORTER: u64 = 800;

/// A text is a part where at least so much of it, of a thousand, stands in the whole.
const PART: u16 = 600;

impl Groups {
    /// Compares all books.
    pub(super) fn of(facts: &[&DuplicatesFact], same: u16, overlap: u16) -> Self {
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(facts[*at].words), *at));
        let hashes: Vec<Hashes> = facts.iter().map(|fact| fact.sketch.hashes()).collect();
        let mut listed: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut links: Vec<Vec<Link>> = vec![Vec::new(); facts.len()];
        let mut alike: Vec<usize> = (0..facts.len()).collect();
        let mut works = alike.clone();
        for at in order {
            let mut both: BTreeMap<usize, u32> = BTreeMap::new();
            for other in hashes[at].all.iter().filter_map(|hash| listed.get(hash)).flatten() {
                *both.entry(*other).or_default() += 1;
            }
            let mut copied = false;
            for (other, both) in both {
                let Some((mine, its)) = hashes[at].shared(&hashes[other], both) else { continue };
                let shorter =
                    u64::from(facts[at].words) * 1000 < u64::from(facts[other].words) * SHORTER;
                let Some(relation) = relation(mine, its, shorter, same, overlap) else { continue };
                links[at].push(Link { other, relation, mine, its });
                let back = if relation == Relation::Part { Relation::Itself } else { relation };
                links[other].push(Link { other: at, relation: back, mine: its, its: mine });
                join(&mut alike, at, other);
                if matches!(relation, Relation::Copy | Relation::Edition) {
                    join(&mut works, at, other);
                }
                copied |= relation == Relation::Copy;
            }
            if !copied {
                for hash in &hashes[at].all {
                    let list = listed.entry(*hash).or_default();
                    if list.len() < LISTED {
                        list.push(at);
                    }
                }
            }
        }
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..facts.len() {
            sets.entry(root(&mut works, at)).or_default().push(at);
        }
        let group = (0..facts.len()).map(|at| root(&mut alike, at)).collect();
        let works: Vec<Vec<usize>> = sets.into_values().collect();
        let mut work = vec![0; facts.len()];
        for (number, books) in works.iter().enumerate() {
            for at in books {
                work[*at] = number;
            }
        }
        Self { links, group, works, work }
    }
}

/// What a book is to another that is at least as long.
fn relation(mine: u16, its: u16, shorter: bool, same: u16, overlap: u16) -> Option<Relation> {
    if mine.min(its) >= COPY {
        Some(Relation::Copy)
    } else if shorter && mine >= PART.max(same) {
        Some(Relation::Part)
    } else if !shorter && mine.min(its) >= same {
        Some(Relation::Edition)
    } else if mine.max(its) >= overlap {
        Some(Relation::Overlap)
    } else {
        None
    }
}
