//! How fast hosts are asked: a pause between the end of one answer and the next request, and the
//! waits after failures.

use std::{collections::BTreeMap, time::Duration};

use storymill_core::retry::BackOff;

use crate::Clock;

/// The waits after failures, where the server asks for none.
pub(crate) const BACK_OFF: BackOff =
    BackOff { first: Duration::from_secs(4), longest: Duration::from_mins(5) };

/// Waits until a time, or until the user wants to stop.
pub(crate) fn until(time: Duration, clock: &dyn Clock) {
    while clock.now() < time && !clock.stopped() {
        clock.sleep(time.saturating_sub(clock.now()));
    }
}

/// When each host was last heard, and until when it asked to be left alone.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    heard: BTreeMap<String, Duration>,
    closed: BTreeMap<String, Duration>,
}

impl Pace {
    /// Waits until a host may be asked again.
    pub(crate) fn wait(&self, host: &str, gap: Duration, clock: &dyn Clock) {
        let Some(heard) = self.heard.get(host) else { return };
        let closed = self.closed.get(host).copied().unwrap_or_default();
        until((*heard + gap).max(closed), clock);
    }

    /// An answer of a host is over.
    pub(crate) fn heard(&mut self, host: &str, clock: &dyn Clock) {
        self.heard.insert(host.to_owned(), clock.now());
    }

    /// How long a host still wants to be left alone.
    pub(crate) fn closed(&self, host: &str, clock: &dyn Clock) -> Duration {
        let closed = self.closed.get(host).copied().unwrap_or_default();
        closed.saturating_sub(clock.now())
    }

    /// A host asks to be left alone for a while, whatever is asked of it next.
    pub(crate) fn leave(&mut self, host: &str, time: Duration, clock: &dyn Clock) {
        self.closed.insert(host.to_owned(), clock.now() + time);
    }
}
