//! The index of a step: what the markers of its units say, in one file.
//!
//! A marker is a file of its own, so that runs on many machines need not agree on anything; but looking at 70,000 of
//! them opens as many files. So a run that has looked at all units writes down what it found, and whoever looks next
//! opens that one file.
//!
//! It is only a memory: markers stay the truth. A line holds while its key is the one that is looked for, people have
//! decided no other way and its part is there, all of which is asked of a marker too; and while the unit has markers
//! of this kind at all, which one listing tells. What it does not have is looked up among the markers; one that is
//! damaged or gone is none; of two that are written at once, whichever comes last stays, and is whole.
//!
//! What was made of answers of models is never in it: which of two answers to one question counts hangs on the marker
//! that was written last, and a shard writes markers and no index.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, Trace, UnitId};

use super::{
    KeyParts, Made, Marker, Store, marker,
    packing::{pack, unpack},
};

/// The folder of a store with them.
pub(super) const FOLDER: &str = "index";

/// From how many units on an index is worth its file.
const LEAST: usize = 64;

/// What says more than this stays with its marker: an index is held in memory.
const LONGEST: usize = 2048;

/// No index is read that is larger when it is unpacked.
const MOST_BYTES: usize = 1 << 30;

/// A marker without its key.
#[derive(Deserialize)]
struct Said {
    made: Made,
    #[serde(default)]
    trace: Trace,
}

#[derive(Serialize)]
struct Saying<'m> {
    made: &'m Made,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'m Trace>,
}

/// The index of a step, or of the facts of a corpus stage.
#[derive(Debug)]
pub(crate) struct Index {
    kind: String,
    folder: PathBuf,
    name: String,
    /// What was read, once somebody has looked.
    kept: OnceLock<Lines>,
    /// What this run found elsewhere or made: a line for each unit; none where there is to be none.
    fresh: Mutex<BTreeMap<UnitId, Option<String>>>,
}

/// Lines `UNIT KEY JSON`, in the order of units.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Index {
    /// The index of a workflow's step, whose markers are of a kind.
    pub(crate) fn new(workflow: &str, step: &str, kind: &str) -> Self {
        let folder = Path::new(FOLDER).join(workflow);
        let (kind, name) = (kind.to_owned(), step.to_owned());
        Self { kind, folder, name, kept: OnceLock::new(), fresh: Mutex::default() }
    }

    /// What the marker of a key says, if it has that.
    pub(crate) fn find(&self, store: &Store, unit: &UnitId, from: &KeyParts) -> Option<Marker> {
        let (key, said) = self.kept(store).of(unit)?.split_once(' ')?;
        if key != from.key().to_string() {
            return None;
        }
        let Said { made, trace } = serde_json::from_str(said).ok()?;
        Some(Marker { from: from.clone(), made, trace })
    }

    /// Notes what a marker says that was not found here.
    pub(crate) fn note(&self, store: &Store, unit: &UnitId, marker: &Marker) {
        let trace = Some(&marker.trace).filter(|trace| **trace != Trace::default());
        let saying = Saying { made: &marker.made, trace };
        let said = marker.trace.reads.is_empty().then(|| serde_json::to_string(&saying).ok());
        let said = said.flatten().filter(|said| said.len() <= LONGEST);
        if said.is_none() && self.kept(store).of(unit).is_none() {
            return;
        }
        let line = said.map(|said| format!("{} {said}", marker.from.key()));
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        fresh.insert(unit.clone(), line);
    }

    /// Writes down what is known of these units, if something of it is new.
    pub(crate) fn keep<'u>(
        &self,
        store: &Store,
        units: impl ExactSizeIterator<Item = &'u UnitId>,
    ) -> Result<(), Fault> {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        if units.len() < LEAST || fresh.is_empty() {
            return Ok(());
        }
        let kept = self.kept(store);
        let mut text = String::new();
        for unit in units {
            let line = fresh.get(unit).map_or_else(|| kept.of(unit), Option::as_deref);
            if let Some(line) = line {
                let _ = writeln!(text, "{unit} {line}");
            }
        }
        store.put_index(self, text)
    }

    fn kept(&self, store: &Store) -> &Lines {
        self.kept.get_or_init(|| store.index(self).unwrap_or_default())
    }
}

impl Lines {
    /// The lines of those units that these names are of, which are in order.
    fn new(text: String, names: &[String]) -> Self {
        let mut lines = Self { starts: Vec::new(), text };
        let ends = lines.text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends);
        let is_named = |at: &usize| {
            let unit = lines.at(*at).map(|(unit, _)| unit);
            unit.is_some_and(|unit| names.binary_search_by(|name| (**name).cmp(unit)).is_ok())
        };
        lines.starts = starts.filter(is_named).collect();
        lines
    }

    /// The unit of a line, and what follows it.
    fn at(&self, start: usize) -> Option<(&str, &str)> {
        self.text[start..].split('\n').next()?.split_once(' ')
    }

    /// Key and JSON of a unit.
    fn of(&self, unit: &UnitId) -> Option<&str> {
        let unit_at = |at: &usize| self.at(*at).map(|(other, _)| other);
        let found = self.starts.binary_search_by(|at| unit_at(at).cmp(&Some(unit.as_str())));
        self.at(self.starts[found.ok()?]).map(|(_, said)| said)
    }
}

impl Store {
    /// An index, if there is one that is whole: of it, the units that have markers.
    fn index(&self, index: &Index) -> Option<Lines> {
        let packed = self.disk.read(&self.path(&index.folder).join(&index.name)).ok()?;
        let mut text = String::from_utf8(unpack(&packed, MOST_BYTES).ok()?).ok()?;
        let (checksum, lines) = text.split_once('\n')?;
        if Digest::of(lines.as_bytes()).to_string() != checksum {
            return None;
        }
        let head = checksum.len() + 1;
        text.drain(..head);
        let units = self.disk.list(&self.path(marker::FOLDER).join(&index.kind)).ok()?;
        Some(Lines::new(text, &units))
    }

    fn put_index(&self, index: &Index, lines: String) -> Result<(), Fault> {
        let text = format!("{}\n{lines}", Digest::of(lines.as_bytes()));
        drop(lines);
        let Ok(packed) = pack(text.as_bytes()) else { return Ok(()) };
        self.disk.refuse_links(&self.root, &index.folder)?;
        let folder = self.path(&index.folder);
        self.disk
            .create_dir_all(&folder)
            .map_err(|error| Fault::io("cannot make a folder of the store", folder, error))?;
        self.put(index.folder.join(&index.name), &packed)
    }
}
