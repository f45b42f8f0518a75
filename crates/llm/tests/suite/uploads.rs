//! The log on a store of objects: what is uploaded when, what a failure keeps, two answers to one question.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use storymill_core::{Disk, DiskFile, DiskReader, FaultKind, Held, Hold};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, Note, Record, answers};

use crate::log::{answer, key, put};

/// A folder that is used as a store of objects: nothing is appended, nothing is locked.
#[derive(Debug, Default)]
struct Objects {
    uploads: AtomicUsize,
    removed: AtomicUsize,
    fails: AtomicBool,
    /// Whether it forgets what it is given, and says nothing of it.
    forgets: AtomicBool,
    /// After so many packs and removals nothing more is done; 0 for never.
    dies_after: AtomicUsize,
}

impl Objects {
    fn step(&self) -> io::Result<()> {
        match self.dies_after.load(Ordering::SeqCst) {
            0 => Ok(()),
            1 => Err(io::Error::other("the machine has died")),
            left => {
                self.dies_after.store(left - 1, Ordering::SeqCst);
                Ok(())
            }
        }
    }
}

/// An object is looked for whenever it is read.
#[derive(Debug)]
struct ByName(PathBuf);

impl DiskReader for ByName {
    fn read_at(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        RealDisk.open(&self.0)?.read_at(at, length)
    }
}

impl Disk for Objects {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        Ok(Box::new(ByName(path.to_owned())))
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

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.removed.fetch_add(1, Ordering::SeqCst);
        RealDisk.remove(path)
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
        self.step()?;
        if self.forgets.load(Ordering::SeqCst) {
            return Ok(());
        }
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
    assert_eq!(disk.removed.load(Ordering::SeqCst), 0);
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
    assert!(fault.to_string().contains("cannot upload 200 answers"), "{fault}");
    append(200).unwrap_err();
    log.seal().unwrap_err();
    disk.fails.store(false, Ordering::SeqCst);
    log.seal().unwrap();
    assert_eq!(open(folder.path(), &disk).len(), 201);
}

#[test]
fn what_is_removed_after_its_upload_is_uploaded_again() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let log = open(folder.path(), &disk);
    for number in 0..450 {
        put(&log, number, &format!("answer {number}"));
        if number == 420 {
            std::fs::remove_dir_all(folder.path()).unwrap();
            std::fs::create_dir(folder.path()).unwrap();
        }
    }
    log.check().unwrap();
    assert_eq!((log.len(), open(folder.path(), &disk).len()), (450, 450));
    // Nobody can write there any more: it is said how much is lost.
    std::fs::remove_dir_all(folder.path()).unwrap();
    std::fs::write(folder.path(), "a file").unwrap();
    let fault = log.check().unwrap_err();
    std::fs::remove_file(folder.path()).unwrap();
    assert_eq!(fault.kind, FaultKind::Io, "{fault}");
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

    let keep = |key: &str, digest: &str| answers::keep(folder.path(), &[], &*disk, key, digest);
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
fn a_conflict_with_a_pack_that_is_only_read_is_settled() {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    let other = tempfile::tempdir().unwrap();
    let log = open(other.path(), &disk);
    put(&log, 1, "by the door");
    log.seal().unwrap();
    let log = open(folder.path(), &disk);
    put(&log, 1, "by the window");
    log.seal().unwrap();
    let packs = [other.path().to_owned()];
    let both = || {
        let disk: Arc<dyn Disk> = Arc::clone(&disk) as _;
        AnswerLog::open(folder.path(), &packs, disk).unwrap()
    };
    let hint = both().refuse_conflicts().unwrap_err().hint.unwrap();
    assert!(hint.contains("--pack"), "{hint}");
    let keep = |text: &str| {
        let digest = answer(text).digest().to_string();
        answers::keep(folder.path(), &packs, &*disk, &key(1).0.to_string(), &digest)
    };
    // What stands in the pack cannot be removed.
    let told = keep("by the window").unwrap_err();
    assert!(told.to_string().contains("only read"), "{told}");
    assert_eq!(keep("by the door").unwrap(), 1);
    both().refuse_conflicts().unwrap();
    assert_eq!(both().get(&key(1)).unwrap(), Some(answer("by the door")));
}

