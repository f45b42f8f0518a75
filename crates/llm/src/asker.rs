//! The asker of the engine: a log of answers, and models behind it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, AskTotals, Asked, Asker, Changes, Digest, Fault, FaultKind, Request, RequestKey,
    UnitId, Written,
};
use tokio::runtime::{Builder, Runtime};

use crate::{
    AnswerLog, AskEvents, Cost, Forecast, LedgerRow, Limits, Local, ModelConfig, Prices,
    budget::Budget,
    cost,
    endpoint::{self, Endpoint},
    keys, local,
    pace::Pace,
    price::Price,
    wave,
};

/// Where answers come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The model answers everything anew; the log keeps the old answers beside.
    Live,
    /// The log first, then the model.
    #[default]
    Prefer,
    /// The log alone: a missing answer is a fault.
    Frozen,
}

/// How to ask.
#[derive(Clone, Debug, Default)]
pub struct AskerOptions {
    /// Where answers come from.
    pub mode: Mode,
    /// What may be used at most.
    pub limits: Limits,
    /// What models cost.
    pub prices: Prices,
    /// The endpoints that may be asked, beside those of this machine: what is asked is private. None:
    /// it is not.
    pub private_to: Option<Vec<String>>,
}

/// Looks up a variable of the environment; the only way this crate sees one.
pub type Env = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Answers waves of requests from a log and from models.
///
/// Answers are used only once they are safe in the log. One wave is asked at a time, and each
/// key once.
pub struct ModelAsker {
    shared: Arc<Shared>,
    models: BTreeMap<String, Arc<Model>>,
    locals: BTreeMap<String, Arc<dyn Local>>,
    env: Box<Env>,
    options: AskerOptions,
    stop: Arc<AtomicBool>,
    runtime: Mutex<Runtime>,
    /// What was refused of the requests for answers that were read; of most of them nothing.
    changes: Mutex<BTreeMap<RequestKey, Changes>>,
}

impl fmt::Debug for ModelAsker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models = self.models.keys().collect::<Vec<_>>();
        f.debug_struct("ModelAsker")
            .field("mode", &self.options.mode)
            .field("models", &models)
            .finish_non_exhaustive()
    }
}

/// What the requests in flight share.
pub(crate) struct Shared {
    pub(crate) log: Arc<AnswerLog>,
    pub(crate) budget: Budget,
    pub(crate) events: Arc<dyn AskEvents>,
    /// The keys answered in this run, where only these count.
    pub(crate) fresh: Option<Mutex<BTreeSet<RequestKey>>>,
    /// How many answers this machine gave in this run.
    pub(crate) here: AtomicU64,
}

/// A model of the workflow.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) config: ModelConfig,
    pub(crate) pace: Pace,
    pub(crate) price: Option<Price>,
    /// What the endpoint has refused in this run, and is sent without or under another name.
    pub(crate) changes: Mutex<Changes>,
    private: bool,
    endpoint: Mutex<Option<Arc<Endpoint>>>,
}

impl Model {
    fn endpoint(&self, env: &Env) -> Result<Arc<Endpoint>, Fault> {
        let mut endpoint = lock(&self.endpoint);
        if let Some(endpoint) = &*endpoint {
            return Ok(Arc::clone(endpoint));
        }
        let made = Arc::new(Endpoint::new(&self.config, env, self.private)?);
        *endpoint = Some(Arc::clone(&made));
        Ok(made)
    }
}

