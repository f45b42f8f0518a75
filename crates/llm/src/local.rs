//! Models that answer on this machine: no endpoint, no price, no limit.
//!
//! What they say is an answer like any other: in the log under its key, packed, replayed, and in a
//! frozen run never made anew.

use std::{
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
    asker::lock,
    keys,
    log::{Note, Record},
    model::Shared,
    wave::stopped,
};

/// A model that runs here.
pub trait Local: Debug + Send + Sync {
    /// The name of exactly these weights; part of the key of every answer.
    fn id(&self) -> &str;
    /// Gets ready; what is missing is said before anything is asked.
    fn ready(&self) -> Result<(), Fault>;
    /// The answer to what only it can read.
    fn answer(&self, raw: &Value) -> Result<String, Fault>;
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
                here(asked, *model).and_then(|text| keep(shared, asked, *model, text))
            };
            if let Err(fault) = end {
                lock(&failed).get_or_insert(fault);
                next.store(wave.len(), Ordering::Relaxed);
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from).min(wave.len());
    thread::scope(|scope| {
        (1..cores).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    match failed.into_inner() {
        Ok(Some(fault)) => Err(fault),
        _ => Ok(()),
    }
}

fn here(asked: &Asked, model: &dyn Local) -> Result<String, Fault> {
    match &asked.request.content {
        Content::Raw(raw) => model.answer(raw),
        Content::Chat(_) => {
            let message = format!("`{}` goes on with no conversation", asked.request.model);
            Err(Fault::new(FaultKind::Input, message).hint("name a model of the workflow"))
        }
    }
}

fn keep(shared: &Shared, asked: &Asked, model: &dyn Local, text: String) -> Result<(), Fault> {
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
        ..Note::default()
    };
    let answer = Answer { text, finish_reason: "stop".to_owned() };
    shared.log.append(Record { key: asked.key, answer, note: Some(note) })?;
    shared.here.fetch_add(1, Ordering::Relaxed);
    if let Some(fresh) = &shared.fresh {
        lock(fresh).insert(asked.key);
    }
    Ok(())
}
