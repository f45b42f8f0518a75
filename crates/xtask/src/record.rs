//! Records answers that are written by hand: a workflow is run with an asker that looks them up, and
//! what its stages asked is packed under the keys of a real asker.

use std::{
    collections::BTreeMap,
    fs,
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use storymill_core::{Answer, Asked, Asker, Digest, Fault, FaultKind, Request, RequestKey, UnitId};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, AskerOptions, Mode, ModelAsker, Record, answers::pack};
use storymill_pipeline::{Claim, Registry, RunOptions, Store, Workflow, run};

use crate::{Done, top};

/// What the workflows that tools run may name.
pub(crate) fn registry() -> Registry {
    let registry = Registry::new()
        .with_model(|_: &storymill_llm::ModelConfig| Vec::new())
        .with_source::<storymill_sources::Folder>()
        .with_source::<storymill_sources::QuestionSets>()
        .with_all(storymill_transforms::register);
    storymill_dataset::Tables::standard().names().fold(registry, Registry::with_table_named)
}

/// Runs `workflow` and packs what `answer` says into the folder `to`, both below the top. What
/// `answer` has no answer for ends the run with its message.
pub(crate) fn record(
    workflow: &str,
    to: &str,
    answer: impl Fn(&Asked) -> Result<Answer, String> + Sync,
) -> Done {
    let registry = registry();
    let work = tempfile::tempdir()?;
    let workflow = Workflow::read(&top().join(workflow), &registry)?;
    let log = Arc::new(AnswerLog::open(&work.path().join("log"), &[], Arc::new(RealDisk))?);
    let models = workflow
        .models
        .iter()
        .map(|(name, value)| Ok((name.clone(), serde_json::from_value(value.clone())?)));
    let models = models.collect::<Result<BTreeMap<_, _>, serde_json::Error>>()?;
    let asker = ModelAsker::new(
        Arc::clone(&log),
        models,
        AskerOptions { mode: Mode::Frozen, ..AskerOptions::default() },
        Box::new(|_| None),
        Arc::new(()),
        Arc::default(),
    )?;
    let teller = Teller { asker, log: Arc::clone(&log), answer, asked: Mutex::default() };
    let store = Store::open(work.path().join("store"), Arc::new(RealDisk), Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    for reject in &run(&workflow, &store, &teller, &(), &options)?.outcome.rejects {
        println!(
            "rejected: {} {} {}: {}",
            reject.step, reject.reject.item, reject.reject.reason.code, reject.reject.reason.detail
        );
    }
    let to = top().join(to);
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    let packed = pack(&log, teller.asked.into_inner()?, &to)?;
    println!("{} answers, {} bytes, in {}", packed.answers, packed.bytes, to.display());
    Ok(())
}

/// Answers from what is written; keys and log are those of a real asker.
struct Teller<F> {
    asker: ModelAsker,
    log: Arc<AnswerLog>,
    answer: F,
    asked: Mutex<Vec<RequestKey>>,
}

impl<F: Fn(&Asked) -> Result<Answer, String> + Sync> Asker for Teller<F> {
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
        let mut missing = Vec::new();
        for asked in wave {
            match (self.answer)(asked) {
                Ok(answer) => {
                    self.log.append(Record { key: asked.key, answer, note: None })?.wait()?;
                }
                Err(why) => missing.push(why),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(Fault::new(FaultKind::Input, missing.join("\n")))
    }
}