#[test]
fn nothing_is_settled_in_a_damaged_file_or_beside_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let log = || AnswerLog::open(folder.path(), &[], Arc::clone(&disk)).unwrap();
    let settle = || {
        let digest = answer("by the door").digest().to_string();
        answers::keep(folder.path(), &[], &*disk, &key(1).0.to_string(), &digest)
    };
    let (one, two) = (log(), log());
    put(&one, 1, "by the door");
    put(&one, 2, "agreed");
    put(&two, 1, "by the window");
    assert_eq!(settle().unwrap_err().kind, FaultKind::Again);
    drop((one, two));
    let files: Vec<PathBuf> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|one| one.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "log"))
        .collect();
    let holds = |path: &&PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(6).any(|bytes| bytes == b"window")
    };
    let path = files.iter().find(holds).expect("answers are not packed yet");
    let sound = std::fs::read(path).unwrap();
    let mut bytes = sound.clone();
    bytes.extend_from_slice(&sound[16..]);
    let flipped = sound.len() + 40;
    bytes[flipped] ^= 1;
    bytes.extend_from_slice(&sound[16..]);
    std::fs::write(path, &bytes).unwrap();
    let fault = settle().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Damage, "{fault}");
    assert_eq!(std::fs::read(path).unwrap(), bytes);
    std::fs::write(path, &sound).unwrap();
    assert_eq!(settle().unwrap(), 1);
    log().refuse_conflicts().unwrap();
    assert_eq!(log().get(&key(2)).unwrap(), Some(answer("agreed")));
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

/// A log of one segment for each of some numbers, with notes, as many short runs leave it.
fn segments(numbers: std::ops::Range<u64>) -> tempfile::TempDir {
    let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
    for number in numbers {
        append(&open(folder.path(), &disk), number);
    }
    folder
}

fn append(log: &AnswerLog, number: u64) {
    let note = Note { unit: format!("u{number}"), ..Note::default() };
    let answer = answer(&format!("answer {number}"));
    log.append(Record { key: key(number), answer, note: Some(note) }).unwrap().wait().unwrap();
}

#[track_caller]
fn holds(log: &AnswerLog, numbers: std::ops::Range<u64>) {
    for number in numbers {
        assert_eq!(log.get(&key(number)).unwrap(), Some(answer(&format!("answer {number}"))));
    }
}

/// Everything is there once, by whoever opens the log now; the notes too.
#[track_caller]
fn is_whole(folder: &Path, count: u64) {
    let log = open(folder, &Arc::default());
    assert_eq!(log.len() as u64, count);
    holds(&log, 0..count);
    assert!(log.damage().unwrap().is_empty());
    log.refuse_conflicts().unwrap();
    let mut units = std::collections::BTreeSet::new();
    let mut add = |_, note: Note| assert!(units.insert(note.unit), "a note is told twice");
    answers::notes(folder, &RealDisk, None, &mut add).unwrap();
    assert_eq!(units.len() as u64, count);
}

#[test]
fn many_segments_are_sealed_and_who_reads_them_finds_their_answers() {
    let (folder, disk) = (segments(0..63), Arc::new(Objects::default()));
    let reader = open(folder.path(), &disk);
    assert_eq!(reader.opened().segments, 63);
    let last = open(folder.path(), &disk);
    append(&last, 63);
    assert_eq!(last.seal().unwrap(), 64);
    holds(&last, 0..64);
    holds(&reader, 0..63);
    assert!(reader.has(&key(63)), "it has looked again");
    // What it writes from now on is beside that.
    append(&reader, 64);
    reader.seal().unwrap();
    holds(&reader, 0..65);
    let again = open(folder.path(), &disk);
    assert_eq!((again.opened().packs, again.opened().segments), (1, 1));
    is_whole(folder.path(), 65);
}

#[test]
fn a_sealing_that_ends_anywhere_loses_nothing() {
    let all = segments(0..65);
    // A pack, its notes, and then every segment goes.
    for dies_after in [1, 2, 3, 4, 30, 66, 67, 68] {
        let (folder, disk) = (tempfile::tempdir().unwrap(), Arc::new(Objects::default()));
        for name in RealDisk.list(all.path()).unwrap() {
            std::fs::copy(all.path().join(&name), folder.path().join(&name)).unwrap();
        }
        let log = open(folder.path(), &disk);
        disk.dies_after.store(dies_after, Ordering::SeqCst);
        let sealed = log.seal();
        assert_eq!(sealed.is_err(), dies_after <= 67, "{dies_after}: {sealed:?}");
        is_whole(folder.path(), 65);
        open(folder.path(), &Arc::default()).seal().unwrap();
        is_whole(folder.path(), 65);
    }
}

#[test]
fn a_store_that_forgets_a_pack_keeps_the_segments() {
    let (folder, disk) = (segments(0..65), Arc::new(Objects::default()));
    disk.forgets.store(true, Ordering::SeqCst);
    open(folder.path(), &disk).seal().unwrap_err();
    assert_eq!(disk.removed.load(Ordering::SeqCst), 0);
    is_whole(folder.path(), 65);
}

#[test]
fn machines_that_seal_at_the_same_time_lose_nothing() {
    for _ in 0..2 {
        let folder = segments(0..80);
        std::thread::scope(|scope| {
            for machine in 0..4 {
                let folder = folder.path();
                scope.spawn(move || {
                    let log = open(folder, &Arc::default());
                    append(&log, 80 + machine);
                    // One that finds a file gone says so, and the next run seals.
                    drop(log.seal());
                    holds(&log, 0..80);
                });
            }
        });
        is_whole(folder.path(), 84);
    }
}
