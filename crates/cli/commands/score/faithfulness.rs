//! `score faithfulness`: judges against StorySumm's labels.

use std::{io::Write, path::PathBuf};

use storymill_faithfulness::table::{self, Faithfulness};

use super::{refused, text};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    table::Table,
};

pub(super) fn run(args: &args::ScoreFaithfulness) -> Result<Exit, Failure> {
    let labels = text(&args.labels)?;
    let mut files = Vec::new();
    for path in &args.predictions {
        // A judge is called by its file; where two files are called alike, by its path.
        let stem =
            |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let alone = args.predictions.iter().filter(|other| stem(other) == stem(path)).count() == 1;
        let name = stem(path).filter(|_| alone).unwrap_or_else(|| path.display().to_string());
        files.push((name, text(path)?, path));
    }
    let predictions: Vec<_> =
        files.iter().map(|(name, text, _)| (name.as_str(), text.as_str())).collect();
    let scored = table::faithfulness(&labels, &predictions, args.allow_missing).map_err(
        |(judge, error)| {
            let of_judge = files.iter().find(|(name, ..)| Some(name) == judge.as_ref());
            refused(of_judge.map_or(&args.labels, |(_, _, path)| *path), error)
        },
    )?;
    if args.format == Format::Json {
        return super::super::json(&scored);
    }
    show(&scored, args.allow_missing)?;
    for defect in &scored.dataset.defects {
        report::warn(&format!("{}: {}: {}", args.labels.display(), defect.id, defect.what));
    }
    Ok(DONE)
}

fn show(scored: &Faithfulness, allow_missing: bool) -> std::io::Result<()> {
    let data = &scored.dataset;
    let mut out = crate::screen::out();
    writeln!(
        out,
        "{} summaries of {} stories: {} faithful, {} unfaithful and easy, {} unfaithful and hard\n",
        data.summaries, data.stories, data.faithful, data.easy, data.hard
    )?;
    let mut table = Table::new(&[
        "judge",
        "split",
        ">n",
        ">kappa",
        ">% faithful",
        ">precision",
        ">recall",
        ">% easy",
        ">% hard",
        ">bal. acc.",
        ">threshold",
    ]);
    for judge in &scored.evaluators {
        for part in &judge.parts {
            let show = |value: Option<f64>, places: usize| {
                value.map_or("-".to_owned(), |value| format!("{value:.places$}"))
            };
            table.row([
                judge.name.clone(),
                part.split.clone(),
                part.n.to_string(),
                show(part.kappa, 2),
                show(part.pct_faithful, 0),
                show(part.precision, 2),
                show(part.recall, 2),
                show(part.easy_detected, 1),
                show(part.hard_detected, 1),
                show(part.bal_acc, 1),
                show(judge.threshold, 6),
            ]);
        }
    }
    write!(out, "{table}")?;
    for judge in &scored.evaluators {
        let missing = if allow_missing {
            "left out"
        } else {
            "counted as wrong; `--allow-missing` leaves them out"
        };
        let lists = [
            ("says nothing of", &judge.unjudged, missing),
            ("knows ids that the labels do not", &judge.unknown, "not counted"),
            ("contradicts itself on", &judge.contradictions, "its own label counts"),
        ];
        for (what, ids, then) in lists.into_iter().filter(|(_, ids, _)| !ids.is_empty()) {
            writeln!(out, "{} {what}: {} ({}, {then})", judge.name, ids.join(", "), ids.len())?;
        }
    }
    Ok(())
}
