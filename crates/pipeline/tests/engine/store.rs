//! Stores that are held, damaged, foreign or too new.

use std::{fs, path::PathBuf, sync::Arc};

use storymill_core::FaultKind;
use storymill_pipeline::{Claim, Store, store::RealDisk};

use crate::toy::{World, counts, lock};

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

#[test]
fn every_damaged_file_is_set_aside_and_made_anew() {
    let world = World::new();
    let expected = lock(&world.run());
    for folder in ["parts", "markers"] {
        for path in files(world.store().join(folder)) {
            let bytes = fs::read(&path).unwrap();
            for damaged in
                [bytes[..bytes.len() / 2].to_vec(), bytes.iter().map(|byte| byte ^ 1).collect()]
            {
                fs::write(&path, damaged).unwrap();
                // A part may be needed by nothing: then a run does not read it.
                fs::remove_dir_all(world.store().join("markers/mark")).unwrap();
                match world.run_with(&crate::toy::Parrot::default(), Arc::new(RealDisk), 1, None) {
                    Ok(outcome) => assert_eq!(lock(&outcome), expected),
                    Err(fault) => {
                        assert_eq!(
                            (fault.kind, fault.path.as_ref()),
                            (FaultKind::Again, Some(&path)),
                            "{fault}"
                        );
                        assert!(fault.hint.is_some());
                        assert_eq!(
                            lock(&world.run()),
                            expected,
                            "after damage to {}",
                            path.display()
                        );
                    }
                }
                fs::write(&path, &bytes).unwrap();
            }
        }
    }
}

#[test]
fn a_part_that_is_gone_is_made_anew() {
    let world = World::new();
    let outcome = world.run();
    let digest = outcome.parts["marked"][0].digest.to_string();
    fs::remove_file(world.store().join("parts").join(&digest[..2]).join(&digest)).unwrap();
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 0/3, splits 0/3, marked 1/2");
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
