//! The day, for ledgers. No output of a build holds it.

use std::time::{Duration, SystemTime};

/// Today, by the system's clock, in the civil calendar (UTC).
pub fn today() -> String {
    day(0)
}

/// The day so many days from now.
pub fn day(from_now: i64) -> String {
    let by = Duration::from_hours(24 * from_now.unsigned_abs());
    let at = if from_now < 0 { now().checked_sub(by) } else { now().checked_add(by) };
    second(at.unwrap_or(SystemTime::UNIX_EPOCH))[..10].to_owned()
}

/// The second of a moment: `2026-11-28T17:30:00Z`.
pub fn second(at: SystemTime) -> String {
    humantime::format_rfc3339_seconds(at).to_string()
}

fn now() -> SystemTime {
    #[expect(clippy::disallowed_methods, reason = "ledgers are no output of a build")]
    SystemTime::now()
}
