//! The models of a workflow: opening the log of answers, and asking within limits.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use storymill_core::{Asker, Fault, FaultKind, reader::READER};
use storymill_llm::{
    AnswerLog, AskerOptions, Limits, Mode, ModelAsker, ModelConfig, Prices, doctor,
    reader::{Reader, Readers},
    wire::Wires,
};
use storymill_pipeline::{NoModel, Step, Workflow};

use crate::{
    Project, damage,
    events::{Asked, Events, Notice},
    rates::Rates,
    surroundings::Surroundings,
    taggers::Lazy,
    workspace::Workspace,
};

/// Where answers come from, and what they may cost.
///
/// By default the log is read first and models are asked for what it lacks, without limits.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// The folder that keeps every answer; `answers` in the store where none is named.
    pub answers: Option<PathBuf>,
    /// Whether models are asked.
    pub mode: Mode,
    /// The prices of models.
    pub prices: Prices,
    /// Limits on requests and money.
    pub limits: Limits,
    /// Limits on how fast models are asked, beside those of the workflow.
    pub rates: Rates,
    /// Whether damaged files of the log are set aside, and what is lost is asked for again.
    pub ask_again: bool,
    /// How long endpoints are waited for that are still starting.
    pub wait_ready: Option<Duration>,
    /// The folder with the models of the taggers; where none is named they are looked for.
    pub taggers: Option<PathBuf>,
    /// Which readers may be started, and how.
    pub readers: Readers,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            answers: None,
            mode: Mode::Prefer,
            prices: Prices::default(),
            limits: Limits::default(),
            rates: Rates::default(),
            ask_again: false,
            wait_ready: None,
            taggers: None,
            readers: Readers::default(),
        }
    }
}

impl ModelOptions {
    /// Answers that are there are read, and nobody is asked.
    pub fn frozen(answers: Option<&Path>) -> Self {
        Self { answers: answers.map(Path::to_owned), mode: Mode::Frozen, ..Self::default() }
    }
}

impl Project {
    /// The models of a workflow, ready to ask, with the log of this workspace.
    pub(crate) fn models(
        &self,
        workflow: &Workflow,
        options: &ModelOptions,
        events: &Arc<dyn Events>,
    ) -> Result<Models, Fault> {
        let (wires, here) = (self.registry.wires(), &self.workspace);
        Models::open(workflow, wires, here, &self.surroundings, options, events)
    }
}

/// The models of a workflow, with their log; or none.
pub(crate) struct Models {
    asker: Option<(ModelAsker, Arc<AnswerLog>)>,
}

impl Models {
    /// Opens the log and makes ready to ask. A workflow without models opens nothing.
    pub(crate) fn open(
        workflow: &Workflow,
        wires: &Wires,
        workspace: &Workspace,
        surroundings: &Surroundings,
        options: &ModelOptions,
        events: &Arc<dyn Events>,
    ) -> Result<Self, Fault> {
        let configs = options.rates.cap(configs(workflow)?)?;
        let taggers = Lazy::all(options.taggers.as_deref(), &workflow.root, &surroundings.data);
        let asked: BTreeSet<String> = workflow.steps.iter().flat_map(Step::models).collect();
        let here = |name: &str| asked.contains(name);
        if configs.is_empty() && !here(READER) && !taggers.iter().any(|(name, _)| here(name)) {
            return Ok(Self { asker: None });
        }
        if let Some(longest) = options.wait_ready {
            for config in configs.values() {
                doctor::wait_ready(
                    config,
                    wires,
                    &*surroundings.environment,
                    longest,
                    &surroundings.stop,
                )?;
            }
        }
        if let Some(missing) = workflow.answers.iter().find(|path| !path.exists()) {
            let message = "the workflow names answers that are not there";
            return Err(Fault::new(FaultKind::Input, message)
                .at(missing)
                .hint("`answers` holds paths relative to the workflow file"));
        }
        let folder = if let Some(folder) = &options.answers {
            folder.clone()
        } else {
            workspace.disk.refuse_links(&workspace.store, "answers")?;
            workspace.store.join("answers")
        };
        let open = || AnswerLog::open(&folder, &workflow.answers, Arc::clone(&workspace.disk));
        let mut log = open()?;
        if options.ask_again {
            damage::set_aside(&log, &folder, &*workspace.disk, &options.prices, &**events)?;
            log = open()?;
            log.pass_over_damage()?;
        }
        if workspace.disk.has_objects(&folder) {
            refuse_anew(options.mode)?;
            log.refuse_conflicts()?;
        }
        let log = Arc::new(log);
        let asker = ModelAsker::new(
            Arc::clone(&log),
            configs,
            AskerOptions {
                mode: options.mode,
                limits: options.limits,
                prices: options.prices.clone(),
                private_to: workspace.is_private().then(|| workflow.send_private_to.clone()),
                wires: wires.clone(),
            },
            surroundings.boxed(),
            Arc::clone(events) as _,
            Arc::clone(&surroundings.stop),
        )?;
        let asker =
            taggers.into_iter().fold(asker, |asker, (name, tagger)| asker.with_local(name, tagger));
        let reader = Reader::new(options.readers.clone(), workspace.is_private());
        let asker = asker.with_local(READER, Arc::new(reader));
        Ok(Self { asker: Some((asker, log)) })
    }

