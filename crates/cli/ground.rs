//! Where a build keeps what it makes: a folder, or the inside of a shelf.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Disk, Fault, FaultKind};
use storymill_llm::{AskEvent, AskEvents};
use storymill_pipeline::{Event, Events, Outcome, StepReject, store::RealDisk};
use storymill_shelf::{Access, MOUNT, Mount, Shelf};

use crate::{
    args::shelf::{KeyFile, Place},
    exit::Failure,
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

    /// The inside of a shelf, whose books the source `shelf` then reads.
    pub(crate) fn shelf(shelf: &Path, key: &KeyFile) -> Result<Self, Failure> {
        let place = Place { shelf: shelf.to_owned(), key: key.clone() };
        let shelf = secrets::open(&place, Access::Change)?;
        storymill_shelf::lend(Some(Arc::clone(&shelf)));
        let store = Path::new(MOUNT).join("store");
        let disk = Arc::new(Mount::new(Arc::clone(&shelf)));
        Ok(Self { disk, store, private: true, shelf: Some(shelf) })
    }

    /// Notes in the shelf where private text may be sent.
    pub(crate) fn note_endpoints(&self, endpoints: &[String]) -> Result<(), Fault> {
        self.shelf.as_ref().map_or(Ok(()), |shelf| shelf.note_endpoints(endpoints))
    }
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
        KEPT.clone_into(&mut review.review.question);
        review.review.excerpt = String::new();
    }
}

/// A fault of a private run without what a model or a stage said.
pub(crate) fn hush_fault(fault: Fault) -> Fault {
    let ours = fault.source.as_ref().is_none_or(|source| source.is::<std::io::Error>());
    match fault.kind {
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
