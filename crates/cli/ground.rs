//! Where a build keeps what it makes: a folder, or the inside of a shelf.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Book, BookId, Decisions, Desk, Disk, Fault, FaultKind, Reason, Review, Stop};
use storymill_llm::{AskEvent, AskEvents, LimitReached};
use storymill_pipeline::{Event, Events, Outcome, StepReject, Workflow, store::RealDisk};
use storymill_shelf::{Access, Books, Cleaner, MOUNT, Mount, Shelf};
use storymill_sources::clean_decided;

use crate::{
    args::shelf::{KeyFile, Place},
    exit::Failure,
    kinds,
    progress::Progress,
    secrets,
};

/// A disk, and the folder of the store on it.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) store: PathBuf,
    /// Whether what is made here must not be shown.
    pub(crate) private: bool,
    shelf: Option<Arc<Shelf>>,
}

impl Ground {
    /// A folder of this machine.
    pub(crate) fn folder(store: &Path) -> Self {
        Self { disk: Arc::new(RealDisk), store: store.to_owned(), private: false, shelf: None }
    }

    /// The shelf that was named, else the folder.
    pub(crate) fn of(shelf: Option<&Path>, key: &KeyFile, folder: &Path) -> Result<Self, Failure> {
        let Some(shelf) = shelf else { return Ok(Self::folder(folder)) };
        let place = Place { shelf: shelf.to_owned(), key: key.clone() };
        Ok(Self::shelf(secrets::open(&place, Access::Change)?))
    }

    /// The inside of a shelf, whose books the source `shelf` then reads.
    pub(crate) fn shelf(shelf: Arc<Shelf>) -> Self {
        let store = Path::new(MOUNT).join("store");
        let disk = Arc::new(Mount::new(Arc::clone(&shelf)));
        Self { disk, store, private: true, shelf: Some(shelf) }
    }

    /// A workflow that is read to run here. What people decide about private books is in the shelf: a
    /// decision names what it is about by a digest that anyone could guess at, and may quote it.
    pub(crate) fn read(&self, path: &Path) -> Result<Workflow, Failure> {
        let mut workflow = Workflow::read(path, &kinds::registry())?;
        if let Some(shelf) = &self.shelf {
            workflow.lent.lend(Arc::clone(shelf));
            workflow.lent.lend(cleaner as Cleaner);
            if !workflow.decided.is_empty() {
                let hint = "take `decisions` out of the workflow, and decide with `storymill reviews --shelf DIR`";
                let message = "decisions about private books would lie in clear";
                return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
            }
            workflow.decided_in(Path::new(MOUNT).join(DECISIONS), &*self.disk)?;
        }
        Ok(workflow)
    }

    /// Notes in the shelf where private text may be sent.
    pub(crate) fn note_endpoints(&self, endpoints: &[String]) -> Result<(), Fault> {
        self.shelf.as_ref().map_or(Ok(()), |shelf| shelf.note_endpoints(endpoints))
    }
}

/// The file of a shelf with what people decided about its books.
const DECISIONS: &str = "decisions";

/// Makes a private book of its page, as people decided.
fn cleaned(page: &[u8], name: &str, id: &BookId, desk: &mut Desk<'_>) -> Result<Book, Stop> {
    Ok(clean_decided(page, name, id, desk)?.book(id.clone(), None))
}

/// The same for a build, which leaves out what people have to decide on first.
fn cleaner(page: &[u8], name: &str, id: &BookId, desk: &mut Desk<'_>) -> Result<Book, Stop> {
    let cleaned = clean_decided(page, name, id, desk)?;
    cleaned.check_cuts().map_err(Stop::Reject)?;
    Ok(cleaned.book(id.clone(), None))
}

