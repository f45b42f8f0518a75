//! Where the wall time of a run goes.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Shares out wall time: of each moment every thread that works takes the same part, for the step it
/// works on.
///
/// Law: what all steps took is never more than the time that passed.
#[derive(Debug, Default)]
pub(crate) struct Meter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Since when these work.
    since: Option<Instant>,
    /// How many threads work on each step.
    at_work: BTreeMap<String, u32>,
    spent: BTreeMap<String, Duration>,
}

impl State {
    /// Shares out what passed since the last change.
    fn pass(&mut self) {
        let now = Instant::now();
        let passed = self.since.replace(now).map_or(Duration::ZERO, |since| now - since);
        let all: u32 = self.at_work.values().sum();
        for (step, threads) in &self.at_work {
            // By name, so that one look is enough for what is there already.
            let spent = self.spent.get_mut(step).expect("who works has a row");
            *spent += passed * *threads / all;
        }
    }
}

/// A thread that works on a step, until it is dropped.
pub(crate) struct AtWork<'m> {
    meter: &'m Meter,
    step: &'m str,
}

impl Meter {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread begins to work on a step.
    pub(crate) fn work<'m>(&'m self, step: &'m str) -> AtWork<'m> {
        let mut state = self.state();
        state.pass();
        state.spent.entry(step.to_owned()).or_default();
        *state.at_work.entry(step.to_owned()).or_default() += 1;
        AtWork { meter: self, step }
    }

    /// What a step took.
    pub(crate) fn spent(&self, step: &str) -> Duration {
        self.state().spent.get(step).copied().unwrap_or_default()
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        let mut state = self.meter.state();
        state.pass();
        if let Some(threads) = state.at_work.get_mut(self.step) {
            *threads -= 1;
            if *threads == 0 {
                state.at_work.remove(self.step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn threads_share_the_time_that_passes() {
        let (meter, start, nap) = (Meter::default(), Instant::now(), Duration::from_millis(40));
        thread::scope(|scope| {
            for step in ["a", "a", "b"] {
                let meter = &meter;
                scope.spawn(move || {
                    let _at_work = meter.work(step);
                    thread::sleep(nap);
                });
            }
        });
        let whole = meter.spent("a") + meter.spent("b");
        assert!(whole <= start.elapsed() && whole >= nap, "{whole:?}");
        assert!(meter.spent("a") > meter.spent("b"));
        assert_eq!(meter.spent("c"), Duration::ZERO);
    }
}
