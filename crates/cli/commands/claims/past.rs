//! Pairs that are past their last day of use: they are named wherever they are used.

use storymill_core::few;

use crate::{report, table::plural};

/// So many pairs are named.
const NAMED: usize = 10;

/// Names pairs whose last day of use has passed.
pub(crate) fn warn_of_past(pairs: &[&str]) {
    if pairs.is_empty() {
        return;
    }
    let (count, named) = (plural(pairs.len() as u64, "pair"), few(pairs, NAMED));
    let is = if pairs.len() == 1 { "is" } else { "are" };
    report::warn(&format!(
        "{count} {is} past the last day of use (`retire_after`): {named}; `storymill claims remove` takes a pair out"
    ));
}
