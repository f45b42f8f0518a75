//! The kept listing: the digests of units as the last run took them, so that runs and shards after it
//! need not read the whole corpus to know which of it is new.
//!
//! A source looks at every file again, and takes a digest from here only where name, size and times (and what
//! else goes into the digest) are those of the file that it was taken of. So a file that was changed, added or
//! removed is seen, as long as its change leaves a trace in its times: the digests of files that had changed just
//! before they were listed are not kept ([`Known::SETTLED`]). A file that is read is checked against its digest
//! all the same; where that fails the listing is removed, so that the next run reads every file.

use std::collections::BTreeMap;

use storymill_core::{Fault, Held, Known, Listing};

use crate::{Step, Store, Workflow, clock, erased::AnyOpenSource};

/// The file of a store that holds it.
pub(super) const FILE: &str = "listings";

/// What is kept of each source: the kind and version that listed it, and the digests.
type Kept = BTreeMap<String, (String, Known)>;

/// Lists sources, with what was kept of them.
pub(super) struct Listings<'s> {
    store: &'s Store,
    kept: Kept,
    changed: bool,
    now: u64,
    _turn: Option<Box<dyn Held>>,
}

impl<'s> Listings<'s> {
    /// Reads what is kept. Where several shards start together, one lists while the others wait.
    pub(super) fn open(store: &'s Store) -> Result<Self, Fault> {
        let turn = store.turn(FILE)?;
        // It is a memory alone: without it every file is read.
        let kept = store.checked(FILE.as_ref(), |_| true).ok().flatten().unwrap_or_default();
        Ok(Self { store, kept, changed: false, now: clock::now(), _turn: turn })
    }

    /// Lists a source.
    pub(super) fn list(
        &mut self,
        workflow: &Workflow,
        step: &Step,
        source: &dyn AnyOpenSource,
    ) -> Result<Listing, Fault> {
        let name = format!("{}/{}", workflow.name, step.name);
        let kind = format!("{} {}", step.kind(), step.version());
        let kept = self.kept.get(&name).filter(|(by, _)| *by == kind).map(|(_, known)| known);
        let nothing = Known::default();
        let listing = source.units(kept.unwrap_or(&nothing))?;
        // What was not looked for this time is remembered too.
        let mut known = kept.unwrap_or(&nothing).clone();
        known.remember(Known::of(&listing, self.now));
        if known != *kept.unwrap_or(&nothing) {
            self.changed = true;
            self.kept.insert(name, (kind, known));
        }
        Ok(listing)
    }

    /// Keeps what was listed, unless the store is only looked at. Where that fails, nothing is lost.
    pub(super) fn keep(self) {
        if self.changed && !self.store.is_looked_at() {
            let _ = self.store.put_checked(FILE.as_ref(), &self.kept);
        }
    }
}
