//! A model in a setting as a whole: how its answers ended, what they took.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Status;

use crate::{
    cell::{Cell, float, rounded},
    figures::Scope,
    options::Options,
};

/// A model in a setting, over all questions of a part.
#[derive(Clone, Debug, Serialize)]
pub struct System {
    /// The model.
    pub model: String,
    /// The setting.
    pub setting: String,
    /// Its mean.
    pub cell: Cell,
    /// How many answers ended how; all statuses are there.
    pub statuses: BTreeMap<&'static str, usize>,
    /// How many answers were given on less than the whole of what the setting offers.
    pub not_whole: usize,
    /// Tokens of its answers.
    pub tokens: Tokens,
    /// What they cost in dollars; none where a price or a count is missing.
    pub dollars: Option<f64>,
    /// How long its answers took, as far as that is known.
    pub time: Time,
    /// The mean of each measure of free text; what was not answered counts 0.
    pub measures: BTreeMap<String, f64>,
}

/// Sums of tokens; none where no answer was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Of the context, as shown.
    pub shown: Option<u64>,
    /// Written, without thinking.
    pub output: Option<u64>,
    /// Thinking.
    pub thinking: Option<u64>,
    /// In how many answers something that was shown or written was not counted.
    pub not_counted: usize,
}

/// How long answers took, one by one: several may have been asked at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Time {
    /// The sum, in milliseconds.
    pub millis: u64,
    /// Of how many answers it is known.
    pub known: usize,
}

/// The figures of a system over all questions of a scope.
pub(crate) fn system_of(scope: &Scope<'_>, system: u32, cell: &Cell, options: &Options) -> System {
    let of = &scope.all.systems[system as usize];
    let mut statuses: BTreeMap<&'static str, usize> =
        Status::ALL.into_iter().map(|status| (status.name(), 0)).collect();
    let mut tokens = Tokens::default();
    let (mut not_whole, mut time) = (0, Time::default());
    for answer in scope.answers.iter().filter(|answer| answer.system == system) {
        *statuses.entry(answer.status.name()).or_default() += 1;
        not_whole += usize::from(!answer.whole);
        if let Some(millis) = scope.all.millis.get(&(system, answer.question)) {
            time.millis += millis;
            time.known += 1;
        }
        let add = |sum: &mut Option<u64>, count: Option<u32>| {
            if let Some(count) = count {
                *sum = Some(sum.unwrap_or(0) + u64::from(count));
            }
        };
        add(&mut tokens.shown, answer.shown);
        add(&mut tokens.output, answer.output);
        add(&mut tokens.thinking, answer.thinking);
        tokens.not_counted += usize::from(answer.shown.is_none() || answer.output.is_none());
    }
    let price = options.prices.get(&of.model);
    let dollars = price.filter(|_| tokens.not_counted == 0).map(|price| {
        let written = tokens.output.unwrap_or(0) + tokens.thinking.unwrap_or(0);
        rounded(
            (price.input * wide(tokens.shown.unwrap_or(0)) + price.output * wide(written)) / 1e6,
        )
    });
    let kinds: BTreeSet<&str> =
        scope.questions.iter().map(|at| scope.all.questions[*at as usize].kind.as_str()).collect();
    let measures = scope
        .all
        .measures
        .iter()
        .filter(|((one, kind, _), _)| *one == system && kinds.contains(kind.as_str()));
    System {
        model: of.model.clone(),
        setting: of.setting.clone(),
        statuses,
        not_whole,
        tokens,
        dollars,
        time,
        measures: measures
            .map(|((_, _, name), (ppm, _))| {
                (name.clone(), rounded(wide(*ppm) / 1e6 / float(cell.questions)))
            })
            .collect(),
        cell: cell.clone(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn wide(count: u64) -> f64 {
    count as f64
}
