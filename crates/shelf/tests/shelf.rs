//! Laws of the shelf: whole or unchanged, whatever fails; nothing in clear; nothing for other keys.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use proptest::prelude::*;
use storymill_core::{Disk, FaultKind, Hold};
use storymill_disk::RealDisk;
use storymill_shelf::{Access, Key, MOUNT, Mount, Private, Shelf, is_protected};

#[path = "../../../tests/disks/faulty.rs"]
mod faulty;

use faulty::{Failure, FaultyDisk};

const MARK: &[u8] = b"xyzzyplugh";

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

fn holds_mark(folder: &Path) -> bool {
    let inside = |bytes: &[u8]| bytes.windows(MARK.len()).any(|window| window == MARK);
    files(folder)
        .iter()
        .any(|(path, bytes)| inside(bytes) || inside(path.as_os_str().as_encoded_bytes()))
}

fn open(folder: &Path, key: &Key) -> Shelf {
    Shelf::open(folder, Arc::new(RealDisk), key, Access::Change).unwrap()
}

fn everything(shelf: &Shelf) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = shelf.read(&name).unwrap().unwrap().expose().clone();
        (name, bytes)
    };
    shelf.names("").into_iter().map(read).collect()
}

fn small(folder: &Path, key: &Key) -> Shelf {
    let shelf = Shelf::make(folder, Arc::new(RealDisk), key, &[]).unwrap();
    let text = [b"He said ".as_slice(), MARK].concat();
    shelf.change(|change| change.put("claims/xyzzyplugh", &text)).unwrap();
    shelf.change(|change| change.put("books/1/book", &text)).unwrap();
    shelf
}

/// One of each: a new file, a longer one, one that goes, one that is renamed.
fn change(shelf: &Shelf) -> Result<(), storymill_core::Fault> {
    shelf.change(|change| {
        change.put("answers/1", MARK)?;
        change.append("claims/xyzzyplugh", MARK)?;
        change.rename("books/1/book", "books/2/book")?;
        Ok(())
    })
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_over_a_link_nor_of_another_name() {
    let (folder, outside, key) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Key::mint().unwrap());
    drop(small(folder.path(), &key));
    let records = folder.path().join("records");
    fs::write(records.join("notes.txt"), "mine").unwrap();
    fs::write(records.join("0".repeat(32)), "what no operation names, as yet").unwrap();
    change(&open(folder.path(), &key)).unwrap();
    assert!(records.join("notes.txt").exists());
    assert!(records.join("0".repeat(32)).exists());

    let elsewhere = outside.path().join("records");
    fs::rename(&records, &elsewhere).unwrap();
    fs::write(elsewhere.join("1".repeat(32)), "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &records).unwrap();
    let before = files(outside.path());
    let fault = Shelf::open(folder.path(), Arc::new(RealDisk), &key, Access::Change).unwrap_err();
    assert_eq!((fault.kind, fault.path), (FaultKind::Store, Some(records)));
    assert_eq!(files(outside.path()), before);
}

#[test]
fn whatever_fails_the_shelf_is_the_old_one_or_the_new_one() {
    let key = Key::mint().unwrap();
    for failure in [Failure::Once, Failure::Dead, Failure::Full] {
        for at in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let shelf = small(folder.path(), &key);
            let old = everything(&shelf);
            drop(shelf);
            let disk = Arc::new(FaultyDisk::new(at, failure));
            let shelf = Shelf::open(folder.path(), disk.clone(), &key, Access::Change).unwrap();
            let made = change(&shelf);
            if let Err(fault) = &made {
                assert!(!format!("{fault} {fault:?}").contains("xyzzyplugh"));
            }
            drop(shelf);
            assert!(!holds_mark(folder.path()), "{failure:?} at {at}");
            let shelf = open(folder.path(), &key);
            let now = everything(&shelf);
            if made.is_ok() {
                assert_ne!(now, old, "{failure:?} at {at}");
            }
            if now != old {
                assert_eq!(now["answers/1"], MARK, "{failure:?} at {at}");
                assert_eq!(now.len(), 3, "{failure:?} at {at}");
                assert!(now["claims/xyzzyplugh"].len() > old["claims/xyzzyplugh"].len());
            }
            // The next one can go on, and leaves no record that nobody needs.
            change(&shelf).ok();
            let records = fs::read_dir(folder.path().join("records")).unwrap().count();
            assert!(records <= 6, "{records} records");
            if disk.operations() <= at {
                assert!(made.is_ok());
                break;
            }
        }
    }
}

