//! The file system of this machine, and files that people name.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    path::Path,
};

mod whole;

use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold, folder_of};

pub use whole::{most, open, read, read_from, read_text};

/// How often a folder is made again that somebody has just removed.
const TURNS: u32 = 1000;

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

    #[cfg(unix)]
    fn is_at(&self, path: &Path) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let (ours, there) = (self.0.metadata()?, fs::metadata(path)?);
        Ok((ours.dev(), ours.ino()) == (there.dev(), there.ino()))
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

/// Gives a file that is written its name, unless a file has that name; whether it did. `scratch` is gone then.
fn link_new(scratch: &Path, path: &Path) -> io::Result<bool> {
    let linked = match fs::hard_link(scratch, path) {
        Ok(()) => Ok(true),
        // Over a network the link may be made and the answer be lost: then our file has two names.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            names_of(scratch).map(|n| n > 1)
        }
        // A file system without links: the name is taken first, and then filled.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(_) => return fs::rename(scratch, path).map(|()| true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(_) => Err(error),
            }
        }
        Err(error) => Err(error),
    };
    let removed = fs::remove_file(scratch);
    let linked = linked?;
    removed.map(|()| linked)
}

/// How many names a file has.
#[cfg(unix)]
fn names_of(path: &Path) -> io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&fs::metadata(path)?))
}

#[cfg(not(unix))]
fn names_of(_: &Path) -> io::Result<u64> {
    Ok(1)
}

impl Disk for RealDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        let file = open(path)?;
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Box::new(RealReader(file)))
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        let file = match hold {
            Hold::Look => File::open(path)?,
            _ => OpenOptions::new().create(true).truncate(false).write(true).open(path)?,
        };
        let took = match hold {
            Hold::Alone => file.lock().map_err(TryLockError::Error),
            Hold::TryAlone => file.try_lock(),
            Hold::TryShared | Hold::Look => file.try_lock_shared(),
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
        // The standard library makes the folder and then looks whether it is one: somebody who removes it in between
        // makes it say that something else is there.
        let is_gone = || !fs::symlink_metadata(path).is_ok_and(|there| !there.is_dir());
        for _ in 0..TURNS {
            match fs::create_dir_all(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_gone() => {}
                made => return made,
            }
        }
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

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        let mut file = self.create(scratch)?;
        file.write_all(bytes)?;
        file.sync()?;
        drop(file);
        let linked = link_new(scratch, path)?;
        self.sync_dir(folder_of(path))?;
        Ok(linked)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn of_sixteen_writers_of_one_name_one_wins_and_its_bytes_stand() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let path = folder.path().join(format!("{round}"));
            let start = Barrier::new(16);
            let wins: Vec<u32> = std::thread::scope(|scope| {
                let write = |writer: u32| {
                    let (path, start, folder) = (&path, &start, folder.path());
                    scope.spawn(move || {
                        let scratch = folder.join(format!("{round}-{writer}.tmp"));
                        start.wait();
                        RealDisk.put_new(path, &scratch, &writer.to_le_bytes()).unwrap()
                    })
                };
                let all: Vec<_> = (0..16).map(write).collect();
                let won = all
                    .into_iter()
                    .zip(0..)
                    .filter_map(|(one, writer)| one.join().unwrap().then_some(writer));
                won.collect()
            });
            assert_eq!(wins.len(), 1);
            assert_eq!(RealDisk.read(&path).unwrap(), wins[0].to_le_bytes());
        }
        let left = RealDisk.list(folder.path()).unwrap();
        assert!(left.iter().all(|name| !name.ends_with("tmp")), "{left:?}");
    }

    #[test]
    fn a_folder_is_made_while_others_remove_it_unless_a_file_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scratch");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        RealDisk.create_dir_all(&path).unwrap();
                        let _ = fs::remove_dir(&path);
                    }
                });
            }
        });
        fs::write(&path, "not a folder").unwrap();
        let kind = |path: &Path| RealDisk.create_dir_all(path).unwrap_err().kind();
        assert_eq!(kind(&path), io::ErrorKind::AlreadyExists);
        assert_eq!(kind(&path.join("below")), io::ErrorKind::NotADirectory);
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("nowhere", &link).unwrap();
            assert_eq!(kind(&link), io::ErrorKind::AlreadyExists);
            assert_eq!(kind(&link.join("below")), io::ErrorKind::AlreadyExists);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_open_file_knows_whether_a_path_leads_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        let file = RealDisk.create(&path).unwrap();
        assert!(file.is_at(&path).unwrap());
        fs::rename(&path, &other).unwrap();
        assert!(file.is_at(&other).unwrap() && file.is_at(&path).is_err());
        fs::write(&path, b"another").unwrap();
        assert!(!file.is_at(&path).unwrap());
    }

    #[test]
    fn what_is_there_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (path, scratch) = (folder.path().join("a"), folder.path().join("b"));
        RealDisk.put(&path, &scratch, b"first").unwrap();
        assert!(!RealDisk.put_new(&path, &scratch, b"second").unwrap());
        assert_eq!(RealDisk.read(&path).unwrap(), b"first");
        assert_eq!(RealDisk.list(folder.path()).unwrap(), ["a"]);
    }
}
