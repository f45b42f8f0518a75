//! The words and numbers of the page, as the template takes them.

mod lead;
mod pairs;
mod sections;
mod tables;

use minijinja::Value;
use serde::Serialize;

use self::{
    pairs::{PairsView, pairs_view},
    sections::{Section, sections},
    tables::cell_view,
};
use crate::{
    charts::Chart,
    collect::{ACCURACY, PAIRS},
    options::Options,
    report::{Part, Report},
    system::{System, Time},
    words::{decimal, number, thousands},
};

#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    style: Value,
    lead: Vec<String>,
    facts: String,
    warnings: Vec<String>,
    notes: String,
    parts: Vec<PartView>,
    baselines: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct PartView {
    title: String,
    about: String,
    /// Which of the endings of answers occur.
    statuses: Vec<&'static str>,
    systems: Vec<SystemView>,
    measures: Vec<String>,
    sections: Vec<Section>,
    pairs: Vec<PairsView>,
    right_wrong: bool,
    noun: &'static str,
}

#[derive(Debug, Serialize)]
struct SystemView {
    model: String,
    setting: String,
    value: String,
    interval: String,
    questions: String,
    statuses: Vec<String>,
    not_whole: String,
    shown: String,
    written: String,
    dollars: String,
    time: String,
    measures: Vec<String>,
    marks: &'static str,
}

impl Page {
    pub(super) fn of(report: &Report, options: &Options, style: &str) -> Self {
        let charts = report.charts();
        let unit = report.unit.whole_name();
        let parts = report.parts.iter().enumerate().map(|(at, part)| {
            let own: Vec<&Chart> = charts.iter().filter(|chart| chart.part == at).collect();
            PartView::of(part, &own, report, options)
        });
        Self {
            title: report.title.clone(),
            style: Value::from_safe_string(style.to_owned()),
            lead: lead::lead(report),
            facts: format!(
                "{} of {} by {}; {}. Lengths are counted in {unit}.",
                number(report.questions, "question"),
                number(report.books, report.book),
                number(report.authors, "author"),
                number(report.models.len(), "model"),
            ),
            warnings: report.warnings.clone(),
            notes: format!(
                "Intervals hold the true value in {:.0} of 100 cases ({}; differences: {}). They take authors as independent, or books where there are fewer than 5 authors; of fewer than 5 books, or of one author, there is none. Every question counts, whatever became of it: what was refused, cut off, does not fit or cannot be read is wrong.",
                report.level * 100.0,
                report.intervals[0],
                report.intervals[1],
            ),
            parts: parts.collect(),
            baselines: report
                .baselines
                .iter()
                .map(|one| {
                    let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), decimal);
                    let kind = if one.kind.is_empty() { "all" } else { &one.kind };
                    let interval = match one.low.zip(one.high) {
                        Some((low, high)) => format!("{} – {}", decimal(low), decimal(high)),
                        None => "–".to_owned(),
                    };
                    vec![
                        one.measure.clone(),
                        kind.to_owned(),
                        decimal(one.share),
                        interval,
                        cell(one.chance),
                    ]
                })
                .collect(),
        }
    }
}

impl PartView {
    fn of(part: &Part, charts: &[&Chart], report: &Report, options: &Options) -> Self {
        let accuracy = part.is_right_or_wrong();
        let ends = storymill_core::Status::ALL.into_iter().map(storymill_core::Status::name);
        let statuses: Vec<&'static str> = ends
            .filter(|name| *name != "answered")
            .filter(|name| part.systems.iter().any(|system| system.statuses[name] > 0))
            .collect();
        let mut measures: Vec<String> =
            part.systems.iter().flat_map(|system| system.measures.keys().cloned()).collect();
        measures.sort();
        measures.dedup();
        let chance = part.chance.map_or_else(String::new, |chance| {
            format!(" Guessing gets {} right.", decimal(chance))
        });
        Self {
            title: match part.name.as_str() {
                PAIRS => "Pairs of claims: both right".into(),
                ACCURACY => "Accuracy".into(),
                name => format!("{name}: {}", part.measure),
            },
            about: format!(
                "{} of {}.{chance}",
                number(part.questions, part.noun()),
                number(part.books, report.book)
            ),
            systems: part
                .systems
                .iter()
                .map(|system| system_view(system, &statuses, &measures))
                .collect(),
            sections: sections(part, charts, report),
            pairs: pairs_view(part, options),
            right_wrong: accuracy,
            noun: part.noun(),
            statuses,
            measures,
        }
    }
}

/// Seconds that answers took; of how many it is known where it is not known of all.
fn time_told(system: &System) -> String {
    let Time { millis, known } = system.time;
    let seconds = format!("{} s", thousands((millis + 500) / 1_000));
    match known {
        0 => "–".to_owned(),
        known if known == system.cell.questions => seconds,
        known => format!("{seconds} ({} known)", thousands(known as u64)),
    }
}

fn system_view(system: &System, statuses: &[&'static str], measures: &[String]) -> SystemView {
    let sum = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), thousands);
    let written = match (system.tokens.output, system.tokens.thinking) {
        (None, None) => None,
        (output, thinking) => Some(output.unwrap_or(0) + thinking.unwrap_or(0)),
    };
    let cell = cell_view(&system.cell);
    SystemView {
        model: system.model.clone(),
        setting: system.setting.clone(),
        value: cell.value,
        interval: cell.interval,
        questions: thousands(system.cell.questions as u64),
        statuses: statuses.iter().map(|name| thousands(system.statuses[name] as u64)).collect(),
        not_whole: thousands(system.not_whole as u64),
        shown: sum(system.tokens.shown),
        written: sum(written),
        dollars: system.dollars.map_or_else(|| "–".to_owned(), |dollars| format!("{dollars:.2}")),
        time: time_told(system),
        measures: measures
            .iter()
            .map(|name| {
                system.measures.get(name).map_or_else(|| "–".to_owned(), |value| decimal(*value))
            })
            .collect(),
        marks: cell.marks,
    }
}
