//! A shelf that is open: reading files, changing them in one step, exchanging the recipients.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use storymill_core::{Digest, Disk, Fault, FaultKind, Held, Hold};

use crate::{
    Change, Key, Private, Recipient,
    index::{Extent, FORMAT, Index},
    random,
    seal::{self, Closed},
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
/// use std::sync::Arc;
/// use storymill_shelf::{Access, Key, Shelf};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (key, disk) = (Key::mint(), Arc::new(storymill_disk::RealDisk));
/// let shelf = Shelf::make(folder.path(), disk.clone(), &key, &[]).unwrap();
/// shelf.change(|change| change.put("claims/1", b"Ishmael cannot swim.")).unwrap();
/// drop(shelf);
///
/// let shelf = Shelf::open(folder.path(), disk, &key, Access::Look).unwrap();
/// assert_eq!(shelf.read("claims/1").unwrap().unwrap().expose(), b"Ishmael cannot swim.");
/// ```
pub struct Shelf {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    key: Key,
    index: Mutex<Private<Index>>,
    access: Access,
    _lock: Option<Box<dyn Held>>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Shelf {
    /// Makes a shelf in a folder that is empty or not there, for the holder of the key and others.
    ///
    /// # Errors
    ///
    /// The folder holds something, or the disk fails.
    pub fn make(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        others: &[Recipient],
    ) -> Result<Self, Fault> {
        let made = |error| Fault::io("cannot make the shelf", root, error);
        // A run that was killed while it made the shelf leaves these, and no index.
        let ours = ["FORMAT", "lock", "records", "index.new"];
        let names = disk.list(root).map_err(made)?;
        if names.iter().any(|name| !ours.contains(&name.as_str())) {
            let there = if names.iter().any(|name| name == "index") {
                "there is a shelf in this folder already; it was left as it is"
            } else {
                "this folder is not empty; it was left as it is"
            };
            return Err(Fault::new(FaultKind::Input, there).at(root));
        }
        refuse_links(root, disk.as_ref())?;
        disk.create_dir_all(&root.join("records")).map_err(made)?;
        let lock = lock(root, disk.as_ref(), Hold::TryAlone)?;
        let mut recipients = vec![key.recipient()];
        for other in others {
            if !recipients.contains(other) {
                recipients.push(other.clone());
            }
        }
        let index = Index {
            secret: random::bytes()?,
            recipients: recipients.iter().map(ToString::to_string).collect(),
            canary: random::canary()?,
            files: std::collections::BTreeMap::new(),
        };
        disk.put(&root.join("FORMAT"), &root.join("index.new"), FORMAT.as_bytes()).map_err(made)?;
        let shelf = Self {
            root: root.to_owned(),
            disk,
            key: key.clone(),
            index: Mutex::new(Private::new(index.clone())),
            access: Access::Change,
            _lock: Some(lock),
        };
        shelf.write_index(&index).map_err(|(fault, _)| fault)?;
        Ok(shelf)
    }

    /// Opens a shelf.
    ///
    /// # Errors
    ///
    /// There is none, the key is not of those it is sealed to, it is damaged, somebody else changes it, or the disk fails.
    pub fn open(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
    ) -> Result<Self, Fault> {
        let format = match disk.read(&root.join("FORMAT")) {
            Ok(format) => format,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Fault::new(FaultKind::Input, "there is no shelf in this folder")
                    .at(root)
                    .hint("`storymill shelf init` makes one; `--shelf DIR` names another"));
            }
            Err(error) => return Err(Fault::io("cannot read the shelf", root, error)),
        };
        if format != FORMAT.as_bytes() {
            return Err(Fault::new(
                FaultKind::Store,
                "this shelf has a format that this version does not know",
            )
            .at(root)
            .hint("use a newer storymill; nothing was changed"));
        }
        let hold = if access == Access::Change { Hold::TryAlone } else { Hold::TryShared };
        let lock = lock(root, disk.as_ref(), hold)?;
        let path = root.join("index");
        let sealed = disk.read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => damaged(&path, "is missing"),
            _ => Fault::io("cannot read the shelf's index", &path, error),
        })?;
        let opened = seal::open(&sealed, key).map_err(|closed| match closed {
            Closed::OtherKey => Fault::new(FaultKind::Input, "this key does not open the shelf")
                .at(root)
                .hint("it was never added, or it was removed; a maintainer adds it: `storymill shelf rekey --add PUBLIC-KEY`"),
            Closed::Damaged => damaged(&path, "is damaged or cut off"),
        })?;
        let index: Index =
            postcard::from_bytes(opened.expose()).map_err(|_| damaged(&path, "is damaged"))?;
        let shelf = Self {
            root: root.to_owned(),
            disk,
            key: key.clone(),
            index: Mutex::new(Private::new(index)),
            access,
            _lock: Some(lock),
        };
        if access == Access::Change {
            refuse_links(root, shelf.disk.as_ref())?;
            shelf.clear()?;
        }
        Ok(shelf)
    }

    /// What a file holds; none if there is no such file.
    pub fn read(&self, name: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        let (extents, secret) = {
            let index = self.index();
            let Some(extents) = index.expose().files.get(name) else { return Ok(None) };
            (extents.clone(), Private::new(index.expose().secret))
        };
        self.gather(&extents, secret.expose()).map(Some)
    }

    /// The names of all files that begin so, sorted.
    pub fn names(&self, prefix: &str) -> Vec<String> {
        let index = self.index();
        let names = index.expose().files.range(prefix.to_owned()..).map(|(name, _)| name);
        names.take_while(|name| name.starts_with(prefix)).cloned().collect()
    }

    /// A file's length in bytes.
    pub fn len_of(&self, name: &str) -> Option<u64> {
        self.index().expose().length(name)
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
        let mut index = self.index();
        let mut change = Change::new(self, index.expose().clone());
        let made = make(&mut change);
        let (next, fresh) = (Private::new(change.next), change.fresh);
        let made = match made {
            Ok(made) => made,
            Err(fault) => {
                self.drop_records(&fresh);
                return Err(fault);
            }
        };
        match self.write_index(next.expose()) {
            Ok(()) => {
                let gone: Vec<String> = {
                    let kept = next.expose().records();
                    let old = index.expose().records();
                    old.difference(&kept).map(|record| (*record).to_owned()).collect()
                };
                *index = next;
                self.drop_records(&gone);
                Ok(made)
            }
            Err((fault, Written::Not)) => {
                self.drop_records(&fresh);
                Err(fault)
            }
            // The new index lies there and may be lost in a power cut: the records of both stay.
            Err((fault, Written::Perhaps)) => {
                *index = next;
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
            change.next.recipients = recipients.iter().map(ToString::to_string).collect();
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
        self.index().expose().recipients.iter().map(|text| text.parse()).collect()
    }

    /// The canary, minted when the shelf was made.
    pub fn canary(&self) -> String {
        self.index().expose().canary.clone()
    }

    /// A digest that nobody can check a guess against who has not the shelf's secret.
    pub fn digest(&self, domain: &str, bytes: &[u8]) -> Digest {
        let index = self.index();
        let mut hasher = blake3::Hasher::new_keyed(&index.expose().secret);
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

    /// Reads every record, and says how many there are.
    ///
    /// # Errors
    ///
    /// The first record that is damaged, missing or exchanged.
    pub fn check(&self) -> Result<usize, Fault> {
        let names = self.names("");
        for name in &names {
            self.read(name)?;
        }
        Ok(names.len())
    }

    fn index(&self) -> MutexGuard<'_, Private<Index>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, name: &str) -> PathBuf {
        self.root.join("records").join(name)
    }

    /// Writes a sealed record under a random name. It counts once an index names it.
    pub(crate) fn seal(&self, bytes: &[u8], index: &Index) -> Result<Extent, Fault> {
        let recipients: Vec<Recipient> =
            index.recipients.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let sealed = seal::seal(bytes, &recipients)?;
        let record = random::hex(&random::bytes::<16>()?);
        let path = self.record(&record);
        let write = || {
            let mut file = self.disk.create(&path)?;
            file.write_all(&sealed)?;
            file.sync()
        };
        if let Err(error) = write() {
            let _ = self.disk.remove(&path);
            return Err(Fault::io("cannot write a record of the shelf", path, error));
        }
        let digest = *blake3::keyed_hash(&index.secret, &sealed).as_bytes();
        Ok(Extent { record, length: bytes.len() as u64, digest })
    }

    pub(crate) fn gather(
        &self,
        extents: &[Extent],
        secret: &[u8; 32],
    ) -> Result<Private<Vec<u8>>, Fault> {
        let length: u64 = extents.iter().map(|extent| extent.length).sum();
        let mut whole = Private::new(Vec::with_capacity(usize::try_from(length).unwrap_or(0)));
        for extent in extents {
            let path = self.record(&extent.record);
            let sealed = self.disk.read(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => damaged(&path, "is missing"),
                _ => Fault::io("cannot read a record of the shelf", &path, error),
            })?;
            if *blake3::keyed_hash(secret, &sealed).as_bytes() != extent.digest {
                return Err(damaged(&path, "is damaged, cut off or another one"));
            }
            let bytes =
                seal::open(&sealed, &self.key).map_err(|_| damaged(&path, "cannot be opened"))?;
            whole.expose_mut().extend_from_slice(bytes.expose());
        }
        Ok(whole)
    }

    fn write_index(&self, index: &Index) -> Result<(), (Fault, Written)> {
        let not = |fault| (fault, Written::Not);
        let recipients: Vec<Recipient> = index
            .recipients
            .iter()
            .map(|text| text.parse())
            .collect::<Result<_, _>>()
            .map_err(not)?;
        let bytes = postcard::to_stdvec(index).map(Private::new).map_err(|error| {
            let fault = Fault::new(FaultKind::Internal, "cannot write the shelf's index");
            not(fault.because(error))
        })?;
        let sealed = seal::seal(bytes.expose(), &recipients).map_err(not)?;
        let path = self.root.join("index");
        // The names of new records must survive before the index that needs them.
        let records = self.root.join("records");
        let write = self
            .disk
            .sync_dir(&records)
            .and_then(|()| self.disk.put(&path, &self.root.join("index.new"), &sealed));
        write.map_err(|error| {
            // Nobody seals the same bytes twice: an index that is ours was renamed into place.
            let there = self.disk.read(&path);
            let is_old = there.as_ref().is_ok_and(|there| *there != sealed)
                || there.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
            let written = if is_old { Written::Not } else { Written::Perhaps };
            (Fault::io("cannot write the shelf's index", path, error), written)
        })
    }

    /// Removes records that no file needs any more. Where that fails, the next one who changes the
    /// shelf does it.
    fn drop_records(&self, records: &[String]) {
        for record in records {
            let _ = self.disk.remove(&self.record(record));
        }
    }

    /// Removes what a killed run left.
    fn clear(&self) -> Result<(), Fault> {
        let folder = self.root.join("records");
        let names = self
            .disk
            .list(&folder)
            .map_err(|error| Fault::io("cannot list the shelf", &folder, error))?;
        let index = self.index();
        let kept = index.expose().records();
        let ours = |name: &str| name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let left: Vec<String> =
            names.into_iter().filter(|name| ours(name) && !kept.contains(name.as_str())).collect();
        self.drop_records(&left);
        Ok(())
    }
}

/// Whether an index that could not be written lies there all the same.
enum Written {
    Not,
    Perhaps,
}

/// What we write and remove below a shelf's folder has to lie there.
fn refuse_links(root: &Path, disk: &dyn Disk) -> Result<(), Fault> {
    ["records", "index.new"].iter().try_for_each(|name| disk.refuse_links(root, name))
}

fn lock(root: &Path, disk: &dyn Disk, hold: Hold) -> Result<Box<dyn Held>, Fault> {
    let lock = disk
        .lock(&root.join("lock"), hold)
        .map_err(|error| Fault::io("cannot lock the shelf", root, error))?;
    lock.ok_or_else(|| {
        Fault::new(FaultKind::Again, "somebody else has the shelf open")
            .at(root)
            .hint("wait for it to end and run the same command again")
    })
}

fn damaged(path: &Path, how: &str) -> Fault {
    Fault::new(FaultKind::Store, format!("a record of the shelf {how}"))
        .at(path)
        .hint("put the shelf's folder back from a copy; nothing was changed")
}
