//! Two locks laid side by side, step by step in the order in which they work.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_core::{Digest, Partners, UnitId};

use super::{Cause, LockChange, StepChange};
use crate::lock::{Lock, LockedStep};

impl LockChange {
    /// Compares two locks.
    pub fn between(old: &Lock, new: &Lock) -> Self {
        let names = Names::of(old, new);
        let mut causes = of_the_whole(old, new);
        let lapsed = new.lapsed.iter().filter(|one| !old.lapsed.contains(one)).cloned();
        let decisions: Vec<_> = lapsed.collect();
        causes.extend((!decisions.is_empty()).then_some(Cause::DecisionsLapsed { decisions }));
        let mut steps = Vec::new();
        for (before, now) in names.in_order(new) {
            match (before.map(|name| &old.steps[name]), now.map(|name| &new.steps[name])) {
                (Some(was), Some(is)) => {
                    let pair =
                        Pair { name: now.unwrap_or_default(), was, is, old, new, names: &names };
                    pair.causes(&mut causes);
                }
                (was, is) => causes.extend(was.or(is).map(|step| Cause::Step {
                    step: before.or(now).unwrap_or_default().to_owned(),
                    kind: step.kind.clone(),
                    added: is.is_some(),
                })),
            }
            steps.push(consequence(old, new, before, now));
        }
        causes.extend(of_publishing(old, new, &names));
        let published: BTreeSet<_> = old.configs.keys().chain(new.configs.keys()).collect();
        let configs = published.into_iter().map(|config| {
            let (was, is) = (old.configs.get(config), new.configs.get(config));
            let mut change = consequence(old, new, was.map(String::as_str), is.map(String::as_str));
            change.step.clone_from(config);
            change
        });
        let mut configs: Vec<_> = configs.collect();
        for changes in [&mut steps, &mut configs] {
            changes.retain(|step| step.added + step.removed + step.changed + step.answers > 0);
        }
        Self { causes, steps, configs, moved: moved(old, new) }
    }

    /// Whether nothing differs that rows follow from, nor what is said of them.
    pub fn is_nothing(&self) -> bool {
        self.causes.is_empty()
            && self.steps.is_empty()
            && self.configs.is_empty()
            && self.moved.is_empty()
    }
}

/// Which step of the old lock is which of the new one. A step that was only renamed is the same.
struct Names<'l> {
    /// From new to old.
    old: BTreeMap<&'l str, &'l str>,
    gone: Vec<&'l str>,
}

impl<'l> Names<'l> {
    fn of(old: &'l Lock, new: &'l Lock) -> Self {
        let same = new.steps.keys().filter(|name| old.steps.contains_key(*name));
        let mut known: BTreeMap<&str, &str> =
            same.map(|name| (name.as_str(), name.as_str())).collect();
        let mut gone: Vec<&str> =
            old.steps.keys().map(String::as_str).filter(|n| !known.contains_key(n)).collect();
        for (name, step) in &new.steps {
            if known.contains_key(name.as_str()) {
                continue;
            }
            let alike = |was: &LockedStep| {
                (&was.kind, &was.options, &was.rows) == (&step.kind, &step.options, &step.rows)
            };
            if let Some(at) = gone.iter().position(|gone| alike(&old.steps[*gone])) {
                known.insert(name, gone.remove(at));
            }
        }
        Self { old: known, gone }
    }

    /// Pairs of old and new names, each after those it reads from.
    fn in_order(&self, new: &'l Lock) -> Vec<(Option<&'l str>, Option<&'l str>)> {
        let mut order: Vec<&str> = Vec::new();
        while order.len() < new.steps.len() {
            let next = new.steps.iter().filter(|(name, _)| !order.contains(&name.as_str()));
            let ready = |(_, step): &(&String, &LockedStep)| {
                let known =
                    |name: &String| order.contains(&name.as_str()) || !new.steps.contains_key(name);
                step.reads.iter().all(known)
            };
            let (ready, rest): (Vec<_>, Vec<_>) = next.partition(ready);
            // A lock that was edited by hand may go in circles.
            let next = if ready.is_empty() { rest } else { ready };
            order.extend(next.into_iter().map(|(name, _)| name.as_str()));
        }
        let known = order.into_iter().map(|name| (self.old.get(name).copied(), Some(name)));
        known.chain(self.gone.iter().map(|name| (Some(*name), None))).collect()
    }

    /// The old name of a step of the new lock.
    fn before(&self, name: &str) -> Option<&'l str> {
        self.old.get(name).copied()
    }
}

/// One step in both locks.
struct Pair<'l> {
    name: &'l str,
    was: &'l LockedStep,
    is: &'l LockedStep,
    old: &'l Lock,
    new: &'l Lock,
    names: &'l Names<'l>,
}