impl ModelAsker {
    /// An asker over a log and the models of a workflow. Keys to endpoints are looked up when a
    /// model is first asked: a run that finds every answer in the log needs none.
    ///
    /// Setting `stop` ends a wave within a second; what had arrived is kept.
    pub fn new(
        log: Arc<AnswerLog>,
        models: BTreeMap<String, ModelConfig>,
        options: AskerOptions,
        env: Box<Env>,
        events: Arc<dyn AskEvents>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, Fault> {
        let model = |(name, config): (String, ModelConfig)| {
            config.check().map_err(|mistakes| {
                let message = format!("model `{name}`: {}", mistakes.join("; "));
                Fault::new(FaultKind::Input, message)
            })?;
            if let Some(allowed) = &options.private_to {
                endpoint::may_have_private(&name, &config, allowed)?;
            }
            let model = Model {
                name: name.clone(),
                pace: Pace::new(&config),
                price: options.prices.of(&config),
                changes: Mutex::default(),
                private: options.private_to.is_some(),
                endpoint: Mutex::new(None),
                config,
            };
            Ok((name, Arc::new(model)))
        };
        let models = models.into_iter().map(model).collect::<Result<_, Fault>>()?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot start the client of models").because(error)
        })?;
        let fresh = (options.mode == Mode::Live).then(Mutex::default);
        let budget = Budget::new(options.limits);
        let here = AtomicU64::new(0);
        let shared = Arc::new(Shared { log, budget, events, fresh, here });
        let locals = BTreeMap::new();
        let (runtime, changes) = (Mutex::new(runtime), Mutex::default());
        Ok(Self { shared, models, locals, env, options, stop, runtime, changes })
    }

    /// The asker with a model that answers on this machine, under the name by which stages ask it.
    pub fn with_local(mut self, name: &str, model: Arc<dyn Local>) -> Self {
        self.locals.insert(name.to_owned(), model);
        self
    }

    /// What this run has cost so far, by unit, stage and model.
    pub fn ledger(&self) -> Vec<LedgerRow> {
        self.shared.budget.ledger()
    }

    /// How many answers this machine gave in this run; the ledger does not hold them.
    pub fn answered_here(&self) -> u64 {
        self.shared.here.load(Ordering::Relaxed)
    }

    /// What a wave would cost, by stage and model: its requests that the log does not answer.
    pub fn forecast(&self, wave: &[Asked]) -> BTreeMap<(String, String), Forecast> {
        let missing = wave.iter().filter(|asked| !self.has(&asked.key));
        cost::of_wave(missing, |name| {
            self.models.get(name).map(|model| (&model.config, model.price))
        })
    }

    /// About what an exchange with a model of the workflow costs.
    pub fn about(&self, model: &str, exchanged: &AskTotals) -> Cost {
        Cost::about(exchanged, self.price(model))
    }

    /// The request as its key sees it: canonical JSON, for `explain`.
    pub fn canonical(&self, request: &Request, sample: u32, attempt: u32) -> Result<String, Fault> {
        if self.locals.contains_key(&request.model) {
            return Ok(keys::canonical_here(request));
        }
        let model = self.model(&request.model)?;
        Ok(keys::canonical_chat(&model.config, keys::chat(request)?, sample, attempt))
    }

    /// The user's name for the weights of a model of the workflow.
    pub fn model_id(&self, name: &str) -> Result<String, Fault> {
        if let Some(local) = self.locals.get(name) {
            return Ok(local.id().to_owned());
        }
        Ok(self.model(name)?.config.id().to_owned())
    }

    /// How the workflow describes a model.
    pub fn config(&self, name: &str) -> Result<&ModelConfig, Fault> {
        Ok(&self.model(name)?.config)
    }

    /// Whether this machine answers for a model.
    pub fn answers_here(&self, name: &str) -> bool {
        self.locals.contains_key(name)
    }

    pub(crate) fn log(&self) -> &AnswerLog {
        &self.shared.log
    }

    /// What models cost.
    pub fn prices(&self) -> &Prices {
        &self.options.prices
    }

    pub(crate) fn price(&self, name: &str) -> Option<Price> {
        self.models.get(name).and_then(|model| model.price)
    }

    fn model(&self, name: &str) -> Result<&Arc<Model>, Fault> {
        self.models.get(name).ok_or_else(|| {
            let known: Vec<String> =
                self.models.keys().map(|name| format!("`[model.{name}]`")).collect();
            let message = format!("a stage asks the model `{name}`, which is not described");
            let hint = if known.is_empty() {
                format!("describe it in the workflow, in a table `[model.{name}]`")
            } else {
                format!("the workflow describes {}", known.join(", "))
            };
            Fault::new(FaultKind::Input, message).hint(hint)
        })
    }

    fn has(&self, key: &RequestKey) -> bool {
        let fresh = self.shared.fresh.as_ref();
        fresh.is_none_or(|fresh| lock(fresh).contains(key)) && self.shared.log.has(key)
    }

    /// The models of a wave, ready to be asked.
    fn ready(&self, wave: &[&Asked]) -> Result<BTreeMap<String, wave::Line>, Fault> {
        let mut lines = BTreeMap::new();
        for asked in wave {
            if lines.contains_key(&asked.request.model) {
                continue;
            }
            let model = self.model(&asked.request.model)?;
            if self.options.limits.max_usd.is_some() && model.price.is_none() {
                let message =
                    format!("the cost is limited, and model `{}` has no price", model.name);
                let hint = format!(
                    "add `[\"{}\"]` to the table of prices that `--prices` names",
                    model.config.id()
                );
                return Err(Fault::new(FaultKind::Input, message).hint(hint));
            }
            let line = wave::Line::new(Arc::clone(model), model.endpoint(&*self.env)?);
            lines.insert(model.name.clone(), line);
        }
        Ok(lines)
    }

    /// The fault of a frozen run: what is missing, and what it would cost.
    fn missing(&self, wave: &[&Asked]) -> Fault {
        let wave: Vec<Asked> = wave.iter().map(|asked| (*asked).clone()).collect();
        let costs = self.forecast(&wave);
        let here = wave.iter().filter(|asked| self.locals.contains_key(&asked.request.model));
        let here = here.count();
        let mut costs: Vec<String> = costs
            .iter()
            .map(|((stage, model), cost)| format!("`{stage}` asks `{model}`: {cost}"))
            .collect();
        if here > 0 {
            costs.push(format!("{here} that this machine could answer"));
        }
        let name = |asked: &Asked| format!("{} ({})", asked.key.0.short(), asked.unit);
        let mut names: Vec<String> = wave.iter().take(5).map(name).collect();
        if wave.len() > names.len() {
            names.push(format!("and {} more", wave.len() - names.len()));
        }
        let answers = if wave.len() == 1 { "answer is" } else { "answers are" };
        let message = format!(
            "the run is frozen, and {} {answers} not in the log: {}; {}",
            wave.len(),
            names.join(", "),
            costs.join("; ")
        );
        Fault::new(FaultKind::Lock, message)
            .hint("import the pack that belongs to the lock, or run without `--frozen`")
    }
}

