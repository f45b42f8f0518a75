//! The log on a store of objects: what is uploaded when, what a failure keeps, two answers to one question.

use std::{
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use storymill_core::{Disk, DiskFile, DiskReader, FaultKind, Held, Hold};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, answers};

use crate::log::{answer, key, put};

/// A folder that is used as a store of objects: nothing is appended, nothing is locked.
#[derive(Debug, Default)]
struct Objects {
    uploads: AtomicUsize,
    fails: AtomicBool,
}

impl Disk for Objects {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        RealDisk.open(path)
    }

    fn lock(&self, _: &Path, _: Hold) -> io::Result<Option<Box<dyn Held>>> {
        Ok(Some(Box::new(())))
    }

    fn create(&self, _: &Path) -> io::Result<Box<dyn DiskFile>> {
        Err(io::Error::other("nothing is appended here"))
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        Err(io::Error::other("nothing is renamed here"))
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_dir_all(path)
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        Err(io::Error::other("nothing is removed: others may be reading it"))
    }

    fn remove_empty_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        RealDisk.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        RealDisk.len(path)
    }

    fn is_link(&self, _: &Path) -> io::Result<bool> {
        Ok(false)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(io::Error::other("the store is out of reach"));
        }
        self.uploads.fetch_add(1, Ordering::SeqCst);
        RealDisk.put_new(path, scratch, bytes)
    }

    fn put(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.put(path, scratch, bytes)
    }

    fn has_objects(&self, _: &Path) -> bool {
        true
    }
}

fn open(folder: &Path, disk: &Arc<Objects>) -> AnswerLog {
    AnswerLog::open(folder, &[], Arc::clone(disk) as _).unwrap()
}

#[test]
fn answers_are_uploaded_by_the_two_hundred_and_at_the_end() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let log = open(folder.path(), &disk);
    for number in 0..450 {
        put(&log, number, &format!("answer {number}"));
        let uploaded = disk.uploads.load(Ordering::SeqCst) as u64;
        assert_eq!(uploaded, (number + 1) / 200);
        // What is in the log is safe: nothing can be made of an answer that a kill may lose.
        assert_eq!(log.get(&key(number)).unwrap().is_some(), (number + 1).is_multiple_of(200));
        assert_eq!(open(folder.path(), &disk).len(), log.len());
    }
    assert_eq!(log.len(), 400);
    assert_eq!(log.seal().unwrap(), 0);
    assert_eq!((log.len(), disk.uploads.load(Ordering::SeqCst)), (450, 3));
    for number in 0..450 {
        assert_eq!(log.get(&key(number)).unwrap(), Some(answer(&format!("answer {number}"))));
    }
    let again = open(folder.path(), &disk);
    assert_eq!((again.len(), again.opened().segments), (450, 3));
    again.refuse_conflicts().unwrap();
}

#[test]
fn an_answer_waits_ten_seconds_at_most() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let log = open(folder.path(), &disk);
    put(&log, 1, "alone");
    assert!(!log.has(&key(1)));
    let start = Instant::now();
    while !log.has(&key(1)) {
        assert!(start.elapsed() < Duration::from_secs(40), "it was not uploaded");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() > Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn a_log_that_is_dropped_uploads_what_waits() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let log = open(folder.path(), &disk);
    put(&log, 1, "stopped");
    drop(log);
    assert_eq!(open(folder.path(), &disk).get(&key(1)).unwrap(), Some(answer("stopped")));
}

#[test]
fn an_upload_that_fails_keeps_all_and_lets_nobody_send_on() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let log = open(folder.path(), &disk);
    disk.fails.store(true, Ordering::SeqCst);
    let append = |number: u64| {
        let text = format!("answer {number}");
        let record = storymill_llm::Record { key: key(number), answer: answer(&text), note: None };
        log.append(record).unwrap().wait()
    };
    for number in 0..199 {
        append(number).unwrap();
    }
    let fault = append(199).unwrap_err();
    assert!(fault.to_string().contains("cannot upload answers"), "{fault}");
    append(200).unwrap_err();
    log.seal().unwrap_err();
    disk.fails.store(false, Ordering::SeqCst);
    log.seal().unwrap();
    assert_eq!(open(folder.path(), &disk).len(), 201);
}

#[test]
fn different_answers_under_one_key_are_shown_and_settled() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let logs = [open(folder.path(), &disk), open(folder.path(), &disk)];
    for (log, text) in logs.iter().zip(["by the door", "by the window"]) {
        put(log, 1, "agreed");
        put(log, 2, text);
        log.seal().unwrap();
    }
    let log = open(folder.path(), &disk);
    let fault = log.refuse_conflicts().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Damage);
    let told = fault.to_string();
    assert!(told.contains("by the door") && told.contains("by the window"), "{told}");
    assert!(!told.contains("agreed"), "{told}");
    let name = key(2).0.to_string();
    assert!(fault.hint.unwrap().contains(&name));

    let keep = |key: &str, digest: &str| answers::keep(folder.path(), &*disk, key, digest);
    let digest = answer("by the window").digest().to_string();
    keep(&name, "0000000000").unwrap_err();
    keep("", &digest[..12]).unwrap_err();
    assert_eq!(keep(&name[..16], &digest[..12]).unwrap(), 1);
    assert_eq!(keep(&name[..16], &digest[..12]).unwrap(), 0);
    let log = open(folder.path(), &disk);
    log.refuse_conflicts().unwrap();
    assert_eq!(log.get(&key(2)).unwrap(), Some(answer("by the window")));
    assert_eq!(log.get(&key(1)).unwrap(), Some(answer("agreed")));
    assert!(log.damage().unwrap().is_empty());
}

#[test]
fn many_segments_are_read_as_they_are_one_by_one() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    for number in 0..40 {
        let log = open(folder.path(), &disk);
        put(&log, number, &format!("answer {number}"));
        log.seal().unwrap();
    }
    let many = open(folder.path(), &disk);
    let one = crate::log::open(folder.path());
    assert_eq!((many.len(), many.opened()), (40, one.opened()));
    for number in 0..40 {
        assert_eq!(many.get(&key(number)).unwrap(), one.get(&key(number)).unwrap());
    }
}
