//! `review --decide` and `--undo`.

use std::io::Write;

use storymill::OpenDesk;
use storymill_core::{Decision, Digest, Fault, Review};
use storymill_review::{Ballot, Desk, queue::is_compared};

use super::{Asking, fault};
use crate::{
    args,
    exit::{DONE, Exit, Failure},
    table::plain,
};

/// What somebody decides, and how that is told.
pub(in super::super) struct Decided {
    pub(in super::super) lines: Vec<Decision>,
    pub(in super::super) said: Vec<String>,
}

/// The lines of what was typed behind `--decide`. Where one person decides, whoever decides last is heard; where several vote,
/// or what they say is compared, each has a vote of their own, which the desk takes. `stale` is a decision that has to go as well.
pub(in super::super) fn lines(
    args: &args::Review,
    asking: &Asking<'_>,
    desk: Option<&Desk>,
    stale: &dyn Fn(&Review) -> Option<Digest>,
) -> Result<Decided, Failure> {
    let rule = asking.decisions.rule();
    let several = rule.voters > 1 || !rule.adjudicators.is_empty() || args.adjudicate;
    let mut decided = Decided { lines: Vec::new(), said: Vec::new() };
    for said in &args.decide {
        let (name, choice) = said.split_once('=').ok_or_else(|| {
            fault(&format!("`{said}` decides nothing"), "write ITEM=CHOICE, as in `1f3a9c=cut`")
        })?;
        let review = item(name, asking, args.queue.as_deref())?;
        if review.choices.len() < 2 || !review.choices.iter().any(|one| one == choice) {
            let message = format!("`{choice}` is not a choice of {}", review.id().short());
            let hint = match &review.choices[..] {
                _ if asking.hides && !asking.names_items => {
                    "`--texts` lists the choices".to_owned()
                }
                [_] => "nothing follows from this item, so it cannot be decided".to_owned(),
                choices => format!("choices: {}", choices.join(", ")),
            };
            return Err(fault(&message, &hint).into());
        }
        Ballot { note: args.note.clone(), ..Ballot::of(choice) }.check(review)?;
        let own_vote = desk.filter(|_| several || is_compared(&review.code));
        let decision = if let Some(desk) = own_vote {
            vote(args, desk, review, choice)?
        } else {
            let mut one = Decision::on(review, choice, &args.by, &args.note, asking.decisions);
            one.replaces.extend(stale(review));
            one
        };
        if decided.lines.iter().any(|one| one.review == decision.review) {
            let message = format!("{} is decided twice", review.id().short());
            return Err(fault(&message, "decide each item once").into());
        }
        decided.lines.push(decision);
        decided.said.push(told(asking, review, choice));
    }
    Ok(decided)
}

/// How a decision is told: beside the letter of a text stands the text, for it has another letter on somebody's pages.
fn told(asking: &Asking<'_>, review: &Review, choice: &str) -> String {
    let item = if asking.hides && !asking.names_items { "decided" } else { review.item.as_str() };
    let text = review.form.texts().iter().find(|text| text.choice == choice);
    let text = text.filter(|_| !asking.hides);
    let text = text.map(|text| format!(", “{}”", plain(&text.text))).unwrap_or_default();
    format!("{}  {}: {choice}{text}", review.id().short(), plain(item))
}

/// Prints what was done.
pub(in super::super) fn tell(said: &[String]) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    said.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(DONE)
}

/// The decision whose item has become this one, as it seems: the only one on an item of the same name and
/// code that a whole build does not have any more.
pub(super) fn before_it_changed(review: &Review, asking: &Asking<'_>) -> Option<Digest> {
    let place = |one: &&Decision| one.item == review.item && one.code == review.code;
    let items = asking.items.iter().map(|item| item.review);
    let mut lapsed = asking.decisions.idle(items).filter(place);
    let one = lapsed.next().filter(|_| asking.to_build == 0)?;
    lapsed.next().is_none().then(|| one.id())
}

/// The one item whose id begins so, or that alone has this name.
fn item<'b>(name: &str, asking: &Asking<'b>, queue: Option<&str>) -> Result<&'b Review, Fault> {
    let all = || asking.items.iter().map(|item| item.review);
    let begins = |review: &&Review| !name.is_empty() && review.id().to_string().starts_with(name);
    let (mut found, mut are) = (all().filter(begins).collect::<Vec<_>>(), "begin with");
    if found.is_empty() && (!asking.hides || asking.names_items) {
        found = all().filter(|review| review.item == name).collect();
        are = "are called";
    }
    found.dedup_by_key(|review| review.id());
    match &found[..] {
        [one] => Ok(one),
        [] => {
            let queue = queue.map(|queue| format!(" --queue {queue}")).unwrap_or_default();
            let list =
                format!("`storymill review WORKFLOW|SET --list{queue}` lists them with their ids");
            Err(fault(&format!("no item is called `{name}`"), &list))
        }
        more => Err(fault(
            &format!("{} items {are} `{name}`", more.len()),
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
pub(super) fn undo(args: &args::Review, mut open: OpenDesk, then: &str) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    let Some(line) = open.desk.undo(&args.by) else {
        writeln!(out, "{} has said nothing that could be taken back", plain(&args.by))?;
        return Ok(DONE);
    };
    open.save(std::slice::from_ref(&line))?;
    let item = if open.is_private { "taken back" } else { &line.item };
    writeln!(out, "{}  {}", line.review.short(), plain(item))?;
    writeln!(out, "taken back; {then}")?;
    Ok(DONE)
}
