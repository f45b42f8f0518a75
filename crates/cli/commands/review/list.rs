//! `review --list`: the items of a build, and how they stand.

use std::{collections::BTreeSet, io::Write};

use serde_json::json;
use storymill::{Inventory, lapsed_privately, redact_review};
use storymill_core::{Decision, Decisions, Review, Standing};
use storymill_pipeline::Lapsed;
use storymill_review::{Desk, Sight, queue::is_compared};

use super::{Asking, Item};
use crate::{
    args::{self, Format, review::Listed},
    exit::{DONE, Exit, Failure},
    next::Next,
    report,
    table::{plain, plural},
};

pub(in super::super) fn run(
    args: &args::Review,
    asking: Asking<'_>,
    desk: Option<&Desk>,
) -> Result<Exit, Failure> {
    let Asking { name, mut items, decisions, hides, names_items, to_build } = asking;
    let can_vote = |review: &Review| review.is_open_to_votes();
    let all = items.len() as u64;
    if args.list == Some(Listed::Open) {
        items.retain(|one| can_vote(one.review) && decisions.choice(one.review).is_none());
    }
    if args.list == Some(Listed::Disputed) {
        items.retain(|one| can_vote(one.review) && decisions.standing(one.review).is_disputed());
    }
    // Where several vote, or what they say is compared, nobody sees what others say, or a model proposes, before their own vote.
    let several = decisions.rule().voters > 1;
    let desk_of = |review: &Review| desk.filter(|_| several || is_compared(&review.code));
    let sight = |review: &Review| desk_of(review).and_then(|desk| seen(desk, review, &args.by));
    if args.format == Format::Json {
        let rows: Vec<_> = items
            .iter()
            .map(|Item { step, unit, review }| {
                let id = review.id();
                let state = word(&decisions.standing(review));
                let mut decided: Vec<_> = decisions.on(review).collect();
                let sight = sight(review);
                let mut review = (*review).clone();
                if let Some(sight) = &sight {
                    sight.proposal.unwrap_or_default().clone_into(&mut review.proposal);
                    if sight.others.is_none() {
                        decided.retain(|line| Some(*line) == sight.own);
                    }
                }
                if hides {
                    if !names_items {
                        review.item = unit.to_string();
                    }
                    redact_review(&mut review);
                    return json!({ "id": id, "step": step, "unit": unit, "review": review, "decided": !decided.is_empty(), "state": state });
                }
                json!({ "id": id, "step": step, "unit": unit, "review": review, "decisions": decided, "state": state })
            })
            .collect();
        return super::super::json(&rows);
    }
    let hidden = |review: &Review| sight(review).is_some_and(|sight| sight.others.is_none());
    let told = |review: &Review| {
        if hidden(review) { counted(review, decisions) } else { state(review, decisions) }
    };
    if items.is_empty() {
        let so_far = if to_build > 0 { " so far" } else { "" };
        let what = match args.list {
            Some(Listed::Disputed) => "disputed",
            Some(Listed::Open) => "open",
            _ => "doubtful",
        };
        let of = if all > 0 { format!(" of {}", plural(all, "item")) } else { String::new() };
        writeln!(crate::screen::out(), "{name}: nothing{of} is {what}{so_far}")?;
        return Ok(DONE);
    }
    list(&items, decisions, (hides, names_items), &told)?;
    let mut out = crate::screen::out();
    writeln!(out, "{}", plural(items.len() as u64, "decision"))?;
    if hides {
        writeln!(out, "`--texts` shows what they are about, and the choices")?;
    }
    Ok(DONE)
}

/// What somebody may see of an item; who does not say who they are sees what nobody has voted on.
fn seen<'d>(desk: &'d Desk, review: &Review, by: &str) -> Option<Sight<'d>> {
    let dispute = (!by.is_empty()).then(|| desk.dispute(review.id(), by)).flatten();
    dispute.or_else(|| desk.sight(review.id(), by))
}

