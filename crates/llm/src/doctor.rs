//! Is the endpoint there, and what can it do? A handful of tiny requests that say so.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use serde_json::{Value, json};
use storymill_core::{Changes, Chat, Fault, FaultKind, Schema, one_plain_line};
use tokio::{
    runtime::{Builder, Runtime},
    time::{Instant, sleep, timeout_at},
};

use crate::{
    Env, ModelConfig, ResponseFormat,
    asker::lock,
    chat::{self, Exchange},
    endpoint::Endpoint,
    failure::{Failure, Refusal, Why},
    fields,
    wire::Wires,
};

/// What to do where schemas are of no use.
const TAGS: &str =
    "leave `protocol` of stages (`answers` of `distort`) at `tag`, as it is by default";

/// How an endpoint is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The address, without anything secret.
    pub endpoint: String,
    /// One line for each question, in order.
    pub checks: Vec<Check>,
}

impl Diagnosis {
    /// Whether books can be worked on with it: it answers.
    pub fn works(&self) -> bool {
        self.checks.first().is_some_and(|check| check.verdict == Verdict::Good)
    }
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at: `answers`, `usage`, `length`, `repeats`, `schema`, `overflow`, `fields`.
    pub name: &'static str,
    /// How it is.
    pub verdict: Verdict,
    /// One sentence.
    pub detail: String,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Good,
    /// It works without, and the detail says how.
    Odd,
    /// It does not work.
    Bad,
}

/// Examines an endpoint with five to seven tiny requests. `overflow`: also send a text of about
/// so many tokens, which should be too long; where it is not, it is paid for.
pub fn doctor(
    config: &ModelConfig,
    wires: &Wires,
    env: &Env,
    overflow: Option<u32>,
    stop: &AtomicBool,
) -> Result<Diagnosis, Fault> {
    let endpoint = match endpoint(config, wires, env) {
        // Its key is missing, which says nothing of other models.
        Err(Fault { kind: FaultKind::Model, message, hint, .. }) => {
            let detail = format!("{message}; hint: {}", hint.unwrap_or_default());
            let checks = vec![Check { name: "answers", verdict: Verdict::Bad, detail }];
            let url = config.url.split('?').next().unwrap_or_default().to_owned();
            return Ok(Diagnosis { endpoint: url, checks });
        }
        endpoint => endpoint?,
    };
    let examine = async {
        let mut checks = Vec::new();
        let probe = Probe { config, endpoint: &endpoint, changes: Mutex::default() };
        probe.all(overflow, &mut checks).await?;
        Ok(Diagnosis { endpoint: endpoint.label.clone(), checks })
    };
    runtime()?.block_on(unless_stopped(stop, examine))
}

/// Waits until an endpoint answers: a model that is still being loaded, a server that is still
/// starting. An error that will not pass ends it at once.
pub fn wait_ready(
    config: &ModelConfig,
    wires: &Wires,
    env: &Env,
    longest: Duration,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let endpoint = endpoint(config, wires, env)?;
    let probe = Probe { config, endpoint: &endpoint, changes: Mutex::default() };
    let wait = async {
        let until = Instant::now() + longest;
        let mut what = String::new();
        loop {
            let left = timeout_at(until, probe.say(&short(1))).await;
            match left {
                Ok(said) => match said? {
                    Ok(_) => return Ok(()),
                    Err(Failure::Never(refusal)) => return Err(fault(&refusal)),
                    Err(Failure::Again(again)) => what = again.what,
                },
                Err(_) if what.is_empty() => "no answer".clone_into(&mut what),
                Err(_) => {}
            }
            if Instant::now() >= until {
                let message =
                    format!("the endpoint is not ready after {} s: {what}", longest.as_secs());
                return Err(Fault::new(FaultKind::Model, message)
                    .hint("is the server running, and is `url` its address? A large model may need a longer `--wait-ready`"));
            }
            sleep(Duration::from_millis(250)).await;
        }
    };
    runtime()?.block_on(unless_stopped(stop, wait))
}

/// Sees something through, unless the user asks to stop.
async fn unless_stopped<T>(
    stop: &AtomicBool,
    work: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let stopped = async {
        while !stop.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        done = work => done,
        () = stopped => Err(crate::wave::stopped()),
    }
}

fn endpoint(config: &ModelConfig, wires: &Wires, env: &Env) -> Result<Endpoint, Fault> {
    let wire = wires.of_model(config).map_err(|why| Fault::new(FaultKind::Input, why))?;
    Endpoint::new(config, wire, env, false)
}

