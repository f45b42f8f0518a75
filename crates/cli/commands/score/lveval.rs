//! `score lveval`: predictions over long contexts, by set and level.

mod files;

use std::{collections::BTreeMap, io::Write, path::Path};

use serde_json::json;
use storymill_core::Context;
use storymill_dataset::materialize::{Shown, each_text, recipes};
use storymill_metrics::score::{
    FileError,
    lveval::{Item, Options, Report, Score, lveval},
};

use super::{
    answers::{NO_CUTTER, with_cutter},
    lists, refused,
};
use crate::{
    args::{self, Format, LvevalVariant},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plural},
    tokenizer::Tokens,
    whole_file,
};

pub(super) fn run(args: &args::ScoreLveval) -> Result<Exit, Failure> {
    let folder = args.dataset.as_deref().filter(|dataset| !files::are_records(dataset));
    if folder.is_none() {
        of_a_folder(args)?;
    }
    let (paths, mut predictions) = files::predictions(&args.files)?;
    let items = match &args.dataset {
        Some(dataset) if folder.is_none() => files::records(dataset)?,
        Some(dataset) => published(dataset, args)?,
        None => files::own_items(&paths, &mut predictions)?,
    };
    let lists = lists(args.wordlists.as_deref())?;
    let score = match args.variant {
        LvevalVariant::AsReleased => Score::AsReleased,
        LvevalVariant::AsInPaper => Score::AsInPaper,
        LvevalVariant::F1 => Score::PlainF1,
        LvevalVariant::RougeL => Score::RougeL,
    };
    let (window, partial) = (args.window, args.partial);
    let report = with_cutter(|cutter| {
        lveval(&predictions, &items, &Options { score, lists: &lists, cutter, window, partial })
    });
    let report = report.map_err(|(file, error)| {
        let missing = matches!(error, FileError::Entry { .. });
        let uncut = error.to_string().contains("nothing to cut it");
        let twice = match &error {
            FileError::Twice { first: (file, line), .. } => {
                Some((paths[*file].display().to_string(), *line))
            }
            _ => None,
        };
        let fault = refused(file.map_or(&args.files[0], |at| &paths[at]), error);
        if let Some((path, line)) = twice {
            return fault.hint(format!(
                "first on line {line} of {path}; score the predictions of one model at a time"
            ));
        }
        match (missing, uncut) {
            (true, _) => fault.hint("`--partial` leaves out contexts without a prediction"),
            (_, true) => fault.hint(NO_CUTTER),
            _ => fault,
        }
    })?;
    if let Some(path) = &args.rater {
        let requests = requests(&items, &report);
        whole_file::put(path, requests.as_bytes())?;
    }
    if args.format == Format::Json {
        super::super::json(&report)?;
    } else {
        show(&report)?;
    }
    if report.missing > 0 {
        let without = if report.missing == 1 { "has" } else { "have" };
        report::warn(&format!(
            "{} {without} no prediction",
            plural(report.missing as u64, "context")
        ));
    }
    Ok(DONE)
}

/// Refuses options that are about a published folder, where none is named.
fn of_a_folder(args: &args::ScoreLveval) -> Result<(), Failure> {
    let given = [
        ("--shown", args.cut.shown.is_some(), "cuts the contexts"),
        ("--config", args.config.is_some(), "names a table"),
    ];
    let Some((option, _, does)) = given.into_iter().find(|(_, given, _)| *given) else {
        return Ok(());
    };
    let message = format!("`{option}` {does} of a published folder; name it with `--dataset`");
    Err(Failure::Usage(message))
}

/// What was asked over the contexts of a published folder.
fn published(dataset: &Path, args: &args::ScoreLveval) -> Result<Vec<Item>, Failure> {
    let mut items = Vec::new();
    let config = args.config.as_deref();
    if let Some(shown) = &args.cut.shown {
        let tokens = Tokens::of(args.cut.tokenizer.as_deref())?;
        let ends = |text: &str| tokens.ends(text);
        let shown = Shown { tokens: *shown as usize, ends: &ends };
        each_text(dataset, config, |context, text| {
            let cut = Some(shown.cut(text)?);
            items.push(Item { cut, ..item(context) });
            Ok(())
        })?;
    } else {
        recipes(dataset, config, |context| items.push(item(context)))?;
    }
    Ok(items)
}