/// A private book as people decided, where they decided anything.
pub(crate) fn decided_book(shelf: &Shelf, id: &BookId) -> Result<Book, Fault> {
    let Some(kept) = shelf.read(DECISIONS)? else { return Books(shelf).book(id) };
    let text = String::from_utf8_lossy(kept.expose());
    let lines = text.lines().zip(1..).map(|(line, at)| (format!("decision {at}"), line));
    let decisions = Decisions::parse(lines)?;
    Books(shelf).decided(id, cleaned, &mut Desk::new(&decisions)).map_err(|stop| match stop {
        Stop::Fault(fault) => fault,
        _ => Fault::new(FaultKind::Input, format!("people decided that `{id}` is left out")),
    })
}

/// A listener that tells how far a private run is, and none of its words.
#[derive(Debug)]
pub(crate) struct Hushed(pub(crate) Arc<Progress>);

impl Events for Hushed {
    fn emit(&self, event: Event) {
        let event = match event {
            Event::UnitRejected { step, unit, mut reason } => {
                KEPT.clone_into(&mut reason.detail);
                Event::UnitRejected { step, unit, reason }
            }
            Event::Note { .. } => return,
            Event::Judged { step, round, accepted, refused, reason, .. } => {
                let reason = reason.map(|reason| Reason { detail: KEPT.to_owned(), ..reason });
                Event::Judged { step, round, accepted, refused, item: None, reason }
            }
            other => other,
        };
        Events::emit(&*self.0, event);
    }
}

impl AskEvents for Hushed {
    fn emit(&self, event: AskEvent) {
        let kept = || KEPT.to_owned();
        let event = match event {
            AskEvent::Retrying { model, retry, wait_millis, .. } => {
                AskEvent::Retrying { model, why: kept(), retry, wait_millis }
            }
            AskEvent::WithoutSchema { model, .. } => AskEvent::WithoutSchema { model, why: kept() },
            AskEvent::Refused { unit, stage, model, .. } => {
                AskEvent::Refused { unit, stage, model, why: kept() }
            }
            other => other,
        };
        AskEvents::emit(&*self.0, event);
    }

    fn flying(&self, requests: usize) {
        self.0.flying(requests);
    }
}

const KEPT: &str = "why is kept in the shelf";

/// Takes the words out of what a private run gave; counts and reasons stay.
pub(crate) fn hush(outcome: &mut Outcome) {
    let reject = |reject: &mut StepReject| {
        reject.reject.item = reject.unit.to_string();
        KEPT.clone_into(&mut reject.reject.reason.detail);
        reject.reject.span = None;
    };
    outcome.rejects.iter_mut().for_each(reject);
    outcome.left_out.iter_mut().for_each(reject);
    for review in &mut outcome.reviews {
        review.review.item = review.unit.to_string();
        hush_review(&mut review.review);
    }
    for lapsed in &mut outcome.lapsed {
        lapsed.item = String::new();
        KEPT.clone_into(&mut lapsed.choice);
    }
}

/// Takes the words of a book out of a doubt about it.
pub(crate) fn hush_review(review: &mut Review) {
    KEPT.clone_into(&mut review.question);
    review.about = String::new();
    review.excerpt = String::new();
    review.choices = Vec::new();
    review.default = String::new();
}

/// A fault of a private run without what a model or a stage said.
pub(crate) fn hush_fault(fault: Fault) -> Fault {
    let ours = fault.source.as_ref().is_none_or(|source| source.is::<std::io::Error>());
    let limit = fault.source.as_ref().is_some_and(|source| source.is::<LimitReached>());
    match fault.kind {
        _ if limit => fault,
        FaultKind::Model | FaultKind::Internal => {
            let what = match fault.kind {
                FaultKind::Model => "a model did not answer as it should",
                _ => "a stage could not go on",
            };
            let hushed = Fault::new(fault.kind, format!("{what}; {KEPT}"));
            hushed.hint("`storymill doctor WORKFLOW` tries the models without private text")
        }
        _ if ours => fault,
        _ => Fault { source: None, ..fault },
    }
}
