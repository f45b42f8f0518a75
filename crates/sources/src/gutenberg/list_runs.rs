//! Runs of lines that may be a list of contents: where one begins and ends, and whether it is one.

use std::{collections::BTreeSet, ops::Range};

use super::{
    blocks::Leaves,
    listed::FEWEST,
    matter::is_prose,
    structure::Head,
    words::{self, Kind},
};
use crate::cut::Why;

/// Blocks in a row that may be a list.
#[derive(Default)]
pub(super) struct Run {
    /// Each block, whether it has words, and how many of its lines a heading says.
    pub(super) blocks: Vec<(usize, bool, usize)>,
}

impl Run {
    pub(super) fn add(&mut self, at: usize, lines: usize, says: usize) {
        self.blocks.push((at, lines > 0, says));
    }

    /// Whether its last line is one that no heading says.
    pub(super) fn ends_strange(&self) -> bool {
        let words = self.blocks.iter().rev().find(|(_, words, _)| *words);
        words.is_some_and(|(_, _, says)| *says == 0)
    }

    /// The list in it, from its first line that a heading repeats to its last, and what counts up to it.
    fn list(&self, leaves: &Leaves) -> Option<Range<usize>> {
        let said = |(_, _, says): &(usize, bool, usize)| *says > 0;
        let first = self.blocks.iter().position(said)?;
        let end = self.blocks.iter().rposition(said)? + 1;
        let list = &self.blocks[first..end];
        let says = list.iter().filter(|one| said(one)).count();
        let lines = list.iter().filter(|(_, words, _)| *words).count();
        if says < FEWEST || says * 10 < lines * 6 {
            return None;
        }
        let says = |one: usize| words::says(&leaves.line(&leaves.blocks[self.blocks[one].0]));
        let number = |one: usize| says(one).number;
        let counts = |one: &usize| {
            number(*one).is_some_and(|next| {
                one.checked_sub(1).and_then(number).is_some_and(|number| number + 1 == next)
            })
        };
        let first = first - (1..=first).rev().take_while(counts).count();
        // The name of its first part, below which no text stands that would say it.
        let tag = |one: usize| leaves.blocks[self.blocks[one].0].tag.heading();
        let named = |one: usize| tag(one).is_none() && says(one).kind == Kind::Part;
        let first = first - usize::from(first.checked_sub(1).is_some_and(named));
        Some(first..end + (end..self.blocks.len()).take_while(counts).count())
    }

    /// Whether a heading is the last line of the list, with text below that has no heading.
    pub(super) fn leads_to(&self, leaves: &Leaves, head: &Head) -> bool {
        let Some(list) = self.list(leaves) else { return false };
        let last = words::says(&leaves.line(&leaves.blocks[self.blocks[list.end - 1].0]));
        last.kind == head.says.kind
            && last.number.is_some_and(|number| head.says.number == Some(number + 1))
    }

    /// Marks the list of a part's chapters between its heading and the first of them, however short it is.
    pub(super) fn below_part(&mut self, leaves: &mut Leaves, parts: &BTreeSet<usize>) -> bool {
        let first = self.blocks.iter().rposition(|(at, ..)| parts.contains(at));
        let list = first.map_or(&[][..], |first| &self.blocks[first..]);
        let said: usize = list.iter().map(|(.., says)| says).sum();
        let all = list.iter().all(|(_, words, says)| !words || *says > 0);
        let counts = |(at, ..): &(usize, bool, usize)| {
            words::says(&leaves.line(&leaves.blocks[*at])).number.is_some()
        };
        if self.list(leaves).is_some()
            || !(all && (said >= 2 || said == 1 && list.iter().any(counts)))
        {
            return false;
        }
        for (at, ..) in list {
            leaves.blocks[*at].fate = Some(Why::Contents);
        }
        self.blocks.clear();
        true
    }

    /// Ends the run and marks the list in it. Behind the beginning of the first chapter a list that a sentence
    /// leads up to, or that paragraphs stand around, is read in the story.
    pub(super) fn end(&mut self, leaves: &mut Leaves, text: usize) -> bool {
        let kept = |at: &usize| leaves.blocks[*at].fate.is_none() && leaves.blocks[*at].letters > 0;
        let list = self.list(leaves).filter(|list| {
            let (first, last) = (self.blocks[list.start].0, self.blocks[list.end - 1].0);
            let before = (0..first).rev().find(kept);
            let behind = (last + 1..leaves.blocks.len()).find(kept);
            let led =
                before.is_some_and(|at| leaves.line(&leaves.blocks[at]).ends_with([':', ',']));
            let read = |at: Option<usize>| at.is_some_and(|at| is_prose(leaves, at));
            first < text || !(led || read(before) && read(behind))
        });
        let Some(list) = list else {
            self.blocks.clear();
            return false;
        };
        let blocks = std::mem::take(&mut self.blocks);
        // The number of the last line's page.
        let page = blocks[list.end..].iter().take_while(|(_, words, _)| !words).count();
        for (at, _, _) in &blocks[list.start..list.end + page] {
            leaves.blocks[*at].fate = Some(Why::Contents);
        }
        true
    }
}
