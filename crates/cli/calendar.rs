//! The day, for ledgers. No output of a build holds it.

use std::time::SystemTime;

/// Today, by the system's clock, in the civil calendar (UTC).
pub(crate) fn today() -> String {
    day(0)
}

/// The day so many days from now.
pub(crate) fn day(from_now: i64) -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binary knows the day; ledgers are no output of a build"
    )]
    let seconds =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    // Days of years that begin in March, so that the leap day comes last.
    let days = (seconds / 86_400 + 719_468).saturating_add_signed(from_now);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}")
}
