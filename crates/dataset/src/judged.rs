//! What judges said, noted row by row, and what the data card makes of it: how good they are on retellings that people
//! judged, and how many of the others are faithful.

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::{Int32Array, RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use serde::Serialize;
use storymill_faithfulness::corrected::{Counts, rates};
use storymill_metrics::{binomial::wilson, bootstrap::Interval, classify::Confusion};

/// What was noted, by judge and protocol.
#[derive(Debug, Default)]
pub(crate) struct Judged(BTreeMap<(String, String), Vec<Said>>);

/// What a judge said of one retelling.
#[derive(Debug)]
struct Said {
    split: String,
    faithful: Option<bool>,
    gold: Option<bool>,
    meant_false: bool,
    difficulty: String,
}

/// What the card prints.
#[derive(Debug, Default, Serialize)]
pub(crate) struct JudgedView {
    /// How good the judges are.
    pub(crate) quality: Vec<QualityView>,
    /// How many retellings are faithful.
    pub(crate) rates: Vec<RateView>,
}

/// A row of StorySumm's table. "Faithful" is the positive class.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct QualityView {
    judge: String,
    protocol: String,
    split: String,
    n: usize,
    without: usize,
    /// Faithful and called so; called unfaithful; unfaithful and called faithful; called so.
    counts: [usize; 4],
    kappa: String,
    faithful: String,
    precision: String,
    recall: String,
    easy: String,
    hard: String,
    balanced: String,
}

/// The share of faithful retellings as a judge counts it, and corrected.
#[derive(Debug, Serialize)]
pub(crate) struct RateView {
    judge: String,
    protocol: String,
    n: u64,
    without: usize,
    raw: String,
    sensitivity: String,
    specificity: String,
    corrected: String,
    /// Retellings that are meant to be false: how many are called unfaithful.
    meant_false: String,
}

impl Judged {
    /// Notes the rows of a batch, if they are judgements.
    pub(crate) fn note(&mut self, rows: &RecordBatch) {
        let text = |name| -> Option<&StringArray> { rows.column_by_name(name)?.as_string_opt() };
        let int = |name| -> Option<&Int32Array> {
            rows.column_by_name(name)?.as_primitive_opt::<Int32Type>()
        };
        let (Some(_), Some(judge), Some(protocol), Some(split), Some(difficulty)) = (
            text("judgement_id"),
            text("judge"),
            text("protocol"),
            text("split"),
            text("difficulty"),
        ) else {
            return;
        };
        let (Some(faithful), Some(gold), Some(meant_false)) =
            (int("faithful"), int("gold"), int("meant_false"))
        else {
            return;
        };
        let known = |one: i32| (one >= 0).then_some(one == 1);
        for at in 0..rows.num_rows() {
            let key = (judge.value(at).to_owned(), protocol.value(at).to_owned());
            self.0.entry(key).or_default().push(Said {
                split: split.value(at).to_owned(),
                faithful: known(faithful.value(at)),
                gold: known(gold.value(at)),
                meant_false: meant_false.value(at) == 1,
                difficulty: difficulty.value(at).to_owned(),
            });
        }
    }

    /// What the card prints of it.
    pub(crate) fn view(&self) -> JudgedView {
        let mut view = JudgedView::default();
        for ((judge, protocol), said) in &self.0 {
            let labelled: Vec<&Said> = said.iter().filter(|one| one.gold.is_some()).collect();
            let splits: BTreeSet<&str> = labelled.iter().map(|one| one.split.as_str()).collect();
            for split in std::iter::once("all").chain(splits.iter().rev().copied()) {
                let of = |one: &&&Said| split == "all" || one.split == split;
                let rows: Vec<&Said> = labelled.iter().filter(of).copied().collect();
                if !rows.is_empty() {
                    view.quality.push(quality(judge, protocol, split, &rows));
                }
            }
            view.rates.extend(rate(judge, protocol, said));
        }
        view
    }
}

fn quality(judge: &str, protocol: &str, split: &str, rows: &[&Said]) -> QualityView {
    let verdicts = rows.iter().filter_map(|one| Some((one.gold?, one.faithful?, &one.difficulty)));
    let (mut truth, mut said) = (Vec::new(), Vec::new());
    let mut found = BTreeMap::from([("easy", (0, 0)), ("hard", (0, 0))]);
    for (gold, faithful, difficulty) in verdicts {
        truth.push(gold);
        said.push(faithful);
        if let Some((seen, of)) = found.get_mut(difficulty.as_str()).filter(|_| !gold) {
            *seen += usize::from(!faithful);
            *of += 1;
        }
    }
    let counts = Confusion::of(&truth, &said).unwrap_or_default();
    // Rounding may leave a minus before nothing.
    let told = |one: f64| format!("{one:.2}").replace("-0.00", "0.00");
    let share = |share: Option<f64>| share.map_or("undefined".to_owned(), told);
    QualityView {
        judge: judge.to_owned(),
        protocol: protocol.to_owned(),
        split: split.to_owned(),
        n: truth.len(),
        without: rows.len() - truth.len(),
        counts: [counts.tp, counts.fn_, counts.fp, counts.tn],
        kappa: share(counts.kappa()),
        faithful: part_of(counts.tp + counts.fp, truth.len()),
        precision: share(counts.precision()),
        recall: share(counts.recall()),
        easy: part_of(found["easy"].0, found["easy"].1),
        hard: part_of(found["hard"].0, found["hard"].1),
        balanced: counts
            .balanced_accuracy()
            .map_or("undefined".to_owned(), |one| format!("{:.1}", 100.0 * one)),
    }
}

/// Per cent of so many, with one digit.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn part_of(part: usize, whole: usize) -> String {
    match whole {
        0 => "undefined".to_owned(),
        _ => format!("{:.1}", 100.0 * part as f64 / whole as f64),
    }
}

/// None where there are only retellings that people judged.
fn rate(judge: &str, protocol: &str, said: &[Said]) -> Option<RateView> {
    let mut counts = Counts::default();
    let mut without = 0;
    let (mut seen, mut meant_false) = (0, 0);
    for one in said {
        match (one.gold, one.faithful, one.meant_false) {
            (None, None, _) => without += 1,
            (Some(_), None, _) => {}
            (Some(gold), Some(faithful), _) => counts.known(gold, faithful),
            (None, Some(faithful), false) => counts.sampled(faithful),
            (None, Some(faithful), true) => {
                seen += u64::from(!faithful);
                meant_false += 1;
            }
        }
    }
    if counts.sample + meant_false == 0 && without == 0 {
        return None;
    }
    let found = rates(counts, 0.95);
    let share = |share: Option<Interval>| share.map_or("undefined".to_owned(), told);
    Some(RateView {
        judge: judge.to_owned(),
        protocol: protocol.to_owned(),
        n: counts.sample,
        without,
        raw: share(found.raw),
        sensitivity: share(found.sensitivity),
        specificity: share(found.specificity),
        corrected: found.corrected.map_or_else(|why| why.to_string(), told),
        meant_false: share(wilson(seen, meant_false, 0.95).ok()),
    })
}

/// `81.0 % (70.2 to 88.5)`.
fn told(one: Interval) -> String {
    let [value, low, high] = [one.value, one.low, one.high].map(|share| 100.0 * share);
    format!("{value:.1} % ({low:.1} to {high:.1})")
}

#[cfg(test)]
#[path = "judged_tests.rs"]
mod tests;
