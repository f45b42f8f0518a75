//! How long to wait before trying again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use reqwest::header::{HeaderMap, HeaderName};

const FIRST: Duration = Duration::from_millis(500);
const LONGEST_GUESS: Duration = Duration::from_secs(30);

/// The wait that the server asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date.
pub(crate) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        headers.get(name)?.to_str().ok().map(str::trim)
    };
    let seconds = |text: &str, unit: f64| {
        let number: f64 = text.parse().ok()?;
        Duration::try_from_secs_f64(number * unit).ok()
    };
    if let Some(wait) = text("retry-after-ms").and_then(|text| seconds(text, 0.001)) {
        return Some(wait);
    }
    let after = text("retry-after")?;
    seconds(after, 1.0).or_else(|| {
        let until = http_date(after)?;
        // The server's own clock, if it tells the time: ours may be wrong.
        let now = text("date").and_then(http_date).or_else(now)?;
        Some(Duration::from_secs(until.saturating_sub(now)))
    })
}

#[expect(clippy::disallowed_methods, reason = "a wait is no output")]
fn now() -> Option<u64> {
    Some(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs())
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970.
fn http_date(text: &str) -> Option<u64> {
    let time = httpdate::parse_http_date(text).ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// The wait before retry number `retry` (from 0) where the server asks for none: half a second,
/// doubled each time, and up to a quarter less, so that not all come back at once.
pub(crate) fn guessed(retry: u32) -> Duration {
    let full = FIRST.saturating_mul(2_u32.saturating_pow(retry.min(16))).min(LONGEST_GUESS);
    full.mul_f64(1.0 - 0.25 * chance())
}

/// A number in 0 to 1. Not from a seed: it shapes no output.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(random).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), value.parse().unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn every_form_of_retry_after() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        let cases: [(&[_], _); 9] = [
            (&[("retry-after", "2")], Some(2000)),
            (&[("retry-after", "0.25")], Some(250)),
            (&[("retry-after-ms", "30"), ("retry-after", "9")], Some(30)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"), date], Some(60_000)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:40:37 GMT"), date], Some(0)),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "1e400")], None),
            (&[("retry-after", "soon")], None),
            (&[], None),
        ];
        for (pairs, expected) in cases {
            let wait = asked(&headers(pairs));
            assert_eq!(wait.map(|wait| wait.as_millis()), expected, "{pairs:?}");
        }
    }

    #[test]
    fn guesses_grow_and_stay_bounded() {
        for retry in 0..40 {
            let wait = guessed(retry);
            assert!(wait >= FIRST.mul_f64(0.74) && wait <= LONGEST_GUESS);
        }
        assert!(guessed(4) > guessed(0));
    }
}
