//! `claims lint`: findings on the pairs of a set.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io::Write,
};

use serde_json::json;
use storymill_claims::{
    balance::balance,
    deciding::compare,
    lint::{Code, Finding, Severity, lint, past_use},
};
use storymill_shelf::Access;

use super::{
    balance, kept,
    set_store::{Home, borrowed},
};
use crate::{
    args::{Format, claims::ClaimsLint},
    calendar::today,
    exit::{DONE, Exit, FINDINGS, Failure},
    report,
    table::{Table, plural},
};

pub(super) fn run(args: &ClaimsLint) -> Result<Exit, Failure> {
    let home = Home::open(&args.at, Access::Look)?;
    if args.balance {
        let balance = balance(&home.set);
        if args.format == Format::Json {
            return super::super::json(&balance);
        }
        balance::show(&balance)?;
        return Ok(DONE);
    }
    let texts = home.texts()?;
    let mut findings = lint(&home.set.pairs, &borrowed(&texts));
    findings.extend(past_use(&home.set.pairs, &today()));
    findings.extend(compare::findings(&home.set, &kept::decisions(&home)?));
    let order: BTreeMap<&str, usize> =
        home.set.pairs.iter().enumerate().map(|(at, pair)| (pair.id.as_str(), at)).collect();
    findings.sort_by_key(|one| (order.get(one.pair.as_str()), Reverse(one.severity), one.code));
    if args.format == Format::Json {
        super::super::json(&json!({ "pairs": home.set.pairs.len(), "findings": findings }))?;
    } else {
        show(&findings, home.set.pairs.len(), args.all)?;
    }
    let worst = findings.iter().map(|finding| finding.severity).max();
    let bar = if args.deny_warnings { Severity::Warning } else { Severity::Error };
    Ok(if worst >= Some(bar) { FINDINGS } else { DONE })
}

/// Errors one by one, and of the rest how many there are of each kind.
fn show(findings: &[Finding], pairs: usize, all: bool) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let mut table = Table::new(&["pair", "claim", "severity", "code", "reason"]);
    let mut counts: BTreeMap<(Code, Severity), u64> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.code, finding.severity)).or_default() += 1;
        if all || finding.severity == Severity::Error {
            table.row([
                finding.pair.clone(),
                finding.claim.map_or("both", |claim| claim.name()).to_owned(),
                finding.severity.name().to_owned(),
                finding.code.name().to_owned(),
                finding.reason.clone(),
            ]);
        }
    }
    let is_left_out = |severity| !all && severity != Severity::Error;
    if counts.keys().any(|(_, severity)| !is_left_out(*severity)) {
        writeln!(out, "{table}")?;
    }
    for ((code, severity), count) in &counts {
        writeln!(out, "{count} {} {}: {}", code.name(), severity.name(), code.meaning())?;
    }
    let with = |severity| {
        let found = findings.iter().filter(|finding| finding.severity == severity);
        found.map(|finding| &finding.pair).collect::<BTreeSet<_>>().len()
    };
    let (errors, warnings) = (with(Severity::Error), with(Severity::Warning));
    let pairs = plural(pairs as u64, "pair");
    writeln!(out, "{pairs}, {errors} with an error, {warnings} with a warning")?;
    if counts.keys().any(|(_, severity)| is_left_out(*severity)) {
        report::hint("`--all` lists every finding");
    }
    Ok(())
}
