//! The pages of `storymill review`, served to one browser on this machine.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use storymill::{Inventory, OpenDesk};
use storymill_core::{Book, Decision, Fault, PartRef, Record};
use storymill_review::Desk;
use storymill_view::desk::{Books, Kept, Setting};

use super::fault;
use crate::{
    args,
    exit::{Exit, Failure},
    next::Next,
    serve::desk::serve,
    session::Session,
    table::plural,
};

/// Serves the pages of a build until somebody says stop.
pub(super) fn of_build(
    args: &args::Review,
    open: OpenDesk,
    built: Inventory,
    next: Next<'_>,
    session: &Session,
) -> Result<Exit, Failure> {
    let mut warnings = Vec::new();
    if open.to_build > 0 {
        let units = plural(open.to_build as u64, "unit");
        warnings.push(format!("{units} still to be built: these are the items so far."));
    }
    if open.path().is_none() {
        // Better now than after the first decision.
        let hint = "write `decisions = [\"decisions.jsonl\"]` at the top of it; the file is made with the first decision";
        return Err(fault("the workflow names no file of decisions", hint).into());
    }
    let title = format!("{} {}", open.name, built.workflow().version);
    let uses = next.build("");
    let names = "It stands beside your decisions in the file of the workflow; a release has a pseudonym in its place.".to_owned();
    let setting = Setting { title, uses, names, warnings };
    run(args, open, Box::new(Built::new(built)), setting, session)
}

/// Serves the pages of a desk.
pub(in super::super) fn run(
    args: &args::Review,
    open: OpenDesk,
    books: Box<dyn Books>,
    setting: Setting,
    session: &Session,
) -> Result<Exit, Failure> {
    serve((args.port, args.format), &args.by, Box::new(Open(open)), books, setting, session)
}

struct Open(OpenDesk);

impl Kept for Open {
    fn desk(&self) -> &Desk {
        &self.0.desk
    }

    fn refresh(&mut self) -> Result<(), Fault> {
        self.0.refresh().map(drop)
    }

    fn save(&mut self, lines: &[Decision]) -> Result<(), Fault> {
        self.0.save(lines)
    }

    fn forget_gone(&mut self) {
        self.0.desk.forget_gone();
    }
}

/// The books that were built, read when a page wants them.
struct Built {
    inventory: Inventory,
    parts: BTreeMap<String, PartRef>,
    read: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

/// How many books are kept in memory.
const KEPT: usize = 16;

impl Built {
    fn new(inventory: Inventory) -> Self {
        let workflow = inventory.workflow();
        let holds_books =
            |step: &str| workflow.step(step).is_some_and(|step| step.record() == Book::NAME);
        let mut parts = BTreeMap::new();
        for found in inventory.found.iter().filter(|found| holds_books(&found.step)) {
            // The first step that holds a book is nearest to the page.
            if let Some(part) = &found.part {
                parts.entry(found.unit.to_string()).or_insert_with(|| part.clone());
            }
        }
        Self { inventory, parts, read: Mutex::default() }
    }
}

impl Books for Built {
    fn text(&self, book: &str) -> Option<Arc<str>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = read.get(book) {
            return text.clone();
        }
        let rows = self.parts.get(book).and_then(|part| self.inventory.rows::<Book>(part).ok());
        let text = rows.and_then(|rows| rows.first().map(|book| Arc::from(book.text.as_str())));
        if read.len() >= KEPT {
            read.clear();
        }
        read.insert(book.to_owned(), text.clone());
        text
    }
}
