//! A limit per minute: a bucket that fills evenly.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket that fills evenly. It may go into debt for one request, and then has to fill first.
#[derive(Debug)]
pub(crate) struct Bucket {
    level: f64,
    most: f64,
    per_second: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(per_minute: u32) -> Self {
        let per_second = f64::from(per_minute) / 60.0;
        let most = per_second.max(1.0);
        Self { level: most, most, per_second, at: Instant::now() }
    }

    /// Fills it with what came until now.
    pub(crate) fn fill(&mut self, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.change(seconds * self.per_second);
        self.at = now;
    }

    /// When it will hold what is needed.
    pub(crate) fn ready(&self, needed: f64) -> Instant {
        let missing = (needed.min(self.most) - self.level).max(0.0);
        self.at + Duration::try_from_secs_f64(missing / self.per_second).unwrap_or_default()
    }

    /// Puts in so much, or takes it out.
    pub(crate) fn change(&mut self, by: f64) {
        self.level = (self.level + by).min(self.most);
    }
}
