//! Systems ranked by metrics and judges, and by people: Kendall's tau-b of their mean scores.
//!
//! LiteraryQA compares metrics with people so (section 5): a system's score is its mean over items, and a metric is as
//! good as its order of systems is that of people.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::FileError;
use crate::{
    Undefined, Variant,
    bootstrap::{Plan, statistic},
    correlation::tau_b,
    prf::count,
};

/// The variant of the table.
const VARIANT: Variant = Variant::new("system-level-kendall-tau-b", 1);

/// So many systems have an order that can agree or not.
const LEAST: usize = 3;
/// Means that differ by less are tied: their sums differ by rounding only.
const GRAIN: f64 = 1e9;

/// What is drawn anew in each round of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// Items, or their clusters where all rows name one: would other questions give the same order of these systems?
    Items,
    /// Systems: would other systems be put in order as well?
    Systems,
}

/// Metrics against people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Systems {
    /// What the numbers are.
    pub variant: Variant,
    /// What intervals are drawn over.
    pub over: Over,
    /// The systems by name.
    pub systems: Vec<RankedSystem>,
    /// The metrics and judges by name.
    pub metrics: Vec<Metric>,
}

/// One system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedSystem {
    /// Its name.
    pub name: String,
    /// Its items.
    pub items: usize,
    /// The mean of people's scores over all of them.
    pub people: f64,
    /// The mean of each metric over the items that have it.
    pub scores: BTreeMap<String, f64>,
}

/// One metric or judge against people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Systems that it scores.
    pub systems: usize,
    /// Items that it and people score for each of these systems; only they count.
    pub items: usize,
    /// Items that it or people score for some of these systems only.
    pub left_out: usize,
    /// Kendall's tau-b.
    pub tau: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why there is no tau, or no interval.
    pub undefined: Option<String>,
}

/// Compares metrics with people: contents of files of JSON lines, which count as one. The error of a file comes with its
/// place among them.
pub fn systems(files: &[&str], over: Over, plan: Plan) -> Result<Systems, (usize, FileError)> {
    let rows = read(files)?;
    let names: BTreeSet<&str> = rows
        .values()
        .flatten()
        .flat_map(|(_, row)| row.scores.keys().map(String::as_str))
        .collect();
    if names.is_empty() {
        return Err((0, FileError::Missing { line: 1, field: "scores" }));
    }
    let metrics = names.iter().map(|name| metric(name, &rows, over, plan)).collect();
    let systems = rows.iter().map(|(name, items)| system(name, items)).collect();
    Ok(Systems { variant: VARIANT, over, systems, metrics })
}

/// One line: what people and metrics say of one answer of one system.
#[derive(Debug, Deserialize)]
struct Line {
    system: Option<String>,
    item: Option<String>,
    cluster: Option<String>,
    people: Option<Votes>,
    #[serde(default)]
    scores: BTreeMap<String, f64>,
}

/// One score of people, or one of each of them.
#[derive(Debug, Deserialize)]
#[serde(try_from = "serde_json::Value")]
struct Votes(f64);

impl TryFrom<serde_json::Value> for Votes {
    type Error = &'static str;

    fn try_from(value: serde_json::Value) -> Result<Self, Self::Error> {
        let fault = "`people` is a number, or a list of numbers";
        let votes = match value {
            serde_json::Value::Array(votes) => votes,
            one => vec![one],
        };
        let votes: Option<Vec<f64>> = votes.iter().map(serde_json::Value::as_f64).collect();
        let votes = votes.filter(|votes| !votes.is_empty()).ok_or(fault)?;
        Ok(Self(votes.iter().sum::<f64>() / count(votes.len())))
    }
}

#[derive(Debug)]
struct Row {
    cluster: Option<String>,
    people: f64,
    scores: BTreeMap<String, f64>,
}

/// System, then item.
type Rows = BTreeMap<String, BTreeMap<String, Row>>;

fn read(files: &[&str]) -> Result<Rows, (usize, FileError)> {
    let mut rows = Rows::new();
    for (file, text) in files.iter().enumerate() {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            add(&mut rows, at + 1, line).map_err(|error| (file, error))?;
        }
    }
    if rows.is_empty() { Err((0, FileError::Empty)) } else { Ok(rows) }
}

fn add(rows: &mut Rows, line: usize, text: &str) -> Result<(), FileError> {
    let row: Line =
        serde_json::from_str(text).map_err(|source| FileError::json(source, text, line))?;
    let missing = |field| FileError::Missing { line, field };
    let system = row.system.ok_or_else(|| missing("system"))?;
    let item = row.item.ok_or_else(|| missing("item"))?;
    let Votes(people) = row.people.ok_or_else(|| missing("people"))?;
    let what = format!("`{item}` of `{system}` was scored already");
    let new = Row { cluster: row.cluster, people, scores: row.scores };
    match rows.entry(system).or_default().insert(item, new) {
        Some(_) => Err(FileError::Row { line, what }),
        None => Ok(()),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / count(n))
}