#[test]
fn making_a_shelf_can_be_done_again_wherever_it_failed() {
    let key = Key::mint().unwrap();
    for at in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let disk = Arc::new(FaultyDisk::new(at, Failure::Dead));
        if Shelf::make(folder.path(), disk, &key, &[]).is_ok() {
            break;
        }
        if fs::read_dir(folder.path().join("log")).map_or(true, |all| all.count() == 0) {
            Shelf::make(folder.path(), Arc::new(RealDisk), &key, &[]).unwrap();
        }
        open(folder.path(), &key).check(|_| true).unwrap();
    }
}

#[test]
fn other_keys_and_damage_are_told_apart_and_change_nothing() {
    let (key, folder) = (Key::mint().unwrap(), tempfile::tempdir().unwrap());
    drop(small(folder.path(), &key));
    let sound = files(folder.path());
    let look = |key: &Key| {
        let shelf = Shelf::open(folder.path(), Arc::new(RealDisk), key, Access::Change)?;
        shelf.check(|_| true)
    };
    let fault = look(&Key::mint().unwrap()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Input);
    assert!(fault.to_string().contains("does not open the shelf"), "{fault}");
    for (path, bytes) in &sound {
        if path.ends_with("lock") || bytes.is_empty() {
            continue;
        }
        for damaged in [
            &bytes[..bytes.len() / 2],
            &[b"x", &bytes[1..]].concat(),
            &[&bytes[..bytes.len() - 1], &[bytes[bytes.len() - 1] ^ 1]].concat(),
        ] {
            fs::write(path, damaged).unwrap();
            let fault = look(&key).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Store, "{}: {fault}", path.display());
            let now = files(folder.path());
            assert_eq!(now.len(), sound.len());
            fs::write(path, bytes).unwrap();
        }
    }
    // Two records that change places are sound each, and are not what the index says.
    let records: Vec<_> =
        sound.keys().filter(|path| path.parent().unwrap().ends_with("records")).collect();
    fs::write(records[0], &sound[records[1]]).unwrap();
    fs::write(records[1], &sound[records[0]]).unwrap();
    assert_eq!(look(&key).unwrap_err().kind, FaultKind::Store);
    fs::write(records[0], &sound[records[0]]).unwrap();
    fs::remove_file(records[1]).unwrap();
    assert_eq!(look(&key).unwrap_err().kind, FaultKind::Store);
    fs::write(records[1], &sound[records[1]]).unwrap();
    assert_eq!(look(&key).unwrap(), 2);
}

#[test]
fn a_removed_maintainer_opens_nothing_that_is_on_the_shelf_afterwards() {
    let (ann, bob, folder) =
        (Key::mint().unwrap(), Key::mint().unwrap(), tempfile::tempdir().unwrap());
    let shelf = small(folder.path(), &ann);
    let all = everything(&shelf);
    shelf.rekey(&[ann.recipient(), bob.recipient()]).unwrap();
    drop(shelf);
    assert_eq!(everything(&open(folder.path(), &bob)), all);
    let shelf = open(folder.path(), &bob);
    assert!(shelf.rekey(&[ann.recipient()]).unwrap_err().to_string().contains("lock yourself out"));
    shelf.rekey(&[bob.recipient()]).unwrap();
    assert_eq!(shelf.recipients().unwrap(), [bob.recipient()]);
    drop(shelf);
    let closed = Shelf::open(folder.path(), Arc::new(RealDisk), &ann, Access::Look);
    assert_eq!(closed.unwrap_err().kind, FaultKind::Input);
    let identity: age::x25519::Identity = {
        let file = ann.to_file(None).unwrap();
        std::str::from_utf8(file.expose()).unwrap().lines().nth(1).unwrap().parse().unwrap()
    };
    for (path, bytes) in files(folder.path()) {
        if bytes.starts_with(b"age-encryption.org") {
            assert!(age::decrypt(&identity, &bytes).is_err(), "{}", path.display());
        }
    }
    assert_eq!(everything(&open(folder.path(), &bob)), all);
    assert!(!holds_mark(folder.path()));
}

#[test]
fn a_key_file_is_read_back_and_a_passphrase_protects_it() {
    let key = Key::mint().unwrap();
    let plain = key.to_file(None).unwrap();
    assert!(!is_protected(plain.expose()));
    let none = || panic!("nobody is asked");
    assert_eq!(Key::from_file(plain.expose(), none).unwrap().recipient(), key.recipient());
    let word = || Private::new("correct horse".to_owned());
    let sealed = key.to_file(Some(&word())).unwrap();
    assert!(is_protected(sealed.expose()));
    assert_eq!(
        Key::from_file(sealed.expose(), || Ok(word())).unwrap().recipient(),
        key.recipient()
    );
    let wrong = Key::from_file(sealed.expose(), || Ok(Private::new("Tr0ub4dor".to_owned())));
    let fault = wrong.unwrap_err().to_string();
    assert!(fault.contains("passphrase") && !fault.contains("Tr0ub4dor"), "{fault}");
    for bad in [&b"no key"[..], b"", b"AGE-SECRET-KEY-1QQQ", &sealed.expose()[..40]] {
        assert!(Key::from_file(bad, || Ok(word())).is_err());
    }
}

