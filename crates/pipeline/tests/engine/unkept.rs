//! A source whose rows the store does not keep: they are read where they lie, whenever they are wanted.

use std::{fs, path::PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Env, Fault, OpenSource, Options, Source};
use storymill_pipeline::Registry;

use crate::toy::{Notes, Word, World, counts};

/// Notes that lie well where they lie.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Letters {
    #[serde(skip_serializing)]
    path: PathBuf,
}

impl Options for Letters {}

impl Source for Letters {
    const KIND: &'static str = "letters";
    const VERSION: u32 = 1;
    const KEPT: bool = false;
    type Out = Word;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Word>>, Fault> {
        Notes::at(&self.path).open(env)
    }
}

pub fn register(registry: Registry) -> Registry {
    registry.with_source::<Letters>()
}

fn letters() -> World {
    let mut world = World::new();
    world.workflow = world.workflow.replace("[source.notes.notes]", "[source.notes.letters]");
    world
}

fn parts(world: &World) -> usize {
    let folders = fs::read_dir(world.store().join("parts")).unwrap();
    folders.map(|folder| fs::read_dir(folder.unwrap().path()).unwrap().count()).sum()
}

#[test]
fn rows_that_lie_elsewhere_take_no_place_in_the_store() {
    let (kept, mut world) = (World::new(), letters());
    let (outcome, other) = (world.run(), kept.run());
    assert_eq!(outcome.parts, other.parts);
    assert_eq!(parts(&world) + 3, parts(&kept));
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 0/3, splits 0/3, marked 0/3");
    // Whoever wants them later reads them there.
    world.workflow = world.workflow.replace("least = 3", "least = 2");
    assert!(counts(&world.run()).starts_with("notes 0/3, sifted 3/0"));
    world.note("owl", "another night, other eyes");
    assert!(counts(&world.run()).starts_with("notes 1/2, sifted 1/2"));
}

#[test]
fn a_damaged_part_is_made_anew_of_rows_that_lie_elsewhere() {
    let world = letters();
    let digest = world.run().parts["sifted"][0].digest.to_string();
    let path = world.store().join("parts").join(&digest[..2]).join(&digest);
    fs::write(&path, b"damage").unwrap();
    let markers = world.store().join("markers/mark");
    fs::remove_dir_all(markers).unwrap();
    assert_eq!(counts(&world.run()), "notes 0/3, sifted 0/3, splits 0/3, marked 3/0");
    assert_ne!(fs::read(&path).unwrap(), b"damage");
}
