//! `review --list`: the items of a build, and how they stand.

use std::io::Write;

use serde_json::json;
use storymill::{Inventory, Project, lapsed_privately, redact_review};
use storymill_core::{Decision, Decisions, Review, Standing};
use storymill_pipeline::Lapsed;

use super::Item;
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    table::{plain, plural, typed},
};

pub(super) fn run(
    args: &args::Review,
    project: &Project,
    built: &Inventory,
    mut items: Vec<Item<'_>>,
    decisions: &Decisions,
) -> Result<Exit, Failure> {
    let is_private = project.workspace().is_private();
    tell_state(args, built, &items, decisions, is_private);
    let can_vote = |review: &Review| review.is_open_to_votes();
    if args.open {
        items.retain(|(_, review)| can_vote(review) && decisions.choice(review).is_none());
    }
    if args.disputed {
        items.retain(|(_, review)| can_vote(review) && decisions.standing(review).is_disputed());
    }
    let hides = is_private && !args.texts;
    if args.built.format == Format::Json {
        let rows: Vec<_> = items
            .iter()
            .map(|(found, review)| {
                let id = review.id();
                let state = word(&decisions.standing(review));
                let decided: Vec<_> = decisions.on(review).collect();
                let mut review = (*review).clone();
                if hides {
                    review.item = found.unit.to_string();
                    redact_review(&mut review);
                    return json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decided": !decided.is_empty(), "state": state });
                }
                json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decisions": decided, "state": state })
            })
            .collect();
        return super::super::json(&rows);
    }
    list(&items, project, built.to_build, decisions, hides)
}

fn word(standing: &Standing<'_>) -> &'static str {
    match standing {
        Standing::Open(_) => "open",
        Standing::Decided { .. } => "decided",
        Standing::Disputed(_) => "disputed",
    }
}

/// Tells what the list lacks, and of decisions that find no item.
fn tell_state(
    args: &args::Review,
    built: &Inventory,
    items: &[Item<'_>],
    decisions: &Decisions,
    private: bool,
) {
    let workflow = &args.built.workflow;
    if built.to_build > 0 {
        let units = plural(built.to_build as u64, "unit");
        report::warn(&format!("{units} still to be built: this lists the doubts so far"));
        report::hint(&format!("`storymill plan {}` tells what is to be built", typed(workflow)));
        return;
    }
    let reviews = || items.iter().map(|(_, review)| *review);
    let lapsed = decisions.idle(reviews()).map(Lapsed::from).collect::<Vec<_>>();
    if private {
        return lapsed_privately(&lapsed).iter().for_each(report::notice);
    }
    storymill::lapsed(&lapsed, reviews(), decisions, workflow).iter().for_each(report::notice);
}

fn list(
    items: &[Item<'_>],
    project: &Project,
    to_build: usize,
    decisions: &Decisions,
    hides: bool,
) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    if items.is_empty() {
        let so_far = if to_build > 0 { " so far" } else { "" };
        writeln!(out, "{}: nothing is doubtful{so_far}", project.workflow().name)?;
        return Ok(DONE);
    }
    for (found, review) in items {
        let (item, code) = (plain(&review.item), &review.code);
        if hides {
            let decided = if decisions.choice(review).is_none() { "by default" } else { "decided" };
            let (unit, id) = (&found.unit, review.id().short());
            writeln!(out, "{unit}  {code}  ({}, {id})  {decided}", found.step)?;
            continue;
        }
        writeln!(out, "{item}  {code}  ({}, {})", found.step, review.id().short())?;
        writeln!(out, "  {} {}", plain(&review.question), plain(&state(review, decisions)))?;
        writeln!(out, "  “{}”\n", plain(&review.excerpt))?;
    }
    writeln!(out, "{}", plural(items.len() as u64, "decision"))?;
    if hides {
        writeln!(out, "`--texts` shows what they are about, and the choices")?;
    }
    Ok(DONE)
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
