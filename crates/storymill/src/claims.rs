//! Claims put to a model: the workflow that does it, composed here. Its rows are what is wanted.

use std::sync::Arc;

use storymill_core::{ClaimAnswer, Options as _};
use storymill_llm::{ModelConfig, TooLong};
use storymill_pipeline::{NotAWorkflow, Workflow};
use storymill_sources::{ClaimRequests, RequestLines};
use storymill_transforms::AskClaims;

use crate::{Project, Ready, Registry};

/// The step of the answers.
const ANSWERS: &str = "answers";

impl Project {
    /// A project that puts requests about claims to a model, which the workflow knows by a name. Private ones
    /// want a private workspace ([`Project::in_workspace`]), and are sent to endpoints of this machine and to those
    /// named here.
    ///
    /// # Errors
    ///
    /// The model cannot be described so.
    pub fn of_claims(
        requests: Arc<dyn RequestLines>,
        (name, model): (&str, &ModelConfig),
        send_private_to: &[String],
        registry: impl Into<Arc<Registry>>,
    ) -> Result<Self, NotAWorkflow> {
        let registry = registry.into();
        // What does not fit is no answer; the others are asked all the same.
        let model = ModelConfig { too_long: TooLong::Reject, ..model.clone() };
        let options = serde_json::json!({ "from": "requests", "model": name });
        let stage = AskClaims::with(options).expect("these are its options");
        let workflow = Workflow::builder("claims", "1.0.0", 0)
            .unpublished()
            .model(name, &model)
            .source("requests", ClaimRequests {})
            .stage(ANSWERS, stage);
        let workflow = send_private_to.iter().fold(workflow, |all, one| all.send_private_to(one));
        let mut workflow = workflow.build(registry.kinds())?;
        workflow.lent.lend(requests);
        Ok(Self::of(workflow, registry))
    }
}

impl Ready<'_> {
    /// Asks what was not asked yet, and gives the answer to each request in the order of their ids.
    ///
    /// # Errors
    ///
    /// As of [`rows`](Self::rows).
    pub fn claim_answers(&self) -> Result<Vec<ClaimAnswer>, storymill_core::Fault> {
        let mut answers: Vec<ClaimAnswer> = self.rows(ANSWERS)?;
        answers.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(answers)
    }
}
