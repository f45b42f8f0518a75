//! The index of a step: what the markers of its units say, in one file.
//!
//! A marker is a file of its own, so that runs on many machines need not agree on anything; but looking at 70,000 of
//! them opens as many files. So a run that has looked at all units writes down what it found, and whoever looks next
//! opens that one file. It is only a memory: a line holds as long as its key is the one that is looked for, people's
//! decisions are unchanged and its part is there, which is asked of it as it is of a marker. What it does not
//! have is looked up among the markers, and a damaged index is none.
//!
//! What was made of answers of models is never in it: which of two answers to one question counts hangs on the marker
//! that was written last, and a shard writes markers and no index.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::Read,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, Trace, UnitId};

use super::{KeyParts, Made, Marker, Store};

/// The folder of a store with them.
pub(super) const FOLDER: &str = "index";

/// From how many units on an index is worth its file.
const LEAST: usize = 64;

/// What says more than this stays with its marker: an index is held in memory.
const LONGEST: usize = 2048;

/// No index that we write is larger when it is unpacked.
const MOST_BYTES: u64 = 4 << 30;

/// A marker without its key.
#[derive(Deserialize)]
struct Said {
    made: Made,
    trace: Trace,
}

#[derive(Serialize)]
struct Saying<'m> {
    made: &'m Made,
    trace: &'m Trace,
}

/// The index of a step, or of the facts of a corpus stage.
#[derive(Debug)]
pub(crate) struct Index {
    name: PathBuf,
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
    /// The index of what has this in common, whatever its inputs.
    pub(crate) fn of(common: &KeyParts) -> Self {
        let name = Path::new(FOLDER).join(common.key().to_string());
        Self { name, kept: OnceLock::new(), fresh: Mutex::default() }
    }

    /// What the marker of a key says, if it has that.
    pub(crate) fn find(&self, store: &Store, unit: &UnitId, from: &KeyParts) -> Option<Marker> {
        let kept = self.kept.get_or_init(|| store.index(&self.name).unwrap_or_default());
        let (key, said) = kept.of(unit)?.split_once(' ')?;
        if key != from.key().to_string() {
            return None;
        }
        let Said { made, trace } = serde_json::from_str(said).ok()?;
        Some(Marker { from: from.clone(), made, trace })
    }

    /// Notes what a marker says that was not found here.
    pub(crate) fn note(&self, unit: &UnitId, marker: &Marker) {
        let saying = Saying { made: &marker.made, trace: &marker.trace };
        let said = marker.trace.reads.is_empty().then(|| serde_json::to_string(&saying).ok());
        let said = said.flatten().filter(|said| said.len() <= LONGEST);
        let line = said.map(|said| format!("{unit} {} {said}", marker.from.key()));
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        fresh.insert(unit.clone(), line);
    }

    /// Writes down what is known of these units, if that is more than was.
    pub(crate) fn keep<'u>(
        &self,
        store: &Store,
        units: impl ExactSizeIterator<Item = &'u UnitId>,
    ) -> Result<(), Fault> {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        let changed = |(unit, line): (&UnitId, &Option<String>)| {
            line.is_some() || self.kept.get().is_some_and(|kept| kept.of(unit).is_some())
        };
        if units.len() < LEAST || !fresh.iter().any(changed) {
            return Ok(());
        }
        let mut text = String::new();
        for unit in units {
            let _ = match fresh.get(unit) {
                Some(Some(line)) => writeln!(text, "{line}"),
                Some(None) => Ok(()),
                None => match self.kept.get().and_then(|kept| kept.of(unit)) {
                    Some(said) => writeln!(text, "{unit} {said}"),
                    None => Ok(()),
                },
            };
        }
        store.put_index(&self.name, text)
    }
}

impl Lines {
    fn new(text: String) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).filter(|at| *at < text.len()).collect();
        Self { text, starts }
    }

    /// Key and JSON of a unit.
    fn of(&self, unit: &UnitId) -> Option<&str> {
        let line = |at: usize| self.text[at..].split('\n').next().unwrap_or_default();
        let unit_at = |at: &usize| line(*at).split_once(' ');
        let found = self
            .starts
            .binary_search_by(|at| unit_at(at).map(|(other, _)| other).cmp(&Some(unit.as_str())));
        unit_at(&self.starts[found.ok()?]).map(|(_, said)| said)
    }
}

impl Store {
    /// An index, if there is one that is whole.
    fn index(&self, name: &Path) -> Option<Lines> {
        let packed = self.disk.read(&self.path(name)).ok()?;
        let mut text = String::new();
        let unpacked = zstd::stream::Decoder::new(&packed[..]).ok()?;
        unpacked.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        let (checksum, lines) = text.split_once('\n')?;
        if Digest::of(lines.as_bytes()).to_string() != checksum {
            return None;
        }
        let head = checksum.len() + 1;
        text.drain(..head);
        Some(Lines::new(text))
    }

    fn put_index(&self, name: &Path, lines: String) -> Result<(), Fault> {
        let text = format!("{}\n{lines}", Digest::of(lines.as_bytes()));
        drop(lines);
        let Ok(packed) = zstd::bulk::compress(text.as_bytes(), super::part::LEVEL) else {
            return Ok(());
        };
        self.disk.refuse_links(&self.root, FOLDER)?;
        let folder = self.path(FOLDER);
        self.disk
            .create_dir_all(&folder)
            .map_err(|error| Fault::io("cannot make a folder of the store", folder, error))?;
        self.put(name, &packed)
    }
}
