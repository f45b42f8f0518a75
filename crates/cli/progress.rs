//! Progress: a bar on a terminal after a quarter of a second, or events as JSON lines.

use std::{
    io::{IsTerminal, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use storymill_llm::{AskEvent, AskEvents};
use storymill_pipeline::{Event, Events};

use crate::{args::Messages, report, table::plural};

/// What is drawn only after this long is not drawn at all for what is quick.
const PATIENCE: Duration = Duration::from_millis(250);

/// Listens to a run and tells of it.
#[derive(Debug)]
pub(crate) struct Progress {
    messages: Messages,
    start: Instant,
    bar: Mutex<Option<ProgressBar>>,
    /// What the bar of units says while one of answers stands in its place.
    units: Mutex<Option<(String, u64)>>,
    /// The last line about a retry: of many requests that fail alike one is told.
    said: Mutex<String>,
    /// How many bars are not drawn because it is early.
    early: AtomicU64,
}

impl Progress {
    /// A listener that tells in this form.
    pub(crate) fn new(messages: Messages) -> Self {
        Self {
            messages,
            start: Instant::now(),
            bar: Mutex::new(None),
            units: Mutex::new(None),
            said: Mutex::default(),
            early: AtomicU64::new(0),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }

    /// Prints a JSON line. A reader that is gone stops no run.
    pub(crate) fn json(value: &impl serde::Serialize) {
        if let Ok(line) = serde_json::to_string(value) {
            let _ = writeln!(std::io::stdout().lock(), "{line}");
        }
    }

    fn draws() -> bool {
        #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
        let unwanted =
            std::env::var_os("STORYMILL_NO_PROGRESS").is_some_and(|value| !value.is_empty());
        std::io::stderr().is_terminal() && !unwanted
    }

    fn text(&self, event: &Event) {
        match event {
            Event::Note { step, message } => report::warn(&format!("{step}: {message}")),
            Event::UnitRejected { step, unit, reason } => {
                self.aside(|| {
                    report::warn(&format!(
                        "{step}: {unit} was rejected ({}): {}",
                        reason.code, reason.detail
                    ));
                });
            }
            Event::UnitsStarted { steps, units } if Self::draws() => {
                self.begin(&format!("units: {}", steps.join(", ")), *units as u64);
            }
            Event::UnitDone { .. } => {
                // A wave is over: its bar gives way to that of the units it was asked for.
                let units = self.units.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some((what, units)) = units {
                    self.begin(&what, units);
                }
                self.step();
            }
            Event::Wave { requests } => self.aside(|| {
                report::say(format!("asking the model: {}", plural(*requests as u64, "request")));
            }),
            _ => {}
        }
    }

    fn begin(&self, what: &str, units: u64) {
        let style =
            ProgressStyle::with_template("{bar:24} {pos}/{len}  {per_sec}  {eta} left  {msg}");
        let bar = ProgressBar::with_draw_target(Some(units), ProgressDrawTarget::hidden());
        let bar = bar
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_message(what.to_owned());
        self.finish();
        self.early.store(1, Ordering::Relaxed);
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn wave(&self, requests: u64) {
        let units =
            self.bar.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|bar| {
                (bar.message(), bar.length().unwrap_or(0).saturating_sub(bar.position()))
            });
        let mut kept = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        // Of two waves in a row the first has kept the units already.
        *kept = kept.take().or(units);
        drop(kept);
        self.begin("answers", requests);
    }

    fn step(&self) {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(bar) = bar.as_ref() else { return };
        if self.start.elapsed() > PATIENCE && self.early.swap(0, Ordering::Relaxed) == 1 {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.inc(1);
    }

    /// Prints past the bar.
    fn aside(&self, print: impl FnOnce()) {
        match self.bar.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Events for Progress {
    fn emit(&self, event: Event) {
        match self.messages {
            Messages::Json => Self::json(&event),
            Messages::Text => self.text(&event),
        }
    }
}

impl AskEvents for Progress {
    fn emit(&self, event: AskEvent) {
        if self.messages == Messages::Json {
            Self::json(&event);
            return;
        }
        match event {
            AskEvent::WaveStarted { requests, .. } if Self::draws() => self.wave(requests as u64),
            AskEvent::Answered { .. } => self.step(),
            AskEvent::Retrying { model, why, retry, .. } if retry > 1 => {
                let line = format!("{model}: {why}; trying again");
                let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
                if *said != line {
                    self.aside(|| report::say(&line));
                    *said = line;
                }
            }
            AskEvent::Crowded { model, wait_millis, .. } => {
                self.aside(|| {
                    report::say(format!(
                        "{model}: too many requests; waiting {} s",
                        wait_millis.div_ceil(1000)
                    ));
                });
            }
            AskEvent::WithoutSchema { model, why } => {
                self.aside(|| {
                    report::warn(&format!("{model}: asked without a schema from now on: {why}"));
                });
            }
            AskEvent::Refused { unit, stage, model, why } => {
                self.aside(|| {
                    report::warn(&format!(
                        "{model} refuses a request of {stage} for {unit}: {why}"
                    ));
                });
            }
            _ => {}
        }
    }
}
