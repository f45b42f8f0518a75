//! `score pairs` and `score answers`: every metric of every row, and the means.

use std::io::Write;

use storymill::wordnet;
use storymill_metrics::{
    bootstrap::Plan,
    score::{self, Resources},
};

use super::{number, refused, text};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, REJECTS},
    report,
    table::{Table, plural},
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
    // A row without a score is told in every form, and by the exit code.
    if args.format == Format::Json {
        super::super::json(&table)?;
    } else {
        show(&table)?;
    }
    for reject in table.rejects.iter().take(MOST_TOLD) {
        report::warn(&format!(
            "{}:{}: not scored: {}",
            args.file.display(),
            reject.line,
            reject.reason
        ));
    }
    if !table.rejects.is_empty() {
        let rows = plural((table.rows.len() + table.rejects.len()) as u64, "row");
        report::warn(&format!("{} of {rows} not scored", table.rejects.len()));
        if table.rejects.iter().any(|reject| reject.reason.contains("nothing to cut it with")) {
            report::hint(NO_CUTTER);
        }
        return Ok(REJECTS);
    }
    Ok(DONE)
}

/// How many rows without a score are told one by one; JSON has all.
const MOST_TOLD: usize = 10;

/// What to do about Chinese that cannot be cut into words.
pub(super) const NO_CUTTER: &str = "this build of storymill does not cut Chinese into words: give them with the row (`tokens_prediction`, `tokens_answer`, `tokens_keywords`), or take a wheel, a released program or one that was installed with `--features full`";

/// Cuts Chinese by jieba. Its dictionary takes a while to read, so nothing reads it before the first
/// Chinese text comes.
#[cfg(feature = "jieba")]
pub(super) fn with_cutter<T>(score: impl FnOnce(Option<score::Cutter<'_>>) -> T) -> T {
    use storymill_metrics::segment::{DICTIONARY, Segmenter};

    let segmenter = std::sync::LazyLock::new(Segmenter::new);
    let words = |text: &str| segmenter.words(text).into_iter().map(str::to_owned).collect();
    score(Some(score::Cutter { dictionary: DICTIONARY, words: &words }))
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
    let mut out = crate::screen::out();
    write!(out, "{text}")?;
    if let Some(why) = table.columns.iter().find_map(|column| column.no_interval) {
        writeln!(out, "\ninterval: {why}")?;
    }
    writeln!(
        out,
        "\n{} scored, {} not; every row's scores with `--format json`",
        plural(table.rows.len() as u64, "row"),
        table.rejects.len()
    )
}
