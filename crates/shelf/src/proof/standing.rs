//! What a statement says of its own time, and of how worn its pairs are.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use storymill_core::Digest;

use super::{
    day::is_day,
    statement::{STATEMENT, Statement, broken, leaves},
};

/// How the pairs of a set stand when it is stated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The last day on which the statement is to be relied on.
    pub valid_until: String,
    /// Pairs that nearly all systems have right.
    pub saturated: BTreeSet<String>,
    /// Pairs that were shown to a service, by the service and the first day.
    pub exposed: BTreeMap<(String, String), BTreeSet<String>>,
}

/// Pairs that a service was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exposed {
    /// The service: scheme, host and port of the endpoint.
    pub service: String,
    /// The first day on which it was shown them.
    pub since: String,
    /// Their leaves, sorted.
    pub leaves: Vec<Digest>,
}

/// Who was shown which pair, and since when.
pub(super) fn shown(statement: &Statement) -> BTreeSet<(&str, &str, &Digest)> {
    let all = statement.exposed.iter().flatten();
    all.flat_map(|one| one.leaves.iter().map(move |leaf| (&*one.service, &*one.since, leaf)))
        .collect()
}

/// What does not hold of what a statement says of its pairs and of its own time, by its form.
pub(super) fn standing(statement: &Statement) -> Vec<String> {
    let Statement { valid_until, saturated, exposed, .. } = statement;
    let all = [valid_until.is_some(), saturated.is_some(), exposed.is_some()];
    let leaves = leaves(statement);
    let (saturated, exposed) = (saturated.as_deref(), exposed.as_deref());
    let (saturated, exposed) = (saturated.unwrap_or_default(), exposed.unwrap_or_default());
    let are_inside = |all: &[Digest]| {
        all.is_sorted_by(|a, b| a < b) && all.iter().all(|leaf| leaves.contains(leaf))
    };
    let is_plain = |one: &Exposed| {
        !one.service.is_empty()
            && is_day(&one.since)
            && !one.leaves.is_empty()
            && are_inside(&one.leaves)
    };
    let in_order = |a: &Exposed, b: &Exposed| (&a.service, &a.since) < (&b.service, &b.since);
    broken(&[
        (
            all == [statement.format == STATEMENT; 3],
            "what it says of its time, of saturated pairs and of who saw pairs is not of its form",
        ),
        (
            valid_until.as_deref().is_none_or(is_day),
            "the day that it is valid until is not one, as in 2026-11-28",
        ),
        (are_inside(saturated), "saturated pairs are not sorted, or are not in the set"),
        (
            exposed.iter().all(is_plain) && exposed.is_sorted_by(in_order),
            "who was shown pairs is not sorted, or these are not in the set",
        ),
    ])
}
