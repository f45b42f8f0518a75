//! How far people agree on a queue, by their own votes.

use std::collections::BTreeMap;

use storymill_faithfulness::voters;
use storymill_metrics::agreement::{Agreement, How, Scale};

use crate::{Desk, queue::is_ordered};

/// The agreement on a queue, by the code of what is asked; and by the choices, where items of one code have several lists of them.
pub(crate) fn agreement(desk: &Desk, queue: &str) -> BTreeMap<String, Agreement> {
    let mut ordered: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut codes: BTreeMap<&str, BTreeMap<Vec<&str>, Vec<_>>> = BTreeMap::new();
    for placed in desk.queue(queue).iter().map(|at| &desk.items[*at]) {
        let review = &placed.item.review;
        let mut choices: Vec<&str> = review.choices.iter().map(String::as_str).collect();
        if is_ordered(&review.code) {
            ordered.insert(&review.code, choices.clone());
        }
        choices.sort_unstable();
        let items = codes.entry(&review.code).or_default().entry(choices).or_default();
        items.push((&placed.item.unit, placed.ids));
    }
    let mut found = BTreeMap::new();
    for (code, lists) in codes {
        let several = lists.len() > 1;
        for (choices, items) in lists {
            let all = choices.join(", ");
            let kind = if several { format!("{code} ({all})") } else { code.to_owned() };
            let how = match ordered.get(code) {
                Some(choices) => How { choices, scale: Scale::Ordinal, draws: None },
                None => How::default(),
            };
            found.insert(kind, voters::on(&desk.decisions, items, how));
        }
    }
    found
}

#[cfg(test)]
mod tests;
