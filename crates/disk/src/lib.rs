//! The real disk: the one implementation of `storymill_core::Disk` that is not made to fail.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::Path,
};

#[cfg(feature = "faults")]
mod faults;

use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold};

#[cfg(feature = "faults")]
pub use faults::{Failure, FaultyDisk};

/// The file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

struct RealFile(File);

impl Write for RealFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl DiskFile for RealFile {
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// A lock on a file, let go when this is dropped.
#[derive(Debug)]
struct RealLock(File);

impl Drop for RealLock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started holds a copy of the file for a moment.
        let _ = self.0.unlock();
    }
}

/// An open file. Where the system has no reading at a place, a lock keeps seek and read together.
#[derive(Debug)]
struct RealReader(#[cfg(unix)] File, #[cfg(not(unix))] std::sync::Mutex<File>);

impl DiskReader for RealReader {
    fn read_at(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        #[cfg(unix)]
        std::os::unix::fs::FileExt::read_exact_at(&self.0, &mut bytes, at)?;
        #[cfg(not(unix))]
        {
            use std::io::{Read, Seek, SeekFrom};
            let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(bytes)
    }
}

impl Disk for RealDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        let file = File::open(path)?;
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Box::new(RealReader(file)))
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        let took = match hold {
            Hold::Alone => file.lock().map_err(TryLockError::Error),
            Hold::TryAlone => file.try_lock(),
            Hold::TryShared => file.try_lock_shared(),
        };
        match took {
            Ok(()) => Ok(Some(Box::new(RealLock(file)))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(RealFile(File::create(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // A folder can be opened and synced on Unix; elsewhere renames are the system's business.
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        match fs::remove_dir(path) {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound
                ) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let names: io::Result<Vec<_>> =
            entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect();
        let mut names = names?;
        names.sort();
        Ok(names)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        match fs::symlink_metadata(path) {
            Ok(metadata) => Ok(metadata.is_symlink()),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}
