//! What a build would do, what it would ask, and about what that would cost.

use std::collections::BTreeMap;

use storymill_core::{AskTotals, Asked, Fault, Round};
use storymill_llm::{Usd, forecast::Forecast};
use storymill_pipeline::{Claim, Estimate, Plan, Step, Store, Visitor, Workflow, plan};

use crate::{
    Project,
    damage::{self, Watched},
    events::tell,
    lapsed,
    models::{ModelOptions, Models},
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
    pub next: Vec<Forecast>,
    /// What is asked in all, by step and model, with what it costs in millionths of a dollar where there are
    /// prices.
    pub estimates: Vec<(Estimate, Option<Usd>)>,
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
        for row in rows {
            let at = (step.name.clone(), row.model.clone());
            let none = || Forecast {
                stage: step.name.clone(),
                model: row.model.clone(),
                usd: Some(Usd::default()),
                ..Forecast::default()
            };
            self.sums.entry(at).or_insert_with(none).add(&row);
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
        let models =
            Models::open(&workflow, workspace, &self.surroundings, &options.models, events)?;
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
    let priced = |one: &Estimate| models.model_asker()?.about_usd(&one.model, &whole(one));
    let estimates = plan.estimates.iter().map(|one| (one.clone(), priced(one))).collect();
    Ok((plan, Bill { next: next.sums.into_values().collect(), estimates }))
}

/// What comes next, and what comes later.
pub fn whole(one: &Estimate) -> AskTotals {
    let mut all = one.next;
    all += one.later;
    all
}

impl Bill {
    /// Everything that is asked.
    pub fn all(&self) -> AskTotals {
        let mut all = AskTotals::default();
        self.estimates.iter().for_each(|(one, _)| all += whole(one));
        all
    }

    /// What all costs; none where a price is missing.
    pub fn usd(&self) -> Option<Usd> {
        self.estimates.iter().map(|(_, cost)| *cost).sum()
    }

    /// The answers from which it is reckoned, and how many of them were refused.
    pub fn known(&self) -> Round {
        let mut known = Round::default();
        self.estimates.iter().for_each(|(one, _)| known += one.known);
        known
    }
}
