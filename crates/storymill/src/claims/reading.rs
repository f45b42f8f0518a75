//! A set of claims as it is kept: in files of a folder, or under names of a shelf.

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;
use storymill_claims::{
    mistake::Mistakes,
    set::{Set, read_books, read_pairs},
};
use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_shelf::{
    Private, Shelf,
    proof::Ledger,
    sets::{Sets, parse},
};

/// Refuses a folder that holds no set.
///
/// # Errors
///
/// `pairs.jsonl` is missing.
pub fn must_hold_a_set(folder: &Path) -> Result<(), Fault> {
    if super::Claims::are_in(folder) {
        return Ok(());
    }
    Err(Fault::new(FaultKind::Input, "no set of claims here: `pairs.jsonl` is missing")
        .at(folder)
        .hint("`storymill claims import FILE --into DIR` makes one; `--shelf DIR` names the shelf of a private set"))
}

/// What a file of a set's folder holds; nothing where there is none.
///
/// # Errors
///
/// It cannot be read.
pub fn file_of_set(folder: &Path, name: &str) -> Result<Vec<u8>, Fault> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(Vec::new());
    }
    storymill_disk::read(&path, most::TABLE)
        .map_err(|error| Fault::io("cannot read", path, error).input())
}

/// The set in a folder; a blank one where there is none yet.
///
/// # Errors
///
/// It cannot be read.
pub fn set_in_folder(folder: &Path) -> Result<Set, Fault> {
    let file = |name: &str| file_of_set(folder, name);
    read(&file("pairs.jsonl")?, &file("books.jsonl")?, folder)
}

/// The set of a name on a shelf, its retired pairs among it; a blank one where there is none yet.
///
/// # Errors
///
/// It cannot be read.
pub fn set_on_shelf(shelf: &Shelf, name: &str) -> Result<Set, Fault> {
    let [pairs, books] = [kept(shelf, name, "pairs")?, kept(shelf, name, "books")?];
    read(pairs.expose(), books.expose(), shelf.root())
}

/// What a shelf keeps of a set under a name; nothing where there is no such thing.
pub(super) fn kept(shelf: &Shelf, set: &str, what: &str) -> Result<Private<Vec<u8>>, Fault> {
    Ok(Sets(shelf).file(set, what)?.unwrap_or_else(|| Private::new(Vec::new())))
}

/// The pairs of a set that are still in it as they were when a maintainer said that they go.
///
/// # Errors
///
/// The shelf cannot be read.
pub fn retired_pairs(shelf: &Shelf, name: &str) -> Result<BTreeSet<String>, Fault> {
    let ledger = Ledger::of(shelf, name)?;
    let pairs = parse(kept(shelf, name, "pairs")?.expose())?;
    let retires = |(id, content): &&(String, Value)| ledger.expose().retires(id, content);
    Ok(pairs.expose().0.iter().filter(retires).map(|(id, _)| id.clone()).collect())
}

/// Overwrites the words of a set.
pub fn wipe(set: &mut Set) {
    for pair in &mut set.pairs {
        for text in [&mut pair.true_claim, &mut pair.false_claim, &mut pair.explanation] {
            drop(Private::new(std::mem::take(text)));
        }
    }
}

fn read(pairs: &[u8], books: &[u8], place: &Path) -> Result<Set, Fault> {
    let mut set = Set::default();
    let refuse = |mistakes: Mistakes| {
        // A mistake quotes no claim, so the first of them can be shown.
        let first = mistakes.first().map(ToString::to_string).unwrap_or_default();
        let more = mistakes.len().saturating_sub(1);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        Fault::new(FaultKind::Input, format!("the set cannot be read: {first}{more}")).at(place)
    };
    read_pairs(pairs, &mut set).map_err(refuse)?;
    read_books(books, &mut set).map_err(refuse)?;
    Ok(set)
}
