//! Indexes: what the markers of a step say, in one file, for stores of very many units. Whoever loses one, damages
//! it or finds an old one gets the same bytes.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use storymill_bucket::BucketDisk;
use storymill_core::{Decision, Decisions, Digest, Parts as _};
use storymill_pipeline::{Claim, Outcome, RunOptions, Store, run};

use crate::{
    toy::{BODY, HEAD, Parrot, World, counts, lock},
    unsynced::UnsyncedDisk,
};

const NOTHING_TO_DO: &str = "notes 0/67, sifted 0/67, splits 0/67, marked 0/67";
const ALL: &str = "notes 67/0, sifted 67/0, splits 67/0, marked 67/0";

/// As many units as make an index worth its file.
fn many() -> World {
    let world = World::new();
    for at in 0..64 {
        world.note(&format!("many{at:02}"), &format!("note number {at} tells of evening {at}"));
    }
    world
}

fn build(world: &World) -> Outcome {
    world.run_with(&Parrot::default(), Arc::new(UnsyncedDisk), 2, None).unwrap()
}

/// The files below a folder of the store, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Changes some bytes of a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 4;
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_run_with_nothing_to_do_opens_no_marker() {
    let world = many();
    let first = lock(&build(&world));
    let store = world.store();
    // Nobody notices that they are damaged; the index alone is read.
    for path in files(&store.join("markers")) {
        damage(&path);
    }
    let again = build(&world);
    assert_eq!((counts(&again).as_str(), lock(&again)), (NOTHING_TO_DO, first.clone()));
    assert!(world.plan().steps.iter().all(|row| row.run == 0));
    // Who reads them does: each is set aside and made anew.
    fs::remove_dir_all(store.join("index")).unwrap();
    let again = build(&world);
    assert_eq!((counts(&again).as_str(), lock(&again)), (ALL, first));
    assert_eq!(files(&store.join("damaged")).len(), 5 * 67);
}

#[test]
fn without_markers_an_index_tells_nothing() {
    let world = many();
    let first = lock(&build(&world));
    let markers = world.store().join("markers");
    fs::remove_dir_all(markers.join("sift/many07")).unwrap();
    assert_eq!(world.plan().steps[1].run, 1);
    assert!(counts(&build(&world)).starts_with("notes 0/67, sifted 1/66, splits 0/67"));
    fs::remove_dir_all(markers).unwrap();
    let again = build(&world);
    assert_eq!((counts(&again).as_str(), lock(&again)), (ALL, first));
}

#[test]
fn an_index_tells_nothing_of_what_has_changed() {
    let world = many();
    let (first, index) = (lock(&build(&world)), world.store().join("index"));
    let old = world.dir.path().join("old");
    fs::rename(&index, &old).unwrap();
    build(&world);
    world.note("many07", "quite another note, and a longer one");
    let changed = build(&world);
    assert!(counts(&changed).starts_with("notes 1/66, sifted 1/66"));
    assert_ne!(lock(&changed), first);
    // Another process that began before was slower, and wrote what it knew.
    fs::remove_dir_all(&index).unwrap();
    fs::rename(&old, &index).unwrap();
    let again = build(&world);
    assert_eq!((counts(&again).as_str(), lock(&again)), (NOTHING_TO_DO, lock(&changed)));
    // A part that is gone is made anew, whatever the index says.
    let digest = again.parts["sifted"][9].digest.to_string();
    fs::remove_file(world.store().join("parts").join(&digest[..2]).join(&digest)).unwrap();
    assert!(counts(&build(&world)).starts_with("notes 0/67, sifted 1/66"));
}

#[test]
fn people_decide_otherwise_and_back() {
    let world = many();
    world.note("who", "who is it ?");
    let run = |choices: &[&str]| {
        let mut workflow = world.workflow();
        let first = build(&world);
        let review = &first.reviews[0].review;
        let mut decisions = Decisions::default();
        for choice in choices {
            decisions.take(Decision::on(review, choice, "ann", "", &decisions));
        }
        workflow.decisions = Some(decisions);
        let store = Store::open(world.store(), Arc::new(UnsyncedDisk), Claim::Whole).unwrap();
        let options = RunOptions { threads: 2, shard: None, stop: &AtomicBool::new(false) };
        let outcome = run(&workflow, &store, &Parrot::default(), &(), &options).unwrap().outcome;
        outcome.parts["notes"].len()
    };
    assert_eq!([run(&[]), run(&["cut"]), run(&["keep"]), run(&["cut"])], [68, 67, 68, 67]);
}