fn system(name: &str, items: &BTreeMap<String, Row>) -> RankedSystem {
    let names: BTreeSet<&String> = items.values().flat_map(|row| row.scores.keys()).collect();
    let of =
        |metric: &String| mean(items.values().filter_map(|row| row.scores.get(metric).copied()));
    RankedSystem {
        name: name.to_owned(),
        items: items.len(),
        people: mean(items.values().map(|row| row.people)).unwrap_or_default(),
        scores: names.into_iter().filter_map(|name| Some((name.clone(), of(name)?))).collect(),
    }
}

/// The scores of the systems of one metric over the items that all of them have.
struct Common {
    /// For each system: the metric's score and people's, item by item.
    scores: Vec<Vec<(f64, f64)>>,
    /// The places of the items of each cluster.
    clusters: Vec<Vec<usize>>,
}

impl Common {
    /// Tau over these systems and items.
    fn tau(&self, systems: &[usize], items: &[usize]) -> Result<f64, Undefined> {
        let of = |side: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            let mean = |system: &usize| {
                let sum: f64 = items.iter().map(|item| side(&self.scores[*system][*item])).sum();
                (sum / count(items.len()) * GRAIN).round()
            };
            systems.iter().map(mean).collect()
        };
        tau_b(&of(|pair| pair.0), &of(|pair| pair.1))
    }
}

fn metric(name: &str, rows: &Rows, over: Over, plan: Plan) -> Metric {
    let scored = |row: &&Row| row.scores.contains_key(name);
    let systems: Vec<&BTreeMap<String, Row>> =
        rows.values().filter(|items| items.values().any(|row| scored(&row))).collect();
    let any: BTreeSet<&str> = systems
        .iter()
        .flat_map(|items| {
            items.iter().filter(|(_, row)| scored(row)).map(|(item, _)| item.as_str())
        })
        .collect();
    let everywhere =
        |item: &&str| systems.iter().all(|items| items.get(*item).is_some_and(|row| scored(&row)));
    let items: Vec<&str> = any.iter().copied().filter(everywhere).collect();
    let scores = systems.iter().map(|rows| {
        items.iter().map(|item| (rows[*item].scores[name], rows[*item].people)).collect()
    });
    let clusters = clusters(&systems, &items);
    let common = Common { scores: scores.collect(), clusters };
    let mut found = Metric {
        name: name.to_owned(),
        systems: systems.len(),
        items: items.len(),
        left_out: any.len() - items.len(),
        tau: None,
        low: None,
        high: None,
        undefined: None,
    };
    if systems.len() < LEAST {
        let so_many = systems.len();
        found.undefined =
            Some(format!("undefined: an order needs {LEAST} systems, and there are {so_many}"));
    } else if items.is_empty() {
        found.undefined = Some("undefined: no item is scored for every system".to_owned());
    } else {
        estimate(&common, over, plan, &mut found);
    }
    found
}

/// The items of each cluster; each is its own where not all rows name one.
fn clusters(systems: &[&BTreeMap<String, Row>], items: &[&str]) -> Vec<Vec<usize>> {
    let first = |item: &str| systems.first().and_then(|rows| rows[item].cluster.as_deref());
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let Some(cluster) = first(item) else {
            return (0..items.len()).map(|at| vec![at]).collect();
        };
        named.entry(cluster).or_default().push(at);
    }
    named.into_values().collect()
}

fn estimate(common: &Common, over: Over, plan: Plan, found: &mut Metric) {
    let systems: Vec<usize> = (0..common.scores.len()).collect();
    let items: Vec<usize> = (0..found.items).collect();
    found.tau = common.tau(&systems, &items).ok();
    if found.tau.is_none() {
        let all = "undefined: all systems have the same mean, by this score or by people";
        found.undefined = Some(all.to_owned());
        return;
    }
    let drawn = match over {
        Over::Items => statistic(common.clusters.len(), plan, |drawn| {
            let items: Vec<usize> =
                drawn.iter().flat_map(|at| common.clusters[*at].iter().copied()).collect();
            common.tau(&systems, &items).ok()
        }),
        Over::Systems => statistic(systems.len(), plan, |drawn| common.tau(drawn, &items).ok()),
    };
    match drawn {
        Ok(drawn) => {
            (found.low, found.high) = (Some(drawn.interval.low), Some(drawn.interval.high));
        }
        Err(Undefined::FewClusters { .. }) => {
            found.undefined = Some("no interval: it takes 5 items, clusters or systems".to_owned());
        }
        Err(error) => found.undefined = Some(format!("no interval: {error}")),
    }
}

#[cfg(test)]
#[path = "systems_tests.rs"]
mod tests;
