//! The short table at the end of an evaluation; `storymill report` has all of it.

use std::{collections::BTreeMap, io::Write, path::Path};

use serde_json::{Value, json};
use storymill::{Asked, Built, Evaluation, Foretold, Pace, Project};
use storymill_core::Status;
use storymill_llm::Cost;
use storymill_report::thousands;
use storymill_transforms::Unasked;

use crate::{
    args::{Format, evaluate::Evaluate},
    commands::bill,
    exit::Failure,
    report,
    table::{Table, plural, prose, share},
};

/// The step of the workflow that asks.
const ANSWERS: &str = "answers";

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
    /// How many claims of each pair were answered, and how many of them are right.
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
        let status = row["status"].as_str().and_then(Status::of_name);
        if let Some(right @ 0..) = row["right"].as_i64() {
            let right = u64::from(right == 1);
            self.chosen += 1;
            self.right += right;
            if let Some(pair) = row["pair"].as_str().filter(|pair| !pair.is_empty()) {
                let of = self.pairs.entry(format!("{} {pair}", row["of"])).or_default();
                let answered = u64::from(status.is_some_and(Status::was_answered));
                *of = (of.0 + answered, of.1 + right);
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
        if let Some(status) = status {
            *self.statuses.entry(status).or_default() += 1;
        }
        self.shown += number("shown_tokens");
        self.written += number("output_tokens") + number("thinking_tokens");
    }

    /// Pairs of which both claims are right, of those of which both were answered.
    fn whole_pairs(&self) -> String {
        let whole = self.pairs.values().filter(|(asked, _)| *asked == 2);
        let right = whole.clone().filter(|(_, right)| *right == 2).count() as u64;
        share(right, whole.count() as u64)
    }

    fn cells(&self) -> Vec<String> {
        let statuses = self.statuses.iter().filter(|(status, _)| **status != Status::Answered);
        let statuses: Vec<String> =
            statuses.map(|(status, count)| format!("{count} {}", status.name())).collect();
        vec![
            self.rows.to_string(),
            share(self.right, self.chosen),
            share(self.told_right, self.told),
            self.whole_pairs(),
            mean(self.score, self.free),
            mean(self.copied, self.copies),
            self.shown.to_string(),
            self.written.to_string(),
            if statuses.is_empty() { "all answered".to_owned() } else { statuses.join(", ") },
        ]
    }
}

/// `0.512 (of 16)`.
fn mean(sum: u64, count: u64) -> String {
    match count {
        0 => "-".to_owned(),
        _ => format!("{} (of {count})", millionths(sum, count)),
    }
}

/// A mean of millionths, to three places.
fn millionths(sum: u64, count: u64) -> String {
    if count == 0 {
        return "-".to_owned();
    }
    let mean = (sum + 500 * count) / (1_000 * count);
    format!("{}.{:03}", mean / 1_000, mean % 1_000)
}

/// Says which questions will not be put to the model.
pub(super) fn unasked(evaluation: &Evaluation, format: Format) -> Result<(), Failure> {
    for Foretold { setting, why, questions, of } in evaluation.unasked()? {
        let (count, all, left) =
            (thousands(questions), thousands(of), thousands(of.saturating_sub(questions)));
        let text = match why {
            Unasked::DoesNotFit => {
                let window = thousands(evaluation.window.unwrap_or_default().into());
                format!(
                    "setting `{setting}`: {count} of {all} do not fit {window} tokens (`does-not-fit`) and count as not answered; {left} would be asked. Choose those that fit with `--where 'context_tokens < …'`, or build a set of them: the step `choose` has `longest`"
                )
            }
            Unasked::NoEvidence => format!(
                "setting `{setting}`: {count} of {all} are not asked, since nobody knows their evidence (`no-evidence`); they do not count"
            ),
        };
        match format {
            Format::Json => report::say(text),
            Format::Text => writeln!(crate::screen::out(), "{}", prose(&text))?,
        }
    }
    Ok(())
}

/// What a sample leaves for later, and how long that takes at the pace so far.
pub(super) struct Rest {
    of: u64,
    asked: u64,
    pace: Option<Pace>,
}

impl Rest {
    /// None where all questions are asked, or no model is.
    pub(super) fn of(
        evaluation: &Evaluation,
        project: &Project,
        answers: Option<&Path>,
    ) -> Result<Option<Self>, Failure> {
        let Some((of, asked)) = evaluation.sampled()?.filter(|_| evaluation.model.is_some()) else {
            return Ok(None);
        };
        let requests = evaluation.requests(of.saturating_sub(asked));
        let pace = project.pace(answers, ANSWERS, requests)?;
        Ok((of > asked).then_some(Self { of, asked, pace }))
    }

    pub(super) fn add(&self, to: &mut Value) {
        to["left"] = json!({
            "questions": self.of - self.asked, "of": self.of, "pace": bill::paced_json(self.pace.as_ref()),
        });
    }

