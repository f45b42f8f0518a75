//! The log: torn tails, damage, several writers, conflicts, failing disks.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use proptest::prelude::*;
use storymill_core::{Answer, Asker, Digest, Disk, DiskFile, FaultKind, RequestKey};
use storymill_llm::{
    AnswerLog,
    log::{LocalDisk, Record},
};

use crate::{
    server::{Server, answer as say},
    world::{Setting, world},
};

pub(crate) fn key(number: u64) -> RequestKey {
    RequestKey(Digest::of(&number.to_le_bytes()))
}

pub(crate) fn answer(text: &str) -> Answer {
    Answer { text: text.to_owned(), finish_reason: "stop".to_owned() }
}

pub(crate) fn open(folder: &Path) -> AnswerLog {
    AnswerLog::open(folder, &[], Arc::new(LocalDisk)).unwrap()
}

pub(crate) fn put(log: &AnswerLog, number: u64, text: &str) {
    let record = Record { key: key(number), answer: answer(text), note: None };
    log.append(record).unwrap().wait().unwrap();
}

pub(crate) fn only_file(folder: &Path, extension: &str) -> PathBuf {
    let names = LocalDisk.list(folder).unwrap();
    let paths = names.iter().map(|name| folder.join(name));
    let mut found = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    let path = found.next().unwrap();
    assert!(found.next().is_none());
    path
}

#[test]
fn a_torn_tail_costs_the_torn_record_alone_at_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let long = "and so they parted, as all must who love. ".repeat(20);
    let mut ends = Vec::new();
    for number in 0..4 {
        put(&log, number, if number % 2 == 0 { "short" } else { &long });
        ends.push(std::fs::metadata(only_file(folder.path(), "log")).unwrap().len());
    }
    drop(log);
    let whole = std::fs::read(only_file(folder.path(), "log")).unwrap();
    let torn = tempfile::tempdir().unwrap();
    for length in 0..=whole.len() {
        std::fs::write(torn.path().join("1-1.log"), &whole[..length]).unwrap();
        let log = open(torn.path());
        let expected = ends.iter().filter(|end| **end <= length as u64).count();
        assert_eq!(log.len(), expected, "cut at byte {length}");
        assert_eq!(log.opened().damaged_bytes, 0, "cut at byte {length}");
        for number in 0..expected as u64 {
            assert!(log.get(&key(number)).unwrap().is_some());
        }
    }
    // What a killed writer leaves hinders no later one, and sealing tidies it.
    std::fs::write(torn.path().join("1-1.log"), &whole[..whole.len() - 1]).unwrap();
    let log = open(torn.path());
    put(&log, 9, "after");
    log.seal().unwrap();
    let log = open(torn.path());
    assert_eq!((log.len(), log.opened().segments, log.opened().packs), (4, 0, 1));
}

#[test]
fn a_changed_byte_costs_one_record_and_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    for number in 0..5 {
        put(&log, number, "an answer");
    }
    drop(log);
    let path = only_file(folder.path(), "log");
    let whole = std::fs::read(&path).unwrap();
    let damaged = tempfile::tempdir().unwrap();
    let path = damaged.path().join("1-1.log");
    for at in 16..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&path, &bytes).unwrap();
        let log = open(damaged.path());
        assert_eq!(log.len(), 4, "changed at byte {at}");
        for number in 0..5 {
            assert!(log.get(&key(number)).unwrap().is_none_or(|read| read == answer("an answer")));
        }
    }
    // Sealing keeps a copy of what it could not read.
    let mut bytes = whole;
    bytes[60] ^= 0x40;
    std::fs::write(&path, &bytes).unwrap();
    open(damaged.path()).seal().unwrap();
    assert!(damaged.path().join("1-1.damaged").exists());
    assert_eq!(open(damaged.path()).len(), 4);
}

#[test]
fn several_writers_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let logs: Vec<AnswerLog> = (0..3).map(|_| open(folder.path())).collect();
    std::thread::scope(|scope| {
        for (writer, log) in logs.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..50 {
                    put(log, writer as u64 * 40 + number, "an answer");
                    if number == 20 {
                        // Somebody seals while the others write: living segments are left alone.
                        assert!(open(log.folder()).seal().is_ok());
                    }
                }
            });
        }
    });
    assert_eq!(open(folder.path()).len(), 130);
    drop(logs);
    assert!(open(folder.path()).seal().unwrap() > 0);
    let log = open(folder.path());
    assert_eq!((log.len(), log.opened().segments, log.conflicts()), (130, 0, 0));
}

#[test]
fn of_two_answers_the_one_a_lock_has_read_wins_else_the_smaller_digest() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let mut texts = ["one", "two", "three"];
    for text in texts {
        put(&log, 1, text);
    }
    put(&log, 1, "two");
    texts.sort_by_key(|text| answer(text).digest());
    for sealed in [false, true] {
        if sealed {
            log.seal().unwrap();
        }
        let log = open(folder.path());
        assert_eq!((log.len(), log.conflicts()), (3, 2));
        assert_eq!(log.get(&key(1)).unwrap(), Some(answer(texts[0])));
        log.favour([(key(1), answer(texts[2]).digest()), (key(2), answer("x").digest())]);
        assert_eq!(log.get(&key(1)).unwrap(), Some(answer(texts[2])));
        // A digest that nobody has any more changes nothing.
        log.favour([(key(1), answer("lost").digest())]);
        assert_eq!(log.get(&key(1)).unwrap(), Some(answer(texts[0])));
    }
}

#[test]
fn another_versions_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1-1.log");
    std::fs::write(&path, b"storymill log 2\nwhatever it is").unwrap();
    let log = open(folder.path());
    assert!(log.opened().damaged_bytes > 0);
    put(&log, 1, "one");
    log.seal().unwrap();
    assert!(path.exists());
}

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
        LocalDisk.read(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Self::step(&self.left)?;
        Ok(Box::new(FailingFile(LocalDisk.create(path)?, Arc::clone(&self.left))))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        LocalDisk.rename(from, to)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        LocalDisk.sync_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        LocalDisk.create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Self::step(&self.left)?;
        LocalDisk.remove(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        LocalDisk.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        LocalDisk.len(path)
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
            match log.append(record).and_then(storymill_llm::log::Ticket::wait) {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_goes_in_comes_out_whatever_is_sealed_when(
        steps in proptest::collection::vec((0_u64..12, ".{0,400}", 0_u8..6), 1..30),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut log = open(folder.path());
        let mut all: std::collections::BTreeMap<u64, Vec<String>> = std::collections::BTreeMap::new();
        for (number, text, then) in steps {
            put(&log, number, &text);
            all.entry(number).or_default().push(text);
            match then {
                0 => { log.seal().unwrap(); }
                1 => { drop(log); log = open(folder.path()); }
                _ => {}
            }
        }
        for (number, texts) in all {
            let expected = texts.iter().map(|text| answer(text)).min_by_key(Answer::digest);
            prop_assert_eq!(log.get(&key(number)).unwrap(), expected);
        }
    }
}
