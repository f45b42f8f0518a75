//! How far people agree on a queue, by their own votes.

use std::collections::BTreeMap;

use storymill_core::{Protocol, UnitId};
use storymill_faithfulness::voters::{Agreement, Voted};

use crate::Desk;

/// The agreement on a queue. Votes that were made with a proposal in sight count under the protocol `hybrid` alone.
pub(crate) fn agreement(desk: &Desk, queue: &str) -> Agreement {
    let hybrid = desk.decisions.rule().protocol == Protocol::Hybrid;
    let mut books: BTreeMap<&UnitId, Vec<Vec<Voted<'_>>>> = BTreeMap::new();
    for at in desk.queue(queue) {
        let placed = &desk.items[*at];
        let votes = desk.decisions.votes_of(&placed.ids).into_iter();
        let votes = votes.filter(|vote| hybrid || !vote.proposal_shown);
        let voted =
            votes.map(|vote| Voted { by: &vote.by, choice: &vote.choice, said: &vote.said });
        books.entry(&placed.item.unit).or_default().push(voted.collect());
    }
    Agreement::of(books.into_values())
}

#[cfg(test)]
#[path = "agree_tests.rs"]
mod tests;
