//! Markers: what was made from what. One small text file for each static key.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, PartRef, Reason, Trace, UnitId};

use super::{Store, checked};

/// Everything a static key is taken over, kept readable so that a plan can say what changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyParts {
    /// The kind of the stage, corpus stage or source.
    pub kind: String,
    /// Its version.
    pub version: u32,
    /// The record it makes, with the version of its fields: `scene 1`.
    pub record: String,
    /// Its options in canonical JSON; files appear as digests, names of steps as nothing.
    pub options: String,
    /// The digests of what it reads, in the order of its edges.
    pub inputs: Vec<Digest>,
    /// The root seed.
    pub seed: u64,
    /// What each model that it asks is told beside the stage's own words: a digest for each name.
    pub models: BTreeMap<String, Digest>,
    /// A digest over the texts that come with the stage.
    pub embedded: Option<Digest>,
    /// What a pilot chose of the unit; none where all of it is worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot: Option<Digest>,
}

impl KeyParts {
    /// The static key.
    pub(crate) fn key(&self) -> Digest {
        let (version, seed) = (self.version.to_le_bytes(), self.seed.to_le_bytes());
        let count = (self.inputs.len() as u64).to_le_bytes();
        let head = [
            self.kind.as_bytes(),
            &version[..],
            self.record.as_bytes(),
            self.options.as_bytes(),
            &seed[..],
            &count[..],
        ];
        let inputs = self.inputs.iter().map(|digest| &digest.as_bytes()[..]);
        let models =
            self.models.iter().flat_map(|(name, digest)| [name.as_bytes(), &digest.as_bytes()[..]]);
        let embedded =
            self.embedded.iter().flat_map(|digest| [&b"embedded"[..], &digest.as_bytes()[..]]);
        let pilot = self.pilot.iter().flat_map(|digest| [&b"pilot"[..], &digest.as_bytes()[..]]);
        Digest::of_parts(
            "storymill 2026 static key v2",
            head.into_iter().chain(inputs).chain(models).chain(embedded).chain(pilot),
        )
    }
}

/// What came of a step for a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Made {
    /// Rows: their digest and number.
    Rows(Digest, u32),
    /// Rows that lie with their source, and are read there again.
    Unkept(Digest, u32),
    /// The whole unit was rejected.
    Rejected(Reason),
    /// The whole unit was left out on purpose.
    LeftOut(Reason),
}

/// A marker: a static key, what came of it, and what was read and left out on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marker {
    /// What the key was taken over.
    pub from: KeyParts,
    /// What came of it.
    pub made: Made,
    /// Answers read, items rejected.
    pub trace: Trace,
}

impl Marker {
    /// The part that came of it for a unit.
    pub(crate) fn part(&self, unit: &UnitId) -> Option<PartRef> {
        match &self.made {
            Made::Rows(digest, rows) | Made::Unkept(digest, rows) => {
                Some(PartRef { unit: unit.clone(), digest: *digest, rows: *rows })
            }
            Made::Rejected(_) | Made::LeftOut(_) => None,
        }
    }
}

/// The folder of a store with them.
pub(super) const FOLDER: &str = "markers";

fn folder(kind: &str, unit: &UnitId) -> String {
    format!("{FOLDER}/{kind}/{unit}")
}

impl Store {
    /// The marker of a key, if there is one. One that is damaged is set aside and none.
    pub(crate) fn marker(
        &self,
        kind: &str,
        unit: &UnitId,
        key: &Digest,
    ) -> Result<Option<Marker>, Fault> {
        let path = Path::new(&folder(kind, unit)).join(key.to_string());
        self.checked(&path, |marker: &Marker| marker.from.key() == *key)
    }

    /// Keeps a marker.
    pub(crate) fn put_marker(&self, unit: &UnitId, marker: &Marker) -> Result<(), Fault> {
        let folder = folder(&marker.from.kind, unit);
        let path = self.path(&folder);
        self.disk.refuse_links(&self.root, &folder)?;
        self.disk
            .create_dir_all(&path)
            .map_err(|error| Fault::io("cannot make a folder of the store", path, error))?;
        self.put_checked(&Path::new(&folder).join(marker.from.key().to_string()), marker)
    }

    /// Every readable marker of a kind for a unit; damaged ones are passed over.
    pub(crate) fn markers(&self, kind: &str, unit: &UnitId) -> Result<Vec<Marker>, Fault> {
        let path = self.path(folder(kind, unit));
        let names =
            self.disk.list(&path).map_err(|error| Fault::io("cannot list", &path, error))?;
        Ok(names
            .iter()
            .filter_map(|name| checked::parse(&self.disk.read(&path.join(name)).ok()?))
            .collect())
    }
}
