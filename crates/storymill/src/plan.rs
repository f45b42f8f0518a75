//! What a build would do, what it would ask, and about what that would cost.

use std::collections::BTreeMap;

use storymill_core::{AskTotals, Asked, Fault, Round};
use storymill_llm::{Cost, Forecast, Usage};
use storymill_pipeline::{Claim, Estimate, Plan, Step, Store, Visitor, Workflow, plan};

use crate::{
    Project,
    damage::{self, Watched},
    events::tell,
    lapsed,
    models::{ModelOptions, Models},
    pace::{self, Pace},
    partners,
    settle::By,
};

/// How far a plan looks.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Whether what the models would be asked is counted. What needs no model is made for that.
    pub cost: bool,
    /// Where answers come from, and what they may cost.
    pub models: ModelOptions,
}

/// A plan, and perhaps a bill.
#[derive(Clone, Debug)]
pub struct Planned {
    /// What a build would do, step by step.
    pub plan: Plan,
    /// What it would ask, where that was wanted.
    pub bill: Option<Bill>,
}

/// What a workflow will ask in all, and about what that will cost.
#[derive(Clone, Debug, Default)]
pub struct Bill {
    /// What is asked next, by step and model.
    pub next: BTreeMap<(String, String), Forecast>,
    /// What is asked in all, by step and model, and about what that costs.
    pub estimates: Vec<(Estimate, Cost)>,
    /// How long it takes at the pace of the answers that are known; none if they are too few.
    pub pace: Option<Pace>,
}

/// Adds up what would be asked next, by step and model.
struct Next<'m> {
    models: &'m Models,
    sums: BTreeMap<(String, String), Forecast>,
}

impl Visitor for Next<'_> {
    const ASKS: bool = true;

    fn asks(&mut self, step: &Step, wave: Vec<Asked>) {
        let rows = self.models.model_asker().map(|asker| asker.forecast(&wave)).unwrap_or_default();
        for ((_, model), row) in rows {
            *self.sums.entry((step.name.clone(), model)).or_default() += row;
        }
    }
}

impl Project {
    /// What a build would do, and why. Nothing is asked.
    ///
    /// # Errors
    ///
    /// A source, the store or the log of answers cannot be read.
    pub fn plan(&self, options: &PlanOptions) -> Result<Planned, Fault> {
        let (workspace, events) = (&self.workspace, &self.events);
        self.refuse_private("a plan")?;
        let by = By::of(&options.models, None, workspace, None);
        let workflow = self.settled(&by)?;
        let models = self.models(&workflow, &options.models, events)?;
        damage::warn(&models, &**events)?;
        tell(&**events, partners::foretell(&workflow));
        tell(&**events, lapsed::misnamed(&workflow));
        let store = if options.cost {
            workspace.claim(Claim::Whole)?
        } else {
            Store::look(&workspace.store, workspace.disk.clone())?
        };
        let store = Watched::new(store, events);
        let (plan, bill) = if options.cost {
            let (plan, bill) = bill(&workflow, &store, &models, &**events)?;
            (plan, Some(bill))
        } else {
            (plan(&workflow, &store, models.asker(), &**events, &mut ())?, None)
        };
        tell(&**events, lapsed::foretell(&plan.lapsed, &plan.unsure));
        Ok(Planned { plan, bill })
    }
}

/// Plans a workflow, and makes what needs no answer, to hear what would be asked.
pub(crate) fn bill(
    workflow: &Workflow,
    store: &Store,
    models: &Models,
    events: &dyn storymill_pipeline::Events,
) -> Result<(Plan, Bill), Fault> {
    let mut next = Next { models, sums: BTreeMap::new() };
    let plan = plan(workflow, store, models.asker(), events, &mut next)?;
    let about = |one: &Estimate| {
        let caches = next.sums.get(&(one.step.clone(), one.model.clone()));
        let caches = caches.map(|next| next.once.usage).unwrap_or_default();
        Some((one.clone(), models.model_asker()?.about(&one.model, &one.whole(), caches)))
    };
    let estimates: Vec<_> = plan.estimates.iter().filter_map(about).collect();
    let log = models.log();
    let pace = log.map(|log| pace::of_estimates(workflow, log, &estimates)).transpose()?.flatten();
    Ok((plan, Bill { next: next.sums, estimates, pace }))
}

impl Bill {
    /// Everything that is asked.
    pub fn all(&self) -> Cost {
        let mut texts = AskTotals::default();
        self.estimates.iter().for_each(|(one, _)| texts += one.whole());
        let all: Cost = self.estimates.iter().map(|(_, cost)| *cost).sum();
        let Usage { cached, cache_write, .. } = all.usage;
        let about = Usage::about(texts.symbols_in, texts.symbols_out);
        Cost { usage: Usage { cached, cache_write, ..about }, ..all }
    }

    /// The answers from which it is reckoned, and how many of them were refused.
    pub fn known(&self) -> Round {
        let mut known = Round::default();
        self.estimates.iter().for_each(|(one, _)| known += one.known);
        known
    }
}
