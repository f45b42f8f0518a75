//! How long it takes to ask, at the pace of the answers so far: one forecast for plans, pilots and evaluations.

use std::{collections::BTreeMap, path::Path, time::Duration};

use storymill_core::{Disk, Fault};
use storymill_llm::{AnswerLog, Cost, ModelConfig, answers::notes};
use storymill_pipeline::{Estimate, Workflow};

use crate::{Project, models::configs};

/// How long answers took so far, and how long it goes on like that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// The answers that it is reckoned from, all of the log to such steps by such models. Those of packs and batches are
    /// not among them: nobody knows how long they took.
    pub answers: u64,
    /// How long they took, added up, in milliseconds.
    pub millis: u64,
    /// Requests that are still to be sent.
    pub requests: u64,
    /// About how long these take, with as many in flight as the models' tables allow.
    pub left: Duration,
}

impl Pace {
    /// A time is forecast from so many answers on.
    pub const ENOUGH: u64 = 10;

    /// The pace of these answers, and that of others after them. None where one of them is not known well enough.
    fn and(self, timed: Timed, config: &ModelConfig, requests: u64) -> Option<Self> {
        let left = self.left + timed.time_of(config, requests)?;
        let (answers, millis) = (self.answers + timed.answers, self.millis + timed.millis);
        Some(Self { answers, millis, requests: self.requests + requests, left })
    }
}

/// How long some answers took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Timed {
    answers: u64,
    millis: u64,
}

impl Timed {
    /// About how long so many more take; none where too few are known.
    fn time_of(self, config: &ModelConfig, requests: u64) -> Option<Duration> {
        if self.answers < Pace::ENOUGH {
            return None;
        }
        let at_once = u64::from(config.concurrency).clamp(1, requests.max(1));
        let millis = self.millis.saturating_mul(requests) / self.answers / at_once;
        let minutes =
            config.requests_per_minute.map_or(0, |most| requests / u64::from(most.max(1)));
        Some(Duration::from_millis(millis).max(Duration::from_secs(60 * minutes)))
    }
}

/// The answers of a log that were asked live, by kind of stage and the user's name for the weights.
fn timed(folder: &Path, disk: &dyn Disk) -> Result<BTreeMap<(String, String), Timed>, Fault> {
    let mut known: BTreeMap<(String, String), Timed> = BTreeMap::new();
    notes(folder, disk, None, |_, note| {
        if note.millis > 0 {
            let timed = known.entry((note.stage, note.model_id)).or_default();
            *timed = Timed { answers: timed.answers + 1, millis: timed.millis + note.millis };
        }
    })?;
    Ok(known)
}

/// The pace of all that is asked; none if there is nothing, or too little is known.
///
/// # Errors
///
/// The log cannot be read.
pub(crate) fn of_estimates(
    workflow: &Workflow,
    log: &AnswerLog,
    estimates: &[(Estimate, Cost)],
) -> Result<Option<Pace>, Fault> {
    let asked = estimates.iter().filter(|(_, cost)| cost.answers > 0);
    if asked.clone().next().is_none() {
        return Ok(None);
    }
    let (known, models) = (timed(log.folder(), &**log.disk())?, configs(workflow)?);
    let add = |pace: Pace, (one, cost): &(Estimate, Cost)| {
        let (step, config) = (workflow.step(&one.step)?, models.get(&one.model)?);
        let timed = known.get(&(step.kind().to_owned(), config.id().to_owned()));
        pace.and(timed.copied().unwrap_or_default(), config, cost.answers)
    };
    Ok(asked.into_iter().try_fold(Pace::default(), add))
}

impl Project {
    /// The pace of so many more requests that a step sends to its one model, reckoned from the answers in the log; none if
    /// too few are there.
    ///
    /// # Errors
    ///
    /// The log cannot be read.
    pub fn pace(
        &self,
        answers: Option<&Path>,
        step: &str,
        requests: u64,
    ) -> Result<Option<Pace>, Fault> {
        let folder = answers.map_or_else(|| self.workspace.store.join("answers"), Path::to_owned);
        let models = configs(&self.workflow)?;
        let step = self.workflow.step(step);
        let named = step.and_then(|step| Some((step.kind(), models.get(step.models().first()?)?)));
        let Some((kind, config)) = named.filter(|_| requests > 0) else { return Ok(None) };
        let known = timed(&folder, &*self.workspace.disk)?;
        let timed = known.get(&(kind.to_owned(), config.id().to_owned()));
        Ok(Pace::default().and(timed.copied().unwrap_or_default(), config, requests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answers: u64, lines: &str, requests: u64, seconds: Option<u64>) {
        let text = format!("url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n{lines}");
        let config = ModelConfig::parse(&text).unwrap();
        let timed = Timed { answers, millis: 4_000 * answers };
        let time = timed.time_of(&config, requests);
        assert_eq!(time, seconds.map(Duration::from_secs));
        let pace = Pace::default().and(timed, &config, requests);
        assert_eq!(pace.map(|pace| (pace.answers, pace.left)), time.map(|left| (answers, left)));
    }

    #[test]
    fn the_rest_takes_as_long_as_what_was() {
        check(20, "concurrency = 1", 980, Some(3_920));
        check(20, "concurrency = 8", 980, Some(490));
        // Fewer requests than may be in flight, and a limit on requests a minute.
        check(20, "concurrency = 8", 2, Some(4));
        check(20, "concurrency = 8\nrequests_per_minute = 10", 980, Some(5_880));
        check(9, "", 980, None);
        check(10, "", 0, Some(0));
    }
}
