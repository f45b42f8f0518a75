//! Records the answers of the quickstart: what is written in `data/answers/told`, as the answers
//! to the requests that the quickstart's stages make. Run it when a prompt or a story changes:
//!
//! ```text
//! cargo run --release --example record_quickstart
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use serde::Deserialize;
use storymill_core::{
    Answer, Asked, Asker, Digest, Edit, Fault, FaultKind, Request, RequestKey, UnitId,
};
use storymill_llm::{AnswerLog, AskerOptions, Mode, ModelAsker, answers::pack, log::Record};
use storymill_pipeline::{Claim, Registry, RunOptions, Store, Workflow, run, store::RealDisk};

/// What is told of one story.
#[derive(Deserialize)]
struct Story {
    book: String,
    scenes: Vec<Told>,
    whole: Told,
}

/// A true retelling and false ones.
#[derive(Clone, Deserialize)]
struct Told {
    #[serde(default)]
    scene: u32,
    summary: String,
    distortions: Vec<Twins>,
}

/// A list of changed events, and the retellings made from it.
#[derive(Clone, Deserialize)]
struct Twins {
    edits: Vec<Edit>,
    #[serde(rename = "true")]
    truth: String,
    #[serde(rename = "false")]
    lie: String,
}

/// An answer that is not in order, in place of the one that is.
#[derive(Deserialize)]
struct Slip {
    stage: String,
    /// Which of the calls for a distortion: `edits`, `true` or `false`.
    on: Option<String>,
    item: String,
    attempts: Vec<u32>,
    text: String,
    finish_reason: String,
}

/// Answers from what is told; keys and log are those of a real asker.
struct Teller {
    asker: ModelAsker,
    log: Arc<AnswerLog>,
    told: BTreeMap<String, Told>,
    slips: Vec<Slip>,
    asked: Mutex<Vec<RequestKey>>,
}

const BEGIN: &str = "### BEGIN ANSWER ###\n";

impl Teller {
    fn text(&self, asked: &Asked) -> Option<(String, String)> {
        let item = asked.item.clone()?;
        let of = match asked.stage {
            "distort" => item.rsplit_once('/')?.0,
            _ => &item,
        };
        let told = self.told.get(of)?;
        let (call, text) = match asked.stage {
            "distort" => {
                let text: String = asked.request.chat()?.texts().collect();
                twin(told.distortions.get(asked.sample as usize)?, &text)
            }
            _ => ("summary", told.summary.clone()),
        };
        let slip = self.slips.iter().find(|slip| {
            let this_call = slip.on.as_deref().is_none_or(|on| on == call);
            this_call
                && slip.stage == asked.stage
                && slip.item == item
                && slip.attempts.contains(&asked.attempt)
        });
        Some(match slip {
            Some(slip) => (slip.text.clone(), slip.finish_reason.clone()),
            None => (format!("{BEGIN}{text}"), "stop".to_owned()),
        })
    }
}

/// What is wanted of a distortion, and its text: the pairs, or one of the twins.
fn twin(twins: &Twins, asked: &str) -> (&'static str, String) {
    let pair = |edit: &Edit| format!("TRUE: {}\nFALSE: {}", edit.true_event, edit.false_event);
    if !asked.contains("<events>") && !asked.contains("TRUE: the true event") {
        return ("rewrite", twins.lie.clone());
    }
    if !asked.contains("<events>") {
        return ("edits", twins.edits.iter().map(pair).collect::<Vec<_>>().join("\n"));
    }
    if twins.edits.iter().any(|edit| asked.contains(&edit.false_event)) {
        return ("false", twins.lie.clone());
    }
    ("true", twins.truth.clone())
}

impl Asker for Teller {
    fn key(
        &self,
        unit: &UnitId,
        request: &Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        self.asker.key(unit, request, sample, attempt)
    }

    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        let answer = self.log.get(key)?;
        if answer.is_some() {
            self.asked.lock().expect("nobody panics here").push(*key);
        }
        Ok(answer)
    }

    fn favour(&self, _: &[(RequestKey, Digest)]) {}

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        for asked in wave {
            let item = asked.item.clone().unwrap_or_default();
            let Some((text, finish_reason)) = self.text(asked) else {
                let message =
                    format!("nothing is told for {} {item}, sample {}", asked.stage, asked.sample);
                return Err(Fault::new(FaultKind::Input, message));
            };
            let answer = Answer { text, finish_reason };
            self.log.append(Record { key: asked.key, answer, note: None })?.wait()?;
        }
        Ok(())
    }
}

fn registry() -> Registry {
    let registry = Registry::new()
        .with_model::<storymill_llm::ModelConfig>()
        .with_source::<storymill_sources::Folder>()
        .with_all(storymill_transforms::register);
    storymill_dataset::Tables::standard().names().fold(registry, Registry::with_table_named)
}

fn main() -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = top.join("data/answers");
    let mut told = BTreeMap::new();
    for entry in fs::read_dir(folder.join("told"))? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "slips") {
            continue;
        }
        let story: Story = serde_json::from_slice(&fs::read(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for scene in story.scenes {
            told.insert(format!("{}/{:04}", story.book, scene.scene), scene);
        }
        told.insert(format!("{}/L1/000", story.book), story.whole);
    }
    let slips = serde_json::from_slice(&fs::read(folder.join("told/slips.json"))?)?;

    let work = tempfile::tempdir()?;
    let workflow = Workflow::read(&top.join("workflows/quickstart.toml"), &registry())?;
    let log = Arc::new(AnswerLog::open(&work.path().join("log"), &[], Arc::new(RealDisk))?);
    let models = workflow
        .models
        .iter()
        .map(|(name, value)| Ok((name.clone(), serde_json::from_value(value.clone())?)));
    let models = models.collect::<Result<BTreeMap<_, _>, serde_json::Error>>()?;
    let options = AskerOptions { mode: Mode::Frozen, ..AskerOptions::default() };
    let asker = ModelAsker::new(
        Arc::clone(&log),
        models,
        options,
        Box::new(|_| None),
        Arc::new(()),
        Arc::default(),
    )?;
    let teller = Teller { asker, log: Arc::clone(&log), told, slips, asked: Mutex::default() };

    let store = Store::open(work.path().join("store"), Arc::new(RealDisk), Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let outcome = run(&workflow, &store, &teller, &(), &options)?.outcome;
    for reject in &outcome.rejects {
        println!(
            "rejected: {} {} {}: {}",
            reject.step, reject.reject.item, reject.reject.reason.code, reject.reject.reason.detail
        );
    }

    let to: PathBuf = folder.join("quickstart");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    let keys = teller.asked.into_inner()?;
    let packed = pack(&log, keys, &to)?;
    println!("{} answers, {} bytes, in {}", packed.answers, packed.bytes, to.display());
    Ok(())
}
