//! Stores that are held, damaged, foreign or too new.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use storymill_core::{FaultKind, Parts};
use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, RunOptions, Store, run};

use crate::toy::{Parrot, World, counts, lock};

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn open(world: &World, claim: Claim) -> Result<Store, storymill_core::Fault> {
    Store::open(world.store(), Arc::new(RealDisk), claim)
}

#[test]
fn two_runs_do_not_share_a_store_and_shards_do() {
    let world = World::new();
    let held = open(&world, Claim::Whole).unwrap();
    assert_eq!(open(&world, Claim::Whole).unwrap_err().kind, FaultKind::Again);
    drop(held);
    let shard = |text: &str| Claim::Shard(text.parse().unwrap());
    let _first = open(&world, shard("1/2")).unwrap();
    let _second = open(&world, shard("2/2")).unwrap();
    assert_eq!(open(&world, shard("2/2")).unwrap_err().kind, FaultKind::Again);
    assert_eq!(open(&world, Claim::Whole).unwrap_err().kind, FaultKind::Again);
}

/// How many files were set aside.
fn set_aside(world: &World) -> usize {
    let folder = world.store().join("damaged");
    if folder.exists() { files(folder).len() } else { 0 }
}

fn damages(bytes: &[u8]) -> [Vec<u8>; 3] {
    let mut turned = bytes.to_vec();
    turned[bytes.len() / 2] ^= 4;
    [bytes[..bytes.len() / 2].to_vec(), bytes.iter().map(|byte| byte ^ 1).collect(), turned]
}

#[test]
fn every_damaged_file_is_set_aside_and_made_anew_in_the_same_run() {
    let world = World::new();
    let expected = lock(&world.run());
    for folder in ["parts", "markers"] {
        for path in files(world.store().join(folder)) {
            let bytes = fs::read(&path).unwrap();
            for damaged in damages(&bytes) {
                fs::write(&path, damaged).unwrap();
                // A part may be needed by nothing: then a run does not read it.
                fs::remove_dir_all(world.store().join("markers/mark")).unwrap();
                assert_eq!(lock(&world.run()), expected, "after damage to {}", path.display());
                fs::write(&path, &bytes).unwrap();
            }
        }
    }
    assert!(set_aside(&world) > 10);
}

#[test]
fn no_damaged_marker_of_a_corpus_stage_is_written_over() {
    let world = World::new();
    let expected = lock(&world.run());
    let markers = files(world.store().join("markers/longest"));
    assert_eq!(markers.len(), 3);
    for path in &markers {
        fs::write(path, "torn").unwrap();
    }
    assert_eq!(lock(&world.run()), expected);
    let aside = files(world.store().join("damaged"));
    assert_eq!(aside.len(), 3, "{aside:?}");
    assert!(aside.iter().all(|path| fs::read(path).unwrap() == b"torn"));
}

#[test]
fn many_damaged_files_take_one_run() {
    let world = World::new();
    let expected = lock(&world.run());
    let parts = files(world.store().join("parts"));
    let sound: Vec<_> = parts.iter().map(|path| fs::read(path).unwrap()).collect();
    for threads in [1, 4] {
        for (path, bytes) in parts.iter().zip(&sound) {
            fs::write(path, &damages(bytes)[1]).unwrap();
        }
        // So that every row is read again: by stages, by the corpus stage, and as its facts.
        for kind in ["mark", "longest"] {
            fs::remove_dir_all(world.store().join("markers").join(kind)).unwrap();
        }
        let run = world.run_with(&Parrot::default(), Arc::new(RealDisk), threads, None).unwrap();
        assert_eq!(lock(&run), expected);
    }
    assert!(set_aside(&world) >= 6, "{}", set_aside(&world));
}

#[test]
fn rows_that_are_damaged_when_they_are_published_are_made_anew() {
    let world = World::new();
    world.run();
    let store = open(&world, Claim::Whole).unwrap();
    let (workflow, stop) = (world.workflow(), AtomicBool::new(false));
    let options = RunOptions { threads: 2, shard: None, stop: &stop };
    let asker = Parrot::default();
    let finished = run(&workflow, &store, &asker, &(), &options).unwrap();
    let outcome = &finished.outcome;
    let mut read = 0;
    for part in outcome.parts.values().flatten() {
        let digest = part.digest.to_string();
        let path = world.store().join("parts").join(&digest[..2]).join(&digest);
        let bytes = fs::read(&path).unwrap();
        let before = Parts::read(&finished, part).unwrap();
        fs::write(&path, &damages(&bytes)[1]).unwrap();
        assert_eq!(Parts::read(&finished, part).unwrap(), before);
        read += 1;
    }
    assert!(read > 8);
    assert_eq!(store.damaged(), read);
}

