//! Fifty faults of the disk, in the store and in the published folder, on a book of two chapters.

use std::{path::Path, sync::Arc, sync::atomic::AtomicBool};

use storymill_core::{Disk, Fault, FaultKind};
use storymill_dataset::{Config, Publication, Tables, publish};
use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, NoModel, Registry, RunOptions, Store, Workflow, run};

use crate::faulty::{Failure, FaultyDisk};
use crate::project::{Project, full};

fn registry() -> Registry {
    let registry = Registry::new()
        .with_source::<storymill_sources::Folder>()
        .with_all(storymill_transforms::register);
    Tables::standard().names().fold(registry, Registry::with_table_named)
}

/// Builds and publishes over a disk; the digest of what was published.
fn build(folder: &Path, disk: Arc<dyn Disk>) -> Result<String, Fault> {
    let workflow = Workflow::read(&folder.join("my.toml"), &registry()).unwrap();
    let store = Store::open(folder.join("store"), Arc::clone(&disk), Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let run = run(&workflow, &store, &NoModel, &(), &options)?;
    let outcome = &run.outcome;
    let publication = Publication {
        name: workflow.name.clone(),
        title: workflow.publish.title.clone(),
        version: workflow.version.clone(),
        license: workflow.publish.license.clone(),
        canary: workflow.publish.canary.clone(),
        lock: outcome.lock.as_ref().unwrap().to_text().into_bytes(),
        configs: workflow
            .configs
            .iter()
            .map(|c| Config {
                encodings: Vec::new(),
                name: c.name.clone(),
                record: c.record.to_owned(),
                parts: outcome.parts[&c.from].clone(),
            })
            .collect(),
        ..Publication::default()
    };
    let published =
        publish(&publication, &Tables::standard(), &run, disk.as_ref(), &folder.join("out"))?;
    Ok(serde_json::to_string(&published.manifest).unwrap())
}

fn project() -> Project {
    let project = Project::new();
    project.book("two", 2).workflow(&[]);
    project
}

#[test]
fn fifty_faults_are_survived() {
    let calm = project();
    let counting = FaultyDisk::new(u64::MAX, Failure::Once);
    let expected = build(&calm.path(""), Arc::new(counting.clone())).unwrap();
    let operations = counting.operations();
    let faults = if full() { operations } else { 50 };
    for turn in 0..faults {
        // Spread over all operations; each kind of failure in turn.
        let at = (turn * operations / faults + turn * 7) % operations;
        let failure =
            [Failure::Once, Failure::Dead, Failure::Full][usize::try_from(turn % 3).unwrap()];
        let project = project();
        match build(&project.path(""), Arc::new(FaultyDisk::new(at, failure))) {
            Ok(published) => {
                assert_eq!(published, expected, "a fault at {at} of {operations} that did no harm")
            }
            Err(fault) => assert_eq!(fault.kind, FaultKind::Io, "{failure:?} at {at}: {fault}"),
        }
        let again = build(&project.path(""), Arc::new(RealDisk)).unwrap();
        assert_eq!(again, expected, "after {failure:?} at operation {at} of {operations}");
    }
}
