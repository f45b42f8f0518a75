//! How long to wait before a server is asked again: as long as it says, else longer each time.
//!
//! Who waits, by which clock, and when it is enough stays with those who ask: models in `llm`, mirrors in
//! `mirror`.

use std::time::{Duration, UNIX_EPOCH};

use backon::{BackoffBuilder, ExponentialBuilder};

/// Waits that double.
///
/// ```
/// use std::time::Duration;
/// use storymill_core::retry::BackOff;
///
/// let back_off = BackOff { first: Duration::from_secs(4), longest: Duration::from_secs(10) };
/// let waits: Vec<_> = (0..4).map(|retry| back_off.wait(retry).as_secs()).collect();
/// assert_eq!(waits, [4, 8, 10, 10]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackOff {
    /// The first wait.
    pub first: Duration,
    /// The longest one.
    pub longest: Duration,
}

impl BackOff {
    /// The wait before retry number `retry`, from 0.
    pub fn wait(self, retry: u32) -> Duration {
        let waits = ExponentialBuilder::new()
            .with_min_delay(self.first)
            .with_max_delay(self.longest)
            .without_max_times();
        // Nothing doubles so often without reaching the longest.
        waits.build().nth(retry.min(100) as usize).unwrap_or(self.longest)
    }
}

/// The wait that a response asks for: `retry-after-ms`, or `Retry-After` in seconds or as a day and time.
///
/// `header` gives the text of a header, `unix` is the time now in seconds since 1970.
pub fn asked<'h>(header: impl Fn(&str) -> Option<&'h str>, unix: u64) -> Option<Duration> {
    let seconds = |text: &str, unit: f64| {
        let number: f64 = text.trim().parse().ok()?;
        Duration::try_from_secs_f64(number * unit).ok()
    };
    if let Some(wait) = header("retry-after-ms").and_then(|text| seconds(text, 0.001)) {
        return Some(wait);
    }
    let after = header("retry-after")?;
    seconds(after, 1.0).or_else(|| {
        let until = http_date(after)?;
        // The server's own clock, if it tells the time: ours may be wrong.
        let now = header("date").and_then(http_date).unwrap_or(unix);
        Some(Duration::from_secs(until.saturating_sub(now)))
    })
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970.
fn http_date(text: &str) -> Option<u64> {
    let time = httpdate::parse_http_date(text.trim()).ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_retry_after() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        let cases: [(&[(&str, &str)], _); 14] = [
            (&[("retry-after", "2")], Some(2_000)),
            (&[("retry-after", " 7 ")], Some(7_000)),
            (&[("retry-after", "0.25")], Some(250)),
            (&[("retry-after-ms", "30"), ("retry-after", "9")], Some(30)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"), date], Some(60_000)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:40:37 GMT"), date], Some(0)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], Some(5_000)),
            (&[("retry-after", "Sun, 06 Nov 1994 08:49:37")], None),
            (&[("retry-after", "Sun, 99 Nov 1994 08:49:37 GMT")], None),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "1e400")], None),
            (&[("retry-after", "soon")], None),
            (&[("retry-after", "")], None),
            (&[], None),
        ];
        for (pairs, expected) in cases {
            let header =
                |name: &str| pairs.iter().find(|(own, _)| *own == name).map(|(_, text)| *text);
            let wait = asked(header, 784_111_777 - 5);
            assert_eq!(wait.map(|wait| wait.as_millis()), expected, "{pairs:?}");
        }
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let of = |first, longest| BackOff {
            first: Duration::from_millis(first),
            longest: Duration::from_millis(longest),
        };
        let waits = |back_off: BackOff| {
            (0..9).map(|retry| back_off.wait(retry).as_millis()).collect::<Vec<_>>()
        };
        let seconds = |waits: [u128; 9]| waits.map(|wait| wait * 1_000).to_vec();
        let mirror = of(4_000, 300_000);
        assert_eq!(waits(mirror), seconds([4, 8, 16, 32, 64, 128, 256, 300, 300]));
        let model = of(500, 30_000);
        let expected = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
        assert_eq!(waits(model), expected);
        assert_eq!(model.wait(u32::MAX), model.longest);
    }
}
