//! What a workflow will ask in all, and about what it will cost: for `plan --cost` and after a pilot.

use std::{collections::BTreeMap, io::Write, path::Path};

use serde_json::json;
use storymill_core::{Asked, Exchanged, Fault, Round};
use storymill_llm::{
    dollars,
    forecast::{Forecast, of_symbols},
};
use storymill_pipeline::{Estimate, Events, Plan, Step, Store, Visitor, Workflow, plan};

use crate::{
    models::Models,
    table::{Table, plural, typed},
};

/// What would be asked next, by step and model, and the plan that tells of the rest.
pub(super) struct Bill<'m> {
    pub(super) plan: Plan,
    pub(super) next: Vec<Forecast>,
    models: &'m Models,
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
                micro_usd: Some(0),
                ..Forecast::default()
            };
            self.sums.entry(at).or_insert_with(none).add(&row);
        }
    }
}

impl<'m> Bill<'m> {
    /// Plans a workflow, and makes what needs no answer, to hear what would be asked.
    pub(super) fn of(
        workflow: &Workflow,
        store: &Store,
        models: &'m Models,
        events: &dyn Events,
    ) -> Result<Self, Fault> {
        let mut next = Next { models, sums: BTreeMap::new() };
        let plan = plan(workflow, store, models.asker(), events, &mut next)?;
        Ok(Self { plan, next: next.sums.into_values().collect(), models })
    }

    /// The whole of it, as lines. `file` is the workflow's.
    pub(super) fn show(&self, out: &mut impl Write, file: &Path) -> std::io::Result<()> {
        for next in &self.next {
            writeln!(out, "{} asks `{}` next: {}", next.stage, next.model, next.shown())?;
        }
        let estimates = &self.plan.estimates;
        if estimates.is_empty() {
            return writeln!(out, "no model is asked next");
        }
        let mut table = Table::new(&[
            "estimate",
            "model",
            ">next wave",
            ">later",
            ">in all",
            ">tokens in",
            ">tokens out",
            ">cost",
        ]);
        for one in estimates {
            let all = whole(one);
            table.row([
                one.step.clone(),
                one.model.clone(),
                one.next.answers.to_string(),
                one.later.answers.to_string(),
                all.answers.to_string(),
                of_symbols(all.symbols_in).to_string(),
                of_symbols(all.symbols_out).to_string(),
                self.cost(one).map_or("no price".to_owned(), about),
            ]);
        }
        write!(out, "\n{table}")?;
        let all = self.all();
        let cost = self.total().map_or("no price known".to_owned(), about);
        writeln!(
            out,
            "in all about {}, {} tokens in and {} out, {cost}",
            plural(all.answers, "request"),
            of_symbols(all.symbols_in),
            of_symbols(all.symbols_out),
        )?;
        let unknown: Vec<_> = estimates
            .iter()
            .filter(|one| one.known.answers() == 0)
            .map(|one| format!("`{}`", one.step))
            .collect();
        let known = self.known();
        if known.answers() > 0 {
            writeln!(
                out,
                "reckoned from {} that came before, of which {} refused",
                plural(known.answers(), "answer"),
                if known.refused == 1 {
                    "1 was".to_owned()
                } else {
                    format!("{} were", known.refused)
                }
            )?;
        }
        if !unknown.is_empty() {
            writeln!(
                out,
                "of {} no answer is known yet: reckoned as if each question were asked once; `storymill build {} --pilot 20` measures it",
                unknown.join(", "),
                typed(file)
            )?;
        }
        Ok(())
    }

    /// The same as JSON.
    pub(super) fn as_json(&self) -> serde_json::Value {
        let estimate = |one: &Estimate| {
            let all = whole(one);
            json!({
                "step": one.step, "model": one.model,
                "next_requests": one.next.answers, "later_requests": one.later.answers, "requests": all.answers,
                "prompt_tokens": of_symbols(all.symbols_in), "completion_tokens": of_symbols(all.symbols_out),
                "micro_usd": self.cost(one), "answers_known": one.known.answers(), "answers_refused": one.known.refused,
            })
        };
        let all = self.all();
        json!({
            "next_requests": self.next,
            "estimates": self.plan.estimates.iter().map(estimate).collect::<Vec<_>>(),
            "in_all": {
                "requests": all.answers, "prompt_tokens": of_symbols(all.symbols_in),
                "completion_tokens": of_symbols(all.symbols_out), "micro_usd": self.total(),
            },
        })
    }

    fn cost(&self, one: &Estimate) -> Option<u64> {
        self.models.model_asker()?.about_micro_usd(&one.model, &whole(one))
    }

    fn all(&self) -> Exchanged {
        let mut all = Exchanged::default();
        self.plan.estimates.iter().for_each(|one| all += whole(one));
        all
    }

    fn total(&self) -> Option<u64> {
        self.plan.estimates.iter().map(|one| self.cost(one)).sum()
    }

    fn known(&self) -> Round {
        let mut known = Round::default();
        self.plan.estimates.iter().for_each(|one| known += one.known);
        known
    }
}

/// What comes next, and what comes later.
fn whole(one: &Estimate) -> Exchanged {
    let mut all = one.next;
    all += one.later;
    all
}

/// An amount that is reckoned: from ten cents on, in whole cents.
fn about(micro_usd: u64) -> String {
    let cent = 10_000;
    let micro =
        if micro_usd < 10 * cent { micro_usd } else { (micro_usd + cent / 2) / cent * cent };
    format!("about {}", dollars(micro.saturating_mul(1000)))
}
