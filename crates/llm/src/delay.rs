//! How long to wait before an endpoint is asked again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::{Duration, SystemTime},
};

use reqwest::header::HeaderMap;
use storymill_core::retry::BackOff;

const GUESS: BackOff =
    BackOff { first: Duration::from_millis(500), longest: Duration::from_secs(30) };

/// The wait that the endpoint asks for.
#[expect(clippy::disallowed_methods, reason = "a wait is no output")]
pub(crate) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    storymill_core::retry::asked(|name| headers.get(name)?.to_str().ok(), now.as_secs())
}

/// The wait before retry number `retry` (from 0) where the endpoint asks for none: half a second,
/// doubled each time, and up to a quarter less, so that not all come back at once.
pub(crate) fn guessed(retry: u32) -> Duration {
    GUESS.wait(retry).mul_f64(1.0 - 0.25 * chance())
}

/// A number in 0 to 1. Not from a seed: it shapes no output.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(random).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        let headers = HeaderMap::from_iter([(reqwest::header::RETRY_AFTER, "2".parse().unwrap())]);
        assert_eq!(asked(&headers), Some(Duration::from_secs(2)));
    }

    #[test]
    fn guesses_grow_and_stay_bounded() {
        for retry in 0..40 {
            let (wait, full) = (guessed(retry), GUESS.wait(retry));
            assert!(wait >= full.mul_f64(0.74) && wait <= full);
        }
        assert!(guessed(4) > guessed(0));
    }
}
