//! Decisions of people that find no item: what they were made on has changed, or is gone.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use storymill_core::{Decision, Decisions, Digest, Review, Standing, Trace};

/// A decision that counts and is on no item of a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lapsed {
    /// The item that it was made on; blank if an older version wrote the decision.
    pub item: String,
    /// The code of the doubt; blank likewise.
    pub code: String,
    /// What was decided.
    pub choice: String,
    /// The id of the review item.
    pub review: Digest,
}

impl From<&Decision> for Lapsed {
    fn from(decision: &Decision) -> Self {
        let Decision { item, code, choice, review, .. } = decision.clone();
        Self { item, code, choice, review }
    }
}

impl std::fmt::Display for Lapsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { item, code, choice, review } = self;
        match item.as_str() {
            "" => write!(f, "`{choice}` on item {}", review.short()),
            item => write!(f, "`{choice}` on {item} ({code})"),
        }
    }
}

/// The decisions that are on none of all the items of a build, in order.
pub(crate) fn lapsed<'r>(
    decisions: &Decisions,
    items: impl IntoIterator<Item = &'r Review>,
) -> Vec<Lapsed> {
    let found: BTreeSet<Lapsed> = decisions.idle(items).map(Lapsed::from).collect();
    found.into_iter().collect()
}

/// How many items nobody has decided, and on how many people differ: of these the default is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undecided {
    /// Items on which too few people have voted.
    pub open: usize,
    /// Items on which people differ, and the workflow's rule does not settle it.
    pub disputed: usize,
}

impl Undecided {
    /// Counts them. Items from which nothing follows are neither.
    pub fn of<'r>(items: impl IntoIterator<Item = &'r Review>, decisions: &Decisions) -> Self {
        let mut found = Self::default();
        for item in items.into_iter().filter(|item| item.is_open_to_votes()) {
            match decisions.standing(item) {
                Standing::Open(_) => found.open += 1,
                Standing::Disputed(_) => found.disputed += 1,
                Standing::Decided { .. } => {}
            }
        }
        found
    }
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self { open, disputed: 0 } => write!(f, "{open} open"),
            Self { open, disputed } => write!(f, "{open} open, {disputed} disputed"),
        }
    }
}

/// What a plan comes to know of decisions while it looks at units.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    /// Items that are there, or will be.
    items: Vec<Review>,
    /// Whether all items are known.
    partly: bool,
    /// Decisions that were followed before in units whose items are known again, and in units whose items
    /// are not.
    followed: BTreeSet<Digest>,
    waiting: BTreeSet<Digest>,
}

impl Outlook {
    /// Items of a unit that are there.
    pub(crate) fn found(&mut self, trace: &Trace) {
        self.items.extend(trace.reviews.iter().cloned());
    }

    /// A unit is to be made; what was followed before, and its items if these could be told.
    pub(crate) fn due(&mut self, before: BTreeSet<Digest>, items: Option<Vec<Review>>) {
        self.partly = true;
        match items {
            Some(items) => {
                self.items.extend(items);
                self.followed.extend(before);
            }
            None => self.waiting.extend(before),
        }
    }

    /// How many of the items that are known are not decided.
    pub(crate) fn undecided(&self, decisions: &Decisions) -> Undecided {
        Undecided::of(&self.items, decisions)
    }

    /// The decisions that will hold no longer, and those of which that shows only when their units are made.
    pub(crate) fn told(&self, decisions: &Decisions) -> (Vec<Lapsed>, Vec<Lapsed>) {
        let idle = lapsed(decisions, &self.items);
        let (unsure, idle): (Vec<_>, Vec<_>) =
            idle.into_iter().partition(|one| self.waiting.contains(&one.review));
        let sure = |one: &Lapsed| !self.partly || self.followed.contains(&one.review);
        (idle.into_iter().filter(sure).collect(), unsure)
    }
}