fn word(standing: &Standing<'_>) -> &'static str {
    match standing {
        Standing::Open(_) => "open",
        Standing::Decided { .. } => "decided",
        Standing::Disputed(_) => "disputed",
    }
}

/// Tells what the list lacks, and of decisions that find no item.
pub(super) fn tell_state(
    args: &args::Review,
    built: &Inventory,
    items: &[Item<'_>],
    decisions: &Decisions,
    private: bool,
) {
    let workflow = &args.of;
    if built.to_build > 0 {
        let units = plural(built.to_build as u64, "unit");
        report::warn(&format!("{units} still to be built: this lists the doubts so far"));
        let plan = Next::of_review(args).command("plan", "");
        report::hint(&format!("`{plan}` tells what is to be built"));
        return;
    }
    let reviews = || items.iter().map(|item| item.review);
    let lapsed = decisions.idle(reviews()).map(Lapsed::from).collect::<Vec<_>>();
    if private {
        return lapsed_privately(&lapsed).iter().for_each(report::notice);
    }
    storymill::lapsed(&lapsed, reviews(), decisions, workflow).iter().for_each(report::notice);
}

/// So many lines of what an item is about are listed, and so many symbols of each: a preface has pages.
const LINES: usize = 20;
const SYMBOLS: usize = 400;

fn list(
    items: &[Item<'_>],
    decisions: &Decisions,
    (hides, names_items): (bool, bool),
    told: &dyn Fn(&Review) -> String,
) -> Result<(), Failure> {
    let mut out = crate::screen::out();
    for Item { step, unit, review } in items {
        let (item, code) = (plain(&review.item), &review.code);
        if hides {
            let decided = match decisions.choice(review) {
                None => "by default".to_owned(),
                Some(choice) if names_items => format!("decided: {choice}"),
                Some(_) => "decided".to_owned(),
            };
            let (name, id) =
                (if names_items { item } else { unit.to_string() }, review.id().short());
            writeln!(out, "{name}  {code}  ({step}, {id})  {decided}")?;
            continue;
        }
        writeln!(out, "{item}  {code}  ({step}, {})", review.id().short())?;
        writeln!(out, "  {} {}", plain(&review.question), plain(&told(review)))?;
        writeln!(out, "  “{}”", plain(&review.excerpt))?;
        let lines: Vec<&str> = review.text.lines().filter(|line| !line.trim().is_empty()).collect();
        for line in lines.iter().take(LINES) {
            let line = plain(line);
            let shown: String = line.chars().take(SYMBOLS).collect();
            writeln!(out, "  | {shown}{}", if shown.len() < line.len() { "…" } else { "" })?;
        }
        if lines.len() > LINES {
            let more = plural((lines.len() - LINES) as u64, "more line");
            writeln!(out, "  | … {more}; the pages of `storymill review` show all")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// How an item stands, without what anybody said.
fn counted(review: &Review, decisions: &Decisions) -> String {
    let standing = decisions.standing(review);
    let state = match standing {
        Standing::Open(_) => "open",
        Standing::Decided { .. } => "decided",
        Standing::Disputed(_) => "people differ",
    };
    let people: BTreeSet<&str> =
        decisions.votes(review).into_iter().map(|vote| vote.by.as_str()).collect();
    let needed = decisions.rule().voters;
    format!(
        "{state}: {} of {needed} have voted; what they say is shown after your own vote (`--by`)",
        people.len()
    )
}

/// What is taken, by whom, and what else there is to take.
fn state(review: &Review, decisions: &Decisions) -> String {
    let standing = decisions.standing(review);
    let (taken, whose) = match &standing {
        Standing::Decided { choice, by, .. } => match by.first().map(|vote| vote.by.as_str()) {
            None | Some("") => (*choice, "by people".to_owned()),
            Some(_) => (*choice, format!("by {}", names(by))),
        },
        Standing::Open(votes) if votes.is_empty() => {
            (review.default.as_str(), "by default".to_owned())
        }
        Standing::Open(votes) => {
            let (votes, needed) = (votes.len(), decisions.rule().voters);
            (review.default.as_str(), format!("by default, since {votes} of {needed} have voted"))
        }
        Standing::Disputed(votes) => {
            let said: Vec<_> = votes
                .iter()
                .map(|vote| format!("{} says {}", name(&vote.by), vote.choice))
                .collect();
            let why = format!("by default, since people differ: {}", said.join(", "));
            (review.default.as_str(), why)
        }
    };
    let others: Vec<_> = review.choices.iter().filter(|choice| *choice != taken).cloned().collect();
    if others.is_empty() {
        return format!("taken: {taken}");
    }
    format!("decided {whose}: {taken}, not {}", others.join(" or "))
}

fn names(votes: &[&Decision]) -> String {
    let mut names: Vec<&str> = votes.iter().map(|vote| name(&vote.by)).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" and ")
}

fn name(by: &str) -> &str {
    if by.is_empty() { "somebody" } else { by }
}
