//! How fetching goes: a bar with rate and time left on a terminal, else a line every half minute; and
//! the clock that fetching runs by.

use std::{
    io::IsTerminal,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use storymill_mirror::{Clock, Event, Events};

use crate::{report, table::plural};

/// Between two lines where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(30);

/// So long it takes at most until Ctrl-C is heard while nothing is to be done.
const NAP: Duration = Duration::from_millis(100);

/// The time of this machine, until somebody wants a stop.
#[derive(Debug)]
pub(crate) struct Time {
    start: Instant,
    stop: Arc<AtomicBool>,
}

impl Time {
    pub(crate) fn start(stop: &Arc<AtomicBool>) -> Self {
        Self { start: Instant::now(), stop: Arc::clone(stop) }
    }
}

impl Clock for Time {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    #[expect(clippy::disallowed_methods, reason = "a wait and the age of robots.txt are no output")]
    fn unix(&self) -> u64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
    }

    fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(NAP));
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// Tells how fetching goes, on standard error.
#[derive(Debug)]
pub(crate) struct Fetching {
    start: Instant,
    bar: Option<ProgressBar>,
    told: Mutex<Instant>,
    open: AtomicUsize,
    done: AtomicUsize,
    bytes: AtomicU64,
}

impl Fetching {
    pub(crate) fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
        let unwanted =
            std::env::var_os("STORYMILL_NO_PROGRESS").is_some_and(|value| !value.is_empty());
        let bar = (std::io::stderr().is_terminal() && !unwanted).then(|| {
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len}  {per_sec}  {eta} left  {msg}");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let start = Instant::now();
        Self {
            start,
            bar,
            told: Mutex::new(start),
            open: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| report::say(line)),
            None => report::say(line),
        }
    }

    fn step(&self, bytes: u64) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Some(bar) = &self.bar {
            bar.set_message(HumanBytes(bytes).to_string());
            bar.inc(1);
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= BETWEEN {
            *told = Instant::now();
            report::say(line(done, self.open.load(Ordering::Relaxed), bytes, self.start.elapsed()));
        }
    }
}

/// How far it is: `12 of 300 books, 6.0 MiB, 24 a minute, 12 min left`.
fn line(done: usize, of: usize, bytes: u64, spent: Duration) -> String {
    let millis = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX).max(1);
    let (done, of) = (done as u64, of as u64);
    let rate = done.saturating_mul(60_000) / millis;
    let left = of.saturating_sub(done).saturating_mul(millis) / done.max(1) / 1000;
    let left = if left < 90 { format!("{left} s") } else { format!("{} min", left.div_ceil(60)) };
    format!("{done} of {}, {}, {rate} a minute, {left} left", plural(of, "book"), HumanBytes(bytes))
}

impl Events for Fetching {
    fn emit(&self, event: Event<'_>) {
        match event {
            Event::Started { wanted, open } => {
                self.open.store(open, Ordering::Relaxed);
                if let Some(bar) = &self.bar {
                    bar.set_length(open as u64);
                }
                if open > 0 {
                    let there = wanted - open;
                    self.say(&format!(
                        "{} to fetch, {there} there already",
                        plural(open as u64, "book")
                    ));
                }
            }
            Event::Harvested { url, files } => {
                self.say(&format!("{url}: {}", plural(files as u64, "file")));
            }
            Event::Waiting { host, time, why } => {
                self.say(&format!("{host}: {why}; waiting {} s", time.as_secs_f64().ceil()));
            }
            Event::Page { bytes, .. } => self.step(bytes),
            Event::NoPage { .. } => self.step(0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left() {
        assert_eq!(
            line(12, 300, 6 << 20, Duration::from_secs(30)),
            "12 of 300 books, 6.00 MiB, 24 a minute, 12 min left"
        );
        assert_eq!(
            line(1, 2, 10, Duration::from_secs(4)),
            "1 of 2 books, 10 B, 15 a minute, 4 s left"
        );
        assert_eq!(line(0, 1, 0, Duration::ZERO), "0 of 1 book, 0 B, 0 a minute, 0 s left");
    }
}
