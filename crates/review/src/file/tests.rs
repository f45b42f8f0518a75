use std::thread;

use storymill_disk::RealDisk;

#[path = "../../../../tests/disks/faulty.rs"]
mod faulty;

use faulty::{Failure, FaultyDisk};

use super::*;
use crate::{
    Ballot,
    tests::{desk, ids, rule},
};

fn line(by: &str, at: usize) -> Decision {
    let desk = desk(64, rule(1, &[]));
    desk.vote(
        by,
        ids(&desk)[at % 64],
        Ballot { seconds: u32::try_from(at).unwrap(), ..Ballot::of("cut") },
    )
    .unwrap()
}

#[test]
fn what_one_appends_the_other_reads_and_a_line_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let open = || File::new(Arc::new(RealDisk), folder.path().join("d.jsonl"));
    let (mut one, mut other) = (open(), open());
    let added = |news: News| {
        assert!(!news.went_back);
        news.added
    };
    assert_eq!(one.read().unwrap(), News::default());
    assert_eq!(added(one.append(&[line("ann", 0), line("ann", 0)]).unwrap()), [line("ann", 0)]);
    assert_eq!(added(other.append(&[line("bob", 1)]).unwrap()), [line("ann", 0), line("bob", 1)]);
    assert_eq!(added(one.append(&[line("ann", 0)]).unwrap()), [line("bob", 1)]);
    assert_eq!((one.read().unwrap(), other.read().unwrap()), (News::default(), News::default()));
    assert_eq!(one.lines(), other.lines());
    // A last line without its end, as an editor may leave it.
    let path = folder.path().join("d.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.trim_end()).unwrap();
    one.append(&[line("ann", 2)]).unwrap();
    assert_eq!(open().read().unwrap().added.len(), 3);
    std::fs::write(&path, format!("{text}{{\n")).unwrap();
    let fault = open().read().unwrap_err();
    assert!(fault.message.contains("line 3: not a decision"), "{fault}");
    assert!(one.append(&[line("ann", 3)]).is_err());
}

#[test]
fn a_file_that_goes_back_is_told_once_and_what_is_left_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.jsonl");
    let mut file = File::new(Arc::new(RealDisk), &path);
    file.append(&[line("ann", 0), line("ann", 1)]).unwrap();
    let old = std::fs::read(&path).unwrap();
    file.append(&[line("ann", 2)]).unwrap();
    let new = std::fs::read(&path).unwrap();
    // Put back from before; then all of it is away, and a line is saved before anybody looks.
    std::fs::write(&path, &old).unwrap();
    assert_eq!(file.read().unwrap(), News { added: vec![], went_back: true });
    assert_eq!(file.lines(), [line("ann", 0), line("ann", 1)]);
    assert_eq!(file.read().unwrap(), News::default());
    std::fs::remove_file(&path).unwrap();
    let news = file.append(&[line("ann", 3)]).unwrap();
    assert_eq!(news, News { added: vec![line("ann", 3)], went_back: true });
    assert_eq!(file.lines(), [line("ann", 3)]);
    // A line that is gone is saved again, and one that stands is not written twice.
    let news = file.append(&[line("ann", 0), line("ann", 3)]).unwrap();
    assert_eq!(news, News { added: vec![line("ann", 0)], went_back: false });
    std::fs::write(&path, &new).unwrap();
    let news = file.read().unwrap();
    assert_eq!(news, News { added: vec![line("ann", 1), line("ann", 2)], went_back: true });
    assert_eq!(file.lines().len(), 3);
}

#[test]
fn many_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.jsonl");
    thread::scope(|scope| {
        for name in ["ann", "bob", "cay", "dan"] {
            let path = path.clone();
            scope.spawn(move || {
                let mut file = File::new(Arc::new(RealDisk), path);
                (0..16).for_each(|at| drop(file.append(&[line(name, at)]).unwrap()));
            });
        }
    });
    let all = File::new(Arc::new(RealDisk), &path).read().unwrap();
    assert_eq!(all.added.len(), 4 * 16);
}

#[test]
fn what_others_wrote_is_still_to_be_read_after_a_write_that_failed() {
    let mut failed = 0;
    for at in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.jsonl");
        let mut one = File::new(Arc::new(FaultyDisk::new(at, Failure::Once)), &path);
        let mut other = File::new(Arc::new(RealDisk), &path);
        other.append(&[line("bob", 1)]).unwrap();
        let mut heard = if let Ok(news) = one.append(&[line("ann", 0)]) {
            news.added
        } else {
            failed += 1;
            Vec::new()
        };
        heard.extend(one.read().unwrap_or_default().added);
        heard.extend(one.read().unwrap().added);
        assert!(heard.contains(&line("bob", 1)), "at {at}");
    }
    assert!(failed > 2, "{failed}");
}

#[test]
fn what_was_confirmed_is_there_whatever_fails_after_it() {
    for failure in [Failure::Once, Failure::Dead, Failure::Full] {
        for at in 0..40 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("d.jsonl");
            let mut file = File::new(Arc::new(FaultyDisk::new(at, failure)), &path);
            let mut confirmed = Vec::new();
            let mut tried = Vec::new();
            for number in 0..6 {
                let line = line("ann", number);
                tried.push(line.clone());
                if file.append(std::slice::from_ref(&line)).is_ok() {
                    confirmed.push(line);
                }
            }
            let there = File::new(Arc::new(RealDisk), &path).read().unwrap().added;
            assert!(confirmed.iter().all(|line| there.contains(line)), "{failure:?} at {at}");
            assert!(there.iter().all(|line| tried.contains(line)), "{failure:?} at {at}");
        }
    }
}
