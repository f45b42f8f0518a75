//! A shelf that is open: reading files, changing them in one step, exchanging the recipients.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use storymill_core::{Digest, Disk, Fault, Held};

use crate::{
    Key, Pins, Private, Recipient, Signer,
    fold::{self, Fold},
    log::{Known, State},
};

/// What a shelf is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To look: nothing is written.
    Look,
    /// To change it: nobody else has it open meanwhile.
    Change,
}

/// A shelf that is open.
///
/// ```
/// # #[cfg(feature = "age")] {
/// use std::sync::Arc;
/// use storymill_shelf::{Access, Key, Shelf};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (key, disk) = (Key::mint().unwrap(), Arc::new(storymill_disk::RealDisk));
/// let shelf = Shelf::make(folder.path(), disk.clone(), &key, &[]).unwrap();
/// shelf.change(|change| change.put("claims/1", b"Ishmael cannot swim.")).unwrap();
/// drop(shelf);
///
/// let shelf = Shelf::open(folder.path(), disk, &key, Access::Look).unwrap();
/// assert_eq!(shelf.read("claims/1").unwrap().unwrap().expose(), b"Ishmael cannot swim.");
/// # }
/// ```
pub struct Shelf {
    pub(crate) root: PathBuf,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) key: Key,
    pub(crate) stand: Mutex<Stand>,
    pub(crate) access: Access,
    /// Of the changes that this process makes.
    pub(crate) tag: u64,
    pub(crate) pins: Option<Pins>,
    pub(crate) notes: Vec<String>,
    pub(crate) lock: Option<Box<dyn Held>>,
}

/// What moves with every change.
pub(crate) struct Stand {
    pub(crate) fold: Fold,
    /// What the holder of the key says in the next operation.
    pub(crate) own: Private<State>,
    /// The operations in the folder.
    pub(crate) lying: Vec<Lying>,
    /// How many changes this process has made.
    pub(crate) step: u64,
    /// The count of changes that was noted beside the key.
    pub(crate) pinned: Option<u64>,
}

/// An operation in the folder, without what it says.
#[derive(Clone)]
pub(crate) struct Lying {
    pub(crate) name: String,
    pub(crate) author: Option<Signer>,
    /// What it knows; where it does not count, the changes of its author alone.
    pub(crate) known: Known,
    pub(crate) records: BTreeSet<String>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Shelf {
    /// What a file holds; none if there is no such file. Of versions that were made apart one, until somebody
    /// [settles](Self::settle) which it is to be.
    pub fn read(&self, name: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        let state = self.state();
        let state = state.expose();
        fold::read(&state.files, name).map(|pieces| self.gather(&pieces, state)).transpose()
    }

    /// The names of all files that begin so, sorted.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let state = self.state();
        let files = &state.expose().files;
        let names = files.range(prefix.to_owned()..).map(|(name, _)| name);
        let names = names.take_while(|name| name.starts_with(prefix));
        names.filter(|name| fold::read(files, name).is_some()).cloned().collect()
    }

    /// A file's length in bytes.
    pub fn len_of(&self, name: &str) -> Option<u64> {
        let state = self.state();
        let pieces = fold::read(&state.expose().files, name)?;
        // What somebody else wrote may claim any length.
        Some(pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.place.length)))
    }

    /// A digest that moves when a file is written anew; known without reading the file.
    pub fn stamp(&self, name: &str) -> Option<Digest> {
        let state = self.state();
        let pieces = fold::read(&state.expose().files, name)?;
        let parts = pieces.iter().map(|piece| &piece.what[..]);
        Some(Digest::of_parts("storymill 2026 stamp of a file v2", parts))
    }

    /// The public keys of the maintainers.
    pub fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        Ok(self.state().expose().recipients())
    }

    /// The public key of whoever has it open.
    pub fn holder(&self) -> String {
        self.key.recipient().to_string()
    }

    /// The maintainers' keys of signatures, as far as they are known, sorted.
    pub fn signers(&self) -> Result<Vec<Signer>, Fault> {
        let mut signers: Vec<_> = self.recipients()?.iter().filter_map(Recipient::signer).collect();
        signers.push(self.key.signing().signer());
        signers.sort();
        signers.dedup();
        Ok(signers)
    }

    /// The canary, minted when the shelf was made.
    pub fn canary(&self) -> String {
        self.state().expose().canary.clone()
    }

    /// A digest that nobody can check a guess against who has not the shelf's secret.
    pub fn digest(&self, domain: &str, bytes: &[u8]) -> Digest {
        let mut hasher = blake3::Hasher::new_keyed(&self.state().expose().secret);
        hasher.update(&(domain.len() as u64).to_le_bytes());
        hasher.update(domain.as_bytes());
        hasher.update(bytes);
        Digest::from(*hasher.finalize().as_bytes())
    }

    /// Notes endpoints beyond the maintainers' machines that private text may be sent to. Statements
    /// name them from then on.
    pub fn note_endpoints(&self, endpoints: &[String]) -> Result<(), Fault> {
        let mut all = self.endpoints()?;
        let before = all.len();
        all.extend(endpoints.iter().cloned());
        all.sort();
        all.dedup();
        if all.len() == before {
            return Ok(());
        }
        self.change(|change| change.put("endpoints", all.join("\n").as_bytes()))
    }

    /// The endpoints that were noted, sorted.
    pub fn endpoints(&self) -> Result<Vec<String>, Fault> {
        let bytes = self.read("endpoints")?;
        let text = bytes.map(|bytes| String::from_utf8_lossy(bytes.expose()).into_owned());
        Ok(text.unwrap_or_default().lines().map(str::to_owned).collect())
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the records of every file of a name that is looked at, and says how many files these are.
    ///
    /// # Errors
    ///
    /// The first record that is damaged, missing or exchanged.
    pub fn check(&self, looked_at: impl Fn(&str) -> bool) -> Result<usize, Fault> {
        let (state, mut names) = (self.state(), self.names(""));
        names.retain(|name| looked_at(name));
        let pieces = names.iter().filter_map(|name| state.expose().files.get(name));
        let records = pieces.flat_map(BTreeMap::values).map(|piece| &*piece.place.record);
        for record in records.filter(|record| !record.is_empty()).collect::<BTreeSet<_>>() {
            self.opened(record, state.expose())?;
        }
        Ok(names.len())
    }

    /// What is on the shelf now.
    pub(crate) fn state(&self) -> Arc<Private<State>> {
        Arc::clone(&self.stand().fold.state)
    }

    pub(crate) fn stand(&self) -> MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shelf {
    /// Notes what the shelf has come to. Where that fails, the next one who opens it with this key does it.
    fn drop(&mut self) {
        let _ = self.pin();
    }
}