impl Pair<'_> {
    fn causes(&self, causes: &mut Vec<Cause>) {
        let (was, is) = (self.was, self.is);
        let step = || self.name.to_owned();
        let before = causes.len();
        let reads: Vec<_> =
            is.reads.iter().map(|name| self.names.before(name).unwrap_or(name)).collect();
        if was.kind != is.kind || was.reads != reads {
            let said = |one: &LockedStep| format!("{} of {}", one.kind, one.reads.join(", "));
            causes.push(Cause::Wiring { step: step(), old: said(was), new: said(is) });
        }
        if was.kind == is.kind && was.version != is.version {
            let kind = is.kind.clone();
            causes.push(Cause::Version { step: step(), kind, old: was.version, new: is.version });
        }
        let options = causes.len();
        if was.kind == is.kind {
            differing(&was.options, &is.options, "", &mut |option, old, new| {
                causes.push(Cause::Option {
                    step: self.name.to_owned(),
                    option: option.to_owned(),
                    old: old.clone(),
                    new: new.clone(),
                });
            });
        }
        // A file that an option names is told already.
        if was.texts != is.texts && causes.len() == options && was.version == is.version {
            causes.push(Cause::Text { step: step() });
        }
        for (name, model) in &is.models {
            if let Some(known) = was.models.get(name).filter(|known| *known != model) {
                let (old, new) = (known.id.clone(), model.id.clone());
                causes.push(Cause::Model { step: step(), old, new });
            }
        }
        if causes.len() > before {
            return;
        }
        let (mut answered, mut unexplained) = (Vec::new(), Vec::new());
        let mut decided = Vec::new();
        for unit in self.all_units() {
            let same_rows = was.rows.get(unit) == is.rows.get(unit);
            let same_answers = was.answers.get(unit) == is.answers.get(unit);
            let same_decisions = was.decisions.get(unit) == is.decisions.get(unit);
            if (same_rows && same_answers && same_decisions) || !self.inputs_are_the_same(unit) {
                continue;
            }
            // What is decided otherwise may ask otherwise.
            let why = match (same_decisions, same_answers) {
                (false, _) => &mut decided,
                (true, false) => &mut answered,
                (true, true) => &mut unexplained,
            };
            why.push(unit.clone());
        }
        if !decided.is_empty() {
            causes.push(Cause::Decisions { step: step(), units: decided });
        }
        if !answered.is_empty() {
            causes.push(Cause::Answers { step: step(), units: answered });
        }
        if !unexplained.is_empty() {
            causes.push(Cause::Unexplained { step: step(), units: unexplained });
        }
    }

    fn all_units(&self) -> BTreeSet<&UnitId> {
        let rows = self.was.rows.keys().chain(self.is.rows.keys());
        let answers = self.was.answers.keys().chain(self.is.answers.keys());
        let decisions = self.was.decisions.keys().chain(self.is.decisions.keys());
        rows.chain(answers).chain(decisions).collect()
    }

    /// Whether a unit's rows could not but be the same.
    fn inputs_are_the_same(&self, unit: &UnitId) -> bool {
        let seeds = self.old.seed == self.new.seed;
        let page = |lock: &Lock| lock.units.get(unit).map(|unit| unit.digest);
        let is_corpus_stage = self.new.ruled.contains_key(self.name);
        let same = |name: &String, unit: &UnitId| {
            let rows = |lock: &Lock, name: &str| -> Option<Digest> {
                lock.steps.get(name)?.rows.get(unit).copied()
            };
            let before = self.names.before(name).unwrap_or(name);
            rows(self.old, before) == rows(self.new, name)
        };
        if self.is.reads.is_empty() {
            return page(self.old) == page(self.new);
        }
        if is_corpus_stage {
            // It looks at all units, and at what the version before ruled.
            if self.old.base != self.new.base {
                return false;
            }
            let all: BTreeSet<_> = self.old.units.keys().chain(self.new.units.keys()).collect();
            return seeds
                && self.is.reads.iter().all(|name| all.iter().all(|unit| same(name, unit)));
        }
        let partners_too = |(corpus_stage, steps): (&String, &Vec<String>)| {
            let partners = partners(self.new, corpus_stage, unit);
            steps.iter().all(|name| partners.iter().all(|unit| same(name, unit)))
        };
        seeds
            && self.is.reads.iter().all(|name| same(name, unit))
            && self.is.partners.iter().all(partners_too)
    }
}

/// The units that a corpus stage makes a unit's partners.
fn partners(lock: &Lock, corpus_stage: &str, unit: &UnitId) -> BTreeSet<UnitId> {
    let row = lock.ruled.get(corpus_stage).and_then(|rows| rows.get(unit)).cloned();
    let row = row.and_then(|row| serde_json::from_value::<Partners>(row).ok());
    row.into_iter().flat_map(|row| row.places).collect()
}

