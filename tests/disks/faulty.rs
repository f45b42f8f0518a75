//! A disk that fails on purpose, for tests of what survives.
#![allow(dead_code, reason = "some tests count, others fail in one way alone")]

use std::{
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold, folder_of};
use storymill_disk::RealDisk;

/// How the disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// One operation fails (a write stops half way), later ones work again.
    Once,
    /// From that operation on nothing works any more, as if the machine had died.
    Dead,
    /// From that operation on nothing can be written: the disk is full. Reading still works.
    Full,
}

/// A real disk whose operation number `at` (of those that change something) fails.
#[derive(Clone, Debug)]
pub(crate) struct FaultyDisk {
    at: u64,
    failure: Failure,
    count: Arc<AtomicU64>,
}

impl FaultyDisk {
    /// A disk whose operation number `at`, counted from 0, fails.
    pub(crate) fn new(at: u64, failure: Failure) -> Self {
        Self { at, failure, count: Arc::new(AtomicU64::new(0)) }
    }

    /// How many operations that change something were asked for so far.
    pub(crate) fn operations(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    fn change(&self) -> io::Result<()> {
        let now = self.count.fetch_add(1, Ordering::SeqCst);
        match self.failure {
            Failure::Once if now == self.at => Err(io::Error::other("injected fault")),
            Failure::Dead if now >= self.at => {
                Err(io::Error::other("injected fault: the disk is gone"))
            }
            Failure::Full if now >= self.at => {
                Err(io::Error::new(io::ErrorKind::StorageFull, "injected fault: no space"))
            }
            _ => Ok(()),
        }
    }

    fn look(&self) -> io::Result<()> {
        let gone = self.failure == Failure::Dead && self.count.load(Ordering::SeqCst) > self.at;
        if gone { Err(io::Error::other("injected fault: the disk is gone")) } else { Ok(()) }
    }
}

struct FaultyFile {
    disk: FaultyDisk,
    file: Box<dyn DiskFile>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(fault) = self.disk.change() {
            // A failing disk has often written something.
            let _ = self.file.write(&bytes[..bytes.len() / 2]);
            return Err(fault);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl DiskFile for FaultyFile {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.change()?;
        self.file.sync()
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.disk.look()?;
        self.file.is_at(path)
    }
}

impl Disk for FaultyDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.look()?;
        RealDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        self.look()?;
        RealDisk.open(path)
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        RealDisk.lock(path, hold)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.change()?;
        Ok(Box::new(FaultyFile { disk: self.clone(), file: RealDisk.create(path)? }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.rename(from, to)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.sync_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.remove(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.remove_empty_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.look()?;
        RealDisk.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        self.look()?;
        RealDisk.len(path)
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        self.look()?;
        RealDisk.is_link(path)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        let mut file = self.create(scratch)?;
        file.write_all(bytes)?;
        file.sync()?;
        drop(file);
        self.change()?;
        let linked = RealDisk.put_new(path, scratch, bytes)?;
        self.sync_dir(folder_of(path))?;
        Ok(linked)
    }
}
