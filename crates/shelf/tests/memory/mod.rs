//! A disk in memory that dies when it is told to.

#![allow(unreachable_pub, dead_code)]

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold};

#[derive(Clone, Debug, Default)]
pub struct MemoryDisk(Arc<Mutex<Inside>>);

#[derive(Debug, Default)]
struct Inside {
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// Operations that change something until it dies.
    left: Option<usize>,
}

impl MemoryDisk {
    pub fn die_after(&self, operations: usize) {
        self.0.lock().unwrap().left = Some(operations);
    }

    /// Whether it has died since it was told to.
    pub fn is_dead(&self) -> bool {
        self.0.lock().unwrap().left == Some(0)
    }

    pub fn revive(&self) {
        self.0.lock().unwrap().left = None;
    }

    pub fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.0.lock().unwrap().files.clone()
    }

    pub fn below(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = self.all();
        all.retain(|path, _| path.starts_with(folder));
        all
    }

    pub fn put_all(&self, files: BTreeMap<PathBuf, Vec<u8>>) {
        self.0.lock().unwrap().files.extend(files);
    }

    /// Copies some files of one folder over those of another.
    pub fn copy(&self, from: &Path, to: &Path, mut which: impl FnMut(&Path) -> bool) {
        let mut files = self.below(from);
        files.retain(|path, _| which(path));
        let moved = files
            .into_iter()
            .map(|(path, bytes)| (to.join(path.strip_prefix(from).unwrap()), bytes));
        self.put_all(moved.collect());
    }

    fn look<T>(&self, look: impl FnOnce(&mut Inside) -> io::Result<T>) -> io::Result<T> {
        let mut inside = self.0.lock().unwrap();
        if inside.left == Some(0) {
            return Err(io::Error::other("the disk is gone"));
        }
        look(&mut inside)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Inside) -> io::Result<T>) -> io::Result<T> {
        self.look(|inside| {
            if let Some(left) = &mut inside.left {
                *left -= 1;
                if *left == 0 {
                    return Err(io::Error::other("the disk is gone"));
                }
            }
            change(inside)
        })
    }
}

struct MemoryFile(MemoryDisk, PathBuf);

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let MemoryFile(disk, path) = self;
        disk.change(|inside| {
            inside.files.entry(path.clone()).or_default().extend_from_slice(bytes);
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for MemoryFile {
    fn sync(&mut self) -> io::Result<()> {
        self.0.change(|_| Ok(()))
    }
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl Disk for MemoryDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.look(|inside| inside.files.get(path).cloned().ok_or_else(missing))
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn DiskReader>> {
        Err(io::Error::other("shelves read whole files"))
    }

    fn lock(&self, _: &Path, _: Hold) -> io::Result<Option<Box<dyn Held>>> {
        self.look(|_| Ok(Some(Box::new(()) as Box<dyn Held>)))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.change(|inside| {
            inside.files.insert(path.to_owned(), Vec::new());
            Ok(Box::new(MemoryFile(self.clone(), path.to_owned())) as Box<dyn DiskFile>)
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(|inside| {
            let bytes = inside.files.remove(from).ok_or_else(missing)?;
            inside.files.insert(to.to_owned(), bytes);
            Ok(())
        })
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        self.change(|_| Ok(()))
    }

    fn create_dir_all(&self, _: &Path) -> io::Result<()> {
        self.change(|_| Ok(()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change(|inside| inside.files.remove(path).map(drop).ok_or_else(missing))
    }

    fn remove_empty_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.look(|inside| {
            let below = inside.files.keys().filter_map(|file| file.strip_prefix(path).ok());
            let mut names: Vec<String> =
                below.filter_map(|rest| Some(rest.iter().next()?.to_str()?.to_owned())).collect();
            names.dedup();
            Ok(names)
        })
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        self.look(|inside| Ok(inside.files.get(path).map(|bytes| bytes.len() as u64)))
    }

    fn is_link(&self, _: &Path) -> io::Result<bool> {
        Ok(false)
    }

    fn put_new(&self, path: &Path, _: &Path, bytes: &[u8]) -> io::Result<bool> {
        self.change(|inside| {
            let fresh = !inside.files.contains_key(path);
            if fresh {
                inside.files.insert(path.to_owned(), bytes.to_vec());
            }
            Ok(fresh)
        })
    }
}
