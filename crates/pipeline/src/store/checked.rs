//! Small text files of the store: JSON, and its digest in a second line.

use std::{io::ErrorKind, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use storymill_core::{Digest, Fault, FaultKind};

use super::Store;

impl Store {
    /// What a file says, if it is there. One that is damaged or not what it should be is set aside and none.
    pub(crate) fn checked<T: DeserializeOwned>(
        &self,
        name: &Path,
        holds: impl FnOnce(&T) -> bool,
    ) -> Result<Option<T>, Fault> {
        let path = self.path(name);
        let bytes = match self.disk.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Fault::io("cannot read a file of the store", path, error)),
        };
        match parse(&bytes).filter(holds) {
            Some(value) => Ok(Some(value)),
            // A plan only looks: a build will find it and set it aside.
            None if self.is_looked_at() => Ok(None),
            None => self.set_aside(&path, "its text does not have its checksum").map(|()| None),
        }
    }

    /// Keeps a file. Its folder is there.
    pub(crate) fn put_checked<T: Serialize>(&self, name: &Path, value: &T) -> Result<(), Fault> {
        let text = serde_json::to_string(value).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot write a file of the store").because(error)
        })?;
        self.put(name, format!("{text}\n{}\n", Digest::of(text.as_bytes())).as_bytes())
    }

    /// Removes a file that is only a memory. Where that fails, it stays.
    pub(crate) fn forget(&self, name: &Path) {
        if !self.is_looked_at() {
            let _ = self.disk.remove(&self.path(name));
        }
    }
}

/// What the bytes of such a file say, if they are whole.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (text, checksum) = text.strip_suffix('\n')?.split_once('\n')?;
    if Digest::of(text.as_bytes()).to_string() != checksum {
        return None;
    }
    serde_json::from_str(text).ok()
}
