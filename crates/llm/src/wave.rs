//! A wave of requests: as many tasks in flight as each model allows, until all are answered, one
//! fails for all, or somebody asks to stop.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use storymill_core::{Asked, Fault, FaultKind, plural};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use crate::{
    asker::{Model, Shared},
    budget,
    call::{self, End},
    endpoint::Endpoint,
};

/// How long requests in flight may go on once the user asks to stop.
const GRACE: Duration = Duration::from_millis(700);
/// How often we look whether the user does.
const LOOK: Duration = Duration::from_millis(50);

/// The requests of one model.
pub(crate) struct Line {
    model: Arc<Model>,
    endpoint: Arc<Endpoint>,
    flying: usize,
}

impl Line {
    pub(crate) fn new(model: Arc<Model>, endpoint: Arc<Endpoint>) -> Self {
        Self { model, endpoint, flying: 0 }
    }

    fn has_room(&self) -> bool {
        self.flying < self.model.config.concurrency as usize
    }
}

/// The fault of a run that was asked to stop.
pub(crate) fn stopped() -> Fault {
    Fault::new(FaultKind::Interrupted, "stopped")
        .hint("every answer that arrived is kept; run the same command again to go on")
}

/// Asks until every request is answered.
pub(crate) async fn run(
    shared: &Arc<Shared>,
    mut lines: BTreeMap<String, Line>,
    wave: Vec<&Asked>,
    stop: &AtomicBool,
) -> Result<(), Fault> {
    let mut queues: BTreeMap<&str, VecDeque<&Asked>> = BTreeMap::new();
    for asked in wave {
        queues.entry(&asked.request.model).or_default().push_back(asked);
    }
    let (halt, halted) = watch::channel(false);
    let mut tasks = JoinSet::new();
    let mut first: Option<Fault> = None;
    let mut refused: Vec<String> = Vec::new();
    let mut until: Option<Instant> = None;
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let before = tasks.len();
        if first.is_none() && until.is_none() {
            for (name, queue) in &mut queues {
                let Some(line) = lines.get_mut(*name) else { continue };
                while line.has_room()
                    && let Some(asked) = queue.pop_front()
                {
                    line.flying += 1;
                    let (shared, model) = (Arc::clone(shared), Arc::clone(&line.model));
                    let endpoint = Arc::clone(&line.endpoint);
                    let call = call::Call::new(shared, model, endpoint, asked.clone());
                    tasks.spawn(call.answer(halted.clone()));
                }
            }
        }
        if tasks.len() != before {
            shared.events.flying(tasks.len());
        }
        tokio::select! {
            ended = tasks.join_next() => {
                shared.events.flying(tasks.len());
                let Some(ended) = ended else { break };
                let (name, end) = ended.map_err(panicked)?;
                if let Some(line) = lines.get_mut(&name) {
                    line.flying -= 1;
                }
                match end {
                    End::Answered | End::NotSent => {}
                    End::Refused(line) => refused.push(line),
                    End::Fatal(fault) => {
                        halt.send_replace(true);
                        first.get_or_insert(fault);
                    }
                }
            }
            _ = look.tick() => {
                if until.is_none() && stop.load(Ordering::SeqCst) {
                    halt.send_replace(true);
                    until = Some(Instant::now() + GRACE);
                }
                if until.is_some_and(|until| Instant::now() >= until) {
                    tasks.shutdown().await;
                }
            }
        }
    }
    let flushed = shared.log.flush().await;
    // That answers are lost comes before why the run ends.
    flushed?;
    if let Some(fault) = first {
        // Whoever stops a run that has come to its limit wanted it to stop.
        let stops = until.is_some() && budget::is_limit(&fault);
        return Err(if stops { stopped() } else { fault });
    }
    if until.is_some() {
        return Err(stopped());
    }
    if refused.is_empty() { Ok(()) } else { Err(refusals(&refused)) }
}

fn panicked(error: tokio::task::JoinError) -> Fault {
    Fault::new(FaultKind::Internal, "a request ended in a mistake of the program").because(error)
}

/// The fault of requests that the endpoint will never answer; all others are answered.
fn refusals(refused: &[String]) -> Fault {
    let shown = refused.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    let more = if refused.len() > 3 { "; and others" } else { "" };
    let requests = plural(refused.len() as u64, "request");
    let message = format!("{requests} refused for good: {shown}{more}");
    Fault::new(FaultKind::Model, message).hint(crate::failure::Why::TooLong.hint())
}