#[test]
fn a_mount_is_a_disk_that_writes_nowhere_else() {
    let (key, folder, other) =
        (Key::mint().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shelf = Arc::new(small(folder.path(), &key));
    let disk = Mount::new(shelf);
    let at = |name: &str| Path::new(MOUNT).join(name);
    let out = other.path().join("out");
    assert!(disk.create(&out).is_err());
    assert!(disk.put(&out, &other.path().join("tmp"), MARK).is_err());
    assert!(disk.rename(&at("claims/xyzzyplugh"), &out).is_err());
    assert!(disk.create_dir_all(&out).is_err() && disk.lock(&out, Hold::Alone).is_err());
    assert!(disk.remove(&folder.path().join("FORMAT")).is_err());
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);

    // A file that grows is read while it grows, and after its name is gone.
    let mut file = disk.create(&at("answers/1.log")).unwrap();
    let reader = disk.open(&at("answers/1.log")).unwrap();
    file.write_all(b"one ").unwrap();
    assert!(reader.read_at(0, 4).is_err());
    file.sync().unwrap();
    file.write_all(b"two").unwrap();
    file.sync().unwrap();
    assert_eq!(reader.read_at(4, 3).unwrap(), b"two");
    assert_eq!(disk.len(&at("answers/1.log")).unwrap(), Some(7));
    assert_eq!(disk.read(&at("answers/1.log")).unwrap(), b"one two");
    assert_eq!(disk.list(&at("")).unwrap(), ["answers", "books", "claims"]);
    assert_eq!(disk.list(&at("answers")).unwrap(), ["1.log"]);
    let held = disk.lock(&at("answers/1.log"), Hold::TryAlone).unwrap();
    assert!(disk.lock(&at("answers/1.log"), Hold::TryAlone).unwrap().is_none());
    drop(held);
    assert!(disk.lock(&at("answers/1.log"), Hold::Alone).unwrap().is_some());
    disk.remove(&at("answers/1.log")).unwrap();
    assert_eq!(reader.read_at(0, 3).unwrap(), b"one");
    assert!(disk.read(&at("answers/1.log")).is_err());
    assert!(!holds_mark(folder.path()));
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, Vec<u8>),
    Append(u8, Vec<u8>),
    Remove(u8),
    Rename(u8, u8),
    Reopen,
    Rekey,
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = || proptest::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        (0..4_u8, bytes()).prop_map(|(name, bytes)| Step::Put(name, bytes)),
        (0..4_u8, bytes()).prop_map(|(name, bytes)| Step::Append(name, bytes)),
        (0..4_u8).prop_map(Step::Remove),
        (0..4_u8, 0..4_u8).prop_map(|(from, to)| Step::Rename(from, to)),
        Just(Step::Reopen),
        Just(Step::Rekey),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_shelf_holds_what_a_map_would_hold(steps in proptest::collection::vec(step(), 1..16)) {
        let (key, folder) = (Key::mint().unwrap(), tempfile::tempdir().unwrap());
        let mut shelf = Shelf::make(folder.path(), Arc::new(RealDisk), &key, &[]).unwrap();
        let mut model = BTreeMap::<String, Vec<u8>>::new();
        let name = |name: u8| format!("files/{name}");
        for step in steps {
            match step {
                Step::Put(file, bytes) => {
                    shelf.change(|change| change.put(&name(file), &bytes)).unwrap();
                    model.insert(name(file), bytes);
                }
                Step::Append(file, bytes) => {
                    shelf.change(|change| change.append(&name(file), &bytes)).unwrap();
                    model.entry(name(file)).or_default().extend(bytes);
                }
                Step::Remove(file) => {
                    let there = shelf.change(|change| Ok(change.remove(&name(file)))).unwrap();
                    prop_assert_eq!(there, model.remove(&name(file)).is_some());
                }
                Step::Rename(from, to) => {
                    shelf.change(|change| change.rename(&name(from), &name(to))).unwrap();
                    if let Some(bytes) = model.remove(&name(from)) {
                        model.insert(name(to), bytes);
                    }
                }
                Step::Reopen => {
                    drop(shelf);
                    shelf = open(folder.path(), &key);
                }
                Step::Rekey => shelf.rekey(&[key.recipient()]).unwrap(),
            }
            prop_assert_eq!(&everything(&shelf), &model);
        }
    }
}
