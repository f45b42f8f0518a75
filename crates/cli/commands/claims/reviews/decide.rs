//! `claims reviews --decide` and `--apply`: what people say, and what follows from it for the set.

use std::io::Write;

use storymill_claims::deciding::{Item, follow};
use storymill_core::{Decision, Decisions, Digest, ReviewRule};
use storymill_review::{Ballot, Desk};

use super::{
    super::{
        refused, remove,
        set_store::{Home, Lies},
    },
    input, kept,
};
use crate::{
    args::claims::{ClaimsReviews, ReviewsOf},
    exit::{DONE, Exit, Failure},
    table::{plain, plural},
};

pub(super) fn run(args: &ClaimsReviews, mut home: Home) -> Result<Exit, Failure> {
    let (items, mut decisions) =
        (kept::items_of(&home, args.of, &args.explained)?, kept::decisions(&home)?);
    let desk = has_votes(args, decisions.rule())
        .then(|| kept::desk(&home, &items, &home.name()))
        .transpose()?;
    let (mut lines, mut said, mut decided) = (Vec::new(), Vec::new(), Vec::new());
    for one in &args.decide {
        let (item, choice) = named(one, &items)?;
        let line = match &desk {
            Some(desk) => vote(args, desk, item.review.id(), choice)?,
            None => Decision::on(&item.review, choice, &args.by, &args.note, &decisions),
        };
        if lines.iter().any(|one: &Decision| one.review == line.review) {
            let message = format!("{} is decided twice", line.review.short());
            return Err(input(&message, "decide each item once"));
        }
        decisions.take(line.clone());
        lines.push(line);
        decided.push(item.clone());
        let text = item.review.form.texts().iter().find(|text| text.choice == choice);
        // A letter of the list may be another one on somebody's pages.
        let text = text.filter(|_| args.texts || matches!(home.lies, Lies::Folder { .. }));
        let text = text.map(|text| format!(", “{}”", plain(&text.text))).unwrap_or_default();
        let (id, name) = (item.review.id().short(), plain(&item.review.item));
        said.push(format!("{id}  {name}: {choice}{text}"));
    }
    let of = if args.apply { items } else { decided };
    said.extend(bring(&mut home, &of, &decisions, &lines)?);
    if said.is_empty() {
        said.push(format!("{}: nothing is decided that is not in the set", home.name()));
    }
    let mut out = crate::screen::out();
    said.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(DONE)
}

/// Whether each person has a vote of their own; else one decides, and whoever decides last is heard.
pub(super) fn has_votes(args: &ClaimsReviews, rule: &ReviewRule) -> bool {
    let several = rule.voters > 1 || !rule.adjudicators.is_empty();
    several || args.adjudicate || args.of != ReviewsOf::Doubts
}

/// A vote of a person, or what settles a dispute.
fn vote(args: &ClaimsReviews, desk: &Desk, id: Digest, choice: &str) -> Result<Decision, Failure> {
    let ballot = Ballot { note: args.note.clone(), ..Ballot::of(choice) };
    if args.adjudicate {
        return Ok(desk.adjudicate(&args.by, id, ballot)?);
    }
    Ok(desk.vote(&args.by, id, ballot)?)
}

/// The item and the choice that were typed.
fn named<'i, 'a>(typed: &'a str, items: &'i [Item]) -> Result<(&'i Item, &'a str), Failure> {
    let (name, choice) = typed
        .split_once('=')
        .ok_or_else(|| input("this decides nothing", "write ITEM=CHOICE, as in `1f3a9c=take`"))?;
    let id = |item: &Item| item.review.id();
    let begins = |item: &&Item| !name.is_empty() && id(item).to_string().starts_with(name);
    let mut found: Vec<&Item> = items.iter().filter(begins).collect();
    found.dedup_by_key(|item| id(item));
    let [item] = found[..] else {
        let message = format!("{} begin with `{name}`", plural(found.len() as u64, "item"));
        return Err(input(&message, "`storymill claims reviews SET --list` lists them"));
    };
    if !item.review.choices.iter().any(|one| one == choice) {
        let hint = format!("choices: {}", item.review.choices.join(", "));
        let message = format!("`{choice}` is not a choice of {}", id(item).short());
        return Err(input(&message, &hint));
    }
    Ok((item, choice))
}

/// Brings into the set what was decided on some items, keeps new lines with it, and says what was done.
fn bring(
    home: &mut Home,
    items: &[Item],
    decisions: &Decisions,
    lines: &[Decision],
) -> Result<Vec<String>, Failure> {
    let (before, gone) = (kept::taken(home)?, kept::gone(home)?);
    let was: Vec<String> = home.set.pairs.iter().map(|pair| pair.id.clone()).collect();
    let path = home.path().to_owned();
    let followed = follow(&mut home.set, items, decisions, &before, &gone)
        .map_err(|mistakes| refused(&path, "nothing was brought into the set", &mistakes))?;
    let is_new = |id: &String| !was.contains(id);
    let changes =
        !followed.changed.is_empty() || followed.taken.iter().any(|one| is_new(&one.pair));
    if changes {
        home.measure()?;
    }
    kept::keep(home, lines, &followed.taken, changes)?;
    let mut said = Vec::new();
    for pair in home.set.pairs.iter().filter(|pair| is_new(&pair.id)) {
        let open = if pair.explanation.is_empty() { "; explain it" } else { "" };
        said.push(format!("  pair {} is new{open}", pair.id));
    }
    said.extend(followed.changed.iter().map(|id| format!("  pair {id} was written anew")));
    said.extend(followed.unwritten.iter().map(|item| {
        format!("  {}: its false claim is still to be written: import the pair, or write it on the pages of `claims reviews`", plain(item))
    }));
    for (pair, reason) in &followed.removed {
        said.extend(remove::take_out(home, pair, reason)?.iter().map(|line| format!("  {line}")));
    }
    Ok(said)
}
