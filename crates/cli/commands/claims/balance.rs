//! `claims lint --balance`: how a set is made up.

use std::io::Write;

use storymill_claims::balance::Balance;

use crate::{
    report,
    table::{Table, plural},
};

pub(super) fn show(balance: &Balance) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    writeln!(out, "{}\n", plural(balance.pairs as u64, "pair"))?;
    let mut table = Table::new(&["by", "value", ">pairs"]);
    for part in &balance.parts {
        let value = part.value.clone().unwrap_or_else(|| "(not known)".to_owned());
        table.row([part.by.to_owned(), value, part.pairs.to_string()]);
    }
    writeln!(out, "{table}")?;
    let mut table = Table::new(&["claims", ">words", ">least", ">median", ">most"]);
    for lengths in &balance.words {
        let counts = [lengths.sum, lengths.least, lengths.median, lengths.most];
        let [sum, least, median, most] = counts.map(|count| count.to_string());
        table.row([lengths.claim.name().to_owned(), sum, least, median, most]);
    }
    writeln!(out, "{table}")?;
    let [more, fewer, same] = balance.longer;
    writeln!(
        out,
        "the true claim is longer in {more} of the pairs, shorter in {fewer}, as long in {same}"
    )?;
    match &balance.shortcut {
        None => writeln!(out, "claim-only shortcut: needs at least 10 pairs")?,
        Some(found) => writeln!(
            out,
            "claim-only shortcut ({}): {} of {} pairs decided without the book, {:.1}–{:.1} % (chance 50 %); by length alone {}",
            found.variant,
            found.told_apart,
            found.pairs,
            100.0 * found.interval.low,
            100.0 * found.interval.high,
            found.by_length
        )?,
    }
    if balance.shortcut.as_ref().is_some_and(|found| found.interval.low > 0.5) {
        report::hint(
            "`storymill claims export SET --balanced --out part.jsonl` writes the largest part of which at most 55 % is decided so",
        );
    }
    Ok(())
}
