//! What a run gives does not depend on how it is run; what need not be made is not made.

use std::sync::Arc;

use proptest::prelude::*;
use storymill_disk::RealDisk;

use crate::toy::{Parrot, World, counts, lock};

#[test]
fn a_second_run_makes_nothing() {
    let world = World::new();
    let first = world.run();
    assert_eq!(counts(&first), "notes 3/0, sifted 3/0, splits 3/0, marked 3/0");
    let second = world.run();
    assert_eq!(counts(&second), "notes 0/3, sifted 0/3, splits 0/3, marked 0/3");
    assert_eq!(lock(&first), lock(&second));
    assert_eq!(first.rejects.len(), second.rejects.len(), "rejects are counted again");
}

#[test]
fn rejected_items_are_named_and_stop_no_other() {
    let world = World::new();
    world.note("void", "  ");
    let outcome = world.run();
    let rejects: Vec<_> = outcome
        .rejects
        .iter()
        .map(|r| format!("{} {} {}", r.step, r.reject.item, r.reject.reason.code))
        .collect();
    assert_eq!(rejects, ["notes void empty", "sifted w0 short", "sifted w2 short"]);
    assert_eq!(outcome.parts["marked"].len(), 3);
}

#[test]
fn what_is_left_out_on_purpose_is_told_apart_and_told_again() {
    let world = World::new();
    world.note("old", "draft of a note");
    world.note("who", "who is it ?");
    let told = |outcome: &storymill_pipeline::Outcome| {
        let left_out = outcome.left_out.iter();
        let left_out = left_out.map(|r| format!("{} {} {}", r.step, r.unit, r.reject.item));
        let reviews = outcome.reviews.iter();
        let reviews = reviews.map(|r| format!("{} {} {}", r.step, r.unit, r.review.code));
        left_out.chain(reviews).collect::<Vec<_>>()
    };
    let first = world.run();
    let expected = ["notes old old", "sifted fox w6", "sifted who w2", "notes who asks"];
    assert_eq!(told(&first), expected);
    assert!(first.rejects.iter().all(|r| r.unit.as_str() != "old"), "{:?}", first.rejects);
    assert_eq!(told(&world.run()), expected, "from the traces as from the making");
    assert_eq!(world.plan().steps[0].rejected, 1);
}

#[test]
fn a_change_that_yields_the_same_rows_stops_there() {
    let mut world = World::new();
    world.run();
    world.note("dog", "a   lazy\n dog sleeps ");
    assert_eq!(counts(&world.run()), "notes 1/2, sifted 0/3, splits 0/3, marked 0/3");
    world.note("dog", "a lazy cat sleeps");
    assert_eq!(counts(&world.run()), "notes 1/2, sifted 1/2, splits 0/3, marked 1/2");
    world.workflow = world.workflow.replace("least = 3", "least = 4");
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 3/0, splits 3/0, marked 2/1");
}

#[test]
fn a_new_unit_makes_only_its_own_parts() {
    let world = World::new();
    world.run();
    world.note("bee", "tiny bees");
    // The corpus stage is run anew, and rules on the others as before.
    assert_eq!(counts(&world.run()), "notes 1/3, sifted 1/3, splits 4/0, marked 1/3");
}

#[test]
fn renaming_a_step_changes_nothing() {
    let mut world = World::new();
    world.run();
    world.workflow = world
        .workflow
        .replace("stage.sifted", "stage.winnowed")
        .replace("\"sifted\"", "\"winnowed\"");
    assert_eq!(counts(&world.run()), "notes 0/3, winnowed 0/3, splits 0/3, marked 0/3");
}

#[test]
fn a_resource_counts_by_its_content() {
    let mut world = World::new();
    world.workflow = world.workflow.replace("least = 3", "least = 3\nsuffix = \"suffix.txt\"");
    std::fs::write(world.dir.path().join("suffix.txt"), "!").unwrap();
    world.run();
    std::fs::rename(world.dir.path().join("suffix.txt"), world.dir.path().join("other.txt"))
        .unwrap();
    world.workflow = world.workflow.replace("suffix.txt", "other.txt");
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 0/3, splits 0/3, marked 0/3");
    std::fs::write(world.dir.path().join("other.txt"), "?").unwrap();
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 3/0, splits 0/3, marked 3/0");
}

