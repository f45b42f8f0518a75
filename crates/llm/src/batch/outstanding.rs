//! Which requests are out: written into a batch whose results have not been read. They are not
//! written again, so that nothing is paid for twice.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Disk, Fault, FaultKind, RequestKey};

const VERSION: u32 = 1;

/// The requests that are out, by key, each with the folder of its batch.
#[derive(Debug)]
pub struct Outstanding {
    path: PathBuf,
    keys: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    requests: BTreeMap<String, String>,
}

impl Outstanding {
    /// Reads the list; where there is none, nothing is out.
    pub fn open(path: &Path, disk: &dyn Disk) -> Result<Self, Fault> {
        let mut keys = BTreeMap::new();
        let failed =
            |error| Fault::io("cannot read the list of requests that are out", path, error);
        if disk.len(path).map_err(failed)?.is_some() {
            let broken = || {
                Fault::new(FaultKind::Store, "the list of requests that are out cannot be read")
                    .at(path)
                    .hint("move it away: then every request that has no answer is written again")
            };
            let bytes = disk.read(path).map_err(failed)?;
            let written: Written =
                serde_json::from_slice(&bytes).map_err(|error| broken().because(error))?;
            if written.version != VERSION {
                return Err(broken());
            }
            keys = written.requests;
        }
        Ok(Self { path: path.to_owned(), keys })
    }

    /// The batch with which a request is out.
    pub fn batch_of(&self, key: &RequestKey) -> Option<&str> {
        self.keys.get(&key.0.to_string()).map(String::as_str)
    }

    /// Requests went out with the batch of this name.
    pub fn add(&mut self, keys: impl IntoIterator<Item = RequestKey>, batch: &str) {
        self.keys.extend(keys.into_iter().map(|key| (key.0.to_string(), batch.to_owned())));
    }

    /// A result of a request was read.
    pub fn remove(&mut self, key: &RequestKey) {
        self.keys.remove(&key.0.to_string());
    }

    /// Writes the list, whole or not at all.
    pub fn write(&self, disk: &dyn Disk) -> Result<(), Fault> {
        let failed =
            |error| Fault::io("cannot write the list of requests that are out", &self.path, error);
        let written = Written { version: VERSION, requests: self.keys.clone() };
        let mut bytes =
            serde_json::to_vec_pretty(&written).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        disk.put(&self.path, &self.path.with_extension("new"), &bytes).map_err(failed)
    }
}