    pub(super) fn say(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (asked, of, left) =
            (thousands(self.asked), thousands(self.of), thousands(self.of - self.asked));
        let time = match &self.pace {
            Some(pace) => bill::paced(pace),
            None => "too few answers are timed to say how long".to_owned(),
        };
        writeln!(out, "{}", prose(&format!("asked {asked} of {of} questions; {left} left: {time}")))
    }
}

/// Questions without evidence, which the setting of that name leaves out.
pub(super) fn left_out(built: &Built) -> Option<String> {
    let count = without_evidence(built);
    (count > 0).then(|| {
        let questions = plural(count, "question");
        format!(
            "setting `evidence`: {questions} not asked, since nobody knows their evidence (`no-evidence`); they do not count"
        )
    })
}

fn without_evidence(built: &Built) -> u64 {
    let left_out = built.outcome.left_out.iter().map(|one| &one.reject.reason.code);
    left_out.filter(|code| *code == "no-evidence").count() as u64
}

/// What is counted, by model and setting, in the order of the rows.
fn summed(rows: &[Value]) -> Vec<((&str, &str), Sums)> {
    let mut sums: Vec<((&str, &str), Sums)> = Vec::new();
    for row in rows {
        let word = |name: &str| row[name].as_str().unwrap_or_default();
        let key = (word("model"), word("setting"));
        let at = sums.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            sums.push((key, Sums::default()));
            sums.len() - 1
        });
        sums[at].1.add(row);
    }
    sums
}

/// What this run asked, and what it cost.
fn paid(built: &Built) -> Cost {
    built.asked.as_ref().map(Asked::cost).unwrap_or_default()
}

/// All of it for programs: every share as what it is a share of.
pub(super) fn json(rows: &[Value], built: &Built) -> Value {
    let system = |((model, setting), sums): ((&str, &str), Sums)| {
        let whole = sums.pairs.values().filter(|(asked, _)| *asked == 2);
        let right_pairs = whole.clone().filter(|(_, right)| *right == 2).count();
        let statuses = sums.statuses.iter().map(|(status, count)| (status.name(), *count));
        json!({
            "model": model, "setting": setting, "questions": sums.rows,
            "right": sums.right, "right_of": sums.chosen,
            "right_without_none": sums.told_right, "right_without_none_of": sums.told,
            "pairs_right": right_pairs, "pairs_of": whole.count(),
            "free_text_ppm": sums.score.checked_div(sums.free), "free_text_of": sums.free,
            "copy_ppm": sums.copied.checked_div(sums.copies), "copy_of": sums.copies,
            "tokens_shown": sums.shown, "tokens_written": sums.written,
            "statuses": statuses.collect::<BTreeMap<_, _>>(),
        })
    };
    let paid = paid(built);
    json!({
        "format": "storymill-evaluation/1",
        "systems": summed(rows).into_iter().map(system).collect::<Vec<_>>(),
        "no_evidence": without_evidence(built),
        "paid": { "requests": paid.requests, "micro_usd": paid.usd, "unpriced": paid.unpriced },
    })
}

/// What was asked about: books, or sets of long contexts.
pub(super) fn head(
    rows: &[Value],
    units: usize,
    args: &Evaluate,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mixed = rows.iter().any(|row| row["kind"] == "long-context");
    let what = plural(units as u64, if mixed { "question set" } else { "book" });
    writeln!(out, "\n{what} of {}", args.dataset.display())
}

/// A line for each model and setting.
pub(super) fn show(
    rows: &[Value],
    built: &Built,
    wordnet: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut table = Table::new(&[
        "model",
        "setting",
        ">asked",
        ">right",
        ">none aside",
        ">pairs",
        ">free text",
        ">copy unchanged",
        ">tokens shown",
        ">written",
        "not answered",
    ]);
    for ((model, setting), sums) in summed(rows) {
        table.row([model.to_owned(), setting.to_owned()].into_iter().chain(sums.cells()));
    }
    table.drop_empty();
    write!(out, "\n{table}")?;
    let legend = "right: share correct, unanswered questions count as wrong; none aside: without questions whose \
         answer is none of the above; pairs: both claims right, of the pairs of which both were answered; free text: mean score; copy unchanged: that of the text as it was given";
    writeln!(out, "\n{}", prose(legend))?;
    if !wordnet && rows.iter().any(|row| row["copy_rouge_l_ppm"].as_i64() >= Some(0)) {
        writeln!(out, "METEOR is left out: `--wordnet` names a WordNet 3.0 folder")?;
    }
    if let Some(text) = left_out(built) {
        writeln!(out, "{}", prose(&text))?;
    }
    let paid = paid(built);
    if paid.requests > 0 {
        writeln!(out, "{} in this run, {paid}", plural(paid.requests, "request"))?;
    }
    if let Some(caches) = built.asked.as_ref().and_then(bill::caches) {
        writeln!(out, "{caches}")?;
    }
    Ok(())
}
