//! A small world: a folder of text files, two stages, one that asks, and a corpus stage.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::UNIX_EPOCH,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Asked, Asker, ByUnit, Content, CorpusStage, Cx, Digest, Disk, Edge, Env, Fault,
    FaultKind, Item, Known, Listing, OpenSource, Options, PartRef, Parts, Reason, Record, Request,
    RequestKey, Resource, Review, Reviews, Rows, Seed, Source, SourceUnit, Split, Stage, Stamp,
    Stop, UnitId,
};
use storymill_disk::RealDisk;
use storymill_pipeline::{
    Claim, Outcome, Plan, Registry, RunOptions, Shard, Store, Workflow, plan, run,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub at: u32,
    pub text: String,
}

impl Record for Word {
    const NAME: &'static str = "word";
    const VERSION: u32 = 1;
}

impl Item for Word {
    fn item_id(&self) -> String {
        format!("w{}", self.at)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub letters: u32,
}

impl Record for Count {
    const NAME: &'static str = "count";
    const VERSION: u32 = 1;
}

/// A folder of `.txt` files; its rows are their words, so white space changes no row.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    #[serde(skip_serializing)]
    path: PathBuf,
}

impl Notes {
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

impl Options for Notes {}

impl Source for Notes {
    const KIND: &'static str = "notes";
    const VERSION: u32 = 1;
    type Out = Word;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Word>>, Fault> {
        let read = env.lent.get::<Arc<AtomicUsize>>().cloned().unwrap_or_default();
        Ok(Box::new(OpenNotes { folder: env.root.join(&self.path), read }))
    }
}

/// The folder, and how many of its files were read to list them.
struct OpenNotes {
    folder: PathBuf,
    read: Arc<AtomicUsize>,
}

impl OpenSource<Word> for OpenNotes {
    fn units(&self, known: &Known) -> Result<Listing, Fault> {
        let mut units = Vec::new();
        for name in RealDisk
            .list(&self.folder)
            .map_err(|error| Fault::io("cannot list", &self.folder, error))?
        {
            let path = self.folder.join(&name);
            let unit = name.trim_end_matches(".txt").parse().unwrap();
            let seen = path.metadata().unwrap();
            let changed = seen.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
            let stamp = Stamp {
                digest: Digest::of(format!("{} {changed:?}", seen.len()).as_bytes()),
                changed: changed.as_secs(),
            };
            let digest = known.digest(&unit, &stamp).unwrap_or_else(|| {
                self.read.fetch_add(1, Ordering::Relaxed);
                Digest::of(&fs::read(&path).unwrap())
            });
            units.push(SourceUnit { unit, path, digest, spoiled: None, stamp: Some(stamp) });
        }
        Ok(Listing { units, notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Vec<Word>, Stop> {
        let text = fs::read_to_string(&unit.path).unwrap();
        if Digest::of(text.as_bytes()) != unit.digest {
            return Err(Fault::new(FaultKind::Input, "the note is not what was listed").into());
        }
        if text.starts_with("draft") {
            return Err(Stop::left_out("draft", "it says so itself"));
        }
        if text.contains('?') {
            let review = Review {
                item: unit.unit.to_string(),
                code: "asks".into(),
                question: "is it a note?".to_owned(),
                excerpt: text.clone(),
                choices: vec!["keep".to_owned(), "cut".to_owned()],
                default: "keep".to_owned(),
                ..Review::default()
            };
            if reviews.decide(review)? == "cut" {
                return Err(Stop::left_out("cut", "people say so"));
            }
        }
        if text.trim().is_empty() {
            return Err(Stop::reject("empty", "there is nothing in it"));
        }
        let word = |(at, text): (usize, &str)| Word {
            at: u32::try_from(at).unwrap(),
            text: text.to_owned(),
        };
        Ok(text.split_whitespace().enumerate().map(word).collect())
    }
}

/// Keeps words of at least so many letters, shuffled, with a suffix from a file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sift {
    from: Edge<Word>,
    #[serde(default)]
    least: u32,
    #[serde(default)]
    suffix: Option<Resource>,
}

impl Options for Sift {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.least > 99 { vec![("least", "must be at most 99".to_owned())] } else { Vec::new() }
    }

    fn resources(&mut self) -> Vec<&mut Resource> {
        self.suffix.iter_mut().collect()
    }
}

impl Stage for Sift {
    const KIND: &'static str = "sift";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Out = Word;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn run(&self, input: Rows<Word>, cx: &mut Cx<'_>) -> Result<Vec<Word>, Stop> {
        let suffix = self
            .suffix
            .as_ref()
            .map(|file| String::from_utf8_lossy(file.content()).trim().to_owned());
        let mut words = cx.each(&input, |_, word| {
            if word.text == "it" {
                return Err(Stop::left_out("pronoun", word.text.clone()));
            }
            if word.text.len() < self.least as usize {
                return Err(Stop::reject("short", word.text.clone()));
            }
            Ok(Word {
                at: word.at,
                text: format!("{}{}", word.text, suffix.clone().unwrap_or_default()),
            })
        })?;
        cx.stream("all", "order").shuffle(&mut words);
        Ok(words)
    }
}

/// Asks for each word; takes no answer that repeats it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rhyme {
    from: Edge<Word>,
    #[serde(skip_serializing)]
    tries: u32,
}

