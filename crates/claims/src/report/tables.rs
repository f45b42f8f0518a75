//! What both reports show: tables of cells that are plain text.

use storymill_core::plural;
use storymill_metrics::{
    bootstrap::{self, Interval},
    pair_accuracy::Share,
};

use crate::score::{Agreed, Cell, Scores, System};

/// A table with its heading.
pub(super) struct Table {
    pub(super) heading: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// What the numbers are, in a few sentences.
pub(super) fn preface(scores: &Scores) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{} on {}. Pair accuracy ({}): a pair is right if both its claims are; it counts only if both were answered.",
            plural(scores.pairs as u64, "pair"),
            plural(scores.books as u64, "book"),
            scores.variant
        ),
        format!(
            "Intervals: 95 % by resampling books ({}); a blank means fewer than two books.",
            scores.intervals
        ),
    ];
    if scores.unknown > 0 {
        let unknown = scores.unknown;
        lines.push(format!(
            "Answers to pairs that the set does not have, which count nowhere: {unknown}."
        ));
    }
    if scores.left_out > 0 {
        let were = if scores.left_out == 1 { "was" } else { "were" };
        let pairs = plural(scores.left_out as u64, "pair");
        lines.push(format!("{pairs} of the set {were} left out."));
    }
    if let Some(common) = scores.common {
        lines.push(format!("The common set has {}.", plural(common as u64, "pair")));
    }
    lines
}

/// The tables, those over the whole set first.
pub(super) fn tables(scores: &Scores) -> Vec<Table> {
    let mut tables = vec![overall(scores)];
    let mut kinds: Vec<&'static str> = Vec::new();
    for cut in scores.systems.iter().flat_map(|system| &system.cuts) {
        if !kinds.contains(&cut.by) {
            kinds.push(cut.by);
        }
    }
    tables.extend(kinds.into_iter().map(|by| cut(scores, by)));
    tables.extend(habits(scores));
    tables.extend(explained(scores));
    tables.extend(agreed(scores));
    tables
}

fn overall(scores: &Scores) -> Table {
    let mut head = vec![
        "system",
        "prompt",
        "pair accuracy",
        "interval",
        "recall true",
        "recall false",
        "not asked",
        "no verdict",
    ];
    head.extend(scores.common.map(|_| "common set"));
    let row = |system: &System| {
        let accuracy = &system.all.accuracy;
        let mut row = vec![
            system.name.clone(),
            system.prompt.clone().unwrap_or_default(),
            share(accuracy.pairs),
            interval(&system.all),
            share(accuracy.true_claims),
            share(accuracy.false_claims),
            accuracy.not_asked.to_string(),
            accuracy.failed.to_string(),
        ];
        row.extend(system.common.as_ref().map(|cell| share(cell.accuracy.pairs)));
        row
    };
    table("All pairs", &head, scores.systems.iter().map(row).collect())
}

fn cut(scores: &Scores, by: &'static str) -> Table {
    let head = [by, "system", "pair accuracy", "interval", "recall true", "recall false"];
    let mut rows = Vec::new();
    for system in &scores.systems {
        for cut in system.cuts.iter().filter(|cut| cut.by == by) {
            let accuracy = &cut.cell.accuracy;
            rows.push(vec![
                cut.value.clone(),
                named(system),
                share(accuracy.pairs),
                interval(&cut.cell),
                share(accuracy.true_claims),
                share(accuracy.false_claims),
            ]);
        }
    }
    rows.sort_by(|a, b| a[0].cmp(&b[0]));
    table(&format!("By {by}"), &head, rows)
}

fn habits(scores: &Scores) -> Option<Table> {
    let head = [
        "system",
        "explanations",
        "answer first",
        "then contradicted",
        "quotations",
        "verbatim in the book",
    ];
    let row = |system: &System| {
        let (early, quotes) = (system.explanations, system.quotations);
        (early.is_some() || quotes.is_some()).then(|| {
            let early = early.map(|early| [early.explained, early.early, early.contradicted]);
            let quotes =
                quotes.map(|quotes| Share { correct: quotes.verbatim, total: quotes.quotations });
            let number = |at: usize| early.map_or(String::new(), |early| early[at].to_string());
            vec![
                named(system),
                number(0),
                number(1),
                number(2),
                quotes.map_or(String::new(), |quotes| quotes.total.to_string()),
                quotes.map_or(String::new(), share),
            ]
        })
    };
    let rows: Vec<_> = scores.systems.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| table("Explanations and quotations", &head, rows))
}

fn explained(scores: &Scores) -> Option<Table> {
    let head = [
        "system",
        "right verdicts explained",
        "judged",
        "explanation right",
        "interval",
        "partly right",
        "wrong",
        "explains nothing",
        "disputed",
    ];
    let row = |system: &System| {
        let found = system.explained?;
        let counts = [found.partly, found.wrong, found.nothing, found.disputed];
        let mut row = vec![
            named(system),
            found.explained.to_string(),
            found.right.total.to_string(),
            share(found.right),
            match found.interval {
                None if found.right.total > 0 => bootstrap::TOO_FEW.to_owned(),
                interval => percent(interval),
            },
        ];
        row.extend(counts.map(|count| count.to_string()));
        Some(row)
    };
    let rows: Vec<_> = scores.systems.iter().filter_map(row).collect();
    (!rows.is_empty())
        .then(|| table("Explanations of right verdicts, as people judged them", &head, rows))
}

fn agreed(scores: &Scores) -> Option<Table> {
    let head =
        ["kind of item", "people", "judged by two or more", "Krippendorff's alpha", "interval"];
    let row = |found: &Agreed| {
        let alpha = &found.alpha;
        let interval = match (alpha.low, alpha.high) {
            (Some(low), Some(high)) => format!("{low:.3} to {high:.3}"),
            _ => alpha.undefined.clone().unwrap_or_default(),
        };
        vec![
            found.kind.replace('-', " "),
            found.people.to_string(),
            found.items.to_string(),
            alpha.value.map_or_else(String::new, |value| format!("{value:.3}")),
            interval,
        ]
    };
    let rows: Vec<_> = scores.agreed.iter().map(row).collect();
    (!rows.is_empty()).then(|| table("How far people agree", &head, rows))
}

fn named(system: &System) -> String {
    match &system.prompt {
        Some(prompt) => format!("{} ({prompt})", system.name),
        None => system.name.clone(),
    }
}

fn table(heading: &str, head: &[&str], rows: Vec<Vec<String>>) -> Table {
    let head = head.iter().map(|&cell| cell.to_owned()).collect();
    Table { heading: heading.to_owned(), head, rows }
}

fn share(share: Share) -> String {
    let percent = share.value().map_or(String::new(), |value| format!(" ({:.1} %)", 100.0 * value));
    format!("{}/{}{percent}", share.correct, share.total)
}

fn interval(cell: &Cell) -> String {
    cell.no_interval.map_or_else(|| percent(cell.interval), str::to_owned)
}

fn percent(interval: Option<Interval>) -> String {
    interval.map_or(String::new(), |found| {
        format!("{:.1}–{:.1} %", 100.0 * found.low, 100.0 * found.high)
    })
}
