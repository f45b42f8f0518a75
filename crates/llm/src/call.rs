//! One request until it is answered: paced, booked, sent, sent again, stored.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use serde_json::{Map, Value};
use storymill_core::{Answer, Asked, Changes, Chat, Fault, FaultKind, one_plain_line, plural};
use tokio::{sync::watch, time::sleep};

use crate::{
    AskEvent, Cost, TooLong, Usage, Usd,
    asker::lock,
    budget::Verdict,
    chat::{self, Exchange},
    cost, delay,
    endpoint::Endpoint,
    failure::{Again, Failure, Refusal, Why},
    fields::{self, Change},
    keys,
    log::{Note, Record},
    model::{Model, Shared},
    wire::Reply,
};

/// How often a request is sent again that the model may have worked on each time.
const COSTLY_RETRIES: u32 = 3;

/// How a request ended.
#[derive(Debug)]
pub(crate) enum End {
    /// The answer is safe.
    Answered,
    /// The wave was halted before it was sent.
    NotSent,
    /// The endpoint refuses this request; others may do better.
    Refused(String),
    /// Nothing more should be sent.
    Fatal(Fault),
}

/// One request on its way.
pub(crate) struct Call {
    shared: Arc<Shared>,
    model: Arc<Model>,
    endpoint: Arc<Endpoint>,
    asked: Asked,
    /// Where marks for caching are set.
    marks: Vec<usize>,
}

/// How often a request came to nothing.
#[derive(Default)]
struct Tries {
    failed: u32,
    /// Those of them that the model may have worked on.
    costly: u32,
    /// How often the server had too many requests.
    refused: u32,
}

/// What to do after a failure.
enum Next {
    Wait {
        wait: Duration,
        /// Our guess at when a crowded server takes requests again: an answer to another one ends it.
        guessed: bool,
    },
    AtOnce,
    Store(Exchange),
    End(End),
}

impl Call {
    pub(crate) fn new(
        shared: Arc<Shared>,
        model: Arc<Model>,
        endpoint: Arc<Endpoint>,
        asked: Asked,
        marks: Vec<usize>,
    ) -> Self {
        Self { shared, model, endpoint, asked, marks }
    }

    /// Sees the request through. Returns the model's name with the end.
    pub(crate) async fn answer(self, mut halted: watch::Receiver<bool>) -> (String, End) {
        let end = match self.see_through(&mut halted).await {
            Ok(end) => end,
            Err(fault) => End::Fatal(fault),
        };
        (self.model.name.clone(), end)
    }

    async fn see_through(&self, halted: &mut watch::Receiver<bool>) -> Result<End, Fault> {
        let Asked { request, sample, attempt, unit, .. } = &self.asked;
        let config = &self.model.config;
        let chat = keys::chat(request)?;
        let canonical = keys::canonical_chat(config, chat, *sample, *attempt);
        if keys::key(unit, config.id(), &canonical, *sample, *attempt) != self.asked.key {
            let message = "a request's key was not taken by the asker that answers it";
            return Err(Fault::new(FaultKind::Internal, message));
        }
        let mut body = self.body(&Chat { marks: self.marks.clone(), ..chat.clone() })?;
        let (estimate, most) = self.estimate(chat);
        let (mut tries, mut changes) = (Tries::default(), Changes::new());
        loop {
            let refused = fields::apply(&lock(&self.model.changes), &mut body);
            changes.extend(refused);
            let leave = tokio::select! {
                leave = self.model.pace.leave(estimate.all()) => leave,
                _ = halted.wait_for(|halted| *halted) => return Ok(End::NotSent),
            };
            if *halted.borrow() {
                return Ok(End::NotSent);
            }
            self.shared.log.has_room().await?;
            match self.shared.budget.reserve(&self.asked, most) {
                Verdict::Go => {}
                Verdict::Over(fault) => return Ok(End::Fatal(fault)),
                Verdict::Wait => {
                    drop(leave);
                    sleep(Duration::from_millis(20)).await;
                    continue;
                }
            }
            let result = match self.leave().await? {
                Ok(()) => chat::once(&self.endpoint, &body).await,
                Err(failure) => Err(failure),
            };
            self.book((estimate, most), &result);
            match &result {
                Ok(_) => leave.answered(),
                Err(_) => drop(leave),
            }
            let next = match result {
                Ok(exchange) => Next::Store(exchange),
                Err(Failure::Never(refusal)) => self.refused(&refusal, &body),
                Err(Failure::Again(again)) => self.failed(&again, &mut tries),
            };
            match next {
                Next::Store(exchange) => return self.store(exchange, canonical, changes).await,
                Next::End(end) => return Ok(end),
                Next::AtOnce => {}
                Next::Wait { wait, guessed } => tokio::select! {
                    () = sleep(wait) => {}
                    () = self.model.pace.recovered(), if guessed => {}
                    _ = halted.wait_for(|halted| *halted) => return Ok(End::NotSent),
                },
            }
        }
    }

