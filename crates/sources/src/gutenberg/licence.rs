//! How much text a header or a licence can be: no more than they have, and full of their words.

use std::ops::Range;

use super::blocks::Leaves;

/// Tells licences from stories by the words that only licences have.
pub(super) struct Measure {
    /// Letters before each block, and before it in blocks with such words.
    before: Vec<(u64, u64)>,
}

/// No header or licence has more letters.
pub(crate) const LONGEST_LICENCE: u32 = 40_000;

/// What stands beside a marker line in so few letters needs no words to be of it.
const SMALL: u64 = 4_000;

impl Measure {
    pub(super) fn new(leaves: &Leaves, hits: &[(usize, usize)]) -> Self {
        let mut before = vec![(0, 0)];
        let mut hits = hits.iter().peekable();
        let (mut all, mut said) = (0, 0);
        for (at, block) in leaves.blocks.iter().enumerate() {
            all += u64::from(block.letters);
            if hits.next_if(|(hit, _)| *hit == at).is_some() {
                said += u64::from(block.letters);
            }
            before.push((all, said));
        }
        Self { before }
    }

    /// Whether blocks can be a header or a licence: by their length, and by how much of them says so.
    pub(super) fn is_licence(&self, blocks: Range<usize>) -> bool {
        let (start, end) = (self.before[blocks.start], self.before[blocks.end.max(blocks.start)]);
        let (all, said) = (end.0 - start.0, end.1 - start.1);
        all <= SMALL || all <= u64::from(LONGEST_LICENCE) && said * 2 >= all
    }

    /// Whether a story stands among blocks: more text than a licence has that says nothing of the file.
    pub(super) fn has_story(&self, blocks: Range<usize>) -> bool {
        let (start, end) = (self.before[blocks.start], self.before[blocks.end.max(blocks.start)]);
        (end.0 - start.0) - (end.1 - start.1) > SMALL
    }
}