impl Asker for ModelAsker {
    fn key(
        &self,
        unit: &UnitId,
        request: &Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        let id = match self.locals.get(&request.model) {
            Some(local) => local.id(),
            None => self.model(&request.model)?.config.id(),
        };
        Ok(keys::key(unit, id, &self.canonical(request, sample, attempt)?, sample, attempt))
    }

    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        let fresh = self.shared.fresh.as_ref();
        if fresh.is_some_and(|fresh| !lock(fresh).contains(key)) {
            return Ok(None);
        }
        // What was made of an answer that is gone would be made of another one.
        if fresh.is_none() && self.shared.log.is_gone(key) {
            self.stop_if_damaged()?;
        }
        let sent = self.shared.log.sent(key).map_err(|fault| self.with_damage(fault))?;
        let Some((answer, changes)) = sent else { return Ok(None) };
        if !changes.is_empty() {
            lock(&self.changes).insert(*key, changes);
        }
        Ok(Some(answer))
    }

    fn changes(&self, key: &RequestKey) -> Changes {
        lock(&self.changes).get(key).cloned().unwrap_or_default()
    }

    fn written(&self, key: &RequestKey) -> Result<Option<Written>, Fault> {
        self.shared.log.written(key)
    }

    fn costs(&self, model: &str) -> bool {
        self.options.mode != Mode::Frozen && !self.locals.contains_key(model)
    }

    fn favour(&self, reads: &[(RequestKey, Digest)]) {
        // Where everything is answered anew, what was read before counts for nothing.
        if self.options.mode != Mode::Live {
            self.shared.log.favour(reads.iter().copied());
        }
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        // One wave at a time: whoever comes second finds the answers of the first in the log.
        let runtime = lock(&self.runtime);
        let mut seen = BTreeSet::new();
        let missing: Vec<&Asked> =
            wave.iter().filter(|asked| seen.insert(asked.key) && !self.has(&asked.key)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        if self.options.mode != Mode::Live {
            self.stop_if_damaged()?;
        }
        if self.options.mode == Mode::Frozen {
            return Err(self.missing(&missing));
        }
        if self.stop.load(Ordering::SeqCst) {
            return Err(wave::stopped());
        }
        let local = |asked: &&Asked| self.locals.get(&asked.request.model).map(|model| &**model);
        let (here, missing): (Vec<&Asked>, Vec<&Asked>) =
            missing.into_iter().partition(|asked| local(asked).is_some());
        if !here.is_empty() {
            let here: Vec<_> =
                here.iter().filter_map(|asked| Some((*asked, local(asked)?))).collect();
            let answered = local::answer(&self.shared, &here, &self.stop);
            // What was answered before something went wrong is kept too.
            runtime.block_on(self.shared.log.flush())?;
            answered?;
        }
        if missing.is_empty() {
            return Ok(());
        }
        let lines = self.ready(&missing)?;
        runtime.block_on(self.shared.log.has_room())?;
        self.shared.events.emit(crate::AskEvent::WaveStarted {
            requests: missing.len(),
            in_log: seen.len().saturating_sub(missing.len()),
        });
        runtime.block_on(wave::run(&self.shared, lines, missing, &self.stop))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
