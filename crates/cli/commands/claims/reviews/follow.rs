//! What follows for a set from what was decided.

use std::collections::BTreeSet;

use storymill_claims::deciding::{Item, follow};
use storymill_core::{Decision, Decisions};
use storymill_review::queue;

use super::{
    super::{super::review::decide, kept, refused, remove, set_store::Home},
    Asked,
};
use crate::{
    exit::{Exit, Failure},
    table::plain,
};

/// Brings into a set all that follows from decisions on it.
pub(super) fn all(home: &mut Home, asked: &Asked) -> Result<Exit, Failure> {
    let mut said = bring(home, &asked.items, &asked.decisions)?;
    if said.is_empty() {
        said.push(format!("{}: nothing is decided that is not in the set", home.name()));
    }
    decide::tell(&said)
}

/// Brings into a set what follows from lines that were just written.
pub(super) fn of_lines(
    home: &mut Home,
    asked: &Asked,
    lines: &[Decision],
) -> Result<Vec<String>, Failure> {
    let mut decisions = asked.decisions.clone();
    for line in lines {
        decisions.take(line.clone());
    }
    let is_decided = |item: &&Item| lines.iter().any(|line| line.review == item.review.id());
    let items: Vec<Item> = asked.items.iter().filter(is_decided).cloned().collect();
    bring(home, &items, &decisions)
}

/// Brings into the set what was decided on some items, and says what was done.
fn bring(home: &mut Home, items: &[Item], decisions: &Decisions) -> Result<Vec<String>, Failure> {
    // What second readers say of pairs and explanations changes nothing by itself.
    let decides = |item: &&Item| queue::of(&item.review.code).name == "claims";
    let items: Vec<Item> = items.iter().filter(decides).cloned().collect();
    let gone = kept::removed(home)?.into_values().filter_map(|one| one.words).collect();
    let was: BTreeSet<String> = home.set.pairs.iter().map(|pair| pair.id.clone()).collect();
    let (path, before) = (home.path().to_owned(), kept::taken(home)?);
    let followed = follow(&mut home.set, &items, decisions, &before, &gone)
        .map_err(|mistakes| refused(&path, "nothing was brought into the set", &mistakes))?;
    let is_new = |id: &String| !was.contains(id);
    let changes =
        !followed.changed.is_empty() || followed.taken.iter().any(|one| is_new(&one.pair));
    if changes {
        home.measure()?;
    }
    kept::keep(home, &followed.taken, changes)?;
    let mut said = Vec::new();
    for pair in home.set.pairs.iter().filter(|pair| is_new(&pair.id)) {
        let open = if pair.explanation.is_empty() { "; explain it" } else { "" };
        said.push(format!("  pair {} is new{open}", pair.id));
    }
    said.extend(followed.changed.iter().map(|id| format!("  pair {id} was written anew")));
    said.extend(followed.unwritten.iter().map(|item| {
        format!("  {}: its false claim is still to be written: import the pair, or write it on the pages of `storymill review`", plain(item))
    }));
    for (pair, reason) in &followed.removed {
        said.extend(remove::take_out(home, pair, reason)?.iter().map(|line| format!("  {line}")));
    }
    Ok(said)
}
