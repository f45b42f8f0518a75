//! `review --decide` and `--undo`.

use std::io::Write;

use storymill::{Inventory, OpenDesk, Project};
use storymill_core::{Decision, Decisions, Digest, Fault, Review};
use storymill_review::{Ballot, Desk};

use super::{Item, fault};
use crate::{
    args,
    exit::{DONE, Exit, Failure},
    table::plain,
};

pub(super) fn run(
    args: &args::Review,
    project: &mut Project,
    built: &Inventory,
    items: &[Item<'_>],
    decisions: &Decisions,
) -> Result<Exit, Failure> {
    let is_private = project.workspace().is_private();
    // Where one person decides, whoever decides last is heard; where several vote, each has a vote of their own.
    let rule = decisions.rule();
    let several = rule.voters > 1 || !rule.adjudicators.is_empty() || args.adjudicate;
    let desk = several.then(|| project.desk(built)).transpose()?;
    let mut taken: Vec<Decision> = Vec::new();
    let mut told = Vec::new();
    for said in &args.decide {
        let (name, choice) = said.split_once('=').ok_or_else(|| {
            fault(&format!("`{said}` decides nothing"), "write ITEM=CHOICE, as in `1f3a9c=cut`")
        })?;
        let review = item(name, items)?;
        if review.choices.len() < 2 || !review.choices.iter().any(|one| one == choice) {
            let message = format!("`{choice}` is not a choice of {}", review.id().short());
            let hint = match &review.choices[..] {
                _ if is_private => "`--texts` lists the choices".to_owned(),
                [_] => "nothing follows from this item, so it cannot be decided".to_owned(),
                choices => format!("choices: {}", choices.join(", ")),
            };
            return Err(fault(&message, &hint).into());
        }
        Ballot { note: args.note.clone(), ..Ballot::of(choice) }.check(review)?;
        let decision = if let Some(desk) = &desk {
            vote(args, &desk.desk, review, choice)?
        } else {
            let mut one = Decision::on(review, choice, &args.by, &args.note, decisions);
            one.replaces.extend(before_it_changed(review, built, items, decisions));
            one
        };
        if taken.iter().any(|one| one.review == decision.review) {
            let message = format!("{} is decided twice", review.id().short());
            return Err(fault(&message, "decide each item once").into());
        }
        taken.push(decision);
        let item = if is_private { "decided" } else { &review.item };
        told.push(format!("{}  {}: {choice}", review.id().short(), plain(item)));
    }
    let path = project.decide(&taken)?;
    let mut out = crate::screen::out();
    for line in told {
        writeln!(out, "{line}")?;
    }
    let place = if is_private { "the shelf".into() } else { path.display().to_string() };
    writeln!(out, "written to {place}; build again to see what follows")?;
    Ok(DONE)
}

/// The decision whose item has become this one, as it seems: the only one on an item of the same name and
/// code that a whole build does not have any more.
fn before_it_changed(
    review: &Review,
    built: &Inventory,
    items: &[Item<'_>],
    decisions: &Decisions,
) -> Option<Digest> {
    let place = |one: &&Decision| one.item == review.item && one.code == review.code;
    let mut lapsed = decisions.idle(items.iter().map(|(_, review)| *review)).filter(place);
    let one = lapsed.next().filter(|_| built.to_build == 0)?;
    lapsed.next().is_none().then(|| one.id())
}

/// The one item whose id begins so.
fn item<'b>(name: &str, items: &[Item<'b>]) -> Result<&'b Review, Fault> {
    let begins = |review: &&Review| !name.is_empty() && review.id().to_string().starts_with(name);
    let mut found: Vec<&Review> = items.iter().map(|(_, review)| *review).filter(begins).collect();
    found.dedup_by_key(|review| review.id());
    match &found[..] {
        [one] => Ok(one),
        [] => Err(fault(
            &format!("no item of this build is called `{name}`"),
            "`storymill review WORKFLOW --list` lists them with their ids",
        )),
        more => Err(fault(
            &format!("{} items begin with `{name}`", more.len()),
            "give more letters of the id; `--format json` shows all of them",
        )),
    }
}

/// A vote of a person, or what settles a dispute.
fn vote(
    args: &args::Review,
    desk: &Desk,
    review: &Review,
    choice: &str,
) -> Result<Decision, Fault> {
    let ballot = Ballot { note: args.note.clone(), ..Ballot::of(choice) };
    if args.adjudicate {
        return desk.adjudicate(&args.by, review.id(), ballot);
    }
    desk.vote(&args.by, review.id(), ballot)
}

/// Takes back the last thing that somebody said.
pub(super) fn undo(args: &args::Review, mut open: OpenDesk) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    let Some(line) = open.desk.undo(&args.by) else {
        writeln!(out, "{} has said nothing that could be taken back", plain(&args.by))?;
        return Ok(DONE);
    };
    open.save(std::slice::from_ref(&line))?;
    let item = if open.is_private { "taken back" } else { &line.item };
    writeln!(out, "{}  {}", line.review.short(), plain(item))?;
    writeln!(out, "taken back; build again to see what follows")?;
    Ok(DONE)
}
