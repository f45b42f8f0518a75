//! Who made the retellings that the texts of a question are.

use std::collections::HashMap;

use storymill_core::{Distortion, MadeBy, Near, Partners, Question, Summary};

/// Retellings by their ids, with who made them.
#[derive(Default)]
pub(crate) struct Makers(HashMap<String, MadeBy>);

impl Makers {
    /// Those of a book. The true twin of a false retelling has its id, and was made by the same process.
    pub(crate) fn new(summaries: &[Summary], distortions: &[Distortion]) -> Self {
        let mut makers = Self::default();
        makers.add(summaries);
        let distortions = distortions.iter();
        makers.0.extend(distortions.map(|one| (one.id(), MadeBy::of(&one.answers))));
        makers
    }

    /// Notes more of them, as those of another book.
    pub(crate) fn add(&mut self, summaries: &[Summary]) {
        self.0.extend(summaries.iter().map(|one| (one.id(), MadeBy::of(&one.answers))));
    }

    /// Notes those of the books that a book draws from.
    pub(crate) fn add_partners(&mut self, partners: &[Partners], told: &Near<Summary>) {
        let units = partners.iter().take(1).flat_map(|one| &one.places);
        units.filter_map(|unit| told.of(unit)).for_each(|summaries| self.add(summaries));
    }

    /// Who made a retelling of this id, where that is known.
    pub(crate) fn of_one(&self, id: &str) -> Option<MadeBy> {
        self.0.get(id).copied()
    }

    /// Who made the retellings that a question is made of; none if it has none that are known.
    pub(crate) fn of(&self, question: &Question) -> Option<MadeBy> {
        let sources = question.sources();
        MadeBy::of_all(sources.iter().filter_map(|source| self.0.get(source.id).copied()))
    }
}
