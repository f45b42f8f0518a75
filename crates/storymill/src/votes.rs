//! What people said, as rows that are published beside the dataset.

use std::collections::BTreeMap;

use storymill_core::{Decisions, Digest, Fault, FaultKind, PartRef, Parts, Record, UnitId, Vote};
use storymill_dataset::Config;
use storymill_pipeline::{Outcome, Workflow};
use storymill_review::{Desk, Item, published};

/// The votes on the items of a run, in parts: no step makes them, so no store keeps them.
#[derive(Debug, Default)]
pub(crate) struct Votes {
    parts: Vec<PartRef>,
    rows: BTreeMap<Digest, Vec<u8>>,
    people: BTreeMap<String, String>,
}

impl Votes {
    /// Every vote on the items of a run, under pseudonyms. It has to be asked before a private run is redacted.
    pub(crate) fn of(workflow: &Workflow, outcome: &Outcome) -> Result<Self, Fault> {
        let decisions = workflow.decisions.as_ref().unwrap_or(Decisions::NONE);
        let mut votes = Self::default();
        if decisions.is_empty() {
            return Ok(votes);
        }
        let items = outcome.reviews.iter().map(|one| Item {
            step: one.step.clone(),
            unit: one.unit.clone(),
            review: one.review.clone(),
        });
        let lines = decisions.lines().map(|(_, line)| line.clone()).collect();
        let desk = Desk::new(items.collect(), lines, decisions.rule().clone());
        votes.people = published::people(&desk, workflow.seed);
        if !workflow.publish.votes {
            return Ok(votes);
        }
        let mut units: BTreeMap<UnitId, Vec<Vote>> = BTreeMap::new();
        for vote in published::votes(&desk, workflow.seed) {
            units.entry(vote.of.clone()).or_default().push(vote);
        }
        for (unit, rows) in units {
            let bytes = Vote::encode(&rows).map_err(|error| {
                Fault::new(FaultKind::Internal, "votes cannot be written").because(error)
            })?;
            let (digest, rows) =
                (Digest::of(&bytes), u32::try_from(rows.len()).unwrap_or(u32::MAX));
            votes.parts.push(PartRef { unit, digest, rows });
            votes.rows.insert(digest, bytes);
        }
        Ok(votes)
    }

    /// What people are called, by their names.
    pub(crate) fn people(&self) -> BTreeMap<String, String> {
        self.people.clone()
    }

    /// Their table; none where nobody voted.
    pub(crate) fn config(&self) -> Option<Config> {
        (!self.parts.is_empty()).then(|| Config {
            name: storymill_pipeline::VOTES.to_owned(),
            record: Vote::NAME.to_owned(),
            encodings: Vec::new(),
            parts: self.parts.clone(),
        })
    }

    /// The parts of a run and these.
    pub(crate) fn beside<'v>(&'v self, parts: &'v dyn Parts) -> Beside<'v> {
        Beside { votes: self, parts }
    }
}

/// The parts of a run, and its votes.
pub(crate) struct Beside<'v> {
    votes: &'v Votes,
    parts: &'v dyn Parts,
}

impl Parts for Beside<'_> {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        match self.votes.rows.get(&part.digest) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.parts.read(part),
        }
    }
}
