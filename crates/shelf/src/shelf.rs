//! A shelf that is open: reading files, changing them in one step, exchanging the recipients.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use storymill_core::{Digest, Disk, Fault, FaultKind, Held};

use crate::{
    Change, Key, Pins, Private, Recipient,
    index::{FORMAT, Index},
    journal::{JOURNAL, Journal},
    random,
    records::Written,
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
    pub(crate) state: Mutex<State>,
    pub(crate) access: Access,
    /// Of the changes that this process makes.
    pub(crate) tag: u64,
    pub(crate) pins: Option<Pins>,
    /// Tells this copy of the shelf from others.
    pub(crate) here: String,
    pub(crate) notes: Vec<String>,
    pub(crate) _lock: Option<Box<dyn Held>>,
}

/// What moves with every change.
pub(crate) struct State {
    pub(crate) index: Private<Index>,
    /// The digest of the sealed index in the folder.
    pub(crate) sealed: [u8; 32],
    /// The generation that was noted beside the key.
    pub(crate) pinned: Option<u64>,
    pub(crate) is_signed: bool,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Shelf {
    /// What a file holds; none if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        let (extents, secret) = {
            let state = self.state();
            let index = state.index.expose();
            let Some(extents) = index.files.get(name) else { return Ok(None) };
            (extents.clone(), Private::new(index.secret))
        };
        self.gather(&extents, secret.expose()).map(Some)
    }

    /// The names of all files that begin so, sorted.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let state = self.state();
        let names = state.index.expose().files.range(prefix.to_owned()..).map(|(name, _)| name);
        names.take_while(|name| name.starts_with(prefix)).cloned().collect()
    }

    /// A file's length in bytes.
    pub fn len_of(&self, name: &str) -> Option<u64> {
        self.state().index.expose().length(name)
    }

    /// A digest that moves when a file is written anew, or the shelf is sealed anew; known without reading the file.
    pub fn stamp(&self, name: &str) -> Option<Digest> {
        let state = self.state();
        let extents = state.index.expose().files.get(name)?;
        let parts = extents.iter().flat_map(|one| [one.record.as_bytes(), &one.digest[..]]);
        Some(Digest::of_parts("storymill 2026 stamp of a file v1", parts))
    }

    /// Changes files in one step: all of it, or nothing.
    pub fn change<T>(
        &self,
        make: impl FnOnce(&mut Change<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.access == Access::Look {
            return Err(Fault::new(FaultKind::Internal, "the shelf was opened to look at it"));
        }
        // The index stays locked: changes come one after the other.
        let mut state = self.state();
        let mut next = state.index.expose().clone();
        if !state.is_signed {
            next.id = random::bytes()?;
            let mut all = next.recipients()?;
            all.iter_mut()
                .filter(|one| **one == self.key.recipient())
                .for_each(|one| *one = self.key.recipient());
            next.seal_to(&all);
        }
        next.step(self.tag, self.key.signing().signer());
        let begun = Journal::begin(self.disk.as_ref(), &self.root, &self.here, &state.sealed);
        let journal = begun
            .map_err(|error| Fault::io("cannot begin a change of the shelf", &self.root, error))?;
        let mut change = Change::new(self, next, journal);
        let made = make(&mut change);
        let (next, fresh, mut journal) = (Private::new(change.next), change.fresh, change.journal);
        let ready = made.and_then(|made| {
            let (bytes, digest) = self.sealed(next.expose())?;
            let (kept, old) = (next.expose().records(), state.index.expose().records());
            let gone: Vec<String> =
                old.difference(&kept).map(|record| (*record).to_owned()).collect();
            journal.gone(gone.iter().map(String::as_str), &digest).map_err(|error| {
                Fault::io("cannot go on with a change of the shelf", &self.root, error)
            })?;
            Ok((made, bytes, digest, gone))
        });
        drop(journal);
        let written =
            ready.map_err(|fault| (fault, Written::Not)).and_then(|(made, bytes, digest, gone)| {
                self.write_index(&bytes).map(|()| (made, digest, gone))
            });
        match written {
            Ok((made, digest, gone)) => {
                state.index = next;
                state.sealed = digest;
                self.drop_records(&gone);
                self.drop_journal();
                if !state.is_signed {
                    state.is_signed = true;
                    // An index that is signed is told by itself; this is for older versions.
                    let (path, scratch) = (self.root.join("FORMAT"), self.root.join("index.new"));
                    let _ = self.disk.put(&path, &scratch, FORMAT.as_bytes());
                }
                Ok(made)
            }
            Err((fault, Written::Not)) => {
                self.drop_records(&fresh);
                self.drop_journal();
                Err(fault)
            }
            // The new index lies there and may be lost in a power cut: the records of both stay.
            Err((fault, Written::Perhaps)) => {
                state.sealed = self.lies().unwrap_or(state.sealed);
                state.index = next;
                state.is_signed = true;
                Err(fault)
            }
        }
    }

    /// Seals everything anew to other recipients, in one step.
    ///
    /// # Errors
    ///
    /// The key that the shelf was opened with would not be among them, or the disk fails.
    pub fn rekey(&self, recipients: &[Recipient]) -> Result<(), Fault> {
        if !recipients.contains(&self.key.recipient()) {
            return Err(Fault::new(FaultKind::Input, "you would lock yourself out")
                .hint("let another maintainer remove this key"));
        }
        self.change(|change| {
            change.next.seal_to(recipients);
            let names: Vec<String> = change.next.files.keys().cloned().collect();
            for name in names {
                if let Some(bytes) = change.read(&name)? {
                    change.put(&name, bytes.expose())?;
                }
            }
            Ok(())
        })
    }

    /// The public keys of the maintainers.
    pub fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        self.state().index.expose().recipients()
    }

    /// The maintainers' keys of signatures, as far as they are known, sorted.
    pub fn signers(&self) -> Result<Vec<crate::Signer>, Fault> {
        let mut signers: Vec<_> =
            self.recipients()?.iter().filter_map(crate::Recipient::signer).collect();
        signers.push(self.key.signing().signer());
        signers.sort();
        signers.dedup();
        Ok(signers)
    }

    /// The canary, minted when the shelf was made.
    pub fn canary(&self) -> String {
        self.state().index.expose().canary.clone()
    }

    /// A digest that nobody can check a guess against who has not the shelf's secret.
    pub fn digest(&self, domain: &str, bytes: &[u8]) -> Digest {
        let state = self.state();
        let mut hasher = blake3::Hasher::new_keyed(&state.index.expose().secret);
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

    /// The disk that the shelf lies on.
    pub(crate) fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// Reads every record of a name that is looked at, and says how many there are.
    ///
    /// # Errors
    ///
    /// The first record that is damaged, missing or exchanged.
    pub fn check(&self, looked_at: impl Fn(&str) -> bool) -> Result<usize, Fault> {
        let mut names = self.names("");
        names.retain(|name| looked_at(name));
        for name in &names {
            self.read(name)?;
        }
        Ok(names.len())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_journal(&self) {
        let _ = self.disk.remove(&self.root.join(JOURNAL));
    }
}

impl Drop for Shelf {
    /// Notes what the shelf has come to. Where that fails, the next one who opens it with this key does it.
    fn drop(&mut self) {
        let _ = self.pin();
    }
}
