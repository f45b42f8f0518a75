//! `storymill reviews`: doubts of a build, and what people decide about them.

use std::io::Write;

use serde_json::json;
use storymill::{Found, Inventory, Project, lapsed_privately, redact_review};
use storymill_core::{Decision, Decisions, Digest, Fault, FaultKind, Review};
use storymill_pipeline::Lapsed;

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    session::Session,
    table::{plain, plural, typed},
};

/// A doubt and where it arose.
type Item<'b> = (&'b Found, &'b Review);

pub(crate) fn run(args: &args::Reviews, session: &Session) -> Result<Exit, Failure> {
    let from = &args.built;
    let mut project =
        session.project_in(&from.workflow, args.shelf.as_deref(), &args.key, &from.store)?;
    let is_private = project.workspace().is_private();
    let (built, decisions) = project.inventory_so_far(from.answers.as_deref())?;
    let mut items: Vec<Item<'_>> = built
        .found
        .iter()
        .flat_map(|found| found.trace.reviews.iter().map(move |review| (found, review)))
        .collect();
    if !args.decide.is_empty() {
        return decide(args, &mut project, &built, &items, &decisions);
    }
    tell_state(args, &built, &items, &decisions, is_private);
    if args.open {
        items.retain(|(_, review)| review.choices.len() > 1 && decisions.choice(review).is_none());
    }
    let hides = is_private && !args.texts;
    if from.format == Format::Json {
        let rows: Vec<_> = items
            .iter()
            .map(|(found, review)| {
                let id = review.id();
                let decided: Vec<_> = decisions.on(review).collect();
                let mut review = (*review).clone();
                if hides {
                    review.item = found.unit.to_string();
                    redact_review(&mut review);
                    return json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decided": !decided.is_empty() });
                }
                json!({ "id": id, "step": found.step, "unit": found.unit, "review": review, "decisions": decided })
            })
            .collect();
        return super::json(&rows);
    }
    list(&items, &project, built.to_build, &decisions, hides)
}

/// Tells what the list lacks, and of decisions that find no item.
fn tell_state(
    args: &args::Reviews,
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
    let mut out = std::io::stdout().lock();
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
    let head = decisions.on(review).next();
    let taken = head.map_or(&review.default, |head| &head.choice);
    let others: Vec<_> = review.choices.iter().filter(|choice| *choice != taken).cloned().collect();
    let whose = match head {
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
    project: &mut Project,
    built: &Inventory,
    items: &[Item<'_>],
    decisions: &Decisions,
) -> Result<Exit, Failure> {
    let is_private = project.workspace().is_private();
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
                _ if is_private => "`--texts` lists the choices".to_owned(),
                [_] => "nothing follows from this item, so it cannot be decided".to_owned(),
                choices => format!("choices: {}", choices.join(", ")),
            };
            return Err(fault(&message, &hint).into());
        }
        let mut decision = Decision::on(review, choice, &args.by, &args.note, decisions);
        decision.replaces.extend(before_it_changed(review, built, items, decisions));
        if taken.iter().any(|one| one.review == decision.review) {
            let message = format!("{} is decided twice", review.id().short());
            return Err(fault(&message, "decide each item once").into());
        }
        taken.push(decision);
        let item = if is_private { "decided" } else { &review.item };
        told.push(format!("{}  {}: {choice}", review.id().short(), plain(item)));
    }
    let path = project.decide(&taken)?;
    let mut out = std::io::stdout().lock();
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
