//! Disks that fail: whatever operation it is, nothing that was safe is lost.

use std::{
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use storymill_core::{Asker, Disk, DiskFile, DiskReader, FaultKind, Held, Hold};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, Record};

use crate::{
    log::{answer, key, open, put},
    server::{Server, answer as say},
    world::{Setting, world},
};

/// A disk on which the operation number `fails` fails, and all after it.
#[derive(Debug)]
struct Failing {
    left: Arc<AtomicI64>,
}

impl Failing {
    fn step(left: &AtomicI64) -> io::Result<()> {
        if left.fetch_sub(1, Ordering::SeqCst) <= 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

struct FailingFile(Box<dyn DiskFile>, Arc<AtomicI64>);

impl Write for FailingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if Failing::step(&self.1).is_err() {
            // Half of it arrives, as on a full disk.
            let _ = self.0.write(&bytes[..bytes.len() / 2])?;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl DiskFile for FailingFile {
    fn sync(&mut self) -> io::Result<()> {
        Failing::step(&self.1)?;
        self.0.sync()
    }
}

impl Disk for Failing {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        RealDisk.open(path)
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        RealDisk.lock(path, hold)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Self::step(&self.left)?;
        Ok(Box::new(FailingFile(RealDisk.create(path)?, Arc::clone(&self.left))))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        RealDisk.rename(from, to)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        RealDisk.sync_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        RealDisk.create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        RealDisk.remove(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        RealDisk.remove_empty_dir(path)
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        RealDisk.is_link(path)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        RealDisk.put_new(path, scratch, bytes)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        RealDisk.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        RealDisk.len(path)
    }
}

#[test]
fn whatever_operation_fails_nothing_that_was_safe_is_lost() {
    for fails in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let left = Arc::new(AtomicI64::new(fails));
        let disk = Arc::new(Failing { left: Arc::clone(&left) });
        let log = AnswerLog::open(folder.path(), &[], disk).unwrap();
        let mut safe = Vec::new();
        for number in 0..6 {
            let record = Record { key: key(number), answer: answer("an answer"), note: None };
            match log.append(record).and_then(storymill_llm::Ticket::wait) {
                Ok(()) => safe.push(number),
                Err(fault) => assert_eq!(fault.kind, FaultKind::Io),
            }
        }
        let _ = log.seal();
        let all_went_well = left.load(Ordering::SeqCst) >= 0;
        drop(log);
        let log = open(folder.path());
        for number in safe {
            assert_eq!(log.get(&key(number)).unwrap(), Some(answer("an answer")), "after {fails}");
        }
        put(&log, 7, "life goes on");
        log.seal().unwrap();
        assert!(open(folder.path()).get(&key(7)).unwrap().is_some());
        if all_went_well {
            assert!(fails > 15, "a run has more operations than {fails}");
            break;
        }
    }
}

#[test]
fn a_full_disk_ends_the_wave_and_says_so() {
    let server = Server::start(|_, _| say("good"));
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(Failing { left: Arc::new(AtomicI64::new(9)) });
    let setting = Setting { disk: Some(disk), lines: "concurrency = 1", ..Setting::default() };
    let world = world(folder.path(), &server.url, setting);
    let fault = world.asker.ask(&world.wave(50)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Io);
    assert!(fault.hint.is_some_and(|hint| hint.contains("free some space")));
    assert!(server.count() < 6, "nothing more is paid for once it cannot be kept");
}
