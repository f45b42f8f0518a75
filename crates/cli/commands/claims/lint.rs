//! `claims lint`: findings on the pairs of a set.

use std::{cmp::Reverse, collections::BTreeMap, io::Write};

use serde_json::json;
use storymill_claims::{
    deciding::compare,
    lint::{Code, Finding, Severity, lint},
};
use storymill_shelf::Access;

use super::{
    reviews,
    set_store::{Home, borrowed},
};
use crate::{
    args::{Format, claims::ClaimsLint},
    exit::{DONE, Exit, FINDINGS, Failure},
    table::{Table, plural},
};

pub(super) fn run(args: &ClaimsLint) -> Result<Exit, Failure> {
    let home = Home::open(&args.at, Access::Look)?;
    let texts = home.texts()?;
    let mut findings = lint(&home.set.pairs, &borrowed(&texts));
    findings.extend(compare::findings(&home.set, &reviews::decisions(&home)?));
    let order: BTreeMap<&str, usize> =
        home.set.pairs.iter().enumerate().map(|(at, pair)| (pair.id.as_str(), at)).collect();
    findings.sort_by_key(|one| (order.get(one.pair.as_str()), Reverse(one.severity), one.code));
    if args.format == Format::Json {
        super::super::json(&json!({ "pairs": home.set.pairs.len(), "findings": findings }))?;
    } else {
        show(&findings, home.set.pairs.len())?;
    }
    let worst = findings.iter().map(|finding| finding.severity).max();
    let bar = if args.deny_warnings { Severity::Warning } else { Severity::Error };
    Ok(if worst >= Some(bar) { FINDINGS } else { DONE })
}

fn show(findings: &[Finding], pairs: usize) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let mut table = Table::new(&["pair", "claim", "severity", "code", "reason"]);
    let mut counts: BTreeMap<(Code, Severity), u64> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.code, finding.severity)).or_default() += 1;
        if finding.severity > Severity::Note {
            table.row([
                finding.pair.clone(),
                finding.claim.map_or("both", |claim| claim.name()).to_owned(),
                finding.severity.name().to_owned(),
                finding.code.name().to_owned(),
                finding.reason.clone(),
            ]);
        }
    }
    if counts.keys().any(|(_, severity)| *severity > Severity::Note) {
        writeln!(out, "{table}")?;
    }
    for ((code, severity), count) in &counts {
        writeln!(out, "{count} {} {}: {}", code.name(), severity.name(), code.meaning())?;
    }
    let wrong: std::collections::BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.pair.as_str())
        .collect();
    writeln!(out, "{}, {} with an error", plural(pairs as u64, "pair"), wrong.len())
}
