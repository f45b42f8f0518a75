//! The index: which sealed records a file is made of. Sealed like everything else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

/// The file of the shelf that says what it is.
pub(crate) const FORMAT: &str = "storymill shelf 1\n";

/// One sealed record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// Its random name.
    pub(crate) record: String,
    /// Bytes inside.
    pub(crate) length: u64,
    /// The keyed digest of the sealed bytes: `age` says nothing of who sealed.
    pub(crate) digest: [u8; 32],
}

/// Everything that a shelf knows of itself.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Index {
    /// The secret under which digests are taken.
    pub(crate) secret: [u8; 32],
    /// Public keys of the maintainers.
    pub(crate) recipients: Vec<String>,
    /// The canary of the family of datasets that is made from the shelf.
    pub(crate) canary: String,
    /// The files, each a run of records.
    pub(crate) files: BTreeMap<String, Vec<Extent>>,
}

impl Zeroize for Index {
    fn zeroize(&mut self) {
        self.secret.zeroize();
        self.canary.zeroize();
        for (mut name, _) in std::mem::take(&mut self.files) {
            name.zeroize();
        }
    }
}

impl Index {
    pub(crate) fn length(&self, name: &str) -> Option<u64> {
        Some(self.files.get(name)?.iter().map(|extent| extent.length).sum())
    }

    /// The records that some file needs.
    pub(crate) fn records(&self) -> std::collections::BTreeSet<&str> {
        self.files.values().flatten().map(|extent| extent.record.as_str()).collect()
    }
}
