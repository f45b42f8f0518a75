//! `score claims`: pair accuracy of every system in a file of claims, as NoCha counts it.

use std::io::Write;

use storymill_metrics::{
    pair_accuracy::{Accuracy, Share},
    score,
};

use super::{refused, text};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    table::{self, Table, plural},
};

pub(super) fn run(args: &args::ScoreClaims) -> Result<Exit, Failure> {
    let scored = score::claims(&text(&args.file)?, &args.common)
        .map_err(|error| refused(&args.file, error))?;
    if args.format == Format::Json {
        return super::super::json(&scored);
    }
    show(&scored, args.books)?;
    for gap in &scored.gaps {
        report::warn(&format!(
            "{}: pair {} of {}: {}",
            args.file.display(),
            gap.index,
            gap.book,
            gap.what
        ));
    }
    Ok(DONE)
}

fn show(scored: &score::Claims, books: bool) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    writeln!(
        out,
        "{}, {}\n",
        plural(scored.rows as u64, "claim"),
        plural(scored.pairs as u64, "pair")
    )?;
    let mut table = Table::new(&[
        "system",
        "over",
        ">pairs",
        ">recall true",
        ">recall false",
        ">not asked",
        ">no verdict",
    ]);
    let mut row = |name: &str, over: &str, accuracy: &Accuracy| {
        table.row([
            name.to_owned(),
            over.to_owned(),
            share(accuracy.pairs),
            share(accuracy.true_claims),
            share(accuracy.false_claims),
            accuracy.not_asked.to_string(),
            accuracy.failed.to_string(),
        ]);
    };
    for system in &scored.systems {
        row(&system.name, "all", &system.all);
        if let Some(common) = &system.common {
            row(&system.name, "common set", common);
        }
        for book in system.books.iter().filter(|_| books) {
            row(&system.name, &book.book, &book.accuracy);
        }
    }
    write!(out, "{table}")?;
    if scored.gaps.is_empty() {
        return Ok(());
    }
    let pairs = plural((scored.pairs + scored.gaps.len()) as u64, "pair");
    writeln!(
        out,
        "\nnot one true and one false claim: {} of {pairs}; a claim without its twin counts in the recalls alone",
        scored.gaps.len()
    )
}

fn share(share: Share) -> String {
    table::share(share.correct as u64, share.total as u64)
}
