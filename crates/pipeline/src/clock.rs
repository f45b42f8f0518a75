//! The clock: it decides what is read again, and nothing that is made.

use std::time::{SystemTime, UNIX_EPOCH};

use storymill_core::{Known, Stamp};

/// Seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "tells which files are read, not what is made")]
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Whether what looks like this has not changed for so long that another change would show.
pub(crate) fn has_settled(looks: &Stamp, now: u64) -> bool {
    looks.changed.saturating_add(Known::SETTLED) < now
}
