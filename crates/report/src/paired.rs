//! Two models on the questions that both were shown whole.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::Status;

use crate::{
    cell::{Cell, Gather, Shift},
    collect::Answer,
    evidence::Differences,
    figures::Scope,
};

/// So many questions of a pair are named on the page; the JSON has more.
pub(crate) const SHOWN: usize = 20;

/// A paired difference.
pub type Difference = Shift;

/// Two models in one setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The setting.
    pub setting: String,
    /// The model that has more right on the common questions.
    pub left: Side,
    /// The other one.
    pub right: Side,
    /// How many questions both were shown whole.
    pub common: usize,
    /// How many both have right.
    pub both_right: usize,
    /// How many both have wrong.
    pub both_wrong: usize,
    /// Left less right, on the common questions.
    pub difference: Difference,
}

/// One side of a pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The model.
    pub model: String,
    /// On all questions that it was asked.
    pub all: Cell,
    /// On the common questions.
    pub common: Cell,
    /// How many of the common ones it alone has right.
    pub only: usize,
    /// The first of those.
    pub only_ids: Vec<String>,
}

/// With more models than this, each is compared with the best one only.
const ALL_PAIRS: usize = 4;

/// The pairs of each setting: all, or, of more than four models, each with the best one.
pub(crate) fn pairs(scope: &Scope<'_>, totals: &[Cell], named: usize) -> Vec<Pair> {
    let mut settings: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for (at, system) in scope.systems.iter().enumerate() {
        let of = &scope.all.systems[*system as usize];
        if of.is_baseline() {
            continue;
        }
        let setting = of.setting.as_str();
        settings.entry((crate::collect::place_of(setting), setting)).or_default().push(at);
    }
    let mut pairs = Vec::new();
    for ((_, setting), mut models) in settings {
        // The best first; of equals the one that comes first by name.
        models.sort_by(|one, other| {
            let value = |at: usize| totals[at].value.unwrap_or(0.0);
            value(*other).total_cmp(&value(*one)).then(one.cmp(other))
        });
        let firsts = if models.len() > ALL_PAIRS { 1 } else { models.len() };
        for (place, one) in models.iter().take(firsts).enumerate() {
            for other in &models[place + 1..] {
                pairs.extend(pair(scope, totals, (*one, *other), setting, named));
            }
        }
    }
    pairs
}

fn pair(
    scope: &Scope<'_>,
    totals: &[Cell],
    (left, right): (usize, usize),
    setting: &str,
    named: usize,
) -> Option<Pair> {
    let sides = [left, right].map(|at| scope.by_question(scope.systems[at]));
    let mut both: Vec<(u32, &Answer, &Answer)> = sides[0]
        .iter()
        .filter_map(|(at, one)| Some((*at, *one, *sides[1].get(at)?)))
        .filter(|(_, one, other)| one.whole && other.whole)
        .collect();
    if both.is_empty() {
        return None;
    }
    let id = |at: u32| scope.all.questions[at as usize].id.as_str();
    both.sort_by(|one, other| id(one.0).cmp(id(other.0)));
    let mut common = [Gather::default(), Gather::default()];
    let mut differences = Differences::default();
    let mut only: [Vec<u32>; 2] = Default::default();
    let (mut both_right, mut both_wrong) = (0, 0);
    for (at, one, other) in &both {
        let book = scope.all.questions[*at as usize].book;
        common[0].add(book, one);
        common[1].add(book, other);
        differences.add(book, one.score() - other.score());
        match (is_right(one), is_right(other)) {
            (true, true) => both_right += 1,
            (false, false) => both_wrong += 1,
            (true, false) => only[0].push(*at),
            (false, true) => only[1].push(*at),
        }
    }
    let side = |which: usize, at: usize| Side {
        model: scope.all.systems[scope.systems[at] as usize].model.clone(),
        all: totals[at].clone(),
        common: common[which].cell(scope.authors, scope.level),
        only: only[which].len(),
        only_ids: only[which].iter().take(named).map(|at| id(*at).to_owned()).collect(),
    };
    let difference = differences.shift(scope.authors, scope.level);
    let (first, second) = (side(0, left), side(1, right));
    let pair = Pair {
        setting: setting.to_owned(),
        left: first,
        right: second,
        common: both.len(),
        both_right,
        both_wrong,
        difference,
    };
    Some(if pair.difference.value.is_some_and(|value| value < 0.0) { pair.turned() } else { pair })
}

impl Pair {
    fn turned(self) -> Self {
        let minus = |value: Option<f64>| value.map(|value| 0.0 - value);
        let difference = Shift {
            value: minus(self.difference.value),
            low: minus(self.difference.high),
            high: minus(self.difference.low),
            ..self.difference
        };
        Self { left: self.right, right: self.left, difference, ..self }
    }
}

/// Right, or, for free text, worth at least one half.
fn is_right(answer: &Answer) -> bool {
    answer.status == Status::Answered && answer.score() >= 0.5
}
