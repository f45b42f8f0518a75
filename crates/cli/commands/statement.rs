//! `storymill verify STATEMENT`: does a statement of a private set hold?

use std::{io::Write, path::Path};

use serde_json::json;
use storymill_core::Fault;
use storymill_shelf::proof::{Reveal, Statement, verify};

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, VERIFY},
    novel,
    table::{plain, plural},
};

/// Checks a statement; needs no shelf and no key.
pub(super) fn run(args: &args::Verify) -> Result<Exit, Failure> {
    let read = |path: &Path| novel::text(path);
    let parse = |path: &Path| Statement::parse(&read(path)?).map_err(|fault| fault.at(path));
    let reveal = |path: &std::path::PathBuf| -> Result<Reveal, Fault> {
        Reveal::parse(&read(path)?).map_err(|fault| fault.at(path))
    };
    let statement = parse(&args.folder)?;
    let before = args.before.as_deref().map(parse).transpose()?;
    let reveals = args.revealed.iter().map(reveal).collect::<Result<Vec<_>, _>>()?;
    let verdict = verify(&statement, before.as_ref(), &reveals);
    let exit = if verdict.wrong.is_empty() { DONE } else { VERIFY };
    if args.format == Format::Json {
        super::json(&json!({ "statement": statement.digest(), "verdict": verdict }))?;
        return Ok(exit);
    }
    let mut out = std::io::stdout().lock();
    for wrong in &verdict.wrong {
        writeln!(out, "not so: {}", plain(wrong))?;
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
    if !reveals.is_empty() {
        writeln!(out, "revealed pairs that it holds: {} of {}", verdict.revealed, reveals.len())?;
    }
    Ok(exit)
}