#[test]
fn the_base_lock_holds_what_it_ruled() {
    let mut world = World::new();
    let first = world.run();
    std::fs::write(world.dir.path().join("dataset.lock"), lock(&first)).unwrap();
    world.workflow = world.workflow.replace("\"1.0.0\"", "\"1.1.0\"\nbase = \"dataset.lock\"");
    world.note("elephant", "the largest note of all by far and away, longer than any other note");
    let second = world.run().lock.unwrap();
    let split = |unit: &str| second.ruled["splits"][unit]["split"].as_str().unwrap().to_owned();
    assert_eq!(
        (split("fox"), split("dog"), split("elephant")),
        ("test".into(), "train".into(), "test".into())
    );
    let joined = |unit: &str| second.units[unit].joined.clone();
    assert_eq!((joined("fox"), joined("elephant")), ("1.0.0".to_owned(), "1.1.0".to_owned()));
}

#[test]
fn a_plan_says_what_will_run_and_why() {
    let mut world = World::new();
    let why = |world: &World| {
        let rows = world.plan().steps;
        let rows = rows.iter().map(|row| {
            let why: Vec<_> =
                row.why.iter().map(|why| format!("{} x{}", why.reason, why.units)).collect();
            format!("{} {}/{}: {}", row.step, row.run, row.current, why.join("; "))
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        why(&world),
        "notes 3/0: new x3\nsifted 3/0: `notes` runs x3\n\
         splits 3/0: metadata of a book will be rebuilt x3\nmarked 3/0: `sifted` runs x3"
    );
    world.run();
    assert_eq!(why(&world), "notes 0/3: \nsifted 0/3: \nsplits 0/3: \nmarked 0/3: ");
    world.workflow =
        world.workflow.replace("least = 3", "least = 4").replace("seed = 7", "seed = 8");
    world.note("bee", "tiny bees");
    assert_eq!(
        why(&world),
        "notes 1/3: new x1\n\
         sifted 4/0: option `least` is now 4 (was 3), seed is now 8 (was 7) x3; `notes` runs x1\n\
         splits 4/0: metadata of a book will be rebuilt x4\nmarked 4/0: `sifted` runs x4"
    );
}

/// Another step of the same kind has made rows of the same units with other options.
#[test]
fn a_new_step_is_compared_with_no_other_step() {
    let mut world = World::new();
    world.run();
    world.workflow += "\n[stage.longer.sift]\nfrom = \"notes\"\nleast = 5\n";
    let why = |world: &World| {
        let row = world.plan().steps.into_iter().find(|row| row.step == "longer").unwrap();
        row.why.into_iter().map(|why| why.reason).collect::<Vec<_>>()
    };
    assert_eq!(why(&world), ["new"]);
    world.run();
    world.workflow = world.workflow.replace("least = 5", "least = 6");
    assert_eq!(why(&world), ["option `least` is now 6 (was 5)"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn threads_and_shards_change_no_byte(
        notes in prop::collection::btree_map("[a-z]{1,6}", "[a-z ]{0,40}", 1..8),
        threads in 1_usize..5,
        shards in 1_u32..6,
    ) {
        let [one, many] = [World::new(), World::new()];
        for (unit, text) in &notes {
            one.note(unit, text);
            many.note(unit, text);
        }
        let whole = one.run_with(&Parrot::default(), Arc::new(RealDisk), 1, None).unwrap();
        for index in 1..=shards {
            let shard = format!("{index}/{shards}").parse().unwrap();
            many.run_with(&Parrot::default(), Arc::new(RealDisk), threads, Some(shard)).unwrap();
        }
        let end = many.run_with(&Parrot::default(), Arc::new(RealDisk), threads, None).unwrap();
        prop_assert_eq!(lock(&whole), lock(&end));
        let before_the_corpus_stage: u64 = end.steps[..2].iter().map(|step| step.made).sum();
        prop_assert_eq!(before_the_corpus_stage, 0, "the shards had done it all");
    }
}
