//! What of the machine around it a project may use. The library reads no environment by itself.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use storymill_core::{Fault, FaultKind};
use storymill_llm::Env;

use crate::data::DataFolders;

/// What of the machine around it a project may use: keys of endpoints, folders with models of taggers, and a
/// flag that stops it.
///
/// By default it has no keys, and looks for models beside the workflow alone.
#[derive(Clone)]
pub struct Surroundings {
    /// Looks up a variable that a workflow names: those hold keys of endpoints.
    pub environment: Arc<Env>,
    /// Where models of taggers lie.
    pub data: DataFolders,
    /// Set, by whoever likes, to stop: what is done by then is kept.
    pub stop: Arc<AtomicBool>,
}

impl Default for Surroundings {
    fn default() -> Self {
        let (data, stop) = (DataFolders::default(), Arc::default());
        Self { environment: Arc::new(|_: &str| None), data, stop }
    }
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("data", &self.data).finish_non_exhaustive()
    }
}

impl Surroundings {
    /// The environment for an asker, which keeps one.
    pub(crate) fn boxed(&self) -> Box<Env> {
        let environment = Arc::clone(&self.environment);
        Box::new(move |name| environment(name))
    }

    /// A fault once somebody wants a stop; `doing` is what is stopped.
    pub(crate) fn go_on(&self, doing: &str, hint: &str) -> Result<(), Fault> {
        if !self.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        Err(Fault::new(FaultKind::Interrupted, format!("stopped while {doing}")).hint(hint))
    }
}
