//! The log: torn tails, damage, several writers, conflicts.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use proptest::prelude::*;
use storymill_core::{Answer, Asker, Digest, Disk, FaultKind, RequestKey};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, Record, mend};

use crate::world::{Setting, world};

const SEGMENT: &str = "1-0123456789abcdef.log";
const SCRATCH: &str = ".1-0123456789abcdef.tmp";

pub(crate) fn key(number: u64) -> RequestKey {
    RequestKey(Digest::of(&number.to_le_bytes()))
}

pub(crate) fn answer(text: &str) -> Answer {
    Answer { text: text.to_owned(), finish_reason: "stop".to_owned() }
}

pub(crate) fn open(folder: &Path) -> AnswerLog {
    AnswerLog::open(folder, &[], Arc::new(RealDisk)).unwrap()
}

pub(crate) fn put(log: &AnswerLog, number: u64, text: &str) {
    let record = Record { key: key(number), answer: answer(text), note: None };
    log.append(record).unwrap().wait().unwrap();
}

pub(crate) fn only_file(folder: &Path, extension: &str) -> PathBuf {
    let names = RealDisk.list(folder).unwrap();
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
        std::fs::write(torn.path().join(SEGMENT), &whole[..length]).unwrap();
        let log = open(torn.path());
        let expected = ends.iter().filter(|end| **end <= length as u64).count();
        assert_eq!(log.len(), expected, "cut at byte {length}");
        assert_eq!(log.opened().damaged_bytes, 0, "cut at byte {length}");
        for number in 0..expected as u64 {
            assert!(log.get(&key(number)).unwrap().is_some());
        }
    }
    // What a killed writer leaves hinders no later one, and sealing tidies it.
    std::fs::write(torn.path().join(SEGMENT), &whole[..whole.len() - 1]).unwrap();
    std::fs::write(torn.path().join(SCRATCH), "half a pack").unwrap();
    let log = open(torn.path());
    put(&log, 9, "after");
    log.seal().unwrap();
    assert!(!torn.path().join(SCRATCH).exists());
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
    let path = damaged.path().join(SEGMENT);
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
    // Sealing leaves it in sight; set aside, a copy is kept, and all that is sound.
    let mut bytes = whole;
    bytes[60] ^= 0x40;
    std::fs::write(&path, &bytes).unwrap();
    open(damaged.path()).seal().unwrap();
    assert!(path.exists());
    let found = open(damaged.path()).damage().unwrap();
    assert_eq!((found.len(), found[0].lost, &found[0].path), (1, 1, &path));
    let aside = mend(damaged.path(), &RealDisk).unwrap();
    assert_eq!(aside, [(path, damaged.path().join("1-0123456789abcdef.damaged"))]);
    assert!(aside[0].1.exists());
    let log = open(damaged.path());
    assert_eq!((log.len(), log.opened().damaged_bytes, log.damage().unwrap()), (4, 0, vec![]));
}

#[test]
fn every_damage_to_a_pack_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    for number in 0..5 {
        put(&log, number, "an answer");
    }
    log.seal().unwrap();
    let path = only_file(folder.path(), "pack");
    let whole = std::fs::read(&path).unwrap();
    let frames = whole.len() - 64 - 5 * 48;
    for at in 16..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let lost: u64 = open(folder.path()).damage().unwrap().iter().map(|one| one.lost).sum();
        assert_eq!(lost, u64::from(at < frames), "byte {at}: one in the index costs no answer");
        let log = open(folder.path());
        log.pass_over_damage().unwrap();
        let there = (0..5).filter(|number| log.get(&key(*number)).unwrap().is_some()).count();
        assert_eq!(there, if at < frames { 4 } else { 5 }, "byte {at}");
        drop(log);
        if at % 7 == 0 {
            assert_eq!(mend(folder.path(), &RealDisk).unwrap().len(), 1);
            let aside = only_file(folder.path(), "damaged");
            assert_eq!(std::fs::read(&aside).unwrap(), bytes, "byte {at}");
            assert_eq!(open(folder.path()).len(), there, "byte {at}");
            for name in RealDisk.list(folder.path()).unwrap() {
                std::fs::remove_file(folder.path().join(name)).unwrap();
            }
        }
    }
    // Some of it is gone, or all is another's: nobody knows how many there were.
    let frame = 18 + u32::from_le_bytes(whole[20..24].try_into().unwrap()) as usize;
    let cuts = [0, 10, 16, 16 + 2 * frame, frames / 2].map(|length| &whole[..length]);
    for bytes in cuts.into_iter().chain([&b"version https://git-lfs.github.com/spec/v1\n"[..]]) {
        std::fs::write(&path, bytes).unwrap();
        let log = open(folder.path());
        let [one] = &log.damage().unwrap()[..] else { panic!("it is damaged: {bytes:?}") };
        assert!(one.and_more && one.lost >= 1, "{one:?}");
        log.seal().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "it stays until somebody decides");
        assert_eq!(log.opened().damaged_files, 1);
        let aside = mend(folder.path(), &RealDisk).unwrap();
        assert_eq!(aside.len(), 1);
        assert_eq!(std::fs::read(&aside[0].1).unwrap(), bytes);
        assert_eq!(open(folder.path()).opened().damaged_files, 0);
        for name in RealDisk.list(folder.path()).unwrap() {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
}

