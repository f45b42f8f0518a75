//! What was chosen, and what of it a further question would show again.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::UnitId;

use super::Candidate;

/// A candidate in its book's own order of a type: a book's first goes before every book's second.
pub(super) type Turn<'c, 'u> = (u32, u64, &'u UnitId, &'c Candidate);

/// What was chosen so far, and the texts of it by their books.
#[derive(Default)]
pub(super) struct Picked<'u> {
    pub(super) lots: BTreeSet<(&'u UnitId, u64)>,
    texts: BTreeSet<(&'u UnitId, u16)>,
}

impl<'u> Picked<'u> {
    pub(super) fn add(&mut self, unit: &'u UnitId, candidate: &Candidate) {
        self.lots.insert((unit, candidate.lot));
        self.texts.extend(candidate.texts.iter().map(|text| (unit, *text)));
    }

    /// How many texts of a candidate were there before.
    pub(super) fn shared(&self, unit: &UnitId, candidate: &Candidate) -> usize {
        candidate.texts.iter().filter(|text| self.texts.contains(&(unit, **text))).count()
    }

    /// Adds so many of some candidates that share no text with those that are there, or as many as there are, and says
    /// how many.
    pub(super) fn fresh(&mut self, from: &[Turn<'_, 'u>], wanted: usize) -> usize {
        let mut added = 0;
        for (_, lot, unit, candidate) in from {
            if added < wanted
                && !self.lots.contains(&(*unit, *lot))
                && self.shared(unit, candidate) == 0
            {
                self.add(unit, candidate);
                added += 1;
            }
        }
        added
    }
}

/// How many of those that were chosen of a book show a text that another one shows.
pub(super) fn repeats(candidates: &[Candidate], chosen: &[u64]) -> u32 {
    let chosen = candidates.iter().filter(|one| chosen.contains(&one.lot));
    let mut shown: BTreeMap<u16, u32> = BTreeMap::new();
    let texts = |one: &Candidate| one.texts.iter().copied().collect::<BTreeSet<u16>>();
    chosen.clone().flat_map(texts).for_each(|text| *shown.entry(text).or_default() += 1);
    let again = |one: &&Candidate| one.texts.iter().any(|text| shown[text] > 1);
    u32::try_from(chosen.filter(again).count()).unwrap_or(u32::MAX)
}
