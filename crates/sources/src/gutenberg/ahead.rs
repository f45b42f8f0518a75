//! What lies ahead on a page: where links lead, and which chapters a line of a list announces.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::Leaves,
    structure::Head,
    tags::Tag,
    words::{Kind, Says, says},
};

/// Where the links of a page lead: the block of each, in order, and that of its anchor.
pub(super) fn targets(leaves: &Leaves) -> Vec<(usize, usize)> {
    let mut anchors = leaves.anchors.clone();
    anchors.sort_unstable();
    let target = |(name, from): &(u64, u32)| {
        let first = anchors.partition_point(|(other, _)| other < name);
        let (_, to) = anchors.get(first).filter(|(other, _)| other == name)?;
        Some((*from as usize, *to as usize))
    };
    leaves.links.iter().filter_map(target).collect()
}

/// The links in a run of blocks.
fn among<'t>(targets: &'t [(usize, usize)], run: &Range<usize>) -> &'t [(usize, usize)] {
    let first = targets.partition_point(|(from, _)| *from < run.start);
    let end = targets.partition_point(|(from, _)| *from < run.end);
    &targets[first..end.max(first)]
}

/// How many places behind a run its links lead to: many from a list, one from a link that was never closed.
pub(super) fn places(targets: &[(usize, usize)], run: &Range<usize>) -> usize {
    let behind = among(targets, run).iter().map(|(_, to)| *to).filter(|to| *to >= run.end);
    behind.collect::<BTreeSet<_>>().len()
}

/// How much of a line is read for the number of a chapter, in bytes.
const READ: usize = 80;

/// Blocks between an anchor and its heading: a page number, an empty paragraph.
const NEAR: usize = 3;

/// The headings from some place on, by what leads to them.
pub(super) struct Ahead {
    targets: Vec<(usize, usize)>,
    lines: BTreeSet<usize>,
    numbers: BTreeSet<u32>,
}

impl Ahead {
    pub(super) fn of(leaves: &Leaves, heads: &[Head], from: usize) -> Self {
        let ahead = || heads.iter().filter(|head| head.first() >= from);
        Self {
            targets: targets(leaves),
            lines: ahead().flat_map(|head| head.lines.iter().copied()).collect(),
            numbers: ahead().filter_map(|head| number(head.says)).collect(),
        }
    }

    /// Whether a block is of a list of these headings: by its number, by its link, by a cell beside it.
    pub(super) fn lists(&self, leaves: &Leaves, at: usize) -> bool {
        let cell = |at: usize| leaves.blocks.get(at).is_some_and(|block| block.tag == Tag::Cell);
        let near = if cell(at) { at.saturating_sub(1)..at + 2 } else { at..at + 1 };
        near.filter(|other| *other == at || cell(*other))
            .any(|at| self.is_numbered(leaves, at) || self.is_linked(at))
    }

    fn is_numbered(&self, leaves: &Leaves, at: usize) -> bool {
        let line = leaves.line(&leaves.blocks[at]);
        let says = says(&line[..line.floor_char_boundary(READ)]);
        number(says).is_some_and(|number| self.numbers.contains(&number))
    }

    fn is_linked(&self, at: usize) -> bool {
        let heads = |to: usize| self.lines.range(to..to + NEAR).next().is_some();
        among(&self.targets, &(at..at + 1)).iter().any(|(_, to)| heads(*to))
    }
}

/// The number of a chapter or part.
fn number(says: Says) -> Option<u32> {
    says.number.filter(|_| matches!(says.kind, Kind::Chapter | Kind::Number | Kind::Part))
}
