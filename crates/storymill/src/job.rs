//! A run of some steps for a shard: what it claims, and what is written down of it.

use std::collections::BTreeSet;

use storymill_core::Fault;
use storymill_pipeline::{Claim, JobId, JobRecord, JobState, Store, Workflow};

use crate::{
    BuildOptions,
    events::{Asked, Events, Notice},
};

/// A run of some steps for a shard.
pub(crate) struct Job {
    id: JobId,
    steps: Vec<String>,
    shard: Option<String>,
    /// Whether a model is asked that costs something.
    pays: bool,
}

impl Job {
    pub(crate) fn of(
        workflow: &Workflow,
        steps: &BTreeSet<String>,
        options: &BuildOptions,
    ) -> Self {
        let wanted =
            || workflow.steps.iter().zip(1..).filter(|(step, _)| steps.contains(&step.name));
        let numbers: Vec<usize> = wanted().map(|(_, number)| number).collect();
        Self {
            id: JobId::new(&workflow.name, &numbers, options.shard),
            steps: wanted().map(|(step, _)| step.name.clone()).collect(),
            shard: options.shard.map(|shard| shard.to_string()),
            pays: wanted().any(|(step, _)| step.asks_outside(workflow)),
        }
    }

    pub(crate) fn claim(&self) -> Claim {
        Claim::Job { id: self.id.clone(), pays: self.pays }
    }

    /// Writes down what came of it. That serves whoever looks: where it fails, nothing is lost.
    pub(crate) fn ended(
        &self,
        store: &Store,
        result: Result<bool, &Fault>,
        asked: Option<&Asked>,
        events: &dyn Events,
    ) {
        let record = JobRecord {
            steps: self.steps.clone(),
            shard: self.shard.clone(),
            state: match result {
                Ok(true) => JobState::Done,
                Ok(false) => JobState::Waits,
                Err(_) => JobState::Failed,
            },
            message: result.err().map(|fault| fault.message.clone()),
            used: asked.map(|asked| asked.cost().as_json()).into(),
        };
        if let Err(fault) = store.job_ended(&self.id, &record) {
            let message = format!("the shard is over, and that was not written down: {fault}");
            events.notice(Notice::warning(message));
        }
        store.job_over();
    }
}
