//! Stages that ask: waves, re-asks, rejects, and what an answer that changes does.

use std::sync::Arc;

use storymill_disk::RealDisk;

use crate::toy::{HEAD, Parrot, World, counts, lock};

fn asking(tries: u32) -> World {
    let mut world = World::new();
    world.workflow = format!(
        "{HEAD}\n[stage.rhymes.rhyme]\nfrom = \"notes\"\ntries = {tries}\n[dataset.words]\nfrom = \"rhymes\"\n"
    );
    world
}

#[test]
fn answers_come_in_waves_and_replay_without_calls() {
    let world = asking(2);
    let parrot = Parrot::default();
    let first = world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    // All words; then `a` and `level` again, insisting, beside the title of `fox`; then two titles.
    assert_eq!(*parrot.waves.lock().unwrap(), [15, 3, 2]);
    assert_eq!(first.rejects.len(), 1);
    assert_eq!(first.rejects[0].reject.reason.code, "same");
    let again = asking(2);
    let replay = again
        .run_with(&Parrot { log: parrot.log, ..Parrot::default() }, Arc::new(RealDisk), 1, None)
        .unwrap();
    assert_eq!(lock(&first), lock(&replay));
}

#[test]
fn the_order_of_answers_changes_nothing() {
    let forwards = asking(2).run();
    let backwards = Parrot { backwards: true, ..Parrot::default() };
    let backwards = asking(2).run_with(&backwards, Arc::new(RealDisk), 2, None).unwrap();
    assert_eq!(lock(&forwards), lock(&backwards));
}

#[test]
fn more_tries_change_no_row_that_was_there() {
    let mut world = asking(2);
    let parrot = Parrot::default();
    let before = world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    world.workflow = world.workflow.replace("tries = 2", "tries = 5");
    let after = world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    assert_eq!(before.parts["rhymes"], after.parts["rhymes"]);
}

#[test]
fn an_answer_that_changes_makes_its_unit_anew() {
    let world = asking(2);
    let parrot = Parrot::default();
    world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    parrot.log.lock().unwrap().values_mut().find(|answer| answer.text == "god").unwrap().text =
        "frog".to_owned();
    let outcome = world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    assert_eq!(counts(&outcome), "notes 0/3, rhymes 1/2");
}
