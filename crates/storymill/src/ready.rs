//! A project that is ready to run for the rows of a step, where no dataset is published.

use std::sync::Arc;

use storymill_core::{Fault, Parts, Record};
use storymill_pipeline::{Claim, RunOptions, Workflow, run};

use crate::{
    Project,
    damage::Watched,
    events::Events,
    models::{ModelOptions, Models},
    plan::{Bill, bill},
    settle::By,
};

/// A project whose store, answers and models are open. Nothing was asked yet.
pub struct Ready<'p> {
    project: &'p Project,
    workflow: Workflow,
    store: Watched,
    models: Models,
    listener: Arc<dyn Events>,
}

impl std::fmt::Debug for Ready<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready").field("project", &self.project).finish_non_exhaustive()
    }
}

impl Project {
    /// Makes ready to run. A model that must not be sent what is private is refused here.
    ///
    /// # Errors
    ///
    /// The store or the log of answers cannot be opened, or a model must not be asked.
    pub fn ready(&self, options: &ModelOptions) -> Result<Ready<'_>, Fault> {
        let workspace = &self.workspace;
        let workflow = self.settled(&By::of(options, None, workspace, None))?;
        let store = workspace.claim(Claim::Whole)?;
        let store = Watched::new(store, &self.events);
        let listener = self.workspace.listener(&self.events);
        let models = self.models(&workflow, options, &listener)?;
        Ok(Ready { project: self, workflow, store, models, listener })
    }
}

impl Ready<'_> {
    /// What would be asked, and about what that would cost. Nothing is asked.
    ///
    /// # Errors
    ///
    /// A source or the store cannot be read.
    pub fn bill(&self) -> Result<Bill, Fault> {
        let bill = bill(&self.workflow, &self.store, &self.models, &*self.listener);
        Ok(self.project.workspace.told(bill)?.1)
    }

    /// Runs the workflow, and gives the rows of a step in the order of their units. What was made before and
    /// still holds is not made again.
    ///
    /// # Errors
    ///
    /// As of [`Project::build`].
    pub fn rows<R: Record>(&self, step: &str) -> Result<Vec<R>, Fault> {
        let Project { surroundings, events, .. } = self.project;
        let options = RunOptions { threads: 0, shard: None, stop: &surroundings.stop };
        let asker = self.models.asker();
        let run = run(&self.workflow, &self.store, asker, &*self.listener, &options);
        events.run_ended();
        let run = run.inspect_err(|fault| self.models.look_after(fault, &**events));
        let run = self.project.workspace.told(run)?;
        self.models.close(&**events)?;
        let (parts, mut rows): (&dyn Parts, _) = (&run, Vec::new());
        for part in run.outcome.parts.get(step).into_iter().flatten() {
            rows.extend_from_slice(&parts.rows::<R>(part)?);
        }
        Ok(rows)
    }
}
