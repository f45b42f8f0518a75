//! Indexes: what the markers of a step say, in one file, for stores of very many units.

use std::{fs, sync::Arc};

use storymill_disk::RealDisk;

use crate::toy::{HEAD, Parrot, World, counts, lock};

/// As many units as make an index worth its file.
fn many() -> World {
    let world = World::new();
    for at in 0..64 {
        world.note(&format!("many{at:02}"), &format!("note number {at} tells of evening {at}"));
    }
    world
}

#[test]
fn a_run_with_nothing_to_do_opens_no_marker() {
    let world = many();
    let first = lock(&world.run());
    // Without markers an index alone can tell.
    fs::remove_dir_all(world.store().join("markers")).unwrap();
    let again = world.run();
    assert_eq!(counts(&again), "notes 0/67, sifted 0/67, splits 0/67, marked 0/67");
    assert_eq!(lock(&again), first);
    assert!(world.plan().steps.iter().all(|row| row.run == 0));
}

#[test]
fn an_index_tells_nothing_of_what_has_changed() {
    let world = many();
    world.run();
    world.note("many07", "quite another note, and a longer one");
    assert!(counts(&world.run()).starts_with("notes 1/66, sifted 1/66"));
    // The index knows the new one, and only that.
    fs::remove_dir_all(world.store().join("markers")).unwrap();
    assert!(counts(&world.run()).starts_with("notes 0/67, sifted 0/67"));
    // A part that is gone is made anew, whatever the index says.
    let digest = world.run().parts["sifted"][9].digest.to_string();
    fs::remove_file(world.store().join("parts").join(&digest[..2]).join(&digest)).unwrap();
    assert!(counts(&world.run()).starts_with("notes 0/67, sifted 1/66"));
}

#[test]
fn what_was_made_of_answers_is_looked_up_among_the_markers() {
    let mut world = many();
    world.workflow = format!(
        "{HEAD}\n[stage.rhymes.rhyme]\nfrom = \"notes\"\ntries = 2\n[dataset.words]\nfrom = \"rhymes\"\n"
    );
    let parrot = Parrot::default();
    let run = || world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    let first = lock(&run());
    assert_eq!(counts(&run()), "notes 0/67, rhymes 0/67");
    fs::remove_dir_all(world.store().join("markers")).unwrap();
    let again = run();
    assert_eq!(counts(&again), "notes 0/67, rhymes 67/0");
    assert_eq!(lock(&again), first);
}

#[test]
fn a_damaged_index_is_none_and_written_anew() {
    let world = many();
    let first = lock(&world.run());
    let indexes = || fs::read_dir(world.store().join("index")).unwrap();
    for entry in indexes() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(counts(&world.run()), "notes 0/67, sifted 0/67, splits 0/67, marked 0/67");
    fs::remove_dir_all(world.store().join("markers")).unwrap();
    let again = world.run();
    assert_eq!(counts(&again), "notes 0/67, sifted 0/67, splits 0/67, marked 0/67");
    assert_eq!(lock(&again), first);
}

#[test]
fn a_shard_writes_no_index_and_a_few_units_need_none() {
    let (world, few) = (many(), World::new());
    let shard = Some("1/2".parse().unwrap());
    world.run_with(&Parrot::default(), Arc::new(RealDisk), 2, shard).unwrap();
    few.run();
    assert!(!world.store().join("index").exists() && !few.store().join("index").exists());
}