    /// Who answers.
    pub(crate) fn asker(&self) -> &dyn Asker {
        match &self.asker {
            Some((asker, _)) => asker,
            None => &NoModel,
        }
    }

    /// The asker of models, if there are models.
    pub(crate) fn model_asker(&self) -> Option<&ModelAsker> {
        self.asker.as_ref().map(|(asker, _)| asker)
    }

    /// The log, if there are models.
    pub(crate) fn log(&self) -> Option<&AnswerLog> {
        self.asker.as_ref().map(|(_, log)| &**log)
    }

    /// What was asked so far, if there are models.
    pub(crate) fn asked(&self) -> Option<Asked> {
        let asker = self.model_asker()?;
        let (answered_here, expected) = (asker.answered_here(), asker.expected());
        Some(Asked { ledger: asker.ledger(), answered_here, expected })
    }

    /// The users' names for the weights of the models that these steps ask, each once.
    pub(crate) fn ids<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> Vec<String> {
        let names: BTreeSet<String> = steps.into_iter().flat_map(Step::models).collect();
        let id = |name: &String| self.asker.as_ref()?.0.model_id(name).ok();
        let ids: BTreeSet<String> = names.iter().filter_map(id).collect();
        ids.into_iter().collect()
    }

    /// Says what became of the answers of a run that ends by a fault, if they are not where they were.
    pub(crate) fn look_after(&self, failed: &Fault, events: &dyn Events) {
        let Some(Err(fault)) = self.log().map(AnswerLog::check) else { return };
        if fault.message != failed.message {
            let hint = fault.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            events.notice(Notice::warning(format!("{fault}{hint}")));
        }
    }

    /// Seals what this run has appended, so that the next one opens it at once. That is a service
    /// to the next run: where it fails, nothing is lost.
    ///
    /// # Errors
    ///
    /// Answers are not where they were.
    pub(crate) fn close(&self, events: &dyn Events) -> Result<(), Fault> {
        let Some((_, log)) = &self.asker else { return Ok(()) };
        log.check()?;
        if log.is_growing()
            && let Err(fault) = log.seal()
        {
            let message = format!("the answers are kept, and were not sealed: {fault}");
            events.notice(Notice::warning(message));
        }
        Ok(())
    }
}

/// Refuses to ask anew what is answered: on a store of many machines one question has one answer.
fn refuse_anew(mode: Mode) -> Result<(), Fault> {
    if mode != Mode::Live {
        return Ok(());
    }
    let message =
        "everything would be answered anew, and a store by URL keeps one answer to each question";
    Err(Fault::new(FaultKind::Input, message)
        .hint("name a folder of this machine with `--answers`"))
}

/// The models as the workflow describes them.
///
/// # Errors
///
/// The registry's models are not those of `storymill-llm`.
pub fn configs(workflow: &Workflow) -> Result<BTreeMap<String, ModelConfig>, Fault> {
    let config = |(name, value): (&String, &serde_json::Value)| {
        let config = serde_json::from_value(value.clone()).map_err(|error| {
            Fault::new(FaultKind::Internal, format!("cannot read the model `{name}` again"))
                .because(error)
        })?;
        Ok((name.clone(), config))
    };
    workflow.models.iter().map(config).collect()
}
