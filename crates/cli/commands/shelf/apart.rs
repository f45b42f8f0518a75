//! `storymill shelf state` and `add DIR`: copies of a shelf that were changed apart, joined and settled.

use std::{collections::BTreeSet, io::Write};

use serde_json::json;
use storymill_core::{Fault, FaultKind, few};
use storymill_shelf::{Access, Conflict, Shelf};

use crate::{
    args::{Format, shelf as args},
    exit::{DONE, Exit, Failure},
    next, report, secrets,
    table::{plain, plural, typed},
};

/// So many things that are to be settled are named.
const TOLD: usize = 10;

/// Joins another copy of the shelf.
pub(super) fn join(args: &args::ShelfAdd) -> Result<Exit, Failure> {
    if args.id.is_some() || args.replace {
        return Err(Failure::Usage(
            "`--id` and `--replace` are for books; this is a folder".to_owned(),
        ));
    }
    // The shelf must be one that goes on from what was seen, and nobody else changes it meanwhile.
    let shelf = secrets::open(&args.place, Access::Change)?;
    let copied = Shelf::copy_from(&args.place.shelf, &*secrets::disk(), &args.book)? as u64;
    drop(shelf);
    let shelf = secrets::open(&args.place, Access::Change)?;
    let open = shelf.conflicts()?.len() as u64;
    let said = format!("joined: {} that this copy did not have", plural(copied, "file"));
    let done = crate::commands::tell(args.format, &json!({ "files": copied, "open": open }), said);
    if args.format == Format::Text {
        say_open(open, &args.place);
    }
    done
}

/// Says that something is to be settled.
pub(super) fn say_open(open: u64, place: &args::Place) {
    if open > 0 {
        let is = if open == 1 {
            "thing was done apart and is"
        } else {
            "things were done apart and are"
        };
        report::warn(&format!(
            "{open} {is} to be settled: `storymill shelf state{}`",
            next::at(place)
        ));
    }
}

/// Shows what is to be settled, or settles some of it.
pub(super) fn state(args: &args::ShelfState) -> Result<Exit, Failure> {
    let (settle, sets): (Vec<&String>, Vec<&String>) =
        args.of.iter().partition(|one| one.contains('='));
    let access = if settle.is_empty() { Access::Look } else { Access::Change };
    let shelf = secrets::open(&args.place, access)?;
    for one in settle {
        let (item, version) = one.rsplit_once('=').unwrap_or_default();
        let version = version.parse().map_err(|_| {
            Failure::Usage(format!(
                "`{one}`: a version is a number, as `storymill shelf state --key FILE` lists it"
            ))
        })?;
        let taken = you(&shelf, &shelf.settle(item, version)?);
        if args.format == Format::Text {
            writeln!(crate::screen::out(), "settled: {}: {version}, {taken}", plain(item))?;
        }
    }
    let mut all = shelf.conflicts()?;
    all.retain(|one| sets.is_empty() || sets.iter().any(|set| is_of(one, set)));
    if args.format == Format::Json {
        let told = |one: &Conflict| {
            let versions: Vec<_> = one.versions.iter().map(|version| &version.what).collect();
            json!({ "item": one.item, "what": one.what, "versions": versions })
        };
        return super::super::json(&all.iter().map(told).collect::<Vec<_>>());
    }
    let mut out = crate::screen::out();
    if all.is_empty() {
        writeln!(out, "nothing is to be settled")?;
    }
    for one in &all {
        writeln!(out, "{} {}", plain(&one.item), you(&shelf, &one.what))?;
        for (number, version) in (1..).zip(&one.versions) {
            let counts = if number == 1 { ", counts until it is settled" } else { "" };
            writeln!(out, "  {number}  {}{counts}", you(&shelf, &version.what))?;
        }
    }
    if let Some(one) = all.iter().find(|one| !one.versions.is_empty()) {
        let (item, at) = (typed(one.item.as_ref()), next::at(&args.place));
        report::hint(&format!(
            "`storymill shelf state {item}=1{at}` takes a version, here the first"
        ));
        if one.versions.iter().any(|version| version.text.is_some())
            && let Some((set, pair)) = one.item.split_once('/')
        {
            let at = next::on_shelf(Some(&args.place.shelf), args.place.key.key.as_deref());
            report::hint(&format!(
                "`storymill claims list {} {} --texts{at}` shows its versions",
                typed(set.as_ref()),
                typed(pair.as_ref())
            ));
        }
    }
    Ok(DONE)
}

/// What is told of people, to one of them.
fn you(shelf: &Shelf, what: &str) -> String {
    plain(what).replace(&shelf.holder(), "you")
}

/// Whether something is about a set.
fn is_of(conflict: &Conflict, set: &str) -> bool {
    let rest = conflict.item.strip_prefix(set);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Refuses to speak in public of a set of which something is to be settled.
pub(super) fn refuse(shelf: &Shelf, set: &str) -> Result<(), Fault> {
    let open = shelf.conflicts()?.into_iter().filter(|one| is_of(one, set));
    let open: BTreeSet<String> = open.map(|one| one.item).collect();
    if open.is_empty() {
        return Ok(());
    }
    let message = format!(
        "what is said in public is of one version, and of this set was changed apart and not settled: {}",
        plain(&few(&open, TOLD))
    );
    Err(Fault::new(FaultKind::Input, message)
        .hint("`storymill shelf state SET` lists the versions, and how to settle them"))
}
