//! How far the work on a workflow is: what is done, in flight, lost, and what was paid for.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{Fault, UnitId};
use storymill_llm::{Usage, answers::notes};
use storymill_pipeline::{PlanRow, Shards, Store};

use crate::{
    PlanOptions, Project,
    models::{Used, configs},
};

/// How far the work on a workflow is.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Step by step, in order.
    pub steps: Vec<StepStatus>,
    /// The shards that a run was at, by the folder that they have in the store: those that are in flight, were lost,
    /// or ended.
    pub shards: Vec<ShardStatus>,
    /// What the answers in the log have cost that were asked live, whoever asked them. Requests are not known.
    pub paid: Used,
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
    fn paid(&self, options: &PlanOptions) -> Result<Used, Fault> {
        let own = || self.workspace.store.join("answers");
        let folder = options.models.answers.clone().unwrap_or_else(own);
        let mut by_model: BTreeMap<String, (u64, Usage)> = BTreeMap::new();
        notes(&folder, &*self.workspace.disk, None, |_, note| {
            let (answers, usage) = by_model.entry(note.model).or_default();
            *answers += 1;
            *usage += note.usage.unwrap_or_default();
        })?;
        let mut paid = Used::default();
        let models = configs(&self.workflow)?;
        for (model, (answers, usage)) in by_model {
            let Some(config) = models.get(&model) else { continue };
            paid.answers += answers;
            paid.tokens_in += usage.prompt;
            paid.tokens_out += usage.completion;
            match options.models.prices.of(config) {
                Some(price) => paid.usd += price.of(&usage),
                None => paid.unpriced += answers,
            }
        }
        Ok(paid)
    }
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
