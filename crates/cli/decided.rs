//! Telling of people's decisions that hold no longer.

use std::path::Path;

use storymill_core::{Decisions, Review};
use storymill_pipeline::Lapsed;

use crate::{
    report,
    table::{plural, typed},
};

/// So many decisions are told one by one.
const SHOWN: usize = 8;

/// Warns of decisions that are on none of the items of a whole build; where an open item has the place of one,
/// it is named.
pub(crate) fn warn_of_lapsed<'r>(
    lapsed: &[Lapsed],
    items: impl IntoIterator<Item = &'r Review>,
    decisions: &Decisions,
    workflow: &Path,
) {
    if lapsed.is_empty() {
        return;
    }
    let open = |item: &&Review| item.choices.len() > 1 && decisions.choice(item).is_none();
    let open: Vec<&Review> = items.into_iter().filter(open).collect();
    for one in lapsed.iter().take(SHOWN) {
        report::warn(&format!(
            "the decision {one} finds no item: what it was made on has changed or is gone"
        ));
        let place = open.iter().filter(|item| item.item == one.item && item.code == one.code);
        for item in place.filter(|item| item.choices.contains(&one.choice)).take(2) {
            let (id, file) = (item.id().short(), typed(workflow));
            let choice = &one.choice;
            report::hint(&format!(
                "the item may now be {id}; `storymill reviews {file} --decide \"{id}={choice}\"` decides it so again"
            ));
        }
    }
    warn_of_more(lapsed);
}

/// Warns, in a plan, of decisions that a build will not find an item for, and of those of which nobody knows yet.
pub(crate) fn warn_before(lapsed: &[Lapsed], unsure: &[Lapsed]) {
    for one in lapsed.iter().take(SHOWN) {
        report::warn(&format!(
            "the decision {one} will find no item: what it was made on has changed or is gone"
        ));
    }
    warn_of_more(lapsed);
    if !unsure.is_empty() {
        let shown: Vec<_> = unsure.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = unsure.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let hold = if unsure.len() == 1 { "decision still holds" } else { "decisions still hold" };
        report::say(format!(
            "only the build will tell whether the {hold}: {}{more}",
            shown.join(", ")
        ));
    }
}

/// The same of a private build: ids alone, for the rest is private.
pub(crate) fn warn_of_private(lapsed: &[Lapsed]) {
    if !lapsed.is_empty() {
        let count = plural(lapsed.len() as u64, "decision");
        let ids: Vec<_> = lapsed.iter().map(|one| one.review.short()).collect();
        report::warn(&format!(
            "{count} on items that are not there, perhaps because what they were made on has changed: {}",
            ids.join(", ")
        ));
    }
}

fn warn_of_more(lapsed: &[Lapsed]) {
    let more = lapsed.len().saturating_sub(SHOWN);
    if more > 0 {
        let decisions = plural(more as u64, "decision");
        report::warn(&format!("{decisions} more find no item; `--format json` has all of them"));
    }
}