#[test]
fn what_cannot_be_made_anew_ends_the_run_for_now() {
    let world = World::new();
    let outcome = world.run();
    let digest = outcome.parts["sifted"][0].digest.to_string();
    let path = world.store().join("parts").join(&digest[..2]).join(&digest);
    let sound = fs::read(&path).unwrap();
    fs::write(&path, &damages(&sound)[0]).unwrap();
    fs::remove_dir_all(world.store().join("markers/mark")).unwrap();
    // Nothing can be set aside where the folder for it is a file.
    fs::write(world.store().join("damaged"), "").unwrap();
    let failed = world.run_with(&Parrot::default(), Arc::new(RealDisk), 1, None).unwrap_err();
    assert_eq!((failed.kind, failed.path.as_ref()), (FaultKind::Again, Some(&path)), "{failed}");
    assert!(failed.hint.is_some());
    // Who only looks moves nothing.
    fs::remove_file(world.store().join("damaged")).unwrap();
    let looked = Store::look(world.store(), Arc::new(RealDisk)).unwrap();
    assert_eq!(looked.read(&outcome.parts["sifted"][0]).unwrap_err().kind, FaultKind::Again);
    assert!(path.exists());
}

#[test]
fn what_is_not_ours_is_not_removed() {
    let world = World::new();
    world.run();
    let tmp = world.store().join("tmp");
    for ours in ["0123456789abcdef-17", "shard-1-of-3.lock"] {
        fs::write(tmp.join(ours), "").unwrap();
    }
    let strange = ["notes.txt", "0123456789abcdef-", "17-0123456789abcdef", "shard-9-of-3.lock"];
    for name in strange {
        fs::write(tmp.join(name), "mine").unwrap();
    }
    fs::create_dir(tmp.join("folder")).unwrap();
    world.run();
    let left: BTreeSet<_> = fs::read_dir(&tmp)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, strange.into_iter().chain(["folder"]).map(str::to_owned).collect());
}

#[cfg(unix)]
#[test]
fn nothing_is_reached_over_a_link_inside_the_store() {
    for folder in ["tmp", "parts", "markers", "damaged"] {
        let world = World::new();
        let outside = world.dir.path().join("outside");
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("0123456789abcdef-1"), "mine").unwrap();
        world.run();
        let _ = fs::remove_dir_all(world.store().join(folder));
        std::os::unix::fs::symlink(&outside, world.store().join(folder)).unwrap();
        let fault = open(&world, Claim::Whole).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store, "{fault}");
        assert!(fault.to_string().contains("symbolic link") && fault.hint.is_some(), "{fault}");
        assert_eq!(files(outside.clone()), [outside.join("0123456789abcdef-1")]);
    }
    // The whole store may be somewhere else.
    let world = World::new();
    fs::create_dir(world.dir.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", world.store()).unwrap();
    world.run();
    // A link further down is refused when something is to be written there.
    let world = World::new();
    world.run();
    let markers = world.store().join("markers/mark");
    fs::rename(&markers, world.dir.path().join("marks")).unwrap();
    std::os::unix::fs::symlink("../../marks", &markers).unwrap();
    world.note("ant", "an ant is small yet strong");
    let failed = world.run_with(&Parrot::default(), Arc::new(RealDisk), 1, None).unwrap_err();
    assert_eq!((failed.kind, failed.path), (FaultKind::Store, Some(markers)));
}

#[test]
fn a_part_that_is_gone_is_made_anew() {
    let world = World::new();
    let outcome = world.run();
    let digest = outcome.parts["marked"][0].digest.to_string();
    fs::remove_file(world.store().join("parts").join(&digest[..2]).join(&digest)).unwrap();
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 0/3, splits 0/3, marked 1/2");
}

/// On a file system without links a run that is killed may leave the name without what it says.
#[test]
fn an_empty_format_is_written_by_the_next_run() {
    let world = World::new();
    let path = world.store().join("FORMAT");
    world.run();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, "").unwrap();
    assert!(world.run().steps.iter().all(|step| step.made == 0));
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_newer_or_foreign_folder_is_left_alone() {
    let world = World::new();
    world.run();
    fs::write(world.store().join("FORMAT"), "storymill store 2\n").unwrap();
    let fault = open(&world, Claim::Whole).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Store);
    assert!(fault.to_string().contains("newer storymill (format 2; this one knows 1)"), "{fault}");
    let before = files(world.dir.path().join("notes"));
    let foreign =
        Store::open(world.dir.path().join("notes"), Arc::new(RealDisk), Claim::Whole).unwrap_err();
    assert!(foreign.to_string().contains("not a store"), "{foreign}");
    assert_eq!(files(world.dir.path().join("notes")), before);
}
