//! What a plan does not say of the work on a workflow: shards in flight or lost, and what was paid for.

use serde::{Serialize, Serializer};
use storymill_core::Fault;
use storymill_llm::{Cost, answers::notes};
use storymill_pipeline::{Shards, Store};

use crate::{PlanOptions, Project, models::configs};

/// What runs have done and paid for.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The shards that a run was at, by the folder that they have in the store: those that are in flight, were lost,
    /// or ended.
    pub shards: Vec<ShardStatus>,
    /// What the answers in the log have cost that were asked live, whoever asked them. Requests are not known.
    #[serde(serialize_with = "as_json")]
    pub paid: Cost,
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
    /// What runs have done and paid for. Nothing is made and nothing is asked.
    ///
    /// # Errors
    ///
    /// The store or the log of answers cannot be read.
    pub fn status(&self, options: &PlanOptions) -> Result<Status, Fault> {
        let store = Store::look(&self.workspace.store, self.workspace.disk.clone())?;
        let shards = store.jobs(&self.workflow.name)?.into_iter();
        let shards = shards.map(|(shard, is)| ShardStatus { shard, is }).collect();
        Ok(Status { shards, paid: self.paid(options)? })
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
