//! How fast hosts are asked: a pause between the end of one answer and the next request, and the
//! waits after failures.

use std::{
    collections::BTreeMap,
    time::{Duration, UNIX_EPOCH},
};

use crate::Clock;

/// The first wait after a failure; each next one is twice as long.
const FIRST: Duration = Duration::from_secs(4);

/// The longest of them.
const LONGEST: Duration = Duration::from_mins(5);

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
        while !clock.stopped() {
            let left = (*heard + gap).max(closed).saturating_sub(clock.now());
            if left.is_zero() {
                return;
            }
            clock.sleep(left);
        }
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

/// The wait before try number `retry` (from 0), where the server asks for none.
pub(crate) fn back_off(retry: u32) -> Duration {
    FIRST.saturating_mul(2_u32.saturating_pow(retry.min(16))).min(LONGEST)
}

/// The wait that a `Retry-After` asks for: seconds, or a day and time.
pub(crate) fn asked(text: &str, date: Option<&str>, unix: u64) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = http_date(text)?;
    // The server's own clock, if it tells the time: ours may be wrong.
    let now = date.and_then(http_date).unwrap_or(unix);
    Some(Duration::from_secs(until.saturating_sub(now)))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970.
pub(crate) fn http_date(text: &str) -> Option<u64> {
    let time = httpdate::parse_http_date(text).ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_that_servers_ask_for() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        let seconds = |text, date| asked(text, date, 784_111_777 - 5).map(|wait| wait.as_secs());
        assert_eq!(seconds("7", None), Some(7));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date), Some(60));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT", None), Some(5));
        assert_eq!(seconds("Sat, 06 Nov 1993 08:49:37 GMT", None), Some(0));
        for bad in ["", "soon", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 99 Nov 1994 08:49:37 GMT"]
        {
            assert_eq!(seconds(bad, None), None, "{bad}");
        }
    }

    #[test]
    fn waits_double_up_to_five_minutes() {
        let waits: Vec<_> = (0..9).map(|retry| back_off(retry).as_secs()).collect();
        assert_eq!(waits, [4, 8, 16, 32, 64, 128, 256, 300, 300]);
    }
}
