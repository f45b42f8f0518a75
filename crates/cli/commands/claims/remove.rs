//! `claims remove`: a pair goes out of a set, and why stays.

use serde_json::json;
use storymill_core::{Fault, FaultKind, nearest};
use storymill_shelf::{Access, proof::Ledger, sets};

use super::{
    folder,
    kept::{self, REMOVED},
    set_store::{Home, Lies},
};
use crate::{
    args::claims::ClaimsRemove,
    calendar::today,
    exit::{Exit, Failure},
    table::plural,
};

pub(super) fn run(args: &ClaimsRemove) -> Result<Exit, Failure> {
    if args.reason.trim().is_empty() {
        return Err(Fault::new(
            FaultKind::Input,
            "the reason is blank: say why the pair is taken out",
        )
        .into());
    }
    let mut home = Home::open(&args.at, Access::Change)?;
    let said = take_out(&mut home, &args.pair, &args.reason)?;
    let pairs = home.set.pairs.len();
    let all = json!({ "set": home.name(), "removed": args.pair, "pairs": pairs, "said": said });
    super::super::tell(args.format, &all, said.join("\n"))
}

/// Where a pair stands in a set.
pub(super) fn position(home: &Home, id: &str) -> Result<usize, Fault> {
    home.set.pairs.iter().position(|pair| pair.id == id).ok_or_else(|| {
        let ids = home.set.pairs.iter().map(|pair| pair.id.as_str());
        let hint = nearest(id, ids).map(|near| format!("did you mean `{near}`?"));
        let message = format!("{} has no pair of this id", home.name());
        let list = || "ids look like `n01/0007`: `storymill claims list SET` has them".to_owned();
        Fault::new(FaultKind::Input, message).hint(hint.unwrap_or_else(list))
    })
}

/// Takes a pair out of a set, and says what was done.
pub(super) fn take_out(home: &mut Home, id: &str, reason: &str) -> Result<Vec<String>, Failure> {
    let at = position(home, id)?;
    let pair = home.set.pairs.remove(at);
    let line = kept::line_of(&pair, reason.trim(), &today());
    let mut committed = false;
    match &home.lies {
        Lies::Folder { path, .. } => {
            // Why it went is there before it is gone.
            folder::append(&path.join(REMOVED), line.as_bytes())?;
            home.keep()?;
        }
        Lies::Shelf(sealed) => {
            let mut ledger = Ledger::of(&sealed.shelf, &sealed.name)?;
            committed = ledger.expose().holds(id);
            if committed && !ledger.expose().is_retired(id) {
                ledger.expose_mut().retire(id, reason)?;
            }
            sealed.keep_with(&home.set, |change| {
                change.append(&sets::place(&sealed.name, REMOVED), line.as_bytes())?;
                ledger.expose().keep_in(change)
            })?;
        }
    }
    let left = plural(home.set.pairs.len() as u64, "pair");
    let mut told = vec![format!("{}: {id} removed; {left} are left", home.name())];
    told.extend(kept::of_gone(home, id)?);
    if committed {
        let state = "the next statement says the reason to everybody";
        told.push(format!("it was committed to: {state}"));
    }
    Ok(told)
}
