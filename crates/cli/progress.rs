//! Progress: a bar on a terminal after a quarter of a second, or events as JSON lines.

mod pace;

use std::{
    collections::BTreeMap,
    io::{IsTerminal, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use storymill::{Asked, Notice};
use storymill_llm::{AskEvent, AskEvents};
use storymill_pipeline::{Event, Events, Share};

use self::pace::Pace;
pub(crate) use self::pace::about;
use crate::{args::Messages, report, table::plural};

/// What is drawn only after this long is not drawn at all for what is quick.
const PATIENCE: Duration = Duration::from_millis(250);
/// How often a bar is drawn anew while nothing happens, so that its clock goes on.
const TICK: Duration = Duration::from_millis(200);

/// Listens to a run and tells of it.
#[derive(Debug)]
pub(crate) struct Progress {
    messages: Messages,
    start: Instant,
    board: Arc<Mutex<Board>>,
    /// The last line about a retry: of many requests that fail alike one is told.
    said: Mutex<String>,
    /// What the run used of models.
    used: Mutex<serde_json::Value>,
}

/// Listens to notices alone.
#[derive(Debug)]
pub(crate) struct Aloud;

impl Events for Aloud {
    fn emit(&self, _: Event) {}
}

impl AskEvents for Aloud {
    fn emit(&self, _: AskEvent) {}
}

impl storymill::Events for Aloud {
    fn notice(&self, notice: Notice) {
        report::notice(&notice);
    }
}

/// What a terminal shows.
#[derive(Debug, Default)]
struct Board {
    bar: Option<ProgressBar>,
    /// What the bar of units says while one of answers stands in its place.
    units: Option<(String, u64)>,
    /// Whether it is early: what is quick is not drawn.
    early: bool,
    /// Whether the bar is one of answers.
    answers: bool,
    /// Requests that are on their way.
    flying: usize,
    pace: Pace,
}

impl Board {
    fn begin(&mut self, style: &str, length: u64, start: Instant) -> &ProgressBar {
        self.end();
        let style = ProgressStyle::with_template(style);
        let bar = ProgressBar::with_draw_target(Some(length), self.target())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_elapsed(start.elapsed());
        bar.enable_steady_tick(TICK);
        self.bar.insert(bar)
    }

    fn target(&self) -> ProgressDrawTarget {
        if self.early { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
    }

    /// Shows what was too early to be shown.
    fn show(&mut self) {
        self.early = false;
        if let Some(bar) = &self.bar {
            bar.set_draw_target(self.target());
            bar.tick();
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn says(&self) {
        if let (Some(bar), true) = (&self.bar, self.answers) {
            let ahead = bar.length().unwrap_or(0).saturating_sub(bar.position());
            bar.set_message(self.pace.said(self.flying, ahead));
        }
    }
}

impl Progress {
    /// A listener that tells in this form.
    pub(crate) fn new(messages: Messages) -> Self {
        let board = Arc::new(Mutex::new(Board { early: true, ..Board::default() }));
        if messages == Messages::Text && Self::draws() {
            let later = Arc::downgrade(&board);
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if let Some(board) = later.upgrade() {
                    board.lock().unwrap_or_else(PoisonError::into_inner).show();
                }
            });
        }
        Self {
            messages,
            start: Instant::now(),
            board,
            said: Mutex::default(),
            used: Mutex::default(),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the run used of models, as far as it came.
    pub(crate) fn used(&self) -> serde_json::Value {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.board().end();
    }

    /// Prints a JSON line. A reader that is gone stops no run.
    pub(crate) fn json(value: &impl serde::Serialize) {
        if let Ok(line) = serde_json::to_string(value) {
            let _ = writeln!(crate::screen::out(), "{line}");
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
                self.units(steps.join(", "), *units as u64);
            }
            Event::UnitDone { .. } => {
                // A wave is over: its bar gives way to that of the units it was asked for.
                let units = self.board().units.take();
                if let Some((what, units)) = units {
                    self.units(what, units);
                }
                self.step();
            }
            Event::Wave { steps, .. } => {
                let pace = &mut self.board().pace;
                pace.steps = steps.keys().map(|step| format!("`{step}`")).collect();
                pace.waiting = steps.values().map(|share| share.waiting as u64).sum();
                pace.asks = (!Self::draws()).then(|| asks(steps));
            }
            Event::Judged { step, round, accepted, refused, item, reason } => {
                let mut board = self.board();
                let before = board.pace.refused.entry(step.clone()).or_default();
                let is_first = *before == 0 && *refused > 0;
                *before += refused;
                board.says();
                drop(board);
                // The bar counts; of what is refused it is told once why.
                if Self::draws() && !is_first {
                    return;
                }
                let mut line = format!("`{step}`, round {round}: {accepted} accepted");
                if *refused > 0 {
                    line += &format!(", {refused} refused");
                }
                if let (Some(item), Some(reason)) = (item, reason) {
                    line += &format!("; the first, {item}: {}: {}", reason.code, reason.detail);
                }
                self.aside(|| report::say(line));
            }
            Event::Chosen { scenes, units } => self.aside(|| {
                let (scenes, units) = (*scenes as u64, *units as u64);
                report::say(format!(
                    "the pilot takes {} of {}",
                    plural(scenes, "scene"),
                    plural(units, "book")
                ));
            }),
            _ => {}
        }
    }

    fn units(&self, steps: String, units: u64) {
        let mut board = self.board();
        board.answers = false;
        let bar = board.begin("{bar:24} {pos}/{len}  {elapsed}  {msg}", units, self.start);
        bar.set_message(steps);
    }

    fn wave(&self, requests: u64) {
        let mut board = self.board();
        let units =
            board.bar.as_ref().filter(|_| !board.answers).map(|bar| {
                (bar.message(), bar.length().unwrap_or(0).saturating_sub(bar.position()))
            });
        // Of two waves in a row the first has kept the units already.
        board.units = board.units.take().or(units);
        board.answers = true;
        let (answered, all) = board.pace.wave(requests);
        let bar =
            board.begin("{bar:24} {pos}/{len} answers  {elapsed}  {wide_msg}", all, self.start);
        bar.set_position(answered);
        board.says();
    }

    fn step(&self) {
        if let Some(bar) = &self.board().bar {
            bar.inc(1);
        }
    }

    /// Prints past the bar.
    fn aside(&self, print: impl FnOnce()) {
        match &self.board().bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

/// What is asked now, and what waits for the answers.
fn asks(steps: &BTreeMap<String, Share>) -> String {
    let step = |(step, share): (&String, &Share)| {
        let requests = plural(share.requests as u64, "request");
        match share.waiting {
            0 => format!("{requests} for `{step}`"),
            then => format!("{requests} for `{step}` ({then} more once these are judged)"),
        }
    };
    format!("asking: {}", steps.iter().map(step).collect::<Vec<_>>().join(", "))
}

impl Events for Progress {
    fn emit(&self, event: Event) {
        match self.messages {
            Messages::Json => Self::json(&event),
            Messages::Text => self.text(&event),
        }
    }
}

impl storymill::Events for Progress {
    fn notice(&self, notice: Notice) {
        self.aside(|| report::notice(&notice));
    }

    fn run_ended(&self) {
        let mut board = self.board();
        board.end();
        board.answers = false;
        if self.messages == Messages::Text && Self::draws() {
            let bar = board.begin("{spinner} {msg}  {elapsed}", 1, self.start);
            bar.set_message("writing and auditing the tables");
        }
    }

    fn asked(&self, asked: &Asked) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = asked.cost().as_json();
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
            // Of a frozen run nobody is asked.
            AskEvent::WaveStarted { requests, .. } => {
                let pace = &mut self.board().pace;
                pace.wave(requests as u64);
                pace.asks.take().into_iter().for_each(report::say);
            }
            AskEvent::Answered { .. } => {
                self.board().pace.answered += 1;
                self.step();
                if !Self::draws() {
                    let pace = &mut self.board().pace;
                    let since = pace.since.map(|since| since.elapsed()).unwrap_or_default();
                    pace.now_and_then(since).into_iter().for_each(report::say);
                }
            }
            AskEvent::Retrying { model, why, retry, .. } if retry > 1 => {
                let line = format!("{model}: {why}; trying again");
                let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
                if *said != line {
                    self.aside(|| report::say(&line));
                    *said = line;
                }
            }
            AskEvent::Mended { model, stage, .. } => {
                let line = format!(
                    "{model}: an answer to {stage} is not valid Unicode; it is kept with U+FFFD in place of what is not"
                );
                let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
                if *said != line {
                    self.aside(|| report::warn(&line));
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
            AskEvent::Changed { model, field, name, why } => {
                let how = match name {
                    None => format!("asked without `{field}` from now on"),
                    Some(name) => format!("`{field}` is sent as `{name}` from now on"),
                };
                self.aside(|| report::warn(&format!("{model}: {how}: {why}")));
            }
            AskEvent::Refused { unit, stage, model, why } => {
                self.aside(|| {
                    report::warn(&format!(
                        "{model} refuses a request of {stage} for {unit}: {why}"
                    ));
                });
            }
            AskEvent::Retrying { .. } => {}
        }
    }

    fn flying(&self, requests: usize) {
        if self.messages == Messages::Text {
            let mut board = self.board();
            board.flying = requests;
            board.says();
        }
    }
}
