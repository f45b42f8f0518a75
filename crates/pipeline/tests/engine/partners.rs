//! Rows of other units: read once all of them are there, and made anew when one of them changes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    ByUnit, CorpusStage, Cx, Edge, Inputs, Near, Options, Partners, Rows, Seed, Stage, Stop, UnitId,
};
use storymill_disk::RealDisk;
use storymill_pipeline::{Outcome, Registry};

use crate::toy::{Count, Parrot, Word, World, counts, lock};

/// Every unit's partners are the two that come next in the order of ids, round and round.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Neighbours {
    from: Edge<Word>,
}

impl Options for Neighbours {}

impl CorpusStage for Neighbours {
    const KIND: &'static str = "neighbours";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Fact = Count;
    type Out = Partners;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn fact(&self, _: &UnitId, _: Rows<Word>) -> Result<Count, Stop> {
        Ok(Count { letters: 0 })
    }

    fn run(
        &self,
        facts: &ByUnit<Count>,
        _: &ByUnit<Partners>,
        _: Seed,
    ) -> Result<ByUnit<Partners>, Stop> {
        let units: Vec<&UnitId> = facts.keys().collect();
        let rule = |(at, unit): (usize, &&UnitId)| {
            let places = [1, 2].map(|step| units[(at + step) % units.len()].clone()).to_vec();
            ((*unit).clone(), Partners { unit: (*unit).clone(), joined: 0, places })
        };
        Ok(units.iter().enumerate().map(rule).collect())
    }
}

/// The first word of the unit, and the last words of its partners.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chorus {
    from: Edge<Word>,
    echoes: Edge<Word>,
    partners: Edge<Partners>,
}

impl Options for Chorus {}

impl Stage for Chorus {
    const KIND: &'static str = "chorus";
    const VERSION: u32 = 1;
    type In = (Rows<Word>, Rows<Partners>, Option<Near<Word>>);
    type Out = Word;

    fn edges(&self) -> <Self::In as Inputs>::Edges {
        let near = self.echoes.near(&self.partners);
        (self.from.clone(), self.partners.clone(), Some(near))
    }

    fn run(&self, (words, partners, near): Self::In, _: &mut Cx<'_>) -> Result<Vec<Word>, Stop> {
        let near = near.expect("its edge is there");
        let echo = |unit: &UnitId| near.of(unit).and_then(|rows| rows.last()).cloned();
        Ok(words
            .first()
            .cloned()
            .into_iter()
            .chain(partners[0].places.iter().filter_map(echo))
            .collect())
    }
}

/// The same words; none of a unit that is broken.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    from: Edge<Word>,
}

impl Options for Whole {}

impl Stage for Whole {
    const KIND: &'static str = "whole";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Out = Word;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn run(&self, words: Rows<Word>, _: &mut Cx<'_>) -> Result<Vec<Word>, Stop> {
        if words.iter().any(|word| word.text == "broken") {
            return Err(Stop::reject("broken", "it says so"));
        }
        Ok(words.to_vec())
    }
}

pub fn register(registry: Registry) -> Registry {
    registry.with_corpus_stage::<Neighbours>().with_stage::<Chorus>().with_stage::<Whole>()
}

const BODY: &str = r#"
[stage.sifted.sift]
from = "notes"
least = 3
[stage.neighbours.neighbours]
from = "sifted"
[stage.rhymes.rhyme]
from = "sifted"
tries = 3
[stage.chorus.chorus]
from = "sifted"
echoes = "rhymes"
partners = "neighbours"
[dataset.words]
from = "chorus"
"#;

fn world() -> World {
    let mut world = World::new();
    world.workflow = crate::toy::HEAD.to_owned() + BODY;
    world
}

fn rows(world: &World, outcome: &Outcome, unit: &str) -> Vec<String> {
    let part = outcome.parts["chorus"].iter().find(|part| part.unit.as_str() == unit).unwrap();
    world.read::<Word>(part).into_iter().map(|word| word.text).collect()
}

#[test]
fn rows_of_partners_are_read_when_all_are_made() {
    let world = world();
    // Rhymes ask: a unit's partners are done only waves later.
    let parrot = Parrot::default();
    let outcome = world.run_with(&parrot, Arc::new(RealDisk), 2, None).unwrap();
    assert!(parrot.waves.lock().unwrap().len() > 1);
    assert_eq!(rows(&world, &outcome, "dog"), ["sleeps", "On 6 words", "On 2 words"]);
    assert_eq!(counts(&world.run()).rsplit(", ").next(), Some("chorus 0/3"));
}

#[test]
fn a_partner_that_changes_changes_who_reads_it_and_no_other() {
    let world = world();
    for unit in ["ant", "bee", "cat"] {
        world.note(unit, "one two three");
    }
    world.run();
    // ant bee cat dog fox owl: fox is read by cat and dog.
    world.note("fox", "the quick brown fox jumps over it twice");
    let outcome = world.run();
    assert!(counts(&outcome).ends_with("chorus 3/3"), "{}", counts(&outcome));
    assert_eq!(rows(&world, &outcome, "cat")[2], "On 7 words");
    assert_eq!(rows(&world, &outcome, "dog")[1], "On 7 words");
}

#[test]
fn a_partner_without_rows_is_not_there() {
    let mut world = world();
    world.workflow += "[stage.whole.whole]\nfrom = \"sifted\"\n";
    world.workflow = world.workflow.replace("echoes = \"rhymes\"", "echoes = \"whole\"");
    let all = world.run();
    assert_eq!(rows(&world, &all, "dog").len(), 3);
    world.note("fox", "the quick broken fox");
    let outcome = world.run();
    let (was, is) = (rows(&world, &all, "dog"), rows(&world, &outcome, "dog"));
    assert_eq!(is, [was[0].clone(), was[2].clone()], "the owl's is the other");
    assert_eq!(rows(&world, &outcome, "fox").len(), 3, "it reads its partners all the same");
}

#[test]
fn shards_wait_for_partners_of_other_shards() {
    let one = world();
    let expected = lock(&one.run());
    let world = world();
    let shard = |text: &str| {
        let shard = text.parse().unwrap();
        world.run_with(&Parrot::default(), Arc::new(RealDisk), 1, Some(shard)).unwrap()
    };
    let first = shard("1/2");
    assert!(first.lock.is_none() && first.parts["chorus"].is_empty());
    for turn in ["2/2", "1/2", "2/2", "1/2"] {
        shard(turn);
    }
    assert_eq!(lock(&world.run()), expected);
}
