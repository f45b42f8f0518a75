//! Folders that machines share: refused by the name of what their file system does not keep.
#![allow(missing_docs, clippy::unwrap_used, clippy::pedantic)]

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use storymill_bucket::{Finding, check_folder, local_locks, shared_by};
use storymill_core::{Disk, DiskFile, DiskReader, Held, Hold};
use storymill_disk::RealDisk;

#[path = "../../../tests/disks/faulty.rs"]
mod faulty;

use faulty::{Failure, FaultyDisk};

/// What a file system does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lacks {
    Nothing,
    /// The second writer is let in.
    ExclusiveCreate,
    /// Names are listed as they were.
    Renames,
    /// Every lock is granted.
    Locks,
    /// A sync never comes back.
    Answers,
}

#[derive(Debug)]
struct Poor(Lacks, Mutex<Vec<String>>);

impl Disk for Poor {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        RealDisk.open(path)
    }
    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        if self.0 == Lacks::Locks {
            RealDisk.create(path)?;
            return Ok(Some(Box::new(())));
        }
        RealDisk.lock(path, hold)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        RealDisk.create(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        if self.0 == Lacks::Answers {
            std::thread::sleep(Duration::from_secs(30));
        }
        RealDisk.sync_dir(path)
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
        if self.0 == Lacks::Renames {
            return Ok(self.1.lock().unwrap().clone());
        }
        RealDisk.list(path)
    }
    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        RealDisk.len(path)
    }
    fn is_link(&self, path: &Path) -> io::Result<bool> {
        RealDisk.is_link(path)
    }
    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        if self.0 == Lacks::ExclusiveCreate {
            return RealDisk.put(path, scratch, bytes).map(|()| true);
        }
        RealDisk.put_new(path, scratch, bytes)
    }
}

/// What is wrong with a folder, and after how long that was known.
fn check(lacks: Lacks) -> (Vec<Finding>, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(Poor(lacks, Mutex::default()));
    let start = std::time::Instant::now();
    let found = check_folder(&disk, folder.path(), Duration::from_secs(1));
    if lacks == Lacks::Nothing {
        assert_eq!(RealDisk.list(&folder.path().join("tmp")).unwrap(), [""; 0]);
    }
    (found, start.elapsed())
}

#[test]
fn a_folder_is_refused_by_the_name_of_what_it_lacks() {
    for (lacks, what) in [
        (Lacks::Nothing, None),
        (Lacks::ExclusiveCreate, Some("of two writers of one name the second is refused")),
        (Lacks::Renames, Some("a rename is seen at once")),
        (Lacks::Locks, Some("a lock keeps others out")),
        (Lacks::Answers, Some("a file can be written and synced")),
    ] {
        let (found, took) = check(lacks);
        let wrong = found.iter().find(|one| one.wrong.is_some()).map(|one| one.what);
        assert_eq!(wrong, what, "{lacks:?}: {found:?}");
        assert!(took < Duration::from_secs(10), "{took:?}");
    }
}

#[test]
fn a_disk_that_fails_is_refused_wherever_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let count = FaultyDisk::new(u64::MAX, Failure::Once);
    let disk: Arc<dyn Disk> = Arc::new(count.clone());
    let limit = Duration::from_secs(20);
    assert!(check_folder(&disk, folder.path(), limit).iter().all(|one| one.wrong.is_none()));
    assert!(count.operations() > 10);
    for at in 0..count.operations() {
        let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(at, Failure::Dead));
        let found = check_folder(&disk, folder.path(), limit);
        let last = found.last().unwrap().wrong.as_deref().unwrap_or_default();
        assert!(last.contains("injected fault"), "operation {at}: {found:?}");
    }
}

#[test]
fn the_file_system_of_a_folder_is_that_of_the_nearest_mount() {
    let mounts = "overlay / overlay rw 0 0\nserver:/x /data nfs4 rw 0 0\n/dev/sda1 /data/local\\040disk ext4 rw 0 0\nme@host: /home/me/far fuse.sshfs rw 0 0\n";
    for (folder, kind) in [
        ("/data/store", Some("nfs4")),
        ("/data/local disk/store", None),
        ("/database/store", None),
        ("/home/me/far/store", Some("fuse.sshfs")),
        ("/tmp", None),
    ] {
        assert_eq!(shared_by(Path::new(folder), mounts), kind, "{folder}");
    }
    assert_eq!(shared_by(Path::new("/tmp"), ""), None);
}

#[test]
fn locks_that_only_this_machine_knows_are_refused() {
    let mounts = "overlay / overlay rw 0 0\na:/ /a nfs4 rw,vers=4.2,local_lock=none 0 0\nb:/ /b nfs rw,nolock,vers=3 0 0\nc:/ /c nfs rw,local_lock=all 0 0\nd@tcp:/d /d lustre rw,localflock 0 0\nme@host: /e fuse.sshfs rw 0 0\n";
    for (folder, by) in [
        ("/a/store", None),
        ("/b/store", Some("`nolock`")),
        ("/c/store", Some("`local_lock=all`")),
        ("/d/store", Some("`localflock`")),
        ("/e/store", Some("fuse.sshfs")),
        ("/store", None),
    ] {
        let found = local_locks(Path::new(folder), mounts).and_then(|one| one.wrong);
        assert_eq!(found.is_some(), by.is_some(), "{folder}");
        assert!(found.unwrap_or_default().contains(by.unwrap_or_default()), "{folder}");
    }
}
