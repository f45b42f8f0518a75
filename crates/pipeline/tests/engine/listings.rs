//! The kept listing: what did not change is not read again, and whatever changed is seen.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, UNIX_EPOCH},
};

use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, RunOptions, Store, run};

use crate::toy::{Parrot, World, counts, lock};

/// A world whose notes were written long ago.
fn settled() -> World {
    let world = World::new();
    for name in ["fox", "dog", "owl"] {
        age(&world, name, 1);
    }
    world
}

/// Says that a note was written so many seconds after 2001.
fn age(world: &World, unit: &str, seconds: u64) {
    let path = world.dir.path().join("notes").join(format!("{unit}.txt"));
    let time = UNIX_EPOCH + Duration::from_secs(978_307_200 + seconds);
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// How many files a run reads to list them, what it makes, and its lock.
fn build(world: &World, shard: Option<&str>) -> (usize, String, Option<String>) {
    let shard = shard.map(|shard| shard.parse().unwrap());
    let claim = shard.map_or(Claim::Whole, Claim::Shard);
    let store = Store::open(world.store(), Arc::new(RealDisk), claim).unwrap();
    let (mut workflow, read) = (world.workflow(), Arc::new(AtomicUsize::new(0)));
    workflow.lent.lend(Arc::clone(&read));
    let options = RunOptions { threads: 1, shard, stop: &AtomicBool::new(false) };
    let parrot = Parrot::default();
    let outcome = run(&workflow, &store, &parrot, &(), &options).unwrap().outcome;
    let counts = format!("{}, {} damaged", counts(&outcome), store.damaged());
    (read.load(Ordering::Relaxed), counts, outcome.lock.is_some().then(|| lock(&outcome)))
}

#[track_caller]
fn check(world: &World, reads: usize, notes: &str) {
    let (read, counts, locked) = build(world, None);
    assert_eq!((read, counts.split(", sifted").next().unwrap()), (reads, notes));
    fs::remove_file(world.store().join("listings")).unwrap();
    assert_eq!(build(world, None).2, locked, "the listing changes nothing that is made");
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let world = settled();
    check(&world, 3, "notes 3/0");
    check(&world, 0, "notes 0/3");
}

#[test]
fn whatever_changed_is_seen() {
    let world = settled();
    build(&world, None);
    // Of the same size, a second later.
    world.note("dog", "a lazy cat sleeps");
    age(&world, "dog", 2);
    check(&world, 1, "notes 1/2");
    world.note("hen", "this one is new here");
    age(&world, "hen", 1);
    check(&world, 1, "notes 1/3");
    fs::remove_file(world.dir.path().join("notes/fox.txt")).unwrap();
    check(&world, 0, "notes 0/3");
}

#[test]
fn a_file_that_changed_just_now_is_read_until_it_is_settled() {
    let world = settled();
    world.note("dog", "a lazy dog sleeps");
    build(&world, None);
    check(&world, 1, "notes 0/3");
}

/// The toy source knows nothing of a file but its size and time, and misses this until it reads the file.
#[test]
fn a_listing_that_turns_out_to_be_wrong_is_forgotten() {
    let world = settled();
    build(&world, None);
    world.note("dog", "a lazy cat sleeps");
    age(&world, "dog", 1);
    fs::remove_dir_all(world.store().join("markers/notes/dog")).unwrap();
    let (parrot, disk) = (Parrot::default(), Arc::new(RealDisk));
    let fault = world.run_with(&parrot, disk, 1, None).unwrap_err();
    assert!(fault.to_string().contains("not what was listed"), "{fault}");
    check(&world, 3, "notes 1/2");
}

#[test]
fn shards_list_once() {
    let world = settled();
    let read: Vec<_> =
        ["2/3", "1/3", "3/3"].into_iter().map(|shard| build(&world, Some(shard)).0).collect();
    assert_eq!(read, [3, 0, 0]);
    assert!(build(&world, None).2.is_some());
    // Those that start together wait for the first.
    fs::remove_file(world.store().join("listings")).unwrap();
    let read: usize = std::thread::scope(|scope| {
        let shards = ["1/3", "2/3", "3/3"];
        let runs = shards.map(|shard| scope.spawn(|| build(&world, Some(shard)).0));
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert_eq!(read, 3);
}

#[test]
fn a_damaged_listing_is_set_aside_and_made_anew() {
    let world = settled();
    let file = world.store().join("listings");
    build(&world, None);
    let whole = fs::read(&file).unwrap();
    for damaged in [&b""[..], &whole[..whole.len() / 2], b"{}\n", b"\xff"] {
        fs::write(&file, damaged).unwrap();
        // A plan looks and changes nothing.
        world.plan();
        assert_eq!(fs::read(&file).unwrap(), damaged);
        let (read, counts, _) = build(&world, None);
        assert!(read == 3 && counts.ends_with("1 damaged"), "{read} {counts}");
        assert_eq!(fs::read(world.store().join("damaged/listings")).unwrap(), damaged);
        assert_eq!(fs::read(&file).unwrap(), whole);
    }
}