fn item(context: Context) -> Item {
    Item {
        id: context.id,
        set: context.set.to_string(),
        level: context.level,
        chinese: context.language == "zh",
        question: context.question,
        answers: context.answers,
        keywords: context.keywords,
        confusing: context.confusing,
        evidence: context
            .evidence
            .iter()
            .map(|one| (one.span.start.symbol, one.span.end.symbol))
            .collect(),
        cut: None,
    }
}

/// A set a line, its levels side by side.
fn show(report: &Report) -> std::io::Result<()> {
    let levels: Vec<u32> = report.levels.iter().map(|level| level.level).collect();
    let names: Vec<String> =
        levels.iter().map(|level| format!(">{}", level_name(*level))).collect();
    let mut head = vec!["set"];
    head.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&head);
    let mut sets: Vec<&str> = report.cells.iter().map(|cell| &cell.set[..]).collect();
    sets.dedup();
    let two = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let line = |name: String, value: &dyn Fn(u32) -> Option<f64>| {
        [name].into_iter().chain(levels.iter().map(|level| two(value(*level)))).collect::<Vec<_>>()
    };
    let cell = |set: &str, level: u32| {
        report.cells.iter().find(|cell| cell.set == set && cell.level == level)
    };
    for set in &sets {
        table.row(line((*set).to_owned(), &|level| Some(cell(set, level)?.score)));
    }
    let level = |at: u32| report.levels.iter().find(|level| level.level == at);
    table.row(line("all sets".to_owned(), &|at| Some(level(at)?.score)));
    if report.levels.iter().any(|level| level.reference.is_some()) {
        table.row(line("window / level".to_owned(), &|at| level(at)?.reference));
    }
    for set in &sets {
        let facts = |at: u32| cell(set, at)?.repeated;
        if levels.iter().any(|at| facts(*at).is_some()) {
            table.row(line(format!("{set}: % repeat a confusing fact"), &facts));
        }
        let cut = |at: u32| cell(set, at)?.cut;
        if levels.iter().any(|at| cut(*at).is_some()) {
            table.row(line(format!("{set}: % evidence cut away"), &cut));
            table.row(line(format!("{set}: score where it was not"), &|at| {
                cell(set, at)?.score_shown
            }));
        }
    }
    let mut out = crate::screen::out();
    write!(out, "{table}")?;
    writeln!(
        out,
        "\n100 times the mean of {} over {}",
        report.variant,
        plural(report.rows.len() as u64, "prediction")
    )
}

/// A level as the head of a column; a file whose name has none has no level.
fn level_name(level: u32) -> String {
    if level == 0 { "-".to_owned() } else { Context::level_name(level) }
}

/// Requests to a model that judges: one for each prediction, in the body of a chat completion.
fn requests(items: &[Item], report: &Report) -> String {
    let items: BTreeMap<&str, &Item> = items.iter().map(|item| (&item.id[..], item)).collect();
    let mut lines = String::new();
    for row in &report.rows {
        let Some(item) = items.get(&row.id[..]) else { continue };
        let (answers, given) = (item.answers.join("; "), &row.prediction);
        let content = if item.chinese {
            format!(
                "问题：{}\n正确答案：{answers}\n待评的回答：{given}\n\n待评的回答与正确答案意思相同吗？只回答“是”或“否”。",
                item.question
            )
        } else {
            format!(
                "Question: {}\nRight answer: {answers}\nAnswer to be judged: {given}\n\nDoes the answer to be judged say the same as the right answer? Reply with \"yes\" or \"no\" and nothing else.",
                item.question
            )
        };
        let request = json!({ "custom_id": row.id, "body": { "messages": [{ "role": "user", "content": content }], "temperature": 0 } });
        lines += &format!("{request}\n");
    }
    lines
}
