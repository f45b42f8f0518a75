//! The steps of a workflow as data: what is to be done, in which order, in how many shards, and what it needs.

use serde::Serialize;
use storymill_core::{Fault, FaultKind};
use storymill_pipeline::{Claim, Job, Plan, Store, plan_jobs};

use crate::{PlanOptions, Project, damage, events::tell, models::configs, partners, settle::By};

/// The steps of a workflow, and the jobs that do them.
#[derive(Clone, Debug)]
pub struct Steps {
    /// What is left of each step.
    pub plan: Plan,
    /// Neighbouring steps that one command does, in order.
    pub jobs: Vec<Job>,
    /// The models of the workflow.
    pub models: Vec<ModelLimits>,
}

/// How fast the workflow lets a model be asked.
#[derive(Clone, Debug, Serialize)]
pub struct ModelLimits {
    /// Its name in the workflow.
    pub model: String,
    /// Requests a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute, of requests and answers together.
    pub tokens_per_minute: Option<u32>,
    /// Requests in flight.
    pub concurrency: u32,
}

impl Project {
    /// The steps in order, and jobs of so many shards each; without a number, of a few units a shard. The sources are
    /// listed on the way and the listing is kept in the store, so that shards need not read the whole corpus for it.
    ///
    /// # Errors
    ///
    /// A source, the store or the log of answers cannot be read.
    pub fn steps(&self, options: &PlanOptions, shards: Option<u32>) -> Result<Steps, Fault> {
        let (workspace, events) = (&self.workspace, &self.events);
        self.refuse_private("a plan")?;
        let workflow = self.settled(&By::of(&options.models, None, workspace, None))?;
        let models = self.models(&workflow, &options.models, events)?;
        damage::warn(&models, &**events)?;
        tell(&**events, partners::foretell(&workflow));
        let open = || workspace.claim(Claim::Beside);
        let store = match open() {
            // A build has it alone: then the listing is its own.
            Err(fault) if fault.kind == FaultKind::Again => {
                Store::look(&workspace.store, workspace.disk.clone())?
            }
            store => store?,
        };
        let (plan, jobs) = plan_jobs(&workflow, &store, models.asker(), &**events, shards)?;
        let limits = configs(&workflow)?.into_iter().map(|(model, config)| ModelLimits {
            model,
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            concurrency: config.concurrency,
        });
        Ok(Steps { plan, jobs, models: limits.collect() })
    }
}
