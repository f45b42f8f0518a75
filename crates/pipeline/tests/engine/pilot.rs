//! Pilots: which scenes they take, and what is left to ask when they are over.

use std::{
    fs,
    sync::{Arc, atomic::AtomicBool},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Content, Cx, Edge, Inputs, Options, PartRef, Request, Rows, Scene, Stage, Stop, SymbolIndex,
    Trace, UnitId,
};
use storymill_disk::RealDisk;
use storymill_pipeline::{
    Claim, Finished, Plan, RunOptions, Step, Store, Visitor, Workflow, plan, run_pilot,
};

use crate::toy::{self, HEAD, Parrot, Word, World};

/// Makes a scene of each word.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cut {
    from: Edge<Word>,
}

impl Options for Cut {}

impl Stage for Cut {
    const KIND: &'static str = "cut";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Out = Scene;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn run(&self, words: Rows<Word>, cx: &mut Cx<'_>) -> Result<Vec<Scene>, Stop> {
        let scene = |word: &Word| Scene {
            book: cx.unit().clone(),
            scene: word.at,
            chapter: None,
            span: SymbolIndex::new(&word.text).span(0..word.text.len()),
            words: 1,
            tokens: Vec::new(),
            text: word.text.clone(),
        };
        Ok(words.iter().map(scene).collect())
    }
}

/// Asks about each scene, once the rows of another step are there.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tell {
    scenes: Edge<Scene>,
    #[serde(default)]
    after: Option<Edge<Word>>,
}

impl Options for Tell {
    fn models(&self) -> Vec<&str> {
        vec!["default"]
    }
}

impl Stage for Tell {
    const KIND: &'static str = "tell";
    const VERSION: u32 = 1;
    type In = (Rows<Scene>, Option<Rows<Word>>);
    type Out = Word;

    fn edges(&self) -> <Self::In as Inputs>::Edges {
        (self.scenes.clone(), self.after.clone())
    }

