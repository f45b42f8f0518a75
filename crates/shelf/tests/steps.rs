//! What is done with the claims of a set in one step is whole or not there, wherever the disk dies; and no word is in clear.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

mod memory;

use std::{path::Path, sync::Arc};

use memory::MemoryDisk;
use serde_json::json;
use storymill_core::{BookId, Fault};
use storymill_shelf::{
    Access, Key, Pins, Private, Shelf,
    proof::{Ledger, Standing},
    sets::{self, Pairs, Sets},
};

const MARK: &str = "xyzzyplugh";

fn pair(number: u32) -> (String, serde_json::Value) {
    let id = format!("n01/{number:04}");
    (id.clone(), json!({ "id": id, "book": "n01", "true_claim": format!("{MARK} {number}") }))
}

fn open(disk: &MemoryDisk, key: &Key) -> Result<Shelf, Fault> {
    let (root, disk) = (Path::new("/ann/shelf"), Arc::new(disk.clone()));
    let pins = Pins::new(disk.clone(), "/ann/key.seen".into(), &[root.to_owned()]);
    Shelf::open_seen(root, disk, key, Access::Change, pins)
}

/// What the command that takes a pair out does.
fn removes(shelf: &Shelf) -> Result<(), Fault> {
    let mut ledger = Ledger::of(shelf, "family")?;
    ledger.expose_mut().retire("n01/0002", "two events in one")?;
    let pairs = Private::new(Pairs(vec![pair(1), pair(3)]));
    Sets(shelf).keep_with("family", &pairs, |change| {
        change.append(&sets::place("family", "removed.jsonl"), b"why")?;
        ledger.expose().keep_in(change)
    })
}

/// What the command that forgets requests does.
fn forgets(shelf: &Shelf) -> Result<(), Fault> {
    shelf.change(|change| {
        change.remove("sets/family/requests/1/frames");
        change.remove("sets/family/requests/1/texts/0");
        Ok(())
    })
}

/// What the command that states does.
fn states(shelf: &Shelf) -> Result<(), Fault> {
    let mut ledger = Ledger::of(shelf, "family")?;
    let pairs = Sets(shelf).pairs("family")?;
    ledger.expose_mut().state("1.1.0", &pairs.expose().0, &shelf.canary(), &[])?;
    ledger.expose_mut().sign(shelf, &Standing::default())?;
    ledger.expose().keep(shelf)
}

fn everything(shelf: &Shelf) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = shelf.read(&name).unwrap().unwrap().expose().clone();
        (name, bytes)
    };
    shelf.names("").into_iter().map(read).collect()
}

#[test]
fn a_command_is_done_or_not_wherever_the_disk_dies() {
    type Command = fn(&Shelf) -> Result<(), Fault>;
    let commands: [(&str, Command); 3] =
        [("remove", removes), ("drop", forgets), ("state", states)];
    for (name, command) in commands {
        let mut operations = 0;
        for at in 1.. {
            let (disk, key) = (MemoryDisk::default(), Key::mint().unwrap());
            let shelf =
                Shelf::make(Path::new("/ann/shelf"), Arc::new(disk.clone()), &key, &[]).unwrap();
            let book: BookId = "n01".parse().unwrap();
            shelf
                .change(|change| change.put(&format!("books/{book}/book"), MARK.as_bytes()))
                .unwrap();
            for file in ["frames", "texts/0"] {
                let place = format!("sets/family/requests/1/{file}");
                shelf.change(|change| change.put(&place, MARK.as_bytes())).unwrap();
            }
            let pairs = Private::new(Pairs(vec![pair(1), pair(2), pair(3)]));
            Sets(&shelf).keep("family", &pairs).unwrap();
            let mut ledger = Ledger::of(&shelf, "family").unwrap();
            ledger.expose_mut().state("1.0.0", &pairs.expose().0, &shelf.canary(), &[]).unwrap();
            ledger.expose().keep(&shelf).unwrap();
            drop(shelf);
            let shelf = open(&disk, &key).unwrap();
            let before = everything(&shelf);
            disk.die_after(at);
            let done = command(&shelf);
            if let Err(fault) = &done {
                assert!(!format!("{fault} {fault:?}").contains(MARK));
            }
            drop(shelf);
            disk.revive();
            for bytes in disk.all().values() {
                assert!(!String::from_utf8_lossy(bytes).contains(MARK), "{name} at {at}");
            }
            // The next one goes on with the old shelf or the new one.
            let shelf = open(&disk, &key).unwrap();
            shelf.check(|_| true).unwrap();
            let now = everything(&shelf);
            if done.is_ok() {
                assert_ne!(now, before, "{name} at {at}");
            }
            if now == before {
                command(&shelf).unwrap();
            }
            let pairs = Sets(&shelf).pairs("family").unwrap().expose().0.len();
            let why = shelf.read("sets/family/removed.jsonl").unwrap().is_some();
            let said = Ledger::of(&shelf, "family").unwrap().expose().is_retired("n01/0002");
            assert_eq!(
                (pairs == 2, why, said),
                if name == "remove" { (true, true, true) } else { (false, false, false) }
            );
            if done.is_ok() && at > operations + 20 {
                break;
            }
            if done.is_err() {
                operations = at;
            }
        }
        println!("{name}: it fails at each of {operations} operations of the disk");
        assert!(operations > 5, "{name}");
    }
}