impl Options for Rhyme {}

impl Stage for Rhyme {
    const KIND: &'static str = "rhyme";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Out = Word;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn run(&self, input: Rows<Word>, cx: &mut Cx<'_>) -> Result<Vec<Word>, Stop> {
        let rhymes = cx.each(&input, |cx, word| {
            let prompt = |last: Option<&Reason>| Request {
                model: "default".to_owned(),
                content: Content::Raw(
                    serde_json::json!({ "word": word.text, "insist": last.is_some() }),
                ),
                tries: self.tries,
            };
            let check = |answer: &Answer| {
                if answer.text == word.text {
                    Err(Reason::new("same", answer.text.clone()))
                } else {
                    Ok(answer.text.clone())
                }
            };
            cx.ask(0, prompt, check).map(|text| Word { at: word.at, text })
        })?;
        // A second question that can only be asked once the first are answered.
        let all: Vec<_> = rhymes.iter().map(|word| word.text.as_str()).collect();
        let prompt = |_: Option<&Reason>| Request {
            model: "default".to_owned(),
            content: Content::Raw(serde_json::json!({ "poem": all.join(" ") })),
            tries: 1,
        };
        let title = cx.ask(0, prompt, |answer| Ok(answer.text.clone()))?;
        Ok(rhymes.into_iter().chain([Word { at: u32::MAX, text: title }]).collect())
    }
}

/// Rules that units with the longest note are `test`, others `train`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Longest {
    from: Edge<Word>,
}

impl Options for Longest {}

impl CorpusStage for Longest {
    const KIND: &'static str = "longest";
    const VERSION: u32 = 1;
    type In = Rows<Word>;
    type Fact = Count;
    type Out = Split;

    fn edges(&self) -> Edge<Word> {
        self.from.clone()
    }

    fn fact(&self, _: &UnitId, input: Rows<Word>) -> Result<Count, Stop> {
        Ok(Count {
            letters: u32::try_from(input.iter().map(|word| word.text.len()).sum::<usize>())
                .unwrap(),
        })
    }

    fn run(
        &self,
        facts: &ByUnit<Count>,
        before: &ByUnit<Split>,
        _: Seed,
    ) -> Result<ByUnit<Split>, Stop> {
        let most = facts.values().map(|count| count.letters).max().unwrap_or(0);
        let split = |(unit, count): (&UnitId, &Count)| {
            let split = if count.letters == most { "test" } else { "train" };
            let new = Split { unit: unit.clone(), split: split.to_owned(), group: unit.clone() };
            (unit.clone(), before.get(unit).cloned().unwrap_or(new))
        };
        Ok(facts.iter().map(split).collect())
    }
}

/// Adds the unit's split to each word.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    from: Edge<Word>,
    split: Edge<Split>,
}

impl Options for Mark {}

impl Stage for Mark {
    const KIND: &'static str = "mark";
    const VERSION: u32 = 1;
    type In = (Rows<Word>, Rows<Split>);
    type Out = Word;

    fn edges(&self) -> (Edge<Word>, Edge<Split>) {
        (self.from.clone(), self.split.clone())
    }

    fn run(
        &self,
        (words, split): (Rows<Word>, Rows<Split>),
        _: &mut Cx<'_>,
    ) -> Result<Vec<Word>, Stop> {
        Ok(words
            .iter()
            .map(|word| Word { at: word.at, text: format!("{}:{}", split[0].split, word.text) })
            .collect())
    }
}

pub fn registry() -> Registry {
    let registry = crate::unkept::register(crate::partners::register(Registry::new()));
    registry
        .with_source::<Notes>()
        .with_stage::<Sift>()
        .with_stage::<Rhyme>()
        .with_stage::<Mark>()
        .with_corpus_stage::<Longest>()
        .with_table::<Word>()
}

