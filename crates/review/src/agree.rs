//! How far people agree on a queue, by their own votes.

use storymill_faithfulness::voters::Agreement;

use crate::Desk;

/// The agreement on a queue.
pub(crate) fn agreement(desk: &Desk, queue: &str) -> Agreement {
    let placed = desk.queue(queue).iter().map(|at| &desk.items[*at]);
    Agreement::on(&desk.decisions, placed.map(|placed| (&placed.item.unit, placed.ids)))
}

#[cfg(test)]
#[path = "agree_tests.rs"]
mod tests;
