//! Does a lock agree with a workflow, or with another lock of what should be the same build?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_core::UnitId;

use crate::{Lock, Workflow};

impl Lock {
    /// What a workflow says otherwise than this lock, known before anything is run; blank if it
    /// may come to this lock.
    pub fn disagreements(&self, workflow: &Workflow) -> Vec<String> {
        let mut found = Vec::new();
        let mut hold = |what: &str, locked: &str, own: &str| {
            if locked != own {
                found.push(format!("{what}: {locked} in the lock, {own} in the workflow"));
            }
        };
        hold("the name", &self.name, &workflow.name);
        hold("the version", &self.version, &workflow.version);
        hold("the seed", &self.seed.to_string(), &workflow.seed.to_string());
        for step in &workflow.steps {
            let name = &step.name;
            let Some(locked) = self.steps.get(name) else {
                found.push(format!("the step `{name}` is not in the lock"));
                continue;
            };
            let kind = |kind: &str, version: u32| format!("{kind}, version {version}");
            let own = kind(step.kind(), step.version());
            let known = kind(&locked.kind, locked.version);
            let options: Value = serde_json::from_str(&step.options()).unwrap_or_default();
            if known != own {
                found.push(format!("the step `{name}`: {known} in the lock, {own} here"));
            } else if locked.options != options {
                found.push(format!("the options of `{name}`"));
            } else if locked.texts != step.text_digests() {
                found.push(format!("a prompt or another file of `{name}`"));
            }
        }
        let own: BTreeSet<_> = workflow.steps.iter().map(|step| &step.name).collect();
        let gone = self.steps.keys().filter(|name| !own.contains(name));
        found.extend(gone.map(|name| format!("the step `{name}` is not in the workflow")));
        found
    }

    /// The units whose published rows are not those of another lock, by config.
    pub fn differing_units(&self, other: &Self) -> BTreeMap<String, Vec<UnitId>> {
        let rows = |lock: &'_ Self, config: &str| {
            let step = lock.configs.get(config).and_then(|step| lock.steps.get(step));
            step.map(|step| step.rows.clone()).unwrap_or_default()
        };
        let configs: BTreeSet<_> = self.configs.keys().chain(other.configs.keys()).collect();
        let differing = configs.into_iter().map(|config| {
            let (was, is) = (rows(self, config), rows(other, config));
            let units: BTreeSet<_> = was.keys().chain(is.keys()).collect();
            let differ = |unit: &&&UnitId| was.get(**unit) != is.get(**unit);
            (config.clone(), units.iter().filter(differ).map(|unit| (*unit).clone()).collect())
        });
        differing.filter(|(_, units): &(_, Vec<_>)| !units.is_empty()).collect()
    }
}
