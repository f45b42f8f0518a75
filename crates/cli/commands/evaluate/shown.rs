//! The short table at the end of an evaluation; `storymill report` has all of it.

use std::{collections::BTreeMap, io::Write};

use serde_json::Value;
use storymill::Built;
use storymill_core::Status;
use storymill_llm::Usd;

use crate::table::{Table, plural};

/// What is counted of a model in a setting.
#[derive(Default)]
struct Sums {
    rows: u64,
    /// Questions with options, and claims; those of them that are right.
    chosen: u64,
    right: u64,
    /// The same without questions of which none of the above is right.
    told: u64,
    told_right: u64,
    /// How many claims of each pair there are, and how many of them are right.
    pairs: BTreeMap<String, (u64, u64)>,
    /// Free text, and its scores in millionths.
    free: u64,
    score: u64,
    copied: u64,
    copies: u64,
    statuses: BTreeMap<Status, u64>,
    shown: u64,
    written: u64,
}

impl Sums {
    fn add(&mut self, row: &Value) {
        let number = |name: &str| row[name].as_u64().unwrap_or(0);
        self.rows += 1;
        if let Some(right @ 0..) = row["right"].as_i64() {
            let right = u64::from(right == 1);
            self.chosen += 1;
            self.right += right;
            if let Some(pair) = row["pair"].as_str().filter(|pair| !pair.is_empty()) {
                let of = self.pairs.entry(format!("{} {pair}", row["of"])).or_default();
                *of = (of.0 + 1, of.1 + right);
            }
            if number("none_of_the_above") == 0 {
                self.told += 1;
                self.told_right += right;
            }
        } else {
            self.free += 1;
            self.score += number("score_ppm");
            if let Some(copy) = row["copy_rouge_l_ppm"].as_u64() {
                self.copies += 1;
                self.copied += copy;
            }
        }
        if let Some(status) = row["status"].as_str().and_then(Status::of_name) {
            *self.statuses.entry(status).or_default() += 1;
        }
        self.shown += number("shown_tokens");
        self.written += number("output_tokens") + number("thinking_tokens");
    }

    /// Pairs of which both claims are right, of those that were asked whole.
    fn whole_pairs(&self) -> String {
        let whole = self.pairs.values().filter(|(asked, _)| *asked == 2);
        let right = whole.clone().filter(|(_, right)| *right == 2).count() as u64;
        match whole.count() as u64 {
            0 => "-".to_owned(),
            pairs => format!("{right}/{pairs} {}", percent(right, pairs)),
        }
    }

    fn cells(&self) -> Vec<String> {
        let statuses = self.statuses.iter().filter(|(status, _)| **status != Status::Answered);
        let statuses: Vec<String> =
            statuses.map(|(status, count)| format!("{count} {}", status.name())).collect();
        vec![
            self.rows.to_string(),
            percent(self.right, self.chosen),
            percent(self.told_right, self.told),
            self.whole_pairs(),
            millionths(self.score, self.free),
            millionths(self.copied, self.copies),
            self.shown.to_string(),
            self.written.to_string(),
            if statuses.is_empty() { "all answered".to_owned() } else { statuses.join(", ") },
        ]
    }
}

/// A share in per cent, to one place.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let tenths = (part * 2_000 + whole) / (2 * whole);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A mean of millionths, to three places.
fn millionths(sum: u64, count: u64) -> String {
    if count == 0 {
        return "-".to_owned();
    }
    let mean = (sum + 500 * count) / (1_000 * count);
    format!("{}.{:03}", mean / 1_000, mean % 1_000)
}

/// A line for each model and setting.
pub(super) fn show(
    rows: &[Value],
    built: &Built,
    wordnet: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut sums: BTreeMap<(&str, &str), Sums> = BTreeMap::new();
    for row in rows {
        let word = |name: &str| row[name].as_str().unwrap_or_default();
        let key = (word("model"), word("setting"));
        if !order.contains(&key) {
            order.push(key);
        }
        sums.entry(key).or_default().add(row);
    }
    let mut table = Table::new(&[
        "model",
        "setting",
        ">questions",
        ">right",
        ">without none",
        ">pairs",
        ">free text",
        ">as a copy",
        ">tokens shown",
        ">written",
        "not answered",
    ]);
    for key in order {
        let cells = sums[&key].cells();
        table.row([key.0.to_owned(), key.1.to_owned()].into_iter().chain(cells));
    }
    write!(out, "\n{table}")?;
    writeln!(
        out,
        "\nright: share correct, unanswered questions count as wrong; without none: excluding questions whose answer is \
         none of the above; pairs: both claims right; free text: mean score"
    )?;
    if !wordnet && rows.iter().any(|row| row["copy_rouge_l_ppm"].as_i64() >= Some(0)) {
        writeln!(out, "METEOR is left out: `--wordnet` names a WordNet 3.0 folder")?;
    }
    let asked = built.asked.iter().flat_map(|asked| &asked.ledger);
    let (mut spent, mut requests, mut unpriced) = (Usd::default(), 0, 0);
    for row in asked {
        spent += row.cost.usd;
        requests += row.cost.requests;
        unpriced += row.cost.unpriced;
    }
    if requests > 0 {
        let price = if unpriced > 0 { "no price known".to_owned() } else { spent.to_string() };
        writeln!(out, "{} in this run, {price}", plural(requests, "request"))?;
    }
    Ok(())
}
