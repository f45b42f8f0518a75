//! A folder of answers that somebody removes or replaces while answers come: nothing is lost, it is said, and no more is
//! asked.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Asker, FaultKind};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, Record, Ticket};

use crate::{
    log::{answer, key, only_file, open},
    server::{Server, answer as say},
    world::{Setting, world},
};

const ANSWERS: u64 = 20;

type Deed = (&'static str, fn(&Path));

/// What somebody does to a folder of answers.
const DEEDS: [Deed; 6] = [
    ("the folder is removed", |folder| fs::remove_dir_all(folder).unwrap()),
    ("the folder is moved, and another stands there", |folder| {
        fs::rename(folder, folder.with_extension("old")).unwrap();
        fs::create_dir(folder).unwrap();
    }),
    ("a file stands in its place", |folder| {
        fs::remove_dir_all(folder).unwrap();
        fs::write(folder, "a file").unwrap();
    }),
    ("the segment is removed", |folder| fs::remove_file(only_file(folder, "log")).unwrap()),
    ("another file has its name", |folder| {
        let path = only_file(folder, "log");
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(path, &bytes[..16]).unwrap();
    }),
    ("the store is a file", |folder| {
        let store = folder.parent().unwrap();
        fs::remove_dir_all(store).unwrap();
        fs::write(store, "a file").unwrap();
    }),
];

/// Where answers may be, after that.
fn places(folder: &Path) -> [PathBuf; 3] {
    let beside = |path: &Path| path.with_added_extension("rescued");
    [folder.to_owned(), beside(folder), beside(folder.parent().unwrap())]
}

fn found(folder: &Path, number: u64) -> bool {
    let has = |place: &PathBuf| {
        place.is_dir() && open(place).get(&key(number)).unwrap() == Some(answer(&text(number)))
    };
    places(folder).iter().any(has)
}

fn text(number: u64) -> String {
    format!("answer {number}")
}

#[test]
fn whenever_the_folder_goes_no_answer_is_lost_and_it_is_said() {
    for (what, deed) in DEEDS {
        for moment in 1..ANSWERS {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path().join("store/answers");
            // Answers of an earlier run, in a pack.
            let log = open(&folder);
            let put = |log: &AnswerLog, number| {
                let record = Record { key: key(number), answer: answer(&text(number)), note: None };
                log.append(record).and_then(Ticket::wait)
            };
            (100..103).for_each(|number| put(&log, number).unwrap());
            log.seal().unwrap();
            let log = AnswerLog::open(&folder, &[], Arc::new(RealDisk)).unwrap();
            for number in 0..ANSWERS {
                if number == moment {
                    deed(&folder);
                }
                let came = put(&log, number);
                assert_eq!(came.is_err(), number >= moment, "{what} at {moment}: {number}");
            }
            let fault = log.check().unwrap_err();
            assert_eq!(fault.kind, FaultKind::Io);
            let said = fault.to_string();
            assert!(said.contains("written again") && !said.contains("lost"), "{what}: {said}");
            drop(log);
            for number in (0..ANSWERS).chain(100..103) {
                assert!(found(&folder, number), "{what} at {moment}: {number} of {said}");
            }
        }
    }
}

#[test]
fn what_cannot_be_written_again_is_counted() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("store/answers");
    let log = open(&folder);
    let put = |number| {
        let record = Record { key: key(number), answer: answer(&text(number)), note: None };
        log.append(record).and_then(Ticket::wait)
    };
    (0..3).for_each(|number| put(number).unwrap());
    fs::remove_dir_all(place.path()).unwrap();
    fs::write(place.path(), "a file").unwrap();
    let said = put(3).unwrap_err().to_string();
    fs::remove_file(place.path()).unwrap();
    assert!(said.contains("4 answers were lost"), "{said}");
}

#[test]
fn nothing_is_paid_before_there_is_a_place_for_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("answers");
    fs::write(&folder, "a file").unwrap();
    let server = Server::start(|_, _| say("an answer"));
    // The log is read by its listing: a file in place of the folder is found when it is opened.
    fs::remove_file(&folder).unwrap();
    let world = world(&folder, &server.url, Setting::default());
    fs::write(&folder, "a file").unwrap();
    let fault = world.asker.ask(&world.wave(20)).unwrap_err();
    assert_eq!((fault.kind, server.count()), (FaultKind::Io, 0), "{fault}");

    // Where it goes later, requests in flight are the last.
    let server = Server::start({
        let folder = folder.clone();
        move |number, _| {
            if number == 9 {
                // In one step, since another thread may be making a file in it.
                let gone = folder.with_extension("gone");
                fs::rename(&folder, &gone).unwrap();
                fs::remove_dir_all(gone).unwrap();
            }
            say("an answer")
        }
    });
    fs::remove_file(&folder).unwrap();
    let lines = "concurrency = 4\n";
    let world = crate::world::world(&folder, &server.url, Setting { lines, ..Setting::default() });
    let wave = world.wave(100);
    let fault = world.asker.ask(&wave).unwrap_err();
    assert!(server.count() <= 14, "{} were asked", server.count());
    drop(world);
    let log = open(&folder);
    let kept = wave.iter().filter(|asked| log.has(&asked.key)).count();
    assert_eq!(kept, server.count(), "{fault}");
    assert!(fault.to_string().contains(&format!("{kept} answers were written again")), "{fault}");
}

#[test]
fn a_run_that_is_answered_nothing_leaves_no_segment() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| crate::server::error(401, &[], "no"));
    let world = world(place.path(), &server.url, Setting::default());
    assert!(world.asker.ask(&world.wave(1)).is_err());
    drop(world);
    let names: Vec<_> =
        fs::read_dir(place.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name == "lock"), "{names:?}");
}