fn runtime() -> Result<Runtime, Fault> {
    Builder::new_current_thread().enable_all().build().map_err(|error| {
        Fault::new(FaultKind::Internal, "cannot start the client of models").because(error)
    })
}

fn fault(refusal: &Refusal) -> Fault {
    let message = format!("the endpoint refuses: {}", refusal.what);
    Fault::new(FaultKind::Model, message).hint(refusal.why.hint())
}

struct Probe<'a> {
    config: &'a ModelConfig,
    endpoint: &'a Endpoint,
    /// What it has refused so far.
    changes: Mutex<Changes>,
}

/// A short question.
fn short(max_tokens: u32) -> Chat {
    Chat { max_tokens: Some(max_tokens), ..Chat::new("Name an animal.") }
}

type Said = Result<Exchange, Failure>;

impl Probe<'_> {
    /// What comes back, without the fields that the endpoint refuses, as in a run.
    async fn say(&self, chat: &Chat) -> Result<Said, Fault> {
        // A schema is sent whatever the workflow says of schemas.
        let config = ModelConfig { response_format: ResponseFormat::Schema, ..self.config.clone() };
        let body = self.endpoint.wire.body(&config, chat, 1);
        let mut body = body.map_err(|mistake| Fault::new(FaultKind::Input, mistake))?;
        loop {
            fields::apply(&lock(&self.changes), &mut body);
            let said = chat::once(self.endpoint, &body).await;
            let mut changes = lock(&self.changes);
            let Err(Failure::Never(refusal)) = &said else { return Ok(said) };
            match fields::wanted((&config, self.endpoint.wire), &body, &changes, refusal) {
                Some(change) => drop(changes.insert(change.field, change.name)),
                None => return Ok(said),
            }
        }
    }

    /// The fields that it refuses, in words; none if it takes all.
    fn refused(&self) -> Option<String> {
        let changes = lock(&self.changes);
        let change = |(field, name): (&String, &Option<String>)| match name {
            None => format!("it refuses `{field}`, which is left out"),
            Some(name) => format!("it wants `{field}` to be called `{name}`"),
        };
        let changes: Vec<String> = changes.iter().map(change).collect();
        (!changes.is_empty()).then(|| changes.join("; "))
    }

    async fn all(&self, overflow: Option<u32>, checks: &mut Vec<Check>) -> Result<(), Fault> {
        let mut note = |name, verdict, detail: String| checks.push(Check { name, verdict, detail });
        let first = match self.say(&short(16)).await? {
            Ok(exchange) => exchange,
            Err(failure) => {
                note(
                    "answers",
                    Verdict::Bad,
                    format!("{}; hint: {}", told(&failure), hint(&failure, self.config)),
                );
                return Ok(());
            }
        };
        let (first, detail) = match self.said_something(first).await? {
            Ok(said) => said,
            Err(detail) => {
                note("answers", Verdict::Bad, detail);
                return Ok(());
            }
        };
        note("answers", Verdict::Good, detail);
        match first.reply.usage {
            Some(usage) => {
                let detail = format!("{} tokens in, {} out", usage.prompt, usage.completion);
                note("usage", Verdict::Good, detail);
            }
            None => note("usage", Verdict::Odd, "it counts no tokens: costs are estimated".into()),
        }
        let cut = self.say(&short(1)).await?;
        let (verdict, detail) = match cut {
            Ok(exchange) if exchange.reply.answer.finish_reason == "length" => {
                (Verdict::Good, "it says when an answer was cut off".to_owned())
            }
            Ok(_) => (Verdict::Odd, "it does not say when an answer was cut off".to_owned()),
            Err(failure) => (Verdict::Odd, told(&failure)),
        };
        note("length", verdict, detail);
        let (verdict, detail) = match self.say(&short(16)).await? {
            Ok(again) if again.reply.answer.text == first.reply.answer.text => {
                (Verdict::Good, "the same seed gave the same answer, this once")
            }
            _ => {
                (Verdict::Odd, "the same seed gave another answer; the log replays it all the same")
            }
        };
        note("repeats", verdict, detail.to_owned());
        let (verdict, detail) = self.schema().await?;
        note("schema", verdict, detail);
        if let Some(tokens) = overflow {
            let (verdict, detail) = self.overflow(tokens).await?;
            note("overflow", verdict, detail);
        }
        if let Some(detail) = self.refused() {
            note("fields", Verdict::Odd, detail);
        }
        Ok(())
    }

    /// An answer with words in it, and what to say of it. A model that thinks first may have no room for words: then it gets as
    /// much as the workflow gives it.
    async fn said_something(
        &self,
        first: Exchange,
    ) -> Result<Result<(Exchange, String), String>, Fault> {
        let is_blank = |exchange: &Exchange| exchange.reply.answer.text.trim().is_empty();
        if !is_blank(&first) {
            let detail = format!("it answered within {} ms", first.millis);
            return Ok(Ok((first, detail)));
        }
        let most = self.config.max_tokens;
        let again = match self.say(&short(most)).await? {
            Ok(again) if !is_blank(&again) => {
                let millis = again.millis;
                let detail = format!(
                    "it answered within {millis} ms; with 16 tokens there was no text, as where a model thinks first"
                );
                return Ok(Ok((again, detail)));
            }
            Ok(again) => again,
            Err(_) => first,
        };
        let thought = again.reply.usage.map_or(0, |usage| usage.reasoning);
        let why = if again.reply.answer.finish_reason == "length" || thought > 0 {
            "all of it went into thinking"
        } else {
            "the content of its answers is blank"
        };
        Ok(Err(format!(
            "its answers have no text, with {most} tokens to write: {why}; hint: raise `max_tokens`, or switch thinking off as the server has it, with `extra = {{ ... }}`"
        )))
    }

    async fn schema(&self) -> Result<(Verdict, String), Fault> {
        let schema = json!({
            "type": "object",
            "properties": { "zoological_name": { "type": "string", "maxLength": 20 } },
            "required": ["zoological_name"],
            "additionalProperties": false,
        });
        let schema = Some(Schema { name: "animal".to_owned(), schema });
        Ok(match self.say(&Chat { schema, ..short(64) }).await? {
            Ok(exchange) => {
                let answer = serde_json::from_str::<Value>(&exchange.reply.answer.text);
                let holds = answer.is_ok_and(|value| value["zoological_name"].is_string());
                if holds {
                    (Verdict::Good, "it keeps to a JSON schema".to_owned())
                } else {
                    (
                        Verdict::Odd,
                        format!("it takes a JSON schema and does not keep to it: {TAGS}"),
                    )
                }
            }
            Err(Failure::Never(refusal)) if refusal.why == Why::Schema => {
                (Verdict::Odd, format!("it refuses JSON schemas: {TAGS}"))
            }
            Err(failure) => (Verdict::Odd, told(&failure)),
        })
    }

    async fn overflow(&self, tokens: u32) -> Result<(Verdict, String), Fault> {
        let long = Chat { max_tokens: Some(1), ..Chat::new("word ".repeat(tokens as usize)) };
        Ok(match self.say(&long).await? {
            Err(Failure::Never(refusal)) if refusal.why == Why::TooLong => {
                (Verdict::Good, format!("it refuses what is too long: {}", refusal.what))
            }
            Err(failure) => {
                (Verdict::Odd, format!("its refusal is not understood: {}", told(&failure)))
            }
            Ok(exchange) => {
                let took = exchange.reply.usage.map_or(0, |usage| usage.prompt);
                (Verdict::Odd, format!("it took all of it ({took} tokens by its count)"))
            }
        })
    }
}

/// What the user can do about an endpoint that does not answer.
fn hint(failure: &Failure, config: &ModelConfig) -> String {
    if let Failure::Never(Refusal { why: Why::Field, what, .. }) = failure {
        let says = |word: &str| {
            what.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
        };
        if says("stream") && !config.stream {
            return "this endpoint only streams: write `stream = true` below `[model.NAME]`"
                .to_owned();
        }
    }
    let hint = match failure {
        Failure::Again(_) => {
            "is the server running, and is `url` its address? `--wait-ready` waits for one that is still starting"
        }
        // The doctor has been asked already.
        Failure::Never(Refusal { why: Why::Other | Why::Field | Why::Filtered, .. }) => {
            "a field that the endpoint does not take can be left out with `omit`"
        }
        Failure::Never(refusal) => refusal.why.hint_for(config),
    };
    hint.to_owned()
}

fn told(failure: &Failure) -> String {
    let what = match failure {
        Failure::Again(again) => &again.what,
        Failure::Never(refusal) => &refusal.what,
    };
    one_plain_line(what)
}
