//! What judges said, noted row by row, and what the data card makes of it: how good they are on retellings that people
//! judged, and how many of the others are faithful.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Difficulty, Judgement};
use storymill_faithfulness::corrected::{Counts, Rates, rates};
use storymill_metrics::{binomial::wilson, bootstrap::Interval, classify::Confusion};

/// What was noted, by judge and protocol.
#[derive(Debug, Default)]
pub(crate) struct Judged(BTreeMap<(String, String), Vec<Said>>);

/// What a judge said of one retelling.
#[derive(Clone, Debug)]
struct Said {
    /// The table, and the retelling.
    config: String,
    retelling: String,
    split: String,
    faithful: Option<bool>,
    gold: Option<bool>,
    meant_false: bool,
    difficulty: Option<Difficulty>,
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
    table: String,
    judge: String,
    protocol: String,
    split: String,
    /// With a verdict, and without one; the shares but precision are of both.
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
    table: String,
    judge: String,
    protocol: String,
    /// True retellings with a verdict, and without one.
    n: u64,
    without: u64,
    raw: String,
    sensitivity: String,
    specificity: String,
    corrected: String,
    /// Retellings that are meant to be false: how many are called unfaithful.
    meant_false: String,
}

impl Judged {
    /// Notes a judgement of a config.
    pub(crate) fn note(&mut self, config: &str, judgement: &Judgement, split: &str) {
        let own = &judgement.split;
        let key = (judgement.judge.clone(), judgement.protocol.clone());
        self.0.entry(key).or_default().push(Said {
            config: config.to_owned(),
            retelling: judgement.retelling.clone(),
            split: if own.is_empty() { split } else { own }.to_owned(),
            faithful: judgement.faithful,
            gold: judgement.gold,
            meant_false: judgement.meant_false,
            difficulty: judgement.difficulty,
        });
    }

    /// What the card prints of it.
    pub(crate) fn view(&self) -> JudgedView {
        let mut view = JudgedView::default();
        let steps = self.0.iter().flat_map(|((judge, protocol), said)| {
            steps(said).into_iter().map(move |(table, said)| (table, judge, protocol, said))
        });
        for (table, judge, protocol, said) in steps {
            let said = &said[..];
            let labelled: Vec<&Said> = said.iter().filter(|one| one.gold.is_some()).collect();
            let splits: BTreeSet<&str> = labelled.iter().map(|one| one.split.as_str()).collect();
            for split in std::iter::once("all").chain(splits.iter().rev().copied()) {
                let of = |one: &&&Said| split == "all" || one.split == split;
                let rows: Vec<&Said> = labelled.iter().filter(of).copied().collect();
                if !rows.is_empty() {
                    view.quality.push(quality(&table, judge, protocol, split, &rows));
                }
            }
            view.rates.extend(rate(&table, judge, protocol, said));
        }
        view
    }
}

/// What was said, a step of a judge at a time. Two steps may ask one judge in one protocol, with other prompts or other words for what
/// is unclear, of the same retellings: then their tables are apart. A retelling counts once for a step.
fn steps(said: &[Said]) -> Vec<(String, Vec<Said>)> {
    let mut seen = BTreeSet::new();
    let mut tables: BTreeMap<&str, Vec<Said>> = BTreeMap::new();
    for one in said.iter().filter(|one| seen.insert((&one.config, &one.retelling))) {
        tables.entry(&one.config).or_default().push(one.clone());
    }
    let retellings: BTreeSet<&str> = said.iter().map(|one| one.retelling.as_str()).collect();
    if retellings.len() == tables.values().map(Vec::len).sum::<usize>() {
        let names: Vec<&str> = tables.keys().copied().collect();
        return vec![(names.join(", "), tables.into_values().flatten().collect())];
    }
    tables.into_iter().map(|(table, said)| (table.to_owned(), said)).collect()
}

