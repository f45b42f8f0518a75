//! How far the work on a workflow is: what is done, in flight, lost, and what was paid for.

use serde::{Serialize, Serializer};
use storymill_core::{Fault, UnitId};
use storymill_llm::{Cost, answers::notes};
use storymill_pipeline::{PlanRow, Shards, Store};

use crate::{PlanOptions, Project, models::configs};

/// How far the work on a workflow is.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Step by step, in order.
    pub steps: Vec<StepStatus>,
    /// The shards that a run was at, by the folder that they have in the store: those that are in flight, were lost,
    /// or ended.
    pub shards: Vec<ShardStatus>,
    /// What the answers in the log have cost that were asked live, whoever asked them. Requests are not known.
    #[serde(serialize_with = "as_json")]
    pub paid: Cost,
}

/// How far a step is.
#[derive(Clone, Debug, Serialize)]
pub struct StepStatus {
    /// Its number, from 1.
    pub number: usize,
    /// Its name.
    pub step: String,
    /// Its kind.
    pub kind: String,
    /// Its units.
    pub units: usize,
    /// Units whose rows are there.
    pub done: usize,
    /// Units without rows, because they were rejected or left out here or before.
    pub rejected: usize,
    /// Units that are still to be made. Where an input is still to be made this is an upper bound.
    pub missing: usize,
    /// The first of these.
    pub first_missing: Option<UnitId>,
}

/// What is known of a shard.
#[derive(Clone, Debug, Serialize)]
pub struct ShardStatus {
    /// The numbers of its steps, and which shard: `3-5.2-of-8`.
    pub shard: String,
    /// The rest.
    pub is: Shards,
}

impl Project {
    /// How far the work is. Nothing is made and nothing is asked.
    ///
    /// # Errors
    ///
    /// A source, the store or the log of answers cannot be read.
    pub fn status(&self, options: &PlanOptions) -> Result<Status, Fault> {
        let plan = self.plan(&PlanOptions { cost: false, ..options.clone() })?.plan;
        let store = Store::look(&self.workspace.store, self.workspace.disk.clone())?;
        let shards = store.jobs(&self.workflow.name)?.into_iter();
        let shards = shards.map(|(shard, is)| ShardStatus { shard, is }).collect();
        let steps = plan.steps.iter().zip(1..).map(|(row, number)| step(row, number)).collect();
        Ok(Status { steps, shards, paid: self.paid(options)? })
    }

    /// What the answers in the log have cost.
    fn paid(&self, options: &PlanOptions) -> Result<Cost, Fault> {
        let own = || self.workspace.store.join("answers");
        let folder = options.models.answers.clone().unwrap_or_else(own);
        let (models, mut paid) = (configs(&self.workflow)?, Cost::default());
        notes(&folder, &*self.workspace.disk, None, |_, note| {
            if let Some(config) = models.get(&note.model) {
                let price = options.models.prices.of(config);
                paid += Cost::of(1, note.usage.unwrap_or_default(), price);
            }
        })?;
        Ok(paid)
    }
}

fn as_json<S: Serializer>(cost: &Cost, to: S) -> Result<S::Ok, S::Error> {
    cost.as_json().serialize(to)
}

fn step(row: &PlanRow, number: usize) -> StepStatus {
    StepStatus {
        number,
        step: row.step.clone(),
        kind: row.kind.clone(),
        units: row.units,
        done: row.current,
        rejected: row.rejected,
        missing: row.run,
        first_missing: row.why.iter().map(|why| why.example.clone()).min(),
    }
}
