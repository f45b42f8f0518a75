//! Steps whose answers were found fit when they were last judged, and those that were not: a build that goes on knows
//! what the one before it found.
//!
//! It is only a memory: without it, a step is judged by what it asks next.

use std::collections::BTreeMap;

use storymill_core::Digest;

use super::Store;

/// The file of a store that holds it.
const FILE: &str = "fit";

impl Store {
    /// Whether a step was found fit, by the digest of all that its keys have in common; none if nobody judged it.
    pub(crate) fn found_fit(&self, step: &Digest) -> Option<bool> {
        self.verdicts().get(step).copied()
    }

    /// Remembers what was found. Where that fails, nothing is lost.
    pub(crate) fn remember_fit(&self, step: Digest, fit: bool) {
        let mut verdicts = self.verdicts();
        if verdicts.insert(step, fit) != Some(fit) {
            let _ = self.put_checked(FILE.as_ref(), &verdicts);
        }
    }

    fn verdicts(&self) -> BTreeMap<Digest, bool> {
        self.checked(FILE.as_ref(), |_| true).ok().flatten().unwrap_or_default()
    }
}
