//! `claims remove`: a pair goes out of a set, and why stays.

use std::io::Write;

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, proof::Ledger, sets};

use super::{
    folder,
    set_store::{Home, Lies},
};
use crate::{
    args::claims::ClaimsRemove,
    calendar::today,
    exit::{DONE, Exit, Failure},
    table::plural,
};

/// Pairs that went, and why.
pub(super) const REMOVED: &str = "removed.jsonl";

pub(super) fn run(args: &ClaimsRemove) -> Result<Exit, Failure> {
    if args.reason.trim().is_empty() {
        return Err(Fault::new(FaultKind::Input, "a pair goes with a reason").into());
    }
    let mut home = Home::open(&args.at, Access::Change)?;
    let Some(at) = home.set.pairs.iter().position(|pair| pair.id == args.pair) else {
        return Err(Fault::new(FaultKind::Input, "the set has no pair of this id")
            .at(home.path())
            .hint("ids stand in the set's `pairs.jsonl`, in findings of `claims lint`, and in the labels of `claims score --format json`")
            .into());
    };
    home.set.pairs.remove(at);
    let line = json!({ "pair": args.pair, "reason": args.reason.trim(), "date": today() });
    let line = format!("{line}\n");
    let mut committed = false;
    match &home.lies {
        Lies::Folder { path, .. } => {
            // Why it went is there before it is gone.
            folder::append(&path.join(REMOVED), line.as_bytes())?;
            home.keep()?;
        }
        Lies::Shelf(sealed) => {
            let mut ledger = Ledger::of(&sealed.shelf, &sealed.name)?;
            committed = ledger.expose().holds(&args.pair);
            if committed && !ledger.expose().is_retired(&args.pair) {
                ledger.expose_mut().retire(&args.pair, &args.reason)?;
            }
            sealed.keep_with(&home.set, |change| {
                change.append(&sets::place(&sealed.name, REMOVED), line.as_bytes())?;
                ledger.expose().keep_in(change)
            })?;
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: {} removed; {} are left",
        home.name(),
        args.pair,
        plural(home.set.pairs.len() as u64, "pair")
    )?;
    if committed {
        writeln!(
            out,
            "it was committed to: the next `storymill shelf state` says the reason to everybody"
        )?;
    }
    Ok(DONE)
}
