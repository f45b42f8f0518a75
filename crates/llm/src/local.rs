//! Models that answer on this machine: no endpoint, no price, no limit.
//!
//! What they say is an answer like any other: in the log under its key, packed, replayed, and in a
//! frozen run never made anew.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;
use storymill_core::{Answer, Asked, Content, Fault, FaultKind};

use crate::{
    AskEvent,
    asker::lock,
    keys,
    log::{Note, Record},
    model::Shared,
    wave::stopped,
};

/// What a model on this machine said.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Its answer.
    pub text: String,
    /// What is noted beside it and decides nothing, such as how long a part of it took.
    pub noted: BTreeMap<String, String>,
}

impl From<String> for Heard {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// A model that runs here.
pub trait Local: Debug + Send + Sync {
    /// The name of exactly these weights; part of the key of every answer.
    fn id(&self) -> &str;
    /// Gets ready; what is missing is said before anything is asked.
    fn ready(&self) -> Result<(), Fault>;
    /// The answer to what only it can read. One that takes long looks at `stop` on the way.
    fn answer(&self, raw: &Value, stop: &AtomicBool) -> Result<Heard, Fault>;
    /// How many of its requests may run at once, of a model that takes so long that each answer is progress. None: as many
    /// as there are cores.
    fn at_once(&self) -> Option<usize> {
        None
    }
}

/// Answers requests on all cores. Every answer is in the log before this returns, though perhaps not
/// yet safe.
pub(crate) fn answer(
    shared: &Shared,
    wave: &[(&Asked, &dyn Local)],
    stop: &AtomicBool,
) -> Result<(), Fault> {
    for at in 0..wave.len() {
        let first = !wave[..at].iter().any(|(_, other)| other.id() == wave[at].1.id());
        if first {
            wave[at].1.ready()?;
        }
    }
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Fault>> = Mutex::new(None);
    let work = || {
        while let Some((asked, model)) = wave.get(next.fetch_add(1, Ordering::Relaxed)) {
            let end = if stop.load(Ordering::SeqCst) {
                Err(stopped())
            } else {
                here(asked, *model, stop).and_then(|heard| keep(shared, asked, *model, heard))
            };
            if let Err(fault) = end {
                lock(&failed).get_or_insert(fault);
                next.store(wave.len(), Ordering::Relaxed);
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let slow = wave.iter().filter_map(|(_, model)| model.at_once());
    let at_once = slow.clone().min().unwrap_or(cores).min(wave.len());
    if slow.count() > 0 {
        shared.events.emit(AskEvent::WaveStarted { requests: wave.len(), in_log: 0 });
    }
    thread::scope(|scope| {
        (1..at_once).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    match failed.into_inner() {
        Ok(Some(fault)) => Err(fault),
        _ => Ok(()),
    }
}

fn here(asked: &Asked, model: &dyn Local, stop: &AtomicBool) -> Result<Heard, Fault> {
    match &asked.request.content {
        Content::Raw(raw) => model.answer(raw, stop),
        Content::Chat(_) => {
            let message = format!("`{}` goes on with no conversation", asked.request.model);
            Err(Fault::new(FaultKind::Input, message).hint("name a model of the workflow"))
        }
    }
}

fn keep(shared: &Shared, asked: &Asked, model: &dyn Local, heard: Heard) -> Result<(), Fault> {
    let Heard { text, noted } = heard;
    let note = Note {
        unit: asked.unit.to_string(),
        item: asked.item.clone().unwrap_or_default(),
        stage: asked.stage.to_owned(),
        model: asked.request.model.clone(),
        model_id: model.id().to_owned(),
        sample: asked.sample,
        attempt: asked.attempt,
        request: keys::canonical_here(&asked.request),
        origin: "this machine".to_owned(),
        headers: noted,
        ..Note::default()
    };
    let answer = Answer { text, finish_reason: "stop".to_owned() };
    shared.log.append(Record { key: asked.key, answer, note: Some(note) })?;
    shared.here.fetch_add(1, Ordering::Relaxed);
    if let Some(fresh) = &shared.fresh {
        lock(fresh).insert(asked.key);
    }
    if model.at_once().is_some() {
        let (stage, model) = (asked.stage.to_owned(), asked.request.model.clone());
        let unit = asked.unit.clone();
        shared.events.emit(AskEvent::Answered { unit, stage, model, usage: None });
    }
    Ok(())
}
