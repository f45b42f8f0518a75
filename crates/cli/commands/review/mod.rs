//! `storymill review`: doubts of a build or of a set of claims, and what people decide about them.

#[cfg(feature = "app")]
pub(super) mod app;
pub(super) mod decide;
pub(super) mod list;
pub(super) mod table;

use storymill::{Found, Inventory, OpenDesk};
use storymill_core::{Decisions, Fault, FaultKind, Review, UnitId};
use storymill_review::queue;

use super::claims::reviews as claims;
use crate::{
    args::{self, Format},
    exit::{Exit, Failure},
    next::Next,
    session::Session,
};

/// A doubt and where it arose.
pub(super) struct Item<'b> {
    pub(super) step: &'b str,
    pub(super) unit: &'b UnitId,
    pub(super) review: &'b Review,
}

/// What is asked of a build, or of a set.
pub(super) struct Asking<'b> {
    pub(super) name: &'b str,
    pub(super) items: Vec<Item<'b>>,
    pub(super) decisions: &'b Decisions,
    /// Whether no words may be shown.
    pub(super) hides: bool,
    /// Whether the names of items may be shown all the same.
    pub(super) names_items: bool,
    /// How many units some step is still to be built for.
    pub(super) to_build: usize,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Decide,
    List,
    Desk,
    Pages,
}

impl args::Review {
    pub(super) fn wants(&self) -> Wants {
        let lists = self.list.is_some();
        let desk = self.agreement || self.export.is_some() || self.import.is_some();
        let desk = desk || self.votes.is_some() || self.undo;
        match () {
            () if !self.decide.is_empty() => Wants::Decide,
            () if desk => Wants::Desk,
            () if lists || self.format == Format::Json => Wants::List,
            () => Wants::Pages,
        }
    }
}

pub(crate) fn run(args: &args::Review, session: &Session) -> Result<Exit, Failure> {
    if claims::are_meant(args) {
        return claims::run(args, session);
    }
    if args.apply || args.rules.are_named() || !args.results.is_empty() {
        let message = "`--apply`, `--results`, `--rule`, `--voters` and `--adjudicator` are for sets of claims";
        return Err(Failure::Usage(format!(
            "{message}; builds use what was decided, by the rule under `[review]` of the workflow"
        )));
    }
    let mut project =
        session.project_in(&args.of, args.shelf.as_deref(), &args.key, &args.store)?;
    let (built, decisions) = project.inventory_so_far(args.answers.as_deref())?;
    let is_private = project.workspace().is_private();
    let of = |found: &'_ Found| found.trace.reviews.len();
    let mut items: Vec<Item<'_>> = Vec::with_capacity(built.found.iter().map(of).sum());
    for Found { step, unit, trace, .. } in &built.found {
        items.extend(trace.reviews.iter().map(|review| Item { step, unit, review }));
    }
    let wants = args.wants();
    if wants == Wants::List {
        list::tell_state(args, &built, &items, &decisions, is_private);
    }
    if let Some(name) = &args.queue {
        items.retain(|item| queue::of(&item.review.code).name == *name);
    }
    let asking = Asking {
        name: &project.workflow().name,
        items,
        decisions: &decisions,
        hides: is_private && !args.texts,
        names_items: false,
        to_build: built.to_build,
    };
    let queue = args.queue.as_deref();
    // Where one person decides, nothing is hidden from anybody, and a desk is not wanted.
    let rule = decisions.rule();
    let several = rule.voters > 1 || !rule.adjudicators.is_empty() || args.adjudicate;
    let desk = || several.then(|| project.desk(&built, queue)).transpose();
    match wants {
        Wants::Decide => {
            let desk = desk()?;
            let stale = |review: &Review| decide::before_it_changed(review, &asking);
            let decided =
                decide::lines(args, &asking, desk.as_ref().map(|open| &open.desk), &stale)?;
            let path = project.decide(&decided.lines)?;
            let place = if is_private { "the shelf".into() } else { path.display().to_string() };
            let mut said = decided.said;
            said.push(format!("written to {place}; {BUILD_AGAIN}"));
            decide::tell(&said)
        }
        Wants::List => {
            let desk = desk()?;
            list::run(args, asking, desk.as_ref().map(|open| &open.desk))
        }
        Wants::Desk => {
            let seed = project.workflow().seed;
            table::run(args, project.desk(&built, queue)?, seed, BUILD_AGAIN)
        }
        Wants::Pages => {
            let desk = project.desk(&built, queue)?;
            refuse_words(args, desk.is_private)?;
            drop(asking);
            pages(args, desk, built, session)
        }
    }
}

/// What follows from decisions on a build.
const BUILD_AGAIN: &str = "build again to see what follows";

/// Pages show words, so those of private books want to be asked for.
pub(super) fn refuse_words(args: &args::Review, is_private: bool) -> Result<(), Fault> {
    if !is_private || args.texts {
        return Ok(());
    }
    let hint = "`--texts` says that they may be shown; `--list` shows the items without them";
    Err(fault("these pages would show the words of private books", hint))
}

/// Serves the pages.
#[cfg(feature = "app")]
fn pages(
    args: &args::Review,
    desk: OpenDesk,
    built: Inventory,
    session: &Session,
) -> Result<Exit, Failure> {
    app::of_build(args, desk, built, Next::of_review(args), session)
}

/// Without the pages a list is what there is.
#[cfg(not(feature = "app"))]
fn pages(_: &args::Review, _: OpenDesk, _: Inventory, _: &Session) -> Result<Exit, Failure> {
    Err(no_pages().into())
}

#[cfg(not(feature = "app"))]
pub(super) fn no_pages() -> Fault {
    let hint = "`--list` and `--decide` work without it";
    fault("this program was built without the feature `app`, so it has no pages", hint)
}

pub(super) fn fault(message: &str, hint: &str) -> Fault {
    Fault::new(FaultKind::Input, message).hint(hint)
}
