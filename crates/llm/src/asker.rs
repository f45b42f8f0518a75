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
    AnswerLog, AskEvents, Cost, Forecast, LedgerRow, Limits, Local, ModelConfig, Prices, Usage,
    budget::Budget,
    cost, endpoint, keys, local,
    model::{Model, Shared},
    price::Price,
    sharing::{self, Row},
    wave,
    wire::Wires,
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
    /// The wire formats that models may speak, and that batches may be in.
    pub wires: Wires,
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
    expected: Mutex<Cost>,
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
            let wrong = |mistakes: Vec<String>| {
                let message = format!("model `{name}`: {}", mistakes.join("; "));
                Fault::new(FaultKind::Input, message)
            };
            config.check().map_err(wrong)?;
            let wire = options.wires.of_model(&config).map_err(|why| wrong(vec![why]))?;
            if let Some(allowed) = &options.private_to {
                endpoint::may_have_private(&name, &config, allowed)?;
            }
            let (price, private) = (options.prices.of(&config), options.private_to.is_some());
            let model = Model::new(name.clone(), config, wire, price, private);
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
        let (runtime, changes, expected) =
            (Mutex::new(runtime), Mutex::default(), Mutex::default());
        Ok(Self { shared, models, locals, env, options, stop, runtime, changes, expected })
    }

    /// The asker with a model that answers on this machine, under the name by which stages ask it.
    pub fn with_local(mut self, name: &str, model: Arc<dyn Local>) -> Self {
        self.locals.insert(name.to_owned(), model);
        self
    }

    /// The wire formats that models may speak.
    pub fn wires(&self) -> &Wires {
        &self.options.wires
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
    /// They are asked in an order that caches of servers are made for, and reckoned so.
    pub fn forecast(&self, wave: &[Asked]) -> BTreeMap<(String, String), Forecast> {
        let missing = wave.iter().filter(|asked| !self.has(&asked.key)).collect();
        let mut sums = BTreeMap::new();
        for (model, rows) in self.in_order(missing) {
            let stages = cost::of_rows(&rows, model);
            sums.extend(stages.into_iter().map(|(stage, sum)| ((stage, model.name.clone()), sum)));
        }
        sums
    }

    /// Requests to models elsewhere by model, in the order in which they are asked.
    pub(crate) fn in_order<'a>(&self, wave: Vec<&'a Asked>) -> Vec<(&Arc<Model>, Vec<Row<'a>>)> {
        let mut by_model: BTreeMap<&str, Vec<&Asked>> = BTreeMap::new();
        for asked in wave {
            by_model.entry(&asked.request.model).or_default().push(asked);
        }
        let row = |(name, asked): (&str, Vec<&'a Asked>)| {
            let model = self.models.get(name)?;
            Some((model, sharing::order(asked, |digest| model.has_sent(digest))))
        };
        by_model.into_iter().filter_map(row).collect()
    }

    /// What the requests sent in this run were expected to come to, each sent once, with the longest answers.
    pub fn expected(&self) -> Cost {
        *lock(&self.expected)
    }

    /// About what an exchange with a model of the workflow costs, where so much of it comes from caches and is put there.
    pub fn about(&self, model: &str, exchanged: &AskTotals, caches: Usage) -> Cost {
        let Usage { cached, cache_write, .. } = caches;
        let about = Usage::about(exchanged.symbols_in, exchanged.symbols_out);
        let usage = Usage { cached, cache_write, ..about };
        Cost::of(exchanged.answers, usage, self.price(model))
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
    fn ready<'a>(&self, wave: Vec<&'a Asked>) -> Result<BTreeMap<String, wave::Line<'a>>, Fault> {
        for asked in &wave {
            self.model(&asked.request.model)?;
        }
        let mut lines = BTreeMap::new();
        for (model, rows) in self.in_order(wave) {
            if self.options.limits.max_usd.is_some() && model.price.is_none() {
                let message =
                    format!("the cost is limited, and model `{}` has no price", model.name);
                let hint = format!(
                    "`--prices` names a table of prices, in which `[\"{}\"]` has to stand",
                    model.config.id()
                );
                return Err(Fault::new(FaultKind::Input, message).hint(hint));
            }
            let endpoint = model.endpoint(&*self.env)?;
            for sum in cost::of_rows(&rows, model).into_values() {
                *lock(&self.expected) += sum.once;
            }
            let line = wave::Line::new(Arc::clone(model), endpoint, rows);
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
            .hint(
                "name the folder with their packs at the top of the workflow (`answers = [\"answers\"]`), or import them \
                 (`storymill answers import`); without `--frozen` they are asked for, and paid",
            )
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
        let requests = missing.len();
        let lines = self.ready(missing)?;
        runtime.block_on(self.shared.log.has_room())?;
        let in_log = seen.len().saturating_sub(requests);
        self.shared.events.emit(crate::AskEvent::WaveStarted { requests, in_log });
        runtime.block_on(wave::run(&self.shared, lines, &self.stop))
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
