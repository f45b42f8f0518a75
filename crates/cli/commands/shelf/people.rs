//! `storymill shelf rekey`: who opens a shelf, and whether it is the one that was seen.

use std::io::Write;

use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, Recipient, Shelf};

use crate::{
    args::shelf as args,
    exit::{DONE, Exit, Failure},
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
    let mut out = crate::screen::out();
    writeln!(out, "sealed anew to {}", plural(all.len() as u64, "maintainer"))?;
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
    Ok(DONE)
}

pub(super) fn trust(args: &args::ShelfRekey) -> Result<Exit, Failure> {
    let (key, pins) = (secrets::key(&args.place.key)?, secrets::pins(&args.place)?);
    let disk = secrets::disk();
    let departure = Shelf::departure(&args.place.shelf, &*disk, &key, &pins)?;
    let mut out = crate::screen::out();
    let Some(departure) = departure else {
        Shelf::trust(&args.place.shelf, &*disk, &key, &pins)?;
        writeln!(out, "the shelf goes on from what you have seen of it")?;
        return Ok(DONE);
    };
    writeln!(out, "{departure}")?;
    drop(out);
    if !secrets::goes_on(args.yes, "Take the shelf as it lies from now on?")? {
        writeln!(crate::screen::out(), "nothing was changed")?;
        return Ok(DONE);
    }
    Shelf::trust(&args.place.shelf, &*disk, &key, &pins)?;
    writeln!(crate::screen::out(), "taken as it lies")?;
    Ok(DONE)
}

pub(super) fn recipients(texts: &[String]) -> Result<Vec<Recipient>, Fault> {
    texts.iter().map(|text| text.parse()).collect()
}