    /// Says that a private request is shown to somebody, which is so once a connection can be made.
    async fn leave(&self) -> Result<Result<(), Failure>, Fault> {
        if self.endpoint.private
            && let Err(failure) = chat::reach(&self.endpoint).await
        {
            return Ok(Err(failure));
        }
        self.shared.events.leaving(&self.asked, &self.model.config).map(Ok)
    }

    /// What is sent.
    fn body(&self, chat: &Chat) -> Result<Map<String, Value>, Fault> {
        let (config, wire) = (&self.model.config, self.endpoint.wire);
        let seed = keys::seed(config, self.asked.sample, self.asked.attempt);
        wire.body(config, chat, seed).map_err(|why| {
            let (name, whose) = (&self.model.name, wire.whose());
            let message = format!("model `{name}` cannot be asked in {whose}'s form: {why}");
            Fault::new(FaultKind::Input, message)
        })
    }

    /// About the tokens that it takes, for the rates, and the most money, for the limit.
    fn estimate(&self, chat: &Chat) -> (Usage, Usd) {
        let completion = u64::from(chat.max_tokens.unwrap_or(self.model.config.max_tokens));
        let usage = Usage { completion, ..Usage::about(self.asked.request.symbols(), 0) };
        (usage, cost::dearest(1, usage, self.model.price).usd)
    }

    /// Books what a request came to. If the server gives no usage, it is estimated; so is the
    /// part that was sent, where the answer came to nothing but may be billed.
    fn book(&self, (estimate, most): (Usage, Usd), result: &Result<Exchange, Failure>) {
        let sent = self.asked.request.symbols();
        let spent = match result {
            Ok(Exchange { reply: Reply { usage: Some(usage), .. }, .. }) => Some((*usage, 0)),
            Ok(exchange) => Some((Usage::about(sent, exchange.reply.answer.symbols()), 1)),
            Err(Failure::Again(again)) if again.costly => Some((Usage::about(sent, 0), 1)),
            Err(_) => None,
        };
        let spent = spent.map(|(usage, estimated)| Cost {
            answers: 0,
            estimated,
            ..Cost::of(1, usage, self.model.price)
        });
        let spent = spent.unwrap_or_default();
        self.shared.budget.settle(&self.asked, most, spent);
        self.model.pace.used(estimate.all(), spent.usage.all());
    }

    /// A failure that may pass: how long to wait, unless there were too many. While a crowded server
    /// answers others, this request's turn will come, so only refusals of everybody count.
    fn failed(&self, again: &Again, tries: &mut Tries) -> Next {
        let config = &self.model.config;
        let name = &self.model.name;
        let why = one_plain_line(&again.what);
        let longest = Duration::from_secs(u64::from(config.longest_wait_seconds));
        let (counted, times, limit) = if again.crowded {
            tries.refused += 1;
            let (alone, limit) = self.model.pace.crowded(again.after, longest);
            (alone, tries.refused, limit)
        } else {
            tries.failed += 1;
            tries.costly += u32::from(again.costly);
            (tries.failed, tries.failed, None)
        };
        // A server that is loading its model has connections refused for minutes; whoever expects that waits for it first.
        let last = times >= 2 || config.retries == 0;
        if again.unreached && last && !self.endpoint.was_there.load(Ordering::Relaxed) {
            let message =
                format!("model `{name}` cannot be reached at {}: {why}", self.endpoint.label);
            let fault = Fault::new(FaultKind::Model, message).hint(
                "is the server running, and is `url` its address? `storymill doctor` tries it; `--wait-ready` waits for one that is still starting",
            );
            return Next::End(End::Fatal(fault));
        }
        let costly = tries.costly > COSTLY_RETRIES.min(config.retries);
        if counted > config.retries || config.retries == 0 || costly {
            let tries = plural(u64::from(counted.max(1)), "try");
            let message = format!("model `{name}` is not available after {tries}: {why}");
            let fault = Fault::new(FaultKind::Model, message)
                .hint("every answer is kept; `storymill doctor` tries what the endpoint can do");
            return Next::End(End::Fatal(fault));
        }
        let wait = again.after.unwrap_or_else(|| delay::guessed(times - 1).min(longest));
        if wait > longest {
            let what = format!("{why}; it asks to wait {} s", wait.as_secs());
            return Next::End(End::Fatal(self.fault(&Refusal::new(Why::Wait, what))));
        }
        let wait_millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let model = name.clone();
        if again.crowded {
            let model = model.clone();
            self.shared.events.emit(AskEvent::Crowded { model, wait_millis, limit });
        }
        self.shared.events.emit(AskEvent::Retrying { model, why, retry: times, wait_millis });
        Next::Wait { wait, guessed: again.crowded && again.after.is_none() }
    }