fn quality(table: &str, judge: &str, protocol: &str, split: &str, rows: &[&Said]) -> QualityView {
    let (mut truth, mut said) = (Vec::new(), Vec::new());
    // Of the unfaithful that are easy and hard to see: called so, of all.
    let (mut easy, mut hard) = ((0, 0), (0, 0));
    // Of the faithful, and of the unfaithful: how many are called so, of all.
    let mut right = [(0, 0), (0, 0)];
    for (gold, one) in rows.iter().filter_map(|one| Some((one.gold?, one))) {
        let place = &mut right[usize::from(!gold)];
        place.0 += usize::from(one.faithful == Some(gold));
        place.1 += 1;
        if let Some(faithful) = one.faithful {
            truth.push(gold);
            said.push(faithful);
        }
        let place = match one.difficulty.filter(|_| !gold) {
            Some(Difficulty::Easy) => &mut easy,
            Some(Difficulty::Hard) => &mut hard,
            None => continue,
        };
        place.0 += usize::from(one.faithful == Some(false));
        place.1 += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let part = |(part, of): (usize, usize)| (of > 0).then(|| part as f64 / of as f64);
    let [recall, specificity] = right.map(part);
    let counts = Confusion::of(&truth, &said).unwrap_or_default();
    // Rounding may leave a minus before nothing.
    let told = |one: f64| format!("{one:.2}").replace("-0.00", "0.00");
    let share = |share: Option<f64>| share.map_or("undefined".to_owned(), told);
    QualityView {
        table: table.to_owned(),
        judge: judge.to_owned(),
        protocol: protocol.to_owned(),
        split: split.to_owned(),
        n: truth.len(),
        without: rows.len() - truth.len(),
        counts: [counts.tp, counts.fn_, counts.fp, counts.tn],
        kappa: share(counts.kappa()),
        faithful: part_of(counts.tp + counts.fp, rows.len()),
        precision: share(counts.precision()),
        recall: share(recall),
        easy: part_of(easy.0, easy.1),
        hard: part_of(hard.0, hard.1),
        balanced: recall
            .zip(specificity)
            .map_or("undefined".to_owned(), |(one, other)| format!("{:.1}", 50.0 * (one + other))),
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
fn rate(table: &str, judge: &str, protocol: &str, said: &[Said]) -> Option<RateView> {
    let mut counts = Counts::default();
    // Without a verdict: of the sample, of the retellings that people call faithful, of those that they call unfaithful.
    let (mut without, mut unjudged) = (0, [0, 0]);
    // Retellings that are meant to be false: called unfaithful, with a verdict, without one.
    let (mut seen, mut meant_false, mut unseen) = (0, 0, 0);
    for one in said {
        match (one.gold, one.faithful, one.meant_false) {
            (None, None, false) => without += 1,
            (None, None, true) => unseen += 1,
            (Some(gold), None, _) => unjudged[usize::from(!gold)] += 1,
            (Some(gold), Some(faithful), _) => counts.known(gold, faithful),
            (None, Some(faithful), false) => counts.sampled(faithful),
            (None, Some(faithful), true) => {
                seen += u64::from(!faithful);
                meant_false += 1;
            }
        }
    }
    if counts.sample + meant_false + without + unseen == 0 {
        return None;
    }
    // What has no verdict is not left out at random: as if all of it were called wrong, and as if all of it were called right.
    let [faithful, unfaithful] = unjudged;
    let as_if = |said: bool, hit: bool, found: bool| Counts {
        sample: counts.sample + without,
        said: counts.said + u64::from(said) * without,
        faithful: counts.faithful + faithful,
        hits: counts.hits + u64::from(hit) * faithful,
        unfaithful: counts.unfaithful + unfaithful,
        found: counts.found + u64::from(found) * unfaithful,
    };
    let all: Vec<Rates> =
        (0..8).map(|case| rates(as_if(case & 1 > 0, case & 2 > 0, case & 4 > 0), 0.95)).collect();
    let share = |of: &dyn Fn(&Rates) -> Option<Interval>, without: u64| {
        let found: Option<Vec<Interval>> = all.iter().map(of).collect();
        found.map_or("undefined".to_owned(), |found| bounds(&found, without))
    };
    let corrected: Result<Vec<Interval>, _> = all.iter().map(|one| one.corrected).collect();
    let called_false = [seen, seen + unseen].map(|seen| wilson(seen, meant_false + unseen, 0.95));
    let called_false: Result<Vec<Interval>, _> = called_false.into_iter().collect();
    Some(RateView {
        table: table.to_owned(),
        judge: judge.to_owned(),
        protocol: protocol.to_owned(),
        n: counts.sample,
        without,
        raw: share(&|one| one.raw, without),
        sensitivity: share(&|one| one.sensitivity, faithful),
        specificity: share(&|one| one.specificity, unfaithful),
        corrected: corrected.map_or_else(
            |why| why.to_string(),
            |found| bounds(&found, without + faithful + unfaithful),
        ),
        meant_false: called_false.map_or("undefined".to_owned(), |found| bounds(&found, unseen)),
    })
}

/// A share of what has a verdict or may have one: `81.0 % (70.2 to 88.5)` where all have; else `from 33.3 to 100.0 %; 102 without a
/// verdict`, which is all that is known. `found` is the share as if these were called one way and the other.
fn bounds(found: &[Interval], without: u64) -> String {
    let Some(first) = found.first().filter(|_| without == 0) else {
        let shares = || found.iter().map(|one| 100.0 * one.value);
        let (low, high) = (shares().fold(100.0, f64::min), shares().fold(0.0, f64::max));
        return format!("undecided: from {low:.1} to {high:.1} %, {without} without a verdict");
    };
    told(*first)
}

/// `81.0 % (70.2 to 88.5)`.
fn told(one: Interval) -> String {
    let [value, low, high] = [one.value, one.low, one.high].map(|share| 100.0 * share);
    format!("{value:.1} % ({low:.1} to {high:.1})")
}

#[cfg(test)]
#[path = "judged_tests.rs"]
mod tests;
