//! What a workflow asks next, for those who carry the requests elsewhere or look into them.

use std::sync::Arc;

use storymill_core::{Asked, Asker, Fault, FaultKind};
use storymill_llm::{AnswerLog, ModelAsker};
use storymill_pipeline::{Claim, Step, Visitor, Workflow, plan};

use crate::{
    Project,
    claims::Exposures,
    damage::Watched,
    events::Events,
    models::{ModelOptions, Models},
    settle::{By, settle},
};

/// What a workflow asks next. What needs no answer is made first.
pub struct Requests {
    workflow: Workflow,
    models: Models,
    store: Watched,
    events: Arc<dyn Events>,
}

impl std::fmt::Debug for Requests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Requests").field("workflow", &self.workflow).finish_non_exhaustive()
    }
}

/// Gathers what would be asked.
struct Gather(Vec<Asked>);

impl Visitor for Gather {
    const ASKS: bool = true;

    fn asks(&mut self, _: &Step, wave: Vec<Asked>) {
        self.0.extend(wave);
    }
}

impl Project {
    /// What the workflow asks next; none if it has no models.
    ///
    /// # Errors
    ///
    /// The store or the log of answers cannot be opened.
    pub fn requests(&self, options: &ModelOptions) -> Result<Option<Requests>, Fault> {
        let workspace = &self.workspace;
        let mut workflow = self.lent()?;
        let by = By::of(options, None, workspace, None);
        settle(&mut workflow, &by, &self.surroundings.data);
        let models = self.models(&workflow, options, &self.events)?;
        let store = workspace.claim(Claim::Whole)?;
        let store = Watched::new(store, &self.events);
        Ok(models.model_asker().is_some().then(|| {
            let events = Arc::clone(&self.events);
            Requests { workflow, models, store, events }
        }))
    }
}

impl Requests {
    /// All that is asked next.
    ///
    /// # Errors
    ///
    /// A step fails.
    pub fn all(&self) -> Result<Vec<Asked>, Fault> {
        let mut gather = Gather(Vec::new());
        plan(&self.workflow, &self.store, self.models.asker(), &(), &mut gather)?;
        Ok(gather.0)
    }

    /// What is asked next of models elsewhere. What this machine answers it answers at once.
    ///
    /// # Errors
    ///
    /// A step fails, or a model of this machine.
    pub fn elsewhere(&self) -> Result<Vec<Asked>, Fault> {
        let asker = self.asker();
        loop {
            let is_here = |asked: &Asked| asker.answers_here(&asked.request.model);
            let (here, elsewhere): (Vec<_>, Vec<_>) = self.all()?.into_iter().partition(is_here);
            if here.is_empty() {
                return Ok(elsewhere);
            }
            asker.ask(&here)?;
            if here.iter().any(|asked| !self.log().has(&asked.key)) {
                let message = "a model on this machine left requests without an answer";
                return Err(Fault::new(FaultKind::Internal, message));
            }
        }
    }

    /// Seals what was appended to the log, so that the next run opens it at once.
    ///
    /// # Errors
    ///
    /// Answers are not where they were.
    pub fn close(&self) -> Result<(), Fault> {
        self.models.close(&*self.events)
    }

    /// Who is asked.
    pub fn asker(&self) -> &ModelAsker {
        self.models.model_asker().expect("there are no requests without models")
    }

    /// Where it is noted who is shown requests of a private workflow.
    pub fn exposures(&self) -> Option<&Exposures> {
        self.workflow.lent.get::<Arc<Exposures>>().map(|exposures| &**exposures)
    }

    /// Where the answers are kept.
    pub fn log(&self) -> &AnswerLog {
        self.models.log().expect("there are no requests without models")
    }
}
