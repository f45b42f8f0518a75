//! `storymill score names`: a tagger and the whole-book decision against names that people marked.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use storymill::taggers;
use storymill_core::{Fault, FaultKind, did_you_mean};
use storymill_names::{Gold, Tally, Words, decide};

use crate::{
    args::Format,
    args::names::EvalNames,
    exit::{DONE, Exit, Failure},
    novel,
    session::Session,
    table::Table,
};

pub(crate) fn run(args: &EvalNames, session: &Session) -> Result<Exit, Failure> {
    let text = novel::text(&args.file)?;
    let tagger = session.tagger(&args.tagger)?;
    let (mut lines, mut splits) = (Vec::new(), BTreeSet::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let refused = |fault: Fault| Fault {
            message: format!("line {}: {}", at + 1, fault.message),
            ..fault
        };
        let gold: Gold = serde_json::from_str(line).map_err(|error| {
            refused(Fault::new(FaultKind::Input, "not a JSON object with `text` and `spans`"))
                .at(&args.file)
                .because(error)
        })?;
        if args.split.as_ref().is_some_and(|split| gold.split.as_ref() != Some(split)) {
            splits.extend(gold.split);
            continue;
        }
        let began = Instant::now();
        let words = Words::new(&gold.text);
        let odds = tagger.tag_by(&words, args.tagger.occurrences)?;
        let found = decide(&words, &odds, tagger.weights());
        let took = began.elapsed();
        let tally = gold.score(&words, &found).map_err(|fault| refused(fault).at(&args.file))?;
        lines.push(Line { words: gold.text.split_whitespace().count(), gold, tally, took });
    }
    if lines.is_empty() {
        let wanted = args
            .split
            .as_ref()
            .map_or_else(String::new, |split| format!(" of the split `{split}`"));
        let split = args.split.as_deref().unwrap_or_default();
        let fault = Fault::new(FaultKind::Input, format!("no lines{wanted}")).at(&args.file);
        return Err(match did_you_mean(split, splits.iter().map(String::as_str)) {
            Some(hint) => fault.hint(hint).into(),
            None => fault.into(),
        });
    }
    if args.format == Format::Json {
        let all: Vec<Value> = lines.iter().map(Line::json).collect();
        let sums: BTreeMap<String, Value> =
            sums(&lines).into_iter().map(|(name, sum)| (name, sum.json())).collect();
        return super::super::json(&json!({
            "tagger": tagger.name(),
            "digest": tagger.digest().to_string(),
            "lines": all,
            "sums": sums,
        }));
    }
    let mut table = Table::new(&["split", ">texts", ">words", ">P %", ">R %", ">F1 %", ">words/s"]);
    for (name, sum) in sums(&lines) {
        let prf = sum.tally.prf();
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let [precision, recall, f1] = [prf.precision, prf.recall, prf.f1].map(percent);
        let speed = sum.speed().to_string();
        table.row([
            name,
            sum.texts.to_string(),
            sum.words.to_string(),
            precision,
            recall,
            f1,
            speed,
        ]);
    }
    let called = taggers::called(&*tagger, args.tagger.occurrences);
    writeln!(crate::screen::out(), "{table}\ntagger: {called}")?;
    Ok(DONE)
}

/// One text that was measured.
struct Line {
    gold: Gold,
    words: usize,
    tally: Tally,
    took: Duration,
}

impl Line {
    fn json(&self) -> Value {
        let mut value = figures(self.tally);
        value["book"] = json!(self.gold.book);
        value["split"] = json!(self.gold.split);
        value["words"] = json!(self.words);
        value
    }
}

/// Texts together.
#[derive(Default)]
struct Sum {
    texts: usize,
    words: usize,
    tally: Tally,
    took: Duration,
}

impl Sum {
    fn add(&mut self, line: &Line) {
        self.texts += 1;
        self.words += line.words;
        self.tally.add(line.tally);
        self.took += line.took;
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a speed"
    )]
    fn speed(&self) -> u64 {
        (self.words as f64 / self.took.as_secs_f64().max(1e-9)).round() as u64
    }

    fn json(&self) -> Value {
        let mut value = figures(self.tally);
        value["texts"] = json!(self.texts);
        value["words"] = json!(self.words);
        value["words_per_second"] = json!(self.speed());
        value
    }
}

fn figures(tally: Tally) -> Value {
    let prf = tally.prf();
    json!({
        "precision": prf.precision,
        "recall": prf.recall,
        "f1": prf.f1,
        "same": tally.same,
        "found": tally.found,
        "gold": tally.gold,
    })
}

/// Each split, then all of them where there are several.
fn sums(lines: &[Line]) -> Vec<(String, Sum)> {
    let mut splits: BTreeMap<String, Sum> = BTreeMap::new();
    let mut all = Sum::default();
    for line in lines {
        splits
            .entry(line.gold.split.clone().unwrap_or_else(|| "-".to_owned()))
            .or_default()
            .add(line);
        all.add(line);
    }
    let mut sums: Vec<_> = splits.into_iter().collect();
    if sums.len() > 1 {
        sums.push(("all".to_owned(), all));
    }
    sums
}