#[test]
fn two_answers_under_a_key_are_lost_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["older", "newer"] {
        let log = open(folder.path());
        (0..3).for_each(|number| put(&log, number, text));
        drop(log);
        let segment = only_file(folder.path(), "log");
        if text == "older" {
            open(folder.path()).seal().unwrap();
            continue;
        }
        let mut bytes = std::fs::read(&segment).unwrap();
        bytes[16 + 18 + 64] ^= 1;
        std::fs::write(&segment, bytes).unwrap();
    }
    let log = open(folder.path());
    let [one] = &log.damage().unwrap()[..] else { panic!("one file is damaged") };
    assert_eq!(one.lost, 1, "the older answer under its key is another");
}

#[test]
fn an_answer_that_was_read_and_is_lost_is_not_replaced_by_another_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    put(&log, 1, "older");
    log.seal().unwrap();
    let other = only_file(folder.path(), "pack");
    put(&log, 1, "read");
    drop(log);
    let path = only_file(folder.path(), "log");
    let whole = std::fs::read(&path).unwrap();
    let get = || {
        let world = world(folder.path(), "http://127.0.0.1:1/v1", Setting::default());
        world.asker.favour(&[(key(1), answer("read").digest())]);
        (world.asker.get(&key(1)), world)
    };
    let with_answer = |text| get().0.unwrap() == Some(answer(text));
    assert!(with_answer("read"));

    let mut bytes = whole.clone();
    bytes[16 + 18 + 64] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let (read, world) = get();
    let fault = read.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Damage);
    assert!(fault.to_string().contains("has lost 1 answer"), "{fault}");
    // Whoever was told goes on with what there is; so does everybody where nothing is damaged.
    assert_eq!(world.log.pass_over_damage().unwrap().len(), 1);
    assert_eq!(world.asker.get(&key(1)).unwrap(), Some(answer("older")));
    mend(folder.path(), &RealDisk).unwrap();
    assert!(other.exists() && with_answer("older"));
}

#[test]
fn a_sound_copy_of_a_damaged_answer_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    (0..3).for_each(|number| put(&log, number, "an answer"));
    log.seal().unwrap();
    let pack = only_file(folder.path(), "pack");
    std::fs::copy(&pack, folder.path().join("copy.pack")).unwrap();
    for path in [pack, folder.path().join("copy.pack")] {
        let whole = std::fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        bytes[16 + 18 + 64] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let log = open(folder.path());
        for passed_over in [false, true] {
            if passed_over {
                assert_eq!(log.pass_over_damage().unwrap(), []);
            }
            assert_eq!((log.len(), log.conflicts()), (3, 0));
            for number in 0..3 {
                assert_eq!(log.get(&key(number)).unwrap(), Some(answer("an answer")));
            }
        }
        std::fs::write(&path, whole).unwrap();
    }
}

#[test]
fn only_files_with_names_that_we_give_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let others = [".notes.tmp", "1-1.log", "mine.log"];
    for name in others {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::write(folder.path().join(SCRATCH), "half a pack").unwrap();
    let log = open(folder.path());
    put(&log, 1, "an answer");
    log.seal().unwrap();
    mend(folder.path(), &RealDisk).unwrap();
    let mut left = RealDisk.list(folder.path()).unwrap();
    left.retain(|name| name != "lock" && Path::new(name).extension() != Some("pack".as_ref()));
    left.sort();
    assert_eq!(left, others.map(str::to_owned));
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
    let path = folder.path().join(SEGMENT);
    std::fs::write(&path, b"storymill log 2\nwhatever it is").unwrap();
    let log = open(folder.path());
    assert!(log.opened().damaged_bytes > 0);
    put(&log, 1, "one");
    log.seal().unwrap();
    assert!(path.exists());
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
