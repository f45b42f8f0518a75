//! The models of a workflow: opening the log of answers, and asking within limits.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use storymill_core::{Asker, Fault, FaultKind};
use storymill_llm::{
    AnswerLog, AskEvents, AskerOptions, Env, Limits, Mode, ModelAsker, ModelConfig, Prices, doctor,
    log::RealDisk,
};
use storymill_pipeline::{NoModel, Workflow};

use crate::{args, damage, exit::Failure, ground::Ground, report, taggers::Lazy};

/// Set by Ctrl-C.
pub(crate) static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The first signal asks the run to stop, the second ends the program at once.
pub(crate) fn stop_on_signals() -> Result<(), Failure> {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(crate::exit::INTERRUPTED.code.into());
        }
        report::say("stopping after what is being written; once more to stop at once");
    };
    let set = ctrlc::set_handler(handler);
    set.map_err(|error| {
        Fault::new(FaultKind::Internal, "cannot listen for Ctrl-C").because(error).into()
    })
}

/// The models of a workflow, with their log; or none.
pub(crate) struct Models {
    asker: Option<(ModelAsker, Arc<AnswerLog>)>,
}

impl Models {
    /// Opens the log and makes ready to ask. A workflow without models opens nothing.
    pub(crate) fn open(
        workflow: &Workflow,
        ground: &Ground,
        args: &args::Models,
        events: Arc<dyn AskEvents>,
    ) -> Result<Self, Failure> {
        let configs = configs(workflow)?;
        let taggers = Lazy::all(args.taggers.as_deref(), &workflow.root);
        let asked: BTreeSet<String> =
            workflow.steps.iter().flat_map(storymill_pipeline::Step::models).collect();
        if configs.is_empty() && !taggers.iter().any(|(name, _)| asked.contains(*name)) {
            return Ok(Self { asker: None });
        }
        if let Some(seconds) = args.wait_ready {
            for config in configs.values() {
                doctor::wait_ready(config, &*environment(), Duration::from_secs(seconds), &STOP)?;
            }
        }
        for path in &workflow.answers {
            if !path.exists() {
                let fault =
                    Fault::new(FaultKind::Input, "the workflow names answers that are not there")
                        .at(path);
                return Err(fault
                    .hint("`answers` holds paths relative to the workflow file")
                    .into());
            }
        }
        let folder = if let Some(folder) = &args.answers {
            folder.clone()
        } else {
            ground.disk.refuse_links(&ground.store, "answers")?;
            ground.store.join("answers")
        };
        let open = || AnswerLog::open(&folder, &workflow.answers, Arc::clone(&ground.disk));
        let mut log = open()?;
        let prices = match &args.prices {
            Some(path) if args.batches => prices(path)?.in_batches(),
            Some(path) => prices(path)?,
            None => Prices::default(),
        };
        if args.ask_again {
            damage::set_aside(&log, &folder, &*ground.disk, &prices)?;
            log = open()?;
            log.pass_over_damage()?;
        }
        let log = Arc::new(log);
        let options = AskerOptions {
            mode: match args.mode {
                _ if args.frozen => Mode::Frozen,
                args::Mode::Live => Mode::Live,
                args::Mode::Prefer => Mode::Prefer,
                args::Mode::Frozen => Mode::Frozen,
            },
            limits: Limits {
                max_requests: args.max_requests,
                max_micro_usd: args.max_usd.map(micro_usd).transpose()?,
            },
            prices,
            private_to: ground.private.then(|| workflow.send_private_to.clone()),
        };
        let asker = ModelAsker::new(
            Arc::clone(&log),
            configs,
            options,
            environment(),
            events,
            Arc::clone(&STOP),
        )?;
        let asker =
            taggers.into_iter().fold(asker, |asker, (name, tagger)| asker.with_local(name, tagger));
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

    /// The users' names for the weights of the models that a workflow's steps ask.
    pub(crate) fn ids(&self, workflow: &Workflow) -> Vec<String> {
        let mut ids: Vec<_> = workflow.steps.iter().flat_map(|step| self.ids_of(step)).collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// The users' names for the weights of the models that a step asks.
    pub(crate) fn ids_of(&self, step: &storymill_pipeline::Step) -> Vec<String> {
        let names = step.models();
        let ids = names.iter().filter_map(|name| self.asker.as_ref()?.0.model_id(name).ok());
        let mut ids: Vec<_> = ids.collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// Seals what this run has appended, so that the next one opens it at once. That is a service
    /// to the next run: where it fails, nothing is lost.
    pub(crate) fn close(&self) {
        let Some((_, log)) = &self.asker else { return };
        if log.is_growing()
            && let Err(fault) = log.seal()
        {
            report::warn(&format!("the answers are kept, and were not sealed: {fault}"));
        }
    }
}

/// Opens a log, with packs that are only read.
pub(crate) fn open_log(folder: &Path, packs: &[PathBuf]) -> Result<AnswerLog, Fault> {
    AnswerLog::open(folder, packs, Arc::new(RealDisk))
}

/// The models as the workflow describes them.
pub(crate) fn configs(workflow: &Workflow) -> Result<BTreeMap<String, ModelConfig>, Failure> {
    let config = |(name, value): (&String, &serde_json::Value)| {
        let config = serde_json::from_value(value.clone()).map_err(|error| {
            Fault::new(FaultKind::Internal, format!("cannot read the model `{name}` again"))
                .because(error)
        })?;
        Ok((name.clone(), config))
    };
    workflow.models.iter().map(config).collect()
}

/// The environment, which holds the keys to endpoints.
pub(crate) fn environment() -> Box<Env> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    Box::new(|name| std::env::var(name).ok())
}

/// The table of prices in a file.
pub(crate) fn prices(path: &Path) -> Result<Prices, Fault> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Fault::io("cannot read the prices", path, error).input())?;
    Prices::parse(&text).map_err(|fault| fault.at(path))
}

pub(crate) fn micro_usd(dollars: f64) -> Result<u64, Failure> {
    if !(0.0..=1e9).contains(&dollars) {
        return Err(Failure::Usage("--max-usd takes an amount from 0 to 1,000,000,000".to_owned()));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    let micro = (dollars * 1e6).floor() as u64;
    Ok(micro)
}
