//! Reading the log of a shelf, and what of it departs from what was seen.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Key, Pins, Private, Recipient, Signer,
    before::{self, INDEX},
    envelope,
    fold::{Fold, called, fold},
    letter::Closed,
    log::Known,
    operation::{Operation, Unfit},
    records::{LOG, damaged, operation_of},
    seen::Seen,
    shelf::{Lying, Stand},
};

/// Operations that were read.
pub(crate) struct Loaded {
    pub(crate) fold: Fold,
    operations: Vec<Operation>,
    /// How many the key does not open.
    closed: u64,
    /// Files that nobody has signed who may, and those of other shelves.
    strangers: Vec<String>,
}

impl Default for Loaded {
    fn default() -> Self {
        Self { fold: fold(&[]), operations: Vec::new(), closed: 0, strangers: Vec::new() }
    }
}

impl Loaded {
    pub(crate) fn of(
        root: &Path,
        disk: &dyn Disk,
        key: &Key,
        pins: Option<&Pins>,
        seen: &Seen,
    ) -> Result<Self, Fault> {
        let mut loaded = Self::default();
        let log = root.join(LOG);
        let failed = |error| Fault::io("cannot read the shelf's log", &log, error);
        let mut paths: Vec<_> =
            disk.list(&log).map_err(failed)?.into_iter().map(|name| log.join(name)).collect();
        paths.push(root.join(INDEX));
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let sealed = match disk.read(&path) {
                Ok(sealed) => sealed,
                Err(error) if name == INDEX && error.kind() == std::io::ErrorKind::NotFound => {
                    continue;
                }
                Err(error) => return Err(Fault::io("cannot read the shelf's log", path, error)),
            };
            if name != INDEX && name != operation_of(&sealed) {
                return Err(damaged(&path, "is damaged, cut off or not of the log"));
            }
            let opened = match envelope::open(&sealed, key.opening()) {
                Ok(opened) => opened,
                Err(Closed::OtherKey) => {
                    loaded.closed += 1;
                    continue;
                }
                Err(Closed::Damaged) => return Err(damaged(&path, "is damaged or cut off")),
            };
            let one = if name == INDEX {
                before::parse(opened.expose(), blake3::hash(&sealed).as_bytes())
            } else {
                Operation::parse(&name, opened.expose())
            };
            match one {
                Ok(one) => loaded.operations.push(one),
                Err(Unfit::Damaged) => return Err(damaged(&path, "is damaged")),
                Err(Unfit::Forged) => loaded.strangers.push(name),
            }
        }
        if loaded.operations.is_empty() && loaded.closed > 0 {
            return Err(Fault::new(FaultKind::Input, "this key does not open the shelf")
                .at(root)
                .hint(format!(
                    "it was never added, or it was removed; a maintainer adds it: `storymill shelf rekey --add {} --key THEIR.key`",
                    key.recipient().whole()
                )));
        }
        let mut count = BTreeMap::<String, usize>::new();
        for one in &loaded.operations {
            *count.entry(one.shelf()).or_default() += 1;
        }
        let is_here = |name: &&String| pins.is_some_and(|pins| pins.is_here(seen, name));
        let most = count.iter().max_by_key(|(name, count)| (is_here(name), **count));
        let Some((shelf, _)) = most else {
            let what = if loaded.strangers.is_empty() {
                "is missing"
            } else {
                "is signed by nobody whom it names"
            };
            return Err(damaged(&log, what));
        };
        let (operations, others): (Vec<_>, Vec<_>) = std::mem::take(&mut loaded.operations)
            .into_iter()
            .partition(|one| shelf.starts_with(&one.shelf()));
        loaded.strangers.extend(others.iter().map(|one| one.name.clone()));
        loaded.fold = fold(&operations);
        loaded.operations = operations;
        Ok(loaded)
    }

    /// What the shelf stands at for the holder of a key.
    pub(crate) fn stand(self, signer: Signer) -> Stand {
        let mut own = self.fold.state.expose().empty();
        let counts = |one: &Operation| !self.fold.uncounted.contains(&one.name);
        for one in self.operations.iter().filter(|one| one.author == Some(signer) && counts(one)) {
            own.join(&one.state);
        }
        let own_known = |one: &Operation| Known { upto: one.own(), also: BTreeSet::new() };
        let lying = |one: &Operation| Lying {
            name: one.name.clone(),
            author: one.author,
            known: if counts(one) { one.state.known.clone() } else { own_known(one) },
            records: one.state.records.keys().cloned().collect(),
        };
        // What a stranger has written says nothing of what may go.
        let ours = self.operations.iter().filter(|one| !self.fold.strangers.contains(&one.name));
        let lying = ours.map(lying).collect();
        Stand { lying, own: Private::new(own), fold: self.fold, step: 0, pinned: None }
    }

    pub(crate) fn is_all_by(&self, own: Signer) -> bool {
        self.operations.iter().all(|one| one.author == Some(own))
    }

    pub(crate) fn departs(&self, pins: &Pins, seen: &Seen, own: Signer) -> Option<String> {
        pins.of(seen, &self.fold.shelf()).find_map(|pin| pin.departs(&self.fold, own))
    }

    /// What in the folder is not of the shelf, or cannot be read.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.closed > 0 {
            notes.push(format!(
                "operations of the log that are not sealed to your key: {}. What is in them is not shown: whoever wrote there did not know that you were let in, or knew that you were let out. A maintainer who opens all of it seals it to you: `storymill shelf rekey`",
                self.closed
            ));
        }
        let strangers: Vec<&str> =
            self.strangers.iter().chain(&self.fold.strangers).map(String::as_str).collect();
        if !strangers.is_empty() {
            notes.push(format!(
                "files of the log that are not signed by a maintainer do not count: {}. Somebody else has written them; remove them",
                strangers.join(", ")
            ));
        }
        notes
    }

    /// Whose shelf it is, where the holder of the key has neither changed nor trusted it yet, as a message.
    pub(crate) fn first_sight(&self, seen: &Seen, own: Signer) -> Option<String> {
        let state = self.fold.state.expose();
        let pin = seen.of(&self.fold.shelf());
        if pin.is_some_and(|pin| pin.trusted) {
            return None;
        }
        let (people, changes) = (state.recipients(), self.fold.changes());
        let keys = told(&people);
        if self.is_all_by(own) {
            return Some(format!(
                "nothing is remembered of this shelf; its last change, {changes}, is yours: if you have made later ones, this \
                 is an older copy. It is sealed to {keys}"
            ));
        }
        let by: BTreeSet<String> =
            self.operations.iter().map(|one| called(&people, one.author)).collect();
        let by = if self.fold.is_unsigned {
            "nobody has signed it".to_owned()
        } else {
            format!("what is in it is signed by {}", Vec::from_iter(by).join(" and "))
        };
        let so_far = match pin {
            None => "this key opens the shelf for the first time",
            Some(_) => "this key has only looked at the shelf so far",
        };
        Some(format!("{so_far}; it is sealed to {keys}; {by}"))
    }
}

/// The public keys, one after the other.
fn told(recipients: &[Recipient]) -> String {
    recipients.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
