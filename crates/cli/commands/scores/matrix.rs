//! `storymill report --matrix-out` and `storymill diff OLD.json NEW.json`: what each system made of each pair, in public.

use std::{io::Write, path::Path};

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_report::{Change, Changes, Collected, Matrix, Options};
use storymill_shelf::proof::Ledger;

use crate::{
    args::diff::DiffFormat,
    commands::{json as print_json, report_page},
    exit::{DIFFERS, DONE, Exit, Failure},
    private::Sealed,
    report,
    table::{Table, plural, share, typed},
    whole_file::put_alike,
};

/// Writes the matrix of some results of a set, and its page. Pairs stand under their leaves, and books under names that nobody
/// can guess a title from and that stay the same from matrix to matrix.
pub(super) fn write(
    path: &Path,
    (sealed, ledger): (&Sealed, &Ledger),
    all: &Collected,
    title: Option<&str>,
) -> Result<(), Failure> {
    let none = || Fault::new(FaultKind::Input, "no statement was made of the set yet");
    let (statement, leaves) = ledger.committed(None).ok_or_else(none)?;
    let leaf = |pair: &str| {
        leaves.get(pair).map(ToString::to_string).ok_or_else(|| {
            let message = format!("the statement does not hold the pair {pair}");
            Fault::new(FaultKind::Input, message)
        })
    };
    let book = |id: &str| {
        let name = sealed.shelf.digest("matrix book v1", id.as_bytes());
        format!("book-{}", name.short())
    };
    let Matrix { pairs } = all.to_matrix(leaf, book)?;
    let whole = json!({
        "format": "storymill matrix 1", "set": statement.set, "version": statement.version,
        "statement": statement.digest(), "root": statement.root, "pairs": pairs,
    });
    put_alike(path, (serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n").as_bytes())?;
    let title =
        title.map_or_else(|| format!("{} {}", statement.set, statement.version), str::to_owned);
    let (_, html) = report_page::matrix(path, Options { title, ..Options::default() })?;
    let page = path.with_extension("html");
    put_alike(&page, html.as_bytes())?;
    let pairs = plural(pairs.len() as u64, "pair");
    report::say(format!("{} is the matrix of {pairs}, {} its page", typed(path), typed(&page)));
    Ok(())
}

/// The matrix in a file; none if the file is something else.
pub(crate) fn read(path: &Path) -> Option<Matrix> {
    if !path.is_file() || path.extension().is_none_or(|ending| ending != "json") {
        return None;
    }
    Matrix::parse(&storymill_disk::read_text(path, most::TABLE).ok()?).ok()
}

/// Says what changed from one matrix to another.
pub(crate) fn diff(old: &Matrix, new: &Matrix, format: DiffFormat) -> Result<Exit, Failure> {
    let changes = old.changes(new);
    let exit = if changes.is_none() { DONE } else { DIFFERS };
    if matches!(format, DiffFormat::Json) {
        print_json(&changes)?;
        return Ok(exit);
    }
    let fence = if matches!(format, DiffFormat::Markdown) { "```\n" } else { "" };
    let mut table = Table::new(&["system", ">right before", ">right now", ">gained", ">lost"]);
    let Changes { kept, added, gone, systems } = changes;
    let of = |counts: Option<[usize; 2]>| {
        counts.map_or_else(|| "-".to_owned(), |[right, of]| share(right as u64, of as u64))
    };
    for (system, Change { old, new, gained, lost }) in systems {
        table.row([system, of(old), of(new), gained.to_string(), lost.to_string()]);
    }
    let mut out = crate::screen::out();
    write!(out, "{fence}{table}\npairs: {kept} kept, {added} added, {gone} gone\n{fence}")?;
    Ok(exit)
}
