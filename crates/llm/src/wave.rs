//! A wave of requests: as many tasks in flight as each model allows, until all are answered, one
//! fails for all, or somebody asks to stop.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use storymill_core::{Fault, FaultKind, plural};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use crate::{
    budget,
    call::{self, End},
    endpoint::Endpoint,
    model::{Model, Shared},
    queue::Queue,
    sharing::Row,
};

/// How long requests in flight may go on once the user asks to stop.
const GRACE: Duration = Duration::from_millis(700);
/// How often we look whether the user does.
const LOOK: Duration = Duration::from_millis(50);

/// The requests of one model.
pub(crate) struct Line<'a> {
    model: Arc<Model>,
    endpoint: Arc<Endpoint>,
    queue: Queue<'a>,
    flying: usize,
}

impl<'a> Line<'a> {
    pub(crate) fn new(model: Arc<Model>, endpoint: Arc<Endpoint>, rows: Vec<Row<'a>>) -> Self {
        Self { model, endpoint, queue: Queue::new(rows), flying: 0 }
    }

    /// The next request that can be sent now.
    fn next(&mut self) -> Option<usize> {
        let free = (self.model.config.concurrency as usize).checked_sub(self.flying)?;
        let at = (free > 0).then(|| self.queue.next(free, Instant::now())).flatten()?;
        self.flying += 1;
        Some(at)
    }

    /// A request has ended.
    fn ended(&mut self, at: usize, is_answered: bool) {
        self.flying -= 1;
        self.queue.ended(at);
        if is_answered {
            self.model.sent(&self.queue.rows[at]);
        }
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
    mut lines: BTreeMap<String, Line<'_>>,
    stop: &AtomicBool,
) -> Result<(), Fault> {
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
            for line in lines.values_mut() {
                while let Some(at) = line.next() {
                    let row = &line.queue.rows[at];
                    let (shared, model) = (Arc::clone(shared), Arc::clone(&line.model));
                    let (endpoint, marks) = (Arc::clone(&line.endpoint), row.place.marks.clone());
                    let call = call::Call::new(shared, model, endpoint, row.asked.clone(), marks);
                    let answer = call.answer(halted.clone());
                    tasks.spawn(async move { (at, answer.await) });
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
                let (at, (name, end)) = ended.map_err(panicked)?;
                if let Some(line) = lines.get_mut(&name) {
                    line.ended(at, matches!(end, End::Answered));
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