/// Seed and units.
fn of_the_whole(old: &Lock, new: &Lock) -> Vec<Cause> {
    let mut causes = Vec::new();
    if old.seed != new.seed {
        causes.push(Cause::Seed { old: old.seed, new: new.seed });
    }
    if old.base != new.base {
        causes.push(Cause::Base { old: old.base, new: new.base });
    }
    let only = |here: &Lock, there: &Lock| -> Vec<UnitId> {
        here.units.keys().filter(|unit| !there.units.contains_key(*unit)).cloned().collect()
    };
    let changed: Vec<UnitId> = new
        .units
        .iter()
        .filter(|(unit, now)| old.units.get(*unit).is_some_and(|was| was.digest != now.digest))
        .map(|(unit, _)| unit.clone())
        .collect();
    let (added, removed) = (only(new, old), only(old, new));
    causes.extend((!changed.is_empty()).then_some(Cause::UnitsChanged { units: changed }));
    causes.extend((!added.is_empty()).then_some(Cause::UnitsAdded { units: added }));
    causes.extend((!removed.is_empty()).then_some(Cause::UnitsRemoved { units: removed }));
    causes
}

/// What is said of the whole. Steps are called by their old names.
fn of_publishing(old: &Lock, new: &Lock, names: &Names<'_>) -> Vec<Cause> {
    let said = |lock: &Lock, name: &dyn Fn(&String) -> String| {
        let publish = lock.publish.as_ref()?;
        let mut said = serde_json::to_value(publish).ok()?;
        let configs = lock.configs.iter().map(|(config, step)| (config.clone(), name(step)));
        said["configs"] = configs.collect::<BTreeMap<_, _>>().into_iter().collect();
        said["split"] = publish.split.as_ref().map(name).into();
        Some(said)
    };
    let before = |step: &String| names.before(step).unwrap_or(step).to_owned();
    let (Some(was), Some(is)) = (said(old, &String::clone), said(new, &before)) else {
        return Vec::new();
    };
    let mut causes = Vec::new();
    differing(&was, &is, "", &mut |what, old, new| {
        causes.push(Cause::Publish { what: what.to_owned(), old: old.clone(), new: new.clone() });
    });
    causes
}

/// Calls for each value that differs, with its path in dots. Lists are values.
fn differing(old: &Value, new: &Value, path: &str, f: &mut impl FnMut(&str, &Value, &Value)) {
    let (Value::Object(was), Value::Object(is)) = (old, new) else {
        if old != new {
            f(path, old, new);
        }
        return;
    };
    let keys: BTreeSet<_> = was.keys().chain(is.keys()).collect();
    for key in keys {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        differing(&old[key], &new[key], &path, f);
    }
}

fn consequence(old: &Lock, new: &Lock, before: Option<&str>, now: Option<&str>) -> StepChange {
    let none = BTreeMap::new();
    let was = before.map_or(&none, |name| &old.steps[name].rows);
    let is = now.map_or(&none, |name| &new.steps[name].rows);
    let mut change =
        StepChange { step: now.or(before).unwrap_or_default().to_owned(), ..Default::default() };
    for (unit, rows) in is {
        match was.get(unit) {
            None => change.added += 1,
            Some(known) if known == rows => change.same += 1,
            Some(_) => change.changed += 1,
        }
    }
    if let Some(step) = now.map(|name| &new.steps[name]) {
        // The same answers may well give other rows, and other answers the same rows.
        let known = before.map(|name| &old.steps[name].answers);
        let is_new = |(unit, digest): &(&UnitId, &Digest)| {
            known.and_then(|known| known.get(*unit)) != Some(*digest)
        };
        for (unit, _) in step.answers.iter().filter(is_new) {
            change.answers += step.asked.get(unit).copied().unwrap_or(0);
            for (model, units) in &step.exchanged {
                let id = step.models.get(model).map_or(model, |model| &model.id);
                if let Some(exchanged) = units.get(unit) {
                    *change.exchanged.entry(id.clone()).or_default() += *exchanged;
                }
            }
        }
    }
    change.removed = was.keys().filter(|unit| !is.contains_key(*unit)).count() as u64;
    change
}

/// Units in both locks whose split is another.
fn moved(old: &Lock, new: &Lock) -> Vec<(UnitId, String, String)> {
    // Without a corpus stage all rows are `train`.
    let splits = |lock: &Lock| -> BTreeMap<UnitId, String> {
        let Some(publish) = &lock.publish else { return BTreeMap::new() };
        let corpus_stage = publish.split.as_ref().map(|name| lock.ruled.get(name));
        let split = |unit: &UnitId| match corpus_stage {
            None => Some("train".to_owned()),
            Some(corpus_stage) => Some(corpus_stage?.get(unit)?["split"].as_str()?.to_owned()),
        };
        lock.units.keys().filter_map(|unit| Some((unit.clone(), split(unit)?))).collect()
    };
    let was = splits(old);
    let moves = splits(new).into_iter().filter_map(|(unit, now)| {
        let before = was.get(&unit).filter(|before| **before != now)?.clone();
        Some((unit, before, now))
    });
    moves.collect()
}
