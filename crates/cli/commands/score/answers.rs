//! `score pairs` and `score answers`: every metric of every row, and the means.

use std::io::Write;

use storymill_metrics::{
    bootstrap::Plan,
    score::{self, Resources},
};

use super::{number, refused, text, wordnet};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    table::Table,
};

/// How many references a row may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    One,
    Several,
}

pub(super) fn run(args: &args::ScoreAnswers, references: References) -> Result<Exit, Failure> {
    let wordnet = args.wordnet.as_deref().map(wordnet::read).transpose()?;
    let lists = super::lists(args.wordlists.as_deref())?;
    let plan = Plan { seed: args.seed, ..Plan::default() };
    let jsonl = text(&args.file)?;
    let score = |resources: Resources<'_>| match references {
        References::One => score::pairs(&jsonl, resources),
        References::Several => score::answers(&jsonl, resources),
    };
    let table = with_cutter(|cutter| {
        score(Resources { wordnet: wordnet.as_ref(), lists: &lists, cutter, plan })
    });
    let table = table.map_err(|error| refused(&args.file, error))?;
    if args.format == Format::Json {
        return super::super::json(&table);
    }
    show(&table)?;
    for reject in &table.rejects {
        report::warn(&format!(
            "{}:{}: not scored: {}",
            args.file.display(),
            reject.line,
            reject.reason
        ));
    }
    Ok(DONE)
}

#[cfg(feature = "jieba")]
pub(super) fn with_cutter<T>(score: impl FnOnce(Option<score::Cutter<'_>>) -> T) -> T {
    let segmenter = storymill_metrics::segment::Segmenter::new();
    let words = |text: &str| segmenter.words(text).into_iter().map(str::to_owned).collect();
    score(Some(score::Cutter { dictionary: segmenter.dictionary(), words: &words }))
}

#[cfg(not(feature = "jieba"))]
pub(super) fn with_cutter<T>(score: impl FnOnce(Option<score::Cutter<'_>>) -> T) -> T {
    score(None)
}

fn show(table: &score::Table) -> std::io::Result<()> {
    let mut text = Table::new(&["metric", ">rows", ">mean", ">low", ">high", "variant"]);
    for column in &table.columns {
        text.row([
            column.name.to_owned(),
            column.rows.to_string(),
            number(column.mean),
            number(column.interval.map(|interval| interval.low)),
            number(column.interval.map(|interval| interval.high)),
            column.variant.to_string(),
        ]);
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{text}")?;
    writeln!(
        out,
        "\n{} rows scored, {} not; every row's scores with `--format json`",
        table.rows.len(),
        table.rejects.len()
    )
}
