//! `storymill verify STATEMENT`: does a statement of a private set hold?

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{
    Signer,
    proof::{Reveal, Statement, verify},
};

use crate::{
    args::{self, Format},
    calendar::today,
    exit::{DONE, Exit, Failure, VERIFY},
    novel,
    table::{plain, plural},
};

fn read(
    statement: &Path,
    args: &args::Verify,
) -> Result<(Statement, Option<Statement>, Vec<Reveal>), Fault> {
    let parse = |path: &Path| Statement::parse(&novel::text(path)?).map_err(|fault| fault.at(path));
    let reveal = |path: &PathBuf| -> Result<Reveal, Fault> {
        Reveal::parse(&novel::text(path)?).map_err(|fault| fault.at(path))
    };
    let reveals = args.pairs.iter().map(reveal).collect::<Result<_, _>>()?;
    Ok((parse(statement)?, args.before.as_deref().map(parse).transpose()?, reveals))
}

/// Checks a statement; needs no shelf and no key.
pub(super) fn run(statement: &Path, args: &args::Verify) -> Result<Exit, Failure> {
    let (statement, before, reveals) = match read(statement, args) {
        Ok(all) => all,
        // One that is bent is no other file: it does not hold.
        Err(fault) if fault.kind == FaultKind::Store => {
            let wrong = fault.to_string();
            if args.format == Format::Json {
                super::json(&json!({ "verdict": { "wrong": [wrong] } }))?;
            } else {
                writeln!(crate::screen::out(), "not so: {}", plain(&wrong))?;
            }
            return Ok(VERIFY);
        }
        Err(fault) => return Err(fault.into()),
    };
    let mut verdict = verify(&statement, before.as_ref(), &reveals);
    if let Some(signer) = &args.signer
        && statement.signer != Some(signer.parse::<Signer>()?)
    {
        verdict.wrong.push("it is not signed with the key that you named".to_owned());
    }
    let exit = if verdict.wrong.is_empty() { DONE } else { VERIFY };
    let today = today();
    let old = statement.is_old(&today);
    if args.format == Format::Json {
        super::json(&json!({
            "statement": statement.digest(), "signer": statement.signer, "valid_until": statement.valid_until,
            "old": old.is_some(), "verdict": verdict,
        }))?;
        return Ok(exit);
    }
    let mut out = crate::screen::out();
    for wrong in &verdict.wrong {
        writeln!(out, "not so: {}", plain(wrong))?;
    }
    if let Some(last) = old {
        writeln!(out, "old: it was valid until {}; ask for a newer one", plain(last))?;
    }
    let (number, set) = (statement.number, plain(&statement.set));
    writeln!(
        out,
        "statement {number} of `{set}` {}: {}, digest {}",
        plain(&statement.version),
        plural(statement.count, "pair"),
        statement.digest()
    )?;
    if let (Some(kept), Some(added)) = (verdict.kept, verdict.added) {
        writeln!(
            out,
            "since the one before: {kept} kept, {added} added; {} retired in all",
            verdict.retired
        )?;
    }
    if let Some(exposed) = &statement.exposed {
        let shown: BTreeSet<_> = exposed.iter().flat_map(|one| &one.leaves).collect();
        let services: BTreeSet<_> = exposed.iter().map(|one| &one.service).collect();
        writeln!(
            out,
            "{} shown to {}; {} saturated",
            plural(shown.len() as u64, "pair"),
            plural(services.len() as u64, "service"),
            statement.saturated.iter().flatten().count()
        )?;
    }
    match statement.signer {
        Some(signer) if verdict.wrong.is_empty() => writeln!(out, "signed by {signer}")?,
        Some(_) => {}
        None => writeln!(out, "signed by nobody")?,
    }
    if !reveals.is_empty() {
        writeln!(out, "revealed pairs that it holds: {} of {}", verdict.revealed, reveals.len())?;
    }
    Ok(exit)
}