/// A log in memory with a model behind it that turns words round.
#[derive(Default)]
pub struct Parrot {
    pub log: Mutex<BTreeMap<RequestKey, Answer>>,
    pub waves: Mutex<Vec<usize>>,
    /// Answer in the reverse order of the wave.
    pub backwards: bool,
}

impl Asker for Parrot {
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(self.log.lock().unwrap().get(key).cloned())
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        self.waves.lock().unwrap().push(wave.len());
        let mut wave: Vec<_> = wave.iter().collect();
        if self.backwards {
            wave.reverse();
        }
        for asked in wave {
            let Content::Raw(body) = &asked.request.content else { panic!("{asked:?}") };
            let text = match (body["word"].as_str(), body["poem"].as_str()) {
                // Palindromes come back as they are, until it insists.
                (Some(word), _) if body["insist"] == true && word != "level" => {
                    format!("{word}-{word}")
                }
                (Some(word), _) => word.chars().rev().collect(),
                (_, Some(poem)) => format!("On {} words", poem.split(' ').count()),
                _ => return Err(Fault::new(FaultKind::Model, "no such question")),
            };
            let answer = Answer { text, finish_reason: "stop".to_owned() };
            self.log.lock().unwrap().insert(asked.key, answer);
        }
        Ok(())
    }
}

/// A folder with notes, a workflow and a store.
pub struct World {
    pub dir: tempfile::TempDir,
    pub workflow: String,
}

pub const HEAD: &str = r#"
name = "toy"
version = "1.0.0"
seed = 7
[publish]
title = "Toy"
license = "cc0-1.0"
canary = "canary-0123456789"
[source.notes.notes]
path = "notes"
"#;

pub const BODY: &str = r#"
[stage.sifted.sift]
from = "notes"
least = 3
[stage.splits.longest]
from = "sifted"
[stage.marked.mark]
from = "sifted"
split = "splits"
[dataset.words]
from = "marked"
"#;

impl World {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("notes")).unwrap();
        let world = Self { dir, workflow: format!("{HEAD}{BODY}") };
        world.note("fox", "the quick brown fox jumps over it");
        world.note("dog", "a lazy dog sleeps");
        world.note("owl", "level eyes by night");
        world
    }

    pub fn note(&self, unit: &str, text: &str) {
        fs::write(self.dir.path().join("notes").join(format!("{unit}.txt")), text).unwrap();
    }

    pub fn workflow(&self) -> Workflow {
        let path = self.dir.path().join("toy.toml");
        // Runs side by side read the same file.
        if fs::read_to_string(&path).ok().as_ref() != Some(&self.workflow) {
            fs::write(&path, &self.workflow).unwrap();
        }
        Workflow::read(&path, &registry()).unwrap()
    }

    pub fn store(&self) -> PathBuf {
        self.dir.path().join("store")
    }

    pub fn run(&self) -> Outcome {
        self.run_with(&Parrot::default(), Arc::new(RealDisk), 2, None).unwrap()
    }

    pub fn run_with(
        &self,
        asker: &dyn Asker,
        disk: Arc<dyn Disk>,
        threads: usize,
        shard: Option<Shard>,
    ) -> Result<Outcome, Fault> {
        let store = Store::open(self.store(), disk, shard.map_or(Claim::Whole, Claim::Shard))?;
        let options = RunOptions { threads, shard, stop: &AtomicBool::new(false) };
        run(&self.workflow(), &store, asker, &(), &options).map(|run| run.outcome)
    }

    /// The rows of a part.
    pub fn read<R: Record>(&self, part: &PartRef) -> Vec<R> {
        let store = Store::look(self.store(), Arc::new(RealDisk)).unwrap();
        let parts: &dyn Parts = &store;
        parts.rows::<R>(part).unwrap().to_vec()
    }

    pub fn plan(&self) -> Plan {
        let store = Store::look(self.store(), Arc::new(RealDisk)).unwrap();
        plan(&self.workflow(), &store, &Parrot::default(), &(), &mut ()).unwrap()
    }
}

/// `step made/current` for each step.
pub fn counts(outcome: &Outcome) -> String {
    let step = |step: &storymill_pipeline::StepReport| {
        format!("{} {}/{}", step.name, step.made, step.current)
    };
    outcome.steps.iter().map(step).collect::<Vec<_>>().join(", ")
}

pub fn lock(outcome: &Outcome) -> String {
    outcome.lock.as_ref().expect("the run is whole").to_text()
}