    fn run(&self, (scenes, after): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Word>, Stop> {
        cx.each(&scenes, |cx, scene| {
            let word = format!("{}{}", scene.text, if after.is_some() { " again" } else { "" });
            let prompt = |_: Option<&_>| Request {
                model: "default".to_owned(),
                content: Content::Raw(serde_json::json!({ "word": word })),
                tries: 1,
            };
            let text = cx.ask(0, prompt, |answer| Ok(answer.text.clone()))?;
            Ok(Word { at: scene.scene, text })
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Model {}

impl Options for Model {}

/// Two sources of 15 and 4 words, each cut into scenes and told twice.
fn world() -> World {
    let mut world = World::new();
    let more = world.dir.path().join("more");
    fs::create_dir(&more).unwrap();
    fs::write(more.join("elk.txt"), "an elk is tall").unwrap();
    let told = |source: &str| {
        format!(
            "[stage.{source}-scenes.cut]\nfrom = \"{source}\"\n\
             [stage.{source}-told.tell]\nscenes = \"{source}-scenes\"\n\
             [stage.{source}-retold.tell]\nscenes = \"{source}-scenes\"\nafter = \"{source}-told\"\n\
             [dataset.{source}]\nfrom = \"{source}-retold\"\n"
        )
    };
    world.workflow = format!(
        "{HEAD}\n[model.default]\n[source.more.notes]\npath = \"more\"\n{}{}",
        told("notes"),
        told("more")
    );
    world
}

fn workflow(world: &World) -> Workflow {
    let path = world.dir.path().join("toy.toml");
    fs::write(&path, &world.workflow).unwrap();
    let kinds =
        toy::registry().with_model(|_: &Model| Vec::new()).with_stage::<Cut>().with_stage::<Tell>();
    Workflow::read(&path, &kinds).unwrap()
}

fn open(world: &World) -> Store {
    Store::open(world.store(), Arc::new(RealDisk), Claim::Whole).unwrap()
}

fn pilot<'a>(
    workflow: &'a Workflow,
    store: &'a Store,
    parrot: &'a Parrot,
    scenes: u32,
) -> Finished<'a> {
    let options = RunOptions { threads: 2, shard: None, stop: &AtomicBool::new(false) };
    run_pilot(workflow, store, parrot, &(), &options, scenes).unwrap()
}

/// Makes what needs no answer.
struct Listener;

impl Visitor for Listener {
    const ASKS: bool = true;
}

fn cost(workflow: &Workflow, store: &Store, parrot: &Parrot) -> Plan {
    plan(workflow, store, parrot, &(), &mut Listener).unwrap()
}

/// `next+later` for each step that asks.
fn asked(plan: &Plan) -> String {
    let step = |one: &storymill_pipeline::Estimate| {
        format!("{} {}+{}", one.step, one.next.answers, one.later.answers)
    };
    plan.estimates.iter().map(step).collect::<Vec<_>>().join(", ")
}

#[test]
fn scenes_are_taken_from_every_source_and_nothing_else_is_asked() {
    let world = world();
    let (workflow, store, parrot) = (workflow(&world), open(&world), Parrot::default());
    let outcome = pilot(&workflow, &store, &parrot, 6).outcome;
    assert_eq!(parrot.waves.lock().unwrap().iter().sum::<usize>(), 12, "six scenes, told twice");
    let rows = |step: &str| outcome.parts[step].iter().map(|part| part.rows).sum::<u32>();
    assert_eq!((rows("notes-retold") + rows("more-retold"), rows("notes-scenes")), (6, 15));
    assert!(rows("more-retold") > 0, "all four units have their turn");

    // With fewer scenes than units some units are not asked about at all.
    let (fresh, parrot) = (self::world(), Parrot::default());
    pilot(&workflow, &open(&fresh), &parrot, 2);
    assert_eq!(parrot.waves.lock().unwrap().iter().sum::<usize>(), 4);
}

#[test]
fn what_a_pilot_has_asked_is_not_reckoned_again() {
    let world = world();
    let (workflow, store, parrot) = (workflow(&world), open(&world), Parrot::default());
    let before = "notes-told 15+0, notes-retold 0+15, more-told 4+0, more-retold 0+4";
    assert_eq!(asked(&cost(&workflow, &store, &parrot)), before);
    let outcome = pilot(&workflow, &store, &parrot, 8).outcome;
    let rows: u32 = outcome.parts["more-retold"].iter().map(|part| part.rows).sum();
    let (notes, more) = (15 - (8 - rows), 4 - rows);
    let left = [("notes", notes), ("more", more)]
        .map(|(source, left)| format!("{source}-told {left}+0, {source}-retold 0+{left}"));
    assert_eq!(asked(&cost(&workflow, &store, &parrot)), left.join(", "));
}

#[test]
fn a_bill_mends_every_damaged_part_that_it_reads() {
    let mut world = World::new();
    world.workflow = format!(
        "{HEAD}\n[model.default]\n[stage.scenes.cut]\nfrom = \"notes\"\n\
         [stage.sifted.sift]\nfrom = \"notes\"\nleast = 3\n[stage.others.cut]\nfrom = \"sifted\"\n\
         [stage.told.tell]\nscenes = \"others\"\n\
         [stage.retold.tell]\nscenes = \"scenes\"\nafter = \"told\"\n[dataset.words]\nfrom = \"retold\"\n"
    );
    let (workflow, store, parrot) = (workflow(&world), open(&world), Parrot::default());
    let expected = asked(&cost(&workflow, &store, &parrot));
    // What is told waits for answers, so nobody but the bill reads the scenes.
    let mut scenes = Found(Vec::new());
    plan(&workflow, &store, &parrot, &(), &mut scenes).unwrap();
    for part in &scenes.0 {
        let digest = part.digest.to_string();
        fs::write(world.store().join("parts").join(&digest[..2]).join(&digest), "torn").unwrap();
    }
    assert_eq!(asked(&cost(&workflow, &store, &parrot)), expected);
    assert_eq!(store.damaged(), 3);
}

/// The parts of the step `scenes`.
struct Found(Vec<PartRef>);

impl Visitor for Found {
    fn found(&mut self, step: &Step, _: &UnitId, part: Option<PartRef>, _: &Trace) {
        self.0.extend(part.filter(|_| step.name == "scenes"));
    }
}
