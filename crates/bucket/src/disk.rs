//! A store by URL as the disk of a build. What lies elsewhere is on this machine's disk.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use object_store::path::Path as Key;
use storymill_core::{Disk, DiskFile, DiskReader, Fault, Held, Hold};
use storymill_disk::RealDisk;

use crate::{
    Env, Finding,
    address::Address,
    backend::{self, Backend},
    blocks::{BLOCK, Blocks},
    client::Client,
    probe,
};

/// A disk on which all that lies below a URL is an object of a store.
#[derive(Clone, Debug)]
pub struct BucketDisk {
    root: PathBuf,
    prefix: Key,
    client: Arc<Client>,
    blocks: Arc<Blocks>,
}

impl BucketDisk {
    /// The disk of the store at a URL. Nobody is asked yet.
    ///
    /// # Errors
    ///
    /// The URL is not one of a store, or what the environment says of it cannot be used.
    pub fn open(place: &Path, environment: &Env<'_>) -> Result<Self, Fault> {
        let address = Address::parse(place)?;
        Self::of(&address, backend::open(&address, environment)?)
    }

    pub(crate) fn of(address: &Address, backend: Backend) -> Result<Self, Fault> {
        Ok(Self {
            root: address.root.clone(),
            prefix: address.prefix.clone(),
            client: Arc::new(Client::new(backend)?),
            blocks: Arc::default(),
        })
    }

    /// The URL.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Asks the store for proof that several machines can work on it: among others it gets one fresh name twice,
    /// and has to refuse the second. What it has written it removes.
    pub fn probe(&self) -> Vec<Finding> {
        probe::probe(self)
    }

    /// The name of an object, if the path leads to one.
    fn inside(&self, path: &Path) -> Option<io::Result<Key>> {
        let rest = path.strip_prefix(&self.root).ok()?;
        let mut name = self.prefix.to_string();
        for part in rest {
            let Some(part) = part.to_str() else {
                return Some(Err(io::ErrorKind::InvalidFilename.into()));
            };
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(part);
        }
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidFilename, error);
        Some(Key::parse(name).map_err(invalid))
    }

    fn write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        self.client.put(key, bytes)?;
        self.blocks.forget(key.as_ref());
        Ok(())
    }
}

/// A file being written: an object once it is synced.
struct Pending {
    disk: BucketDisk,
    key: Key,
    bytes: Vec<u8>,
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for Pending {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.write(&self.key, &self.bytes)
    }
}

/// More bytes than this are fetched at once and not kept.
const LONG: usize = 1 << 20;

#[derive(Debug)]
struct Reader {
    disk: BucketDisk,
    key: Key,
}

impl DiskReader for Reader {
    fn read_at(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        if length > LONG {
            // The index of a pack may be tens of MB: it takes one request, and drives out no block.
            let end = at.checked_add(length as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
            let bytes = self.disk.client.get(&self.key, Some(at..end))?;
            let is_whole = bytes.len() == length;
            return if is_whole { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        self.disk.blocks.read(self.key.as_ref(), at, length, |block| {
            let from = block * BLOCK;
            self.disk.client.get(&self.key, Some(from..from + BLOCK))
        })
    }
}

/// What is granted where there are no locks.
#[derive(Debug)]
struct Granted;

impl Disk for BucketDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.inside(path) {
            Some(key) => self.client.get(&key?, None),
            None => RealDisk.read(path),
        }
    }

    /// The object is looked for when it is read.
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        match self.inside(path) {
            Some(key) => Ok(Box::new(Reader { disk: self.clone(), key: key? })),
            None => RealDisk.open(path),
        }
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        match self.inside(path) {
            Some(_) => Ok(Some(Box::new(Granted))),
            None => RealDisk.lock(path, hold),
        }
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        match self.inside(path) {
            Some(key) => Ok(Box::new(Pending { disk: self.clone(), key: key?, bytes: Vec::new() })),
            None => RealDisk.create(path),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match (self.inside(from), self.inside(to)) {
            (Some(from), Some(to)) => {
                let (from, to) = (from?, to?);
                self.client.rename(&from, &to)?;
                self.blocks.forget(from.as_ref());
                self.blocks.forget(to.as_ref());
                Ok(())
            }
            (None, None) => RealDisk.rename(from, to),
            _ => Err(io::ErrorKind::CrossesDevices.into()),
        }
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.inside(path).map_or_else(|| RealDisk.sync_dir(path), |_| Ok(()))
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.inside(path).map_or_else(|| RealDisk.create_dir_all(path), |_| Ok(()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let Some(key) = self.inside(path) else { return RealDisk.remove(path) };
        let key = key?;
        self.client.remove(&key)?;
        self.blocks.forget(key.as_ref());
        Ok(())
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        self.inside(path).map_or_else(|| RealDisk.remove_empty_dir(path), |_| Ok(()))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        match self.inside(path) {
            Some(key) => self.client.list(&key?),
            None => RealDisk.list(path),
        }
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        match self.inside(path) {
            Some(key) => self.client.len(&key?),
            None => RealDisk.len(path),
        }
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        self.inside(path).map_or_else(|| RealDisk.is_link(path), |_| Ok(false))
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        match self.inside(path) {
            Some(key) => self.client.put_new(&key?, bytes),
            None => RealDisk.put_new(path, scratch, bytes),
        }
    }

    fn put(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.inside(path) {
            Some(key) => self.write(&key?, bytes),
            None => RealDisk.put(path, scratch, bytes),
        }
    }

    fn has_objects(&self, path: &Path) -> bool {
        self.inside(path).is_some()
    }
}

#[cfg(test)]
mod tests;
