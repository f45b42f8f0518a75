//! How far people agree on a queue, by their own votes.

use std::collections::BTreeMap;

use storymill_faithfulness::voters::Agreement;

use crate::Desk;

/// The agreement on a queue, by the code of what is asked: of two kinds of question, which people answer alike for different reasons,
/// one figure says nothing.
pub(crate) fn agreement<'d>(desk: &'d Desk, queue: &str) -> BTreeMap<&'d str, Agreement> {
    let mut kinds: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for placed in desk.queue(queue).iter().map(|at| &desk.items[*at]) {
        let code: &str = &placed.item.review.code;
        kinds.entry(code).or_default().push((&placed.item.unit, placed.ids));
    }
    kinds.into_iter().map(|(code, items)| (code, Agreement::on(&desk.decisions, items))).collect()
}

#[cfg(test)]
#[path = "agree_tests.rs"]
mod tests;