    /// A failure that will not pass, unless it is about a field that the request can be sent without.
    fn refused(&self, refusal: &Refusal, body: &Map<String, Value>) -> Next {
        let (config, wire) = (&self.model.config, self.model.wire);
        let (model, why) = (self.model.name.clone(), one_plain_line(&refusal.what));
        let mut changes = lock(&self.model.changes);
        if let Some(Change { field, name }) =
            fields::wanted((config, wire), body, &changes, refusal)
        {
            // Others in flight have heard the same.
            if changes.insert(field.clone(), name.clone()).is_none() {
                self.shared.events.emit(AskEvent::Changed { model, field, name, why });
            }
            return Next::AtOnce;
        }
        drop(changes);
        match refusal.why {
            Why::Filtered => return Next::Store(empty("content_filter")),
            Why::TooLong if config.too_long == TooLong::Reject => {
                return Next::Store(empty("context_overflow"));
            }
            _ => {}
        }
        if !refusal.why.is_of_one_request() {
            return Next::End(End::Fatal(self.fault(refusal)));
        }
        let (unit, stage) = (self.asked.unit.clone(), self.asked.stage.to_owned());
        let item = self.asked.item.as_deref().filter(|_| !self.endpoint.private);
        let item = item.unwrap_or(unit.as_str());
        let line = format!("{item}, stage `{stage}`: {why}");
        self.shared.events.emit(AskEvent::Refused { unit, stage, model, why });
        Next::End(End::Refused(line))
    }

    fn fault(&self, refusal: &Refusal) -> Fault {
        let message =
            format!("model `{}` refuses: {}", self.model.name, one_plain_line(&refusal.what));
        Fault::new(FaultKind::Model, message).hint(refusal.why.hint_for(&self.model.config))
    }

    async fn store(
        &self,
        exchange: Exchange,
        request: String,
        changes: Changes,
    ) -> Result<End, Fault> {
        let Exchange { reply: Reply { answer, usage }, headers, millis, mended } = exchange;
        let asked = &self.asked;
        let note = Note {
            unit: asked.unit.to_string(),
            item: asked.item.clone().unwrap_or_default(),
            stage: asked.stage.to_owned(),
            model: self.model.name.clone(),
            model_id: self.model.config.id().to_owned(),
            sample: asked.sample,
            attempt: asked.attempt,
            request,
            usage,
            origin: self.endpoint.label.clone(),
            millis,
            headers,
            changes,
            written: None,
        };
        let digest = answer.digest();
        let record = Record { key: asked.key, answer, note: Some(note) };
        self.shared.log.append(record)?.safe().await?;
        if let Some(fresh) = &self.shared.fresh {
            self.shared.log.favour([(asked.key, digest)]);
            lock(fresh).insert(asked.key);
        }
        self.shared.budget.answered(asked);
        if mended {
            let (unit, stage) = (asked.unit.clone(), asked.stage.to_owned());
            let model = self.model.name.clone();
            self.shared.events.emit(AskEvent::Mended { unit, stage, model });
        }
        self.shared.events.emit(AskEvent::Answered {
            unit: asked.unit.clone(),
            stage: asked.stage.to_owned(),
            model: self.model.name.clone(),
            usage,
        });
        Ok(End::Answered)
    }
}

/// A refusal of one request, noted as an answer that says nothing: the stage rejects the item.
fn empty(reason: &str) -> Exchange {
    let answer = Answer { text: String::new(), finish_reason: reason.to_owned() };
    let reply = Reply { answer, usage: None };
    Exchange { reply, headers: BTreeMap::new(), millis: 0, mended: false }
}
