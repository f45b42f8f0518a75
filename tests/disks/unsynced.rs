//! The disk of this machine, but that nothing waits until it would survive a power cut: for tests of stores
//! that are large.

use std::{
    io::{self, Write},
    path::Path,
};

use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold};
use storymill_disk::RealDisk;

/// The file system of this machine, without waiting for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnsyncedDisk;

struct File(Box<dyn DiskFile>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.0.is_at(path)
    }
}

impl Disk for UnsyncedDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(File(RealDisk.create(path)?)))
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        RealDisk.open(path)
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        RealDisk.lock(path, hold)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove_empty_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        RealDisk.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        RealDisk.len(path)
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        RealDisk.is_link(path)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        RealDisk.put_new(path, scratch, bytes)
    }
}
