//! `storymill reviews`: doubts of a build, and what people decide about them.

use std::{collections::BTreeSet, io::Write};

use serde_json::json;
use storymill_core::{Decision, Decisions, Fault, FaultKind, Review};

use crate::{
    args::{self, Format},
    built::{BuiltWorkflow, Found},
    exit::{DONE, Exit, Failure},
    ground::{Ground, hush_review},
    report,
    table::{plain, plural},
};

/// A doubt and where it arose.
type Item<'b> = (&'b Found, &'b Review);

pub(crate) fn run(args: &args::Reviews) -> Result<Exit, Failure> {
    let from = &args.built;
    let ground = Ground::of(args.shelf.as_deref(), &args.key, &from.store)?;
    let (built, decisions) =
        BuiltWorkflow::open_undecided(&from.workflow, &ground, from.answers.as_deref())?;
    let mut items: Vec<Item<'_>> = built
        .found
        .iter()
        .flat_map(|found| found.trace.reviews.iter().map(move |review| (found, review)))
        .collect();
    if !args.decide.is_empty() {
        return decide(args, &built, &ground, &items, &decisions);
    }
    tell_idle(&items, &decisions);
    if args.open {
        items.retain(|(_, review)| {
            review.choices.len() > 1 && decisions.choice(&review.id()).is_none()
        });
    }
    let hides = ground.private && !args.texts;
    if from.format == Format::Json {
        let rows: Vec<_> = items
            .iter()
            .map(|(found, review)| {
                let id = review.id();
                let (mut review, decided) = ((*review).clone(), decisions.on(&id));
                if hides {
                    review.item = found.unit.to_string();
                    hush_review(&mut review);
                    return json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decided": !decided.is_empty() });
                }
                json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decisions": decided })
            })
            .collect();
        return super::json(&rows);
    }
    list(&items, &built.workflow.name, &decisions, hides)
}

/// Tells of decisions that nobody waits for: only ids, for the rest may be private.
fn tell_idle(items: &[Item<'_>], decisions: &Decisions) {
    let known: BTreeSet<_> = items.iter().map(|(_, review)| review.id()).collect();
    let idle: Vec<_> = decisions.idle(&known).map(|one| one.review.short()).collect();
    if !idle.is_empty() {
        let count = plural(idle.len() as u64, "decision");
        report::warn(&format!(
            "{count} on items that this build does not have, perhaps because a page changed: {}",
            idle.join(", ")
        ));
    }
}

fn list(
    items: &[Item<'_>],
    name: &str,
    decisions: &Decisions,
    hides: bool,
) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    if items.is_empty() {
        writeln!(out, "{name}: nothing is doubtful")?;
        return Ok(DONE);
    }
    for (found, review) in items {
        let (item, code) = (plain(&review.item), &review.code);
        if hides {
            let decided =
                if decisions.on(&review.id()).is_empty() { "by default" } else { "decided" };
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
    let heads = decisions.on(&review.id());
    let taken = heads.first().map_or(&review.default, |head| &head.choice);
    let others: Vec<_> = review.choices.iter().filter(|choice| *choice != taken).cloned().collect();
    let whose = match heads.first() {
        None => "by default".to_owned(),
        Some(head) if head.by.is_empty() => "by people".to_owned(),
        Some(head) => format!("by {}", head.by),
    };
    if others.is_empty() {
        return format!("taken: {taken}");
    }
    format!("decided {whose}: {taken}, not {}", others.join(" or "))
}

fn decide(
    args: &args::Reviews,
    built: &BuiltWorkflow,
    ground: &Ground,
    items: &[Item<'_>],
    decisions: &Decisions,
) -> Result<Exit, Failure> {
    let mut taken: Vec<Decision> = Vec::new();
    let mut told = Vec::new();
    for said in &args.decide {
        let (name, choice) = said.split_once('=').ok_or_else(|| {
            fault(&format!("`{said}` decides nothing"), "write ITEM=CHOICE, as in `1f3a9c=cut`")
        })?;
        let review = item(name, items)?;
        if review.choices.len() < 2 || !review.choices.iter().any(|one| one == choice) {
            let message = format!("`{choice}` is no choice of {}", review.id().short());
            let hint = match &review.choices[..] {
                _ if ground.private => "`--texts` lists the choices".to_owned(),
                [_] => "nothing follows from this item, so it cannot be decided".to_owned(),
                choices => format!("choices: {}", choices.join(", ")),
            };
            return Err(fault(&message, &hint).into());
        }
        let decision = Decision {
            review: review.id(),
            choice: choice.to_owned(),
            by: args.by.clone(),
            note: args.note.clone(),
            replaces: decisions.on(&review.id()).iter().map(Decision::id).collect(),
        };
        if taken.iter().any(|one| one.review == decision.review) {
            let message = format!("{} is decided twice", review.id().short());
            return Err(fault(&message, "decide each item once").into());
        }
        taken.push(decision);
        let item = if ground.private { "decided" } else { &review.item };
        told.push(format!("{}  {}: {choice}", review.id().short(), plain(item)));
    }
    let path = built.workflow.decide(&taken, &*ground.disk)?;
    let mut out = std::io::stdout().lock();
    for line in told {
        writeln!(out, "{line}")?;
    }
    let place = if ground.private { "the shelf".into() } else { path.display().to_string() };
    writeln!(out, "written to {place}; build again to see what follows")?;
    Ok(DONE)
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
            "`storymill reviews WORKFLOW` lists them with their ids",
        )),
        more => Err(fault(
            &format!("{} items begin with `{name}`", more.len()),
            "give more letters of the id; `--format json` shows all of them",
        )),
    }
}

fn fault(message: &str, hint: &str) -> Fault {
    Fault::new(FaultKind::Input, message).hint(hint)
}
