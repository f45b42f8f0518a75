//! `storymill shelf rekey`: who opens a shelf, and whether it is the one that was seen.

use std::io::Write;

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, Recipient, Shelf};

use crate::{
    args::{Format, shelf as args},
    exit::{Exit, Failure},
    report, secrets,
    table::plural,
};

pub(super) fn rekey(args: &args::ShelfRekey) -> Result<Exit, Failure> {
    let (add, remove) = (recipients(&args.add)?, recipients(&args.remove)?);
    let shelf = secrets::open(&args.place, Access::Change)?;
    let mut all = shelf.recipients()?;
    for one in &remove {
        if !all.contains(one) {
            let message = "a key that is to be removed is none of the maintainers'";
            return Err(Fault::new(FaultKind::Input, message)
                .hint("`storymill shelf list` shows their public keys")
                .into());
        }
    }
    all.retain(|one| !remove.contains(one));
    for one in add {
        match all.iter_mut().find(|old| **old == one) {
            None => all.push(one),
            Some(old) if old.signer().is_none() => *old = one,
            Some(old) if one.signer().is_some() && one.signer() != old.signer() => {
                let message = format!("{old} signs with another key than this one");
                return Err(Fault::new(FaultKind::Input, message)
                    .hint("who has a new key removes the old one: `storymill shelf rekey --remove`")
                    .into());
            }
            Some(_) => {}
        }
    }
    shelf.rekey(&all)?;
    let maintainers: Vec<_> = all.iter().map(ToString::to_string).collect();
    let said = format!("sealed anew to {}", plural(all.len() as u64, "maintainer"));
    let done = crate::commands::tell(args.format, &json!({ "maintainers": maintainers }), said)?;
    for one in all.iter().filter(|one| one.signer().is_none()) {
        report::warn(&format!(
            "{one} reads the shelf and does not write: add all that their `storymill shelf init --key-only` prints"
        ));
    }
    if !remove.is_empty() {
        report::warn(
            "those whom you removed may still have a copy of what was on the shelf until now",
        );
    }
    Ok(done)
}

pub(super) fn trust(args: &args::ShelfRekey) -> Result<Exit, Failure> {
    let (key, pins) = (secrets::key(&args.place.key)?, secrets::pins(&args.place)?);
    let disk = secrets::disk();
    let departure = Shelf::departure(&args.place.shelf, &*disk, &key, &pins)?;
    let as_json = args.format == Format::Json;
    match &departure {
        // Who is asked sees what it is about.
        Some(departure) if as_json => report::say(departure),
        Some(departure) => writeln!(crate::screen::out(), "{departure}")?,
        None => {}
    }
    let taken =
        departure.is_none() || secrets::goes_on(args.yes, "Take the shelf as it is from now on?")?;
    if taken {
        Shelf::trust(&args.place.shelf, &*disk, &key, &pins)?;
    }
    let all = json!({ "departure": departure, "taken": taken });
    let said = match (departure, taken) {
        (None, _) => "the shelf goes on from what you have seen of it",
        (Some(_), true) => "taken as it is",
        (Some(_), false) => "nothing was changed",
    };
    crate::commands::tell(args.format, &all, said)
}

pub(super) fn recipients(texts: &[String]) -> Result<Vec<Recipient>, Fault> {
    texts.iter().map(|text| text.parse()).collect()
}