#[test]
fn what_was_made_of_answers_is_looked_up_among_the_markers() {
    let mut world = many();
    world.workflow = format!(
        "{HEAD}\n[stage.rhymes.rhyme]\nfrom = \"notes\"\ntries = 2\n[dataset.words]\nfrom = \"rhymes\"\n"
    );
    let parrot = Parrot::default();
    let run = || world.run_with(&parrot, Arc::new(UnsyncedDisk), 2, None).unwrap();
    let first = lock(&run());
    assert_eq!(counts(&run()), "notes 0/67, rhymes 0/67");
    for path in files(&world.store().join("markers")) {
        damage(&path);
    }
    let again = run();
    assert_eq!((counts(&again).as_str(), lock(&again)), ("notes 0/67, rhymes 67/0", first));
}

#[test]
fn whatever_is_lost_or_damaged_the_same_is_made_again() {
    let world = many();
    let first = lock(&build(&world));
    let (store, mut dice) = (world.store(), 7_usize);
    let index: Vec<_> = files(&store.join("index"))
        .into_iter()
        .map(|path| (fs::read(&path).unwrap(), path))
        .collect();
    assert_eq!(index.len(), 5, "four steps, and the facts of one");
    for round in 0..24 {
        for folder in ["index", "markers", "parts"] {
            let all = files(&store.join(folder));
            for _ in 0..3 {
                dice = dice
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963);
                let path = &all[(dice >> 33) % all.len()];
                match (dice >> 20) % 4 {
                    0 => drop(fs::remove_file(path)),
                    1 if path.exists() => damage(path),
                    2 if path.exists() => fs::write(path, b"").unwrap(),
                    _ => {}
                }
            }
        }
        let shard = (round % 3 == 0).then(|| "1/2".parse().unwrap());
        world.run_with(&Parrot::default(), Arc::new(UnsyncedDisk), 2, shard).unwrap();
        // As a build goes: all of it is looked at, then all rows are read.
        let store = Store::open(world.store(), Arc::new(UnsyncedDisk), Claim::Whole).unwrap();
        let options = RunOptions { threads: 2, shard: None, stop: &AtomicBool::new(false) };
        let (workflow, parrot) = (world.workflow(), Parrot::default());
        let again = run(&workflow, &store, &parrot, &(), &options).unwrap();
        assert_eq!(lock(&again.outcome), first, "round {round}");
        for part in again.outcome.parts.values().flatten() {
            assert_eq!(Digest::of(&again.read(part).unwrap()), part.digest, "round {round}");
        }
    }
    fs::remove_dir_all(store.join("index")).unwrap();
    build(&world);
    for (bytes, path) in index {
        assert_eq!(fs::read(path).unwrap(), bytes, "it says what it said");
    }
}

#[test]
fn two_steps_of_a_kind_and_two_workflows_have_indexes_of_their_own() {
    let mut world = many();
    build(&world);
    let body = BODY.replace("sifted", "again").replace("splits", "ruled").replace("marked", "told");
    let body = body.split("[dataset").next().unwrap().to_owned();
    let one = world.workflow.clone();
    let other = format!("{}{body}", one.replace("name = \"toy\"", "name = \"other\""));
    for workflow in [&other, &one, &other, &one] {
        world.workflow.clone_from(workflow);
        build(&world);
    }
    for path in files(&world.store().join("markers")) {
        damage(&path);
    }
    for workflow in [&other, &one] {
        world.workflow.clone_from(workflow);
        assert!(!counts(&build(&world)).contains(" 67/"), "{}", counts(&build(&world)));
    }
}

#[test]
fn a_shard_reads_an_index_and_writes_none_and_a_few_units_need_none() {
    let (world, few) = (many(), World::new());
    let shard = || {
        let shard = Some("1/2".parse().unwrap());
        world.run_with(&Parrot::default(), Arc::new(UnsyncedDisk), 2, shard).unwrap()
    };
    shard();
    build(&few);
    assert!(!world.store().join("index").exists() && !few.store().join("index").exists());
    build(&world);
    for path in files(&world.store().join("markers")) {
        damage(&path);
    }
    assert!(shard().steps.iter().all(|step| step.made == 0));
}

#[test]
fn a_store_of_objects_has_them_too() {
    let world = many();
    let url = format!("file://{}", world.dir.path().join("objects").display());
    let run = |claim: Claim| -> Outcome {
        let disk = Arc::new(BucketDisk::open(Path::new(&url), &|_| None).unwrap());
        let store = Store::open(disk.root(), Arc::clone(&disk) as _, claim).unwrap();
        let options = RunOptions { threads: 2, shard: None, stop: &AtomicBool::new(false) };
        run(&world.workflow(), &store, &Parrot::default(), &(), &options).unwrap().outcome
    };
    let first = lock(&run(Claim::Whole));
    for path in files(&world.dir.path().join("objects/markers")) {
        damage(&path);
    }
    // Two at once, as nobody is locked out there.
    let both = std::thread::scope(|scope| {
        let two = [scope.spawn(|| run(Claim::Whole)), scope.spawn(|| run(Claim::Whole))];
        two.map(|one| one.join().unwrap())
    });
    for one in both {
        assert_eq!((counts(&one).as_str(), lock(&one)), (NOTHING_TO_DO, first.clone()));
    }
}
