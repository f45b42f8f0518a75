//! `storymill review`: doubts of a build, and what people decide about them.

#[cfg(feature = "app")]
mod app;
mod decide;
mod list;
pub(super) mod table;

use storymill::{Found, Inventory, OpenDesk};
use storymill_core::{Fault, FaultKind, Review};

use crate::{
    args::{self, Format},
    exit::{Exit, Failure},
    session::Session,
};

/// A doubt and where it arose.
type Item<'b> = (&'b Found, &'b Review);

pub(crate) fn run(args: &args::Review, session: &Session) -> Result<Exit, Failure> {
    let from = &args.built;
    let mut project =
        session.project_in(&from.workflow, args.shelf.as_deref(), &args.key, &from.store)?;
    let (built, decisions) = project.inventory_so_far(from.answers.as_deref())?;
    let reviews = |found: &'_ Found| found.trace.reviews.len();
    let count = built.found.iter().map(reviews).sum();
    let mut items: Vec<Item<'_>> = Vec::with_capacity(count);
    for found in &built.found {
        items.extend(found.trace.reviews.iter().map(|review| (found, review)));
    }
    if !args.decide.is_empty() {
        return decide::run(args, &mut project, &built, &items, &decisions);
    }
    let lists = args.list || args.open || args.disputed;
    let lists = lists || args.page.is_some() || args.per_page.is_some();
    let writes = args.agreement || args.export.is_some() || args.import.is_some();
    let writes = writes || args.votes.is_some() || args.undo;
    if lists || (from.format == Format::Json && !writes) {
        return list::run(args, &project, &built, items, &decisions);
    }
    let desk = project.desk(&built)?;
    if args.undo {
        return decide::undo(args, desk);
    }
    if args.agreement {
        return table::agreement(args, &desk);
    }
    if let Some(path) = &args.export {
        return table::export(args, &desk, path);
    }
    if let Some(path) = &args.votes {
        return table::votes(args, &desk, project.workflow().seed, path);
    }
    if let Some(path) = &args.import {
        return table::import(args, desk, path);
    }
    if desk.is_private && !args.texts {
        let hint = "`--texts` says that they may be shown; `--list` shows the items without them";
        return Err(fault("these pages would show the words of private books", hint).into());
    }
    drop(items);
    pages(args, desk, built, session)
}

/// Serves the pages.
#[cfg(feature = "app")]
fn pages(
    args: &args::Review,
    desk: OpenDesk,
    built: Inventory,
    session: &Session,
) -> Result<Exit, Failure> {
    app::run(args, desk, built, session)
}

/// Without the pages a list is what there is.
#[cfg(not(feature = "app"))]
fn pages(_: &args::Review, _: OpenDesk, _: Inventory, _: &Session) -> Result<Exit, Failure> {
    let hint = "`--list` and `--decide` work without it";
    Err(fault("this program was built without the feature `app`, so it has no pages", hint).into())
}

fn fault(message: &str, hint: &str) -> Fault {
    Fault::new(FaultKind::Input, message).hint(hint)
}
