//! The tagger of steps that name none: which lock, which record or which model decides it.

use std::{
    cell::LazyCell,
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::Disk;
use storymill_dataset::Manifest;
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, Mode};
use storymill_names::answers;
use storymill_pipeline::{Lock, Workflow};

use crate::{
    data::DataFolders, events::Notice, models::ModelOptions, taggers, workspace::Workspace,
};

/// What decides.
pub(crate) enum By<'a> {
    /// The lock of what is to be built again.
    Lock(&'a Lock),
    /// What was built and recorded before. Nobody is asked, so it does not matter which models are here.
    Record(Record<'a>),
    /// The models that are here, in a folder that was named or wherever they are looked for.
    Models(Option<&'a Path>),
}

/// Where something was built and recorded.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub(crate) workspace: &'a Workspace,
    /// The folder of the log; that of the store where none is named.
    pub(crate) answers: Option<&'a Path>,
    /// The folder of the dataset; where builds put it where none is named.
    pub(crate) out: Option<&'a Path>,
}

impl<'a> By<'a> {
    /// What decides for a command that asks models, or does not.
    pub(crate) fn of(
        models: &'a ModelOptions,
        lock: Option<&'a Lock>,
        workspace: &'a Workspace,
        out: Option<&'a Path>,
    ) -> Self {
        match lock {
            Some(lock) => By::Lock(lock),
            None if models.mode == Mode::Frozen => {
                By::Record(Record { workspace, answers: models.answers.as_deref(), out })
            }
            None => By::Models(models.taggers.as_deref()),
        }
    }
}

/// Chooses the tagger of steps that name none: `litner` where a lock says so, where its answers are
/// recorded, or where its model is here and may be asked; else the perceptron.
///
/// Tells of the steps that go without `litner`, unless a lock has it so.
pub(crate) fn settle(workflow: &mut Workflow, by: &By<'_>, data: &DataFolders) -> Vec<Notice> {
    let (root, packs) = (workflow.root.clone(), workflow.answers.clone());
    let (name, base) = (workflow.name.clone(), workflow.base.clone());
    let asks = LazyCell::new(|| match by {
        By::Lock(lock) => asks_litner(lock).unwrap_or(false),
        By::Record(record) => record.asked(&packs, &name, base.as_deref()),
        By::Models(folder) => folder.is_some() || taggers::is_here(&root, data) || packed(&packs),
    });
    let without = workflow.settle(&|_| *asks);
    let unrecorded = |step: &String| {
        Notice::warning(format!(
            "`{step}` names no tagger, and no answers of `litner` are recorded, so the perceptron finds the names"
        ))
    };
    match by {
        By::Models(_) if !without.is_empty() => taggers::without(&without, &root, data),
        By::Record(_) => without.iter().map(unrecorded).collect(),
        By::Models(_) | By::Lock(_) => Vec::new(),
    }
}

impl Record<'_> {
    /// Whether what was built last asked `litner`: the packs of the workflow, the lock that was published,
    /// the lock before it and the log say so, in this order.
    fn asked(&self, packs: &[PathBuf], name: &str, base: Option<&Path>) -> bool {
        let out = self.out.map_or_else(|| Path::new("out").join(name), Path::to_owned);
        let published = || {
            let lock = Manifest::of(&out).ok()?.lock.path;
            asks_litner(&Lock::read(&out.join(lock)).ok()?)
        };
        let before = || asks_litner(&Lock::read(base?).ok()?);
        let log = || {
            let own = self.workspace.store.join("answers");
            has_odds(self.answers.unwrap_or(&own), &[], &self.workspace.disk)
        };
        // What is published lies in clear, so it is no build of a shelf.
        let published = if self.workspace.is_private() { None } else { published() };
        packed(packs) || published.or_else(before).unwrap_or_else(log)
    }
}

/// Whether the steps of a lock ask `litner`; none if they have no tagger at all.
fn asks_litner(lock: &Lock) -> Option<bool> {
    let mut all = lock.steps.values().filter_map(|step| step.options.get("tagger")?.as_str());
    let first = all.next()?;
    Some(first == "litner" || all.any(|tagger| tagger == "litner"))
}

/// Whether packs hold a tagger's answers.
fn packed(packs: &[PathBuf]) -> bool {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    packs.split_first().is_some_and(|(first, others)| has_odds(first, others, &disk))
}

/// Whether answers are a tagger's. A pack holds keys and answers alone, so that their form has to say it. A
/// log that cannot be read is told where it is opened to be used.
fn has_odds(folder: &Path, packs: &[PathBuf], disk: &Arc<dyn Disk>) -> bool {
    let Ok(log) = AnswerLog::open(folder, packs, Arc::clone(disk)) else { return false };
    let answer = |key| log.get(&key).ok().flatten();
    log.keys().into_iter().filter_map(answer).any(|answer| are_odds(&answer.text))
}

/// Whether a text is what a tagger says of a window. A bare number, which a model may well answer, is not.
fn are_odds(text: &str) -> bool {
    let words = || text.split_whitespace();
    words().next().is_some()
        && words().all(|word| word == "." || word.contains(','))
        && answers::odds(text, words().count()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::are_odds;

    #[test]
    fn a_taggers_answers_are_told_from_others() {
        for text in [". . 12,900,3 .", "0,1000", "."] {
            assert!(are_odds(text), "{text}");
        }
        for text in ["", "4", "1 2 3", "Call me Ishmael.", "Yes, .", "{\"a\": 1}"] {
            assert!(!are_odds(text), "{text}");
        }
    }
}
