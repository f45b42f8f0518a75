//! What gates kept beside what they dropped: the rows of comparisons, counted for the card.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::Gated;
use storymill_metrics::{
    binomial::{newcombe, wilson},
    bootstrap::{Interval, Plan, statistic},
};

use crate::{numbers::thousands, publication::RejectCount};

/// With fewer books, draws of them say next to nothing, and look sure of it.
const LEAST_BOOKS: usize = 5;
/// The reasons for which gates drop.
const REASONS: [&str; 2] = ["judged-wrong", "not-judged"];
type Measure = (fn(&Gated) -> u32, &'static str, f64);

/// What is measured of a retelling, words for it, and by how much it is divided.
const MEASURES: [Measure; 5] = [
    (|one| one.words, "words, mean", 1.0),
    (|one| one.symbols, "symbols, mean", 1.0),
    (|one| u32::from(one.place_pm), "place in the book, % of its symbols, mean", 10.0),
    (|one| one.to_end_words, "words from there to the end of the book, mean", 1.0),
    (|one| one.to_end_symbols, "symbols from there to the end of the book, mean", 1.0),
];

/// What was noted, by config.
#[derive(Debug, Default)]
pub(crate) struct GatedFacts(BTreeMap<String, Sides>);

/// Dropped and kept.
type Sides = [Side; 2];

/// One side of a gate.
#[derive(Debug, Default)]
struct Side {
    rows: u64,
    /// By book: how many, and the sums of what is measured.
    books: BTreeMap<String, (u64, [u64; MEASURES.len()])>,
    /// How many there are of each kind: what is told apart, and its value.
    kinds: BTreeMap<(&'static str, String), u64>,
    /// By judge and protocol: asked, with a verdict, flagged.
    said: BTreeMap<(String, String), [u64; 3]>,
}

/// What the card prints.
#[derive(Debug, Default, Serialize)]
pub(crate) struct GatedView {
    /// The tables, one for each gate that is compared.
    gates: Vec<GateView>,
    /// Whether a gate dropped something and nothing compares it.
    missing: bool,
}

/// One gate.
#[derive(Debug, Serialize)]
struct GateView {
    config: String,
    kept: String,
    dropped: String,
    share: String,
    /// Whether both sides have rows.
    both: bool,
    lines: Vec<LineView>,
}

/// A line of its table.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct LineView {
    what: String,
    kept: String,
    dropped: String,
    difference: String,
}

impl GatedView {
    /// Whether there is nothing to be told.
    pub(crate) fn is_empty(&self) -> bool {
        self.gates.is_empty() && !self.missing
    }
}

impl GatedFacts {
    /// Adds a retelling of this config.
    pub(crate) fn note(&mut self, config: &str, one: &Gated) {
        let side = &mut self.0.entry(config.to_owned()).or_default()[usize::from(one.kept)];
        side.rows += 1;
        let (count, sums) = side.books.entry(one.book.to_string()).or_default();
        *count += 1;
        for (sum, (of, ..)) in sums.iter_mut().zip(&MEASURES) {
            *sum += u64::from(of(one));
        }
        for (what, value) in [
            ("level", one.level.to_string()),
            ("made by way of", one.protocol.clone()),
            ("written by", one.made_by.name().to_owned()),
        ] {
            *side.kinds.entry((what, value)).or_default() += 1;
        }
        for flag in &one.said {
            let counts = side.said.entry((flag.judge.clone(), flag.protocol.clone())).or_default();
            counts[0] += 1;
            counts[1] += u64::from(flag.flagged.is_some());
            counts[2] += u64::from(flag.flagged == Some(true));
        }
    }

    /// What the card prints. `left_out` tells whether some gate dropped what nobody compares.
    pub(crate) fn view(&self, left_out: &[RejectCount]) -> GatedView {
        let dropped = |one: &RejectCount| REASONS.contains(&one.reason.as_str());
        let told: u64 = left_out.iter().filter(|one| dropped(one)).map(|one| one.count).sum();
        let compared: u64 = self.0.values().map(|[dropped, _]| dropped.rows).sum();
        let gates = self.0.iter().map(|(config, sides)| gate(config, sides)).collect();
        GatedView { gates, missing: compared < told }
    }
}

fn gate(config: &str, sides: &Sides) -> GateView {
    let [dropped, kept] = sides;
    let all = dropped.rows + kept.rows;
    GateView {
        config: config.to_owned(),
        kept: thousands(kept.rows),
        dropped: thousands(dropped.rows),
        share: share(dropped.rows, all),
        both: kept.rows > 0 && dropped.rows > 0,
        lines: lines(kept, dropped),
    }
}

fn lines(kept: &Side, dropped: &Side) -> Vec<LineView> {
    let mut lines: Vec<LineView> =
        MEASURES.iter().enumerate().map(|(at, _)| mean_line(at, kept, dropped)).collect();
    let mut kinds: Vec<_> = kept.kinds.keys().chain(dropped.kinds.keys()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of = |side: &Side| (side.kinds.get(kind).copied().unwrap_or(0), side.rows);
        // What all have tells nothing.
        if of(kept) == (kept.rows, kept.rows) && of(dropped) == (dropped.rows, dropped.rows) {
            continue;
        }
        lines.push(share_line(format!("{} {}", kind.0, kind.1), of(kept), of(dropped)));
    }
    let mut judges: Vec<_> = kept.said.keys().chain(dropped.said.keys()).collect();
    judges.sort_unstable();
    judges.dedup();
    for judge in judges {
        let said = |side: &Side| side.said.get(judge).copied().unwrap_or_default();
        let name = format!("{} ({})", judge.0, judge.1);
        let asked = |side: &Side| (said(side)[0], side.rows);
        let flagged = |side: &Side| (said(side)[2], said(side)[1]);
        lines.push(share_line(format!("looked at by {name}"), asked(kept), asked(dropped)));
        let what = format!("of these with a verdict, flagged by {name}");
        lines.push(share_line(what, flagged(kept), flagged(dropped)));
    }
    lines
}

/// Mean over the rows of each side; the difference by draws of whole books.
#[expect(clippy::cast_precision_loss, reason = "sums stay far below 2^53")]
fn mean_line(at: usize, kept: &Side, dropped: &Side) -> LineView {
    let (_, what, unit) = MEASURES[at];
    let sums = |side: &Side, book: &str| {
        side.books.get(book).map_or((0, 0), |(count, sums)| (*count, sums[at]))
    };
    let mean = |(count, sum): (u64, u64)| (count > 0).then(|| sum as f64 / count as f64 / unit);
    let mut books: Vec<&String> = kept.books.keys().chain(dropped.books.keys()).collect();
    books.sort_unstable();
    books.dedup();
    let both: Vec<_> = books.iter().map(|book| (sums(kept, book), sums(dropped, book))).collect();
    let add = |one: (u64, u64), other: (u64, u64)| (one.0 + other.0, one.1 + other.1);
    let means = |places: &mut dyn Iterator<Item = usize>| {
        let start = ((0, 0), (0, 0));
        let (of_kept, of_dropped) =
            places.fold(start, |(one, other), at| (add(one, both[at].0), add(other, both[at].1)));
        (mean(of_kept), mean(of_dropped))
    };
    let (of_kept, of_dropped) = means(&mut (0..both.len()));
    let difference = of_kept.zip(of_dropped).map(|(one, other)| one - other);
    let drawn = |places: &[usize]| {
        let (one, other) = means(&mut places.iter().copied());
        Some(one? - other?)
    };
    let plan = Plan::default();
    let interval = (both.len() >= LEAST_BOOKS && difference.is_some())
        .then(|| statistic(both.len(), plan, drawn).ok())
        .flatten();
    let told = |one: f64| format!("{one:.1}").replace("-0.0", "0.0");
    LineView {
        what: what.to_owned(),
        kept: of_kept.map(told).unwrap_or_default(),
        dropped: of_dropped.map(told).unwrap_or_default(),
        difference: match (interval, difference) {
            (Some(drawn), _) => {
                let Interval { value, low, high } = drawn.interval;
                format!("{} ({} to {})", told(value), told(low), told(high))
            }
            (None, Some(value)) => format!("{} (too few books for an interval)", told(value)),
            (None, None) => String::new(),
        },
    }
}

/// A share of each side with Wilson's interval, and the difference with Newcombe's.
fn share_line(what: String, kept: (u64, u64), dropped: (u64, u64)) -> LineView {
    let difference = newcombe(kept, dropped, 0.95).ok().map(|found| {
        let told = |one: f64| format!("{:.1}", 100.0 * one).replace("-0.0", "0.0");
        format!("{} ({} to {})", told(found.value), told(found.low), told(found.high))
    });
    LineView {
        what,
        kept: share(kept.0, kept.1),
        dropped: share(dropped.0, dropped.1),
        difference: difference.unwrap_or_default(),
    }
}

/// `81.0 % (70.2 to 88.5), 81 of 100`; blank of nothing.
fn share(part: u64, of: u64) -> String {
    let Ok(found) = wilson(part, of, 0.95) else { return String::new() };
    let [value, low, high] = [found.value, found.low, found.high].map(|one| 100.0 * one);
    format!("{value:.1} % ({low:.1} to {high:.1}), {} of {}", thousands(part), thousands(of))
}

#[cfg(test)]
#[path = "gated_tests.rs"]
mod tests;
