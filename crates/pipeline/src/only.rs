//! A run of some steps only: which it makes, and which it looks at because those read from them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Fault, FaultKind, UnitId, did_you_mean};

use crate::{Step, Workflow};

/// What a run does about a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role {
    /// Whether it makes what is not there; else that is missing.
    pub(crate) makes: bool,
    /// Whether it looks at all units, and not only at those of its shard.
    pub(crate) all: bool,
}

/// The steps of a run that does not do all of them.
#[derive(Debug)]
pub(crate) struct Only {
    /// By name; what a run does not look at has no role.
    roles: BTreeMap<String, Role>,
    /// Whether every step of the workflow is looked at, for every unit.
    whole: bool,
}

/// What a run needs and did not find: the rows of a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Missing {
    /// The step that makes them.
    pub step: String,
    /// The unit that lacks them; none for a corpus stage, which has not ruled.
    pub unit: Option<UnitId>,
}

impl Only {
    /// Makes some steps, and looks at what they read: for the units of the shard, but for all units where a corpus
    /// stage stands between or where rows of other units are read.
    pub(crate) fn new(workflow: &Workflow, made: &BTreeSet<String>) -> Self {
        let mut only = Self { roles: BTreeMap::new(), whole: false };
        for step in workflow.steps.iter().filter(|step| made.contains(&step.name)) {
            only.reach(workflow, step, step.is_corpus_stage());
        }
        for name in made {
            if let Some(role) = only.roles.get_mut(name) {
                role.makes = true;
            }
        }
        only
    }

    /// Looks at everything and makes nothing.
    pub(crate) fn looking(workflow: &Workflow) -> Self {
        let role = Role { makes: false, all: true };
        let roles = workflow.steps.iter().map(|step| (step.name.clone(), role)).collect();
        Self { roles, whole: true }
    }

    fn reach(&mut self, workflow: &Workflow, step: &Step, all: bool) {
        let all = all || step.is_corpus_stage();
        match self.roles.get_mut(&step.name) {
            Some(role) if role.all || !all => return,
            Some(role) => role.all = true,
            None => {
                self.roles.insert(step.name.clone(), Role { makes: false, all });
            }
        }
        for edge in step.edges() {
            let of_others = edge.by.is_some();
            let read = [Some(edge.step), edge.by];
            for read in read.into_iter().flatten().filter_map(|name| workflow.step(&name)) {
                self.reach(workflow, read, all || of_others);
            }
        }
    }

    pub(crate) fn role(&self, step: &Step) -> Option<Role> {
        self.roles.get(&step.name).copied()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }
}

impl Workflow {
    /// The steps that somebody names, each by its name, its number or a range of numbers (`3-5`), several with commas
    /// between them.
    ///
    /// # Errors
    ///
    /// There is no such step; or a corpus stage stands beside other steps: it rules once all of them are done.
    pub fn steps_named(&self, named: &str) -> Result<BTreeSet<String>, Fault> {
        let mut names = BTreeSet::new();
        for word in named.split(',').map(str::trim) {
            if self.step(word).is_some() {
                names.insert(word.to_owned());
                continue;
            }
            let (from, to) = word.split_once('-').unwrap_or((word, word));
            let place = |text: &str| {
                text.parse::<usize>().ok().filter(|at| (1..=self.steps.len()).contains(at))
            };
            let (Some(from), Some(to)) = (place(from), place(to)) else {
                let message = format!("the workflow has no step `{}`", word.escape_debug());
                let steps = self.steps.iter().map(|step| step.name.as_str());
                let hint = did_you_mean(word, steps).unwrap_or_default();
                return Err(Fault::new(FaultKind::Input, message).hint(
                    format!("{hint} `storymill plan WORKFLOW --steps` lists the steps with their numbers")
                        .trim_start(),
                ));
            };
            if to < from {
                let message = format!("the steps {word} are named backwards");
                let hint = format!("write {to}-{from}");
                return Err(Fault::new(FaultKind::Input, message).hint(hint));
            }
            names.extend(self.steps[from - 1..to].iter().map(|step| step.name.clone()));
        }
        let ruling = names.iter().filter_map(|name| self.step(name)).find(|s| s.is_corpus_stage());
        if let Some(step) = ruling.filter(|_| names.len() > 1) {
            let message = format!("`{}` is a corpus stage, and is a job of its own", step.name);
            return Err(Fault::new(FaultKind::Input, message)
                .hint("`storymill plan WORKFLOW --steps` lists the jobs in order"));
        }
        Ok(names)
    }
}
