//! What CI asks of an evaluation: a score that must not be lower, or that the way from a dataset to grades holds at all.

use std::io::Write;

use serde_json::{Value, json};
use storymill_report::{Cell, Report};

use crate::{
    args::{
        Format,
        evaluate::{Evaluate, Score},
    },
    exit::{BELOW, Exit, Failure},
    report,
    table::{plural, prose, share},
};

/// The questions that a trial asks if nobody says how many.
pub(super) const QUESTIONS: u32 = 10;
/// The questions that a trial asks: whoever is shown their evidence has the answer before them.
pub(super) const EASY: &str = "task = lookahead, other-book";
/// The setting that a trial asks in.
pub(super) const SHOWN: &str = "evidence";
/// Of so many questions of a trial, as many as this must be right.
const RIGHT: (u64, u64) = (8, 10);

/// Whether a gate is passed.
#[derive(Debug)]
pub(super) struct Verdict {
    passed: bool,
    said: String,
    json: Value,
}

impl Verdict {
    /// The verdict on an evaluation that has a gate.
    pub(super) fn of(args: &Evaluate, figures: &Report, grades: &[Value]) -> Option<Self> {
        if args.smoke {
            return Some(trial(grades));
        }
        let least = args.fail_below?;
        let setting = args.setting.first().map(ToString::to_string).unwrap_or_default();
        Some(below(least, &setting, figures))
    }

    /// Adds it to what is printed for programs.
    pub(super) fn add(&self, all: &mut Value) {
        all["gate"] = self.json.clone();
    }

    /// Says it, and how the command ends if it is not passed.
    pub(super) fn say(&self, format: Format) -> Result<Option<Exit>, Failure> {
        let passed = if self.passed { "passed" } else { "not passed" };
        let text = format!("{passed}: {}", self.said);
        match format {
            Format::Json => report::say(text),
            Format::Text => writeln!(crate::screen::out(), "\n{}", prose(&text))?,
        }
        Ok((!self.passed).then_some(BELOW))
    }
}

/// A trial: of a few easy questions nearly all are right.
fn trial(grades: &[Value]) -> Verdict {
    let asked = grades.len() as u64;
    let right = grades.iter().filter(|row| row["right"].as_i64() == Some(1)).count() as u64;
    let (of, all) = RIGHT;
    let needed = (of * asked).div_ceil(all);
    let passed = asked > 0 && right >= needed;
    let mut said = format!("smoke, {} right with the evidence shown", share(right, asked));
    if !passed {
        said += &format!(
            "; {needed} are needed: see how answers are read (`storymill report`), the model's `max_tokens`, and its template"
        );
    }
    let json =
        json!({ "smoke": true, "right": right, "of": asked, "needed": needed, "passed": passed });
    Verdict { passed, said, json }
}

/// Whether the lower end of the interval of a score is not below a number: of pairs of claims, else of questions with
/// options, in the first setting.
fn below(least: Score, setting: &str, figures: &Report) -> Verdict {
    let part = figures.parts.iter().find(|part| part.is_right_or_wrong());
    let found = part.and_then(|part| {
        Some((part, part.systems.iter().find(|system| system.setting == setting)?))
    });
    let least = least.0;
    let json = |cell: Option<&Cell>, passed: bool| {
        json!({
            "fail_below": least, "setting": setting, "passed": passed,
            "value": cell.and_then(|cell| cell.value), "low": cell.and_then(|cell| cell.low),
            "high": cell.and_then(|cell| cell.high),
        })
    };
    let Some((part, cell)) = found.map(|(part, system)| (part, &system.cell)) else {
        let said = format!(
            "no question in the setting `{setting}` is right or wrong, so there is no accuracy"
        );
        return Verdict { passed: false, said, json: json(None, false) };
    };
    let value = cell.value.unwrap_or_default();
    let questions = plural(cell.questions as u64, part.noun());
    let over = format!("over {questions} of {}", plural(cell.books as u64, "book"));
    let Some((low, high)) = cell.low.zip(cell.high) else {
        let said = format!(
            "{} {value:.3} {over} has no interval: at least 5 books, by 2 authors, are needed",
            part.measure
        );
        return Verdict { passed: false, said, json: json(Some(cell), false) };
    };
    let passed = low >= least;
    let is = if passed { "is not below" } else { "is below" };
    let said = format!(
        "{} {value:.3} ({low:.3} to {high:.3}) {over} in the setting `{setting}`; the lower end {is} {least}",
        part.measure,
    );
    Verdict { passed, said, json: json(Some(cell), passed) }
}
