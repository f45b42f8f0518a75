//! How fast an endpoint is asked: how many requests at once, how many a minute, and everybody's
//! pause when the server says it is crowded.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::ModelConfig;

/// After a cut, no other cut for this long: requests that were in flight fail together.
const BETWEEN_CUTS: Duration = Duration::from_secs(2);

/// The pace of one endpoint.
#[derive(Debug)]
pub(crate) struct Pace {
    inner: Mutex<Inner>,
    freed: Notify,
}

#[derive(Debug)]
struct Inner {
    /// How many may be in flight, in thousandths.
    limit: u64,
    most: u64,
    flying: u64,
    last_cut: Option<Instant>,
    paused_until: Option<Instant>,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

/// A bucket that fills evenly. It may go into debt for one request, and then has to fill first.
#[derive(Debug)]
struct Bucket {
    level: f64,
    most: f64,
    per_second: f64,
    at: Instant,
}

impl Bucket {
    fn new(per_minute: u32) -> Self {
        let per_second = f64::from(per_minute) / 60.0;
        let most = per_second.max(1.0);
        Self { level: most, most, per_second, at: Instant::now() }
    }

    fn fill(&mut self, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + seconds * self.per_second).min(self.most);
        self.at = now;
    }

    /// When `level` will have reached what is needed.
    fn ready(&self, needed: f64) -> Instant {
        let missing = (needed.min(self.most) - self.level).max(0.0);
        self.at + Duration::try_from_secs_f64(missing / self.per_second).unwrap_or_default()
    }
}

/// Leave to send one request. Dropping it gives the place back.
#[derive(Debug)]
pub(crate) struct Leave<'a>(&'a Pace);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.inner().flying -= 1;
        self.0.freed.notify_one();
    }
}

impl Pace {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let most = u64::from(config.concurrency) * 1000;
        let inner = Inner {
            limit: most,
            most,
            flying: 0,
            last_cut: None,
            paused_until: None,
            requests: config.requests_per_minute.map(Bucket::new),
            tokens: config.tokens_per_minute.map(Bucket::new),
        };
        Self { inner: Mutex::new(inner), freed: Notify::new() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a request of about so many tokens may be sent.
    pub(crate) async fn leave(&self, tokens: u64) -> Leave<'_> {
        loop {
            let freed = self.freed.notified();
            match self.try_leave(tokens) {
                Ok(leave) => return leave,
                Err(Some(at)) => sleep_until(at).await,
                Err(None) => freed.await,
            }
        }
    }

    /// Leave, or when to look again; none if somebody has to come back first.
    fn try_leave(&self, tokens: u64) -> Result<Leave<'_>, Option<Instant>> {
        let now = Instant::now();
        let mut inner = self.inner();
        let inner = &mut *inner;
        if (inner.flying + 1) * 1000 > inner.limit {
            return Err(None);
        }
        let mut ready = inner.paused_until.filter(|until| *until > now);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let tokens = tokens as f64;
        for (bucket, needed) in [(&mut inner.requests, 1.0), (&mut inner.tokens, tokens)] {
            if let Some(bucket) = bucket {
                bucket.fill(now);
                let at = bucket.ready(needed);
                ready = ready.max((at > now).then_some(at));
            }
        }
        if let Some(at) = ready {
            // Whoever waits on a freed place looks again too.
            return Err(Some(at));
        }
        for (bucket, needed) in [(&mut inner.requests, 1.0), (&mut inner.tokens, tokens)] {
            if let Some(bucket) = bucket {
                bucket.level -= needed;
            }
        }
        inner.flying += 1;
        Ok(Leave(self))
    }

    /// Corrects the estimate of tokens by what was really used.
    pub(crate) fn used(&self, estimated: u64, used: u64) {
        if let Some(bucket) = &mut self.inner().tokens {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let difference = estimated as f64 - used as f64;
            bucket.level = (bucket.level + difference).min(bucket.most);
        }
    }

    /// An answer came: the limit grows by one for each round of them.
    pub(crate) fn answered(&self) {
        let mut inner = self.inner();
        let before = inner.limit;
        // Only while the limit is what holds us back.
        if before < inner.most && inner.flying * 1250 >= before {
            inner.limit = (before + 1_000_000_u64.div_ceil(before)).min(inner.most);
        }
        if inner.limit / 1000 > before / 1000 {
            drop(inner);
            self.freed.notify_one();
        }
    }

    /// The server is crowded: everybody pauses, and fewer are in flight afterwards. The new
    /// limit, if it changed.
    pub(crate) fn crowded(&self, pause: Duration) -> Option<u32> {
        let now = Instant::now();
        let mut inner = self.inner();
        inner.paused_until = inner.paused_until.max(Some(now + pause));
        if inner.last_cut.is_some_and(|cut| now < cut + BETWEEN_CUTS) {
            return None;
        }
        inner.last_cut = Some(now);
        let before = inner.limit / 1000;
        inner.limit = (inner.limit * 7 / 10).max(1000);
        let limit = inner.limit / 1000;
        (limit != before).then(|| u32::try_from(limit).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(text: &str) -> Pace {
        let text = format!("url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n{text}");
        Pace::new(&ModelConfig::parse(&text).unwrap())
    }

    fn block<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(future)
    }

    #[test]
    fn a_crowded_server_is_asked_less_and_slowly_more_again() {
        let pace = pace("concurrency = 10");
        block(async {
            assert_eq!(pace.crowded(Duration::ZERO), Some(7));
            assert_eq!(pace.crowded(Duration::ZERO), None, "one cut for all that fail together");
            let leaves: Vec<_> = (0..7).map(|_| pace.try_leave(1).unwrap()).collect();
            assert!(pace.try_leave(1).is_err());
            for _ in 0..8 {
                pace.answered();
            }
            assert!(pace.try_leave(1).is_ok());
            drop(leaves);
        });
    }

    #[test]
    fn requests_and_tokens_a_minute_are_kept() {
        block(async {
            let requests = pace("requests_per_minute = 60");
            drop(requests.try_leave(1).unwrap());
            let at = requests.try_leave(1).unwrap_err().unwrap();
            assert!(at > Instant::now() + Duration::from_millis(900));

            let tokens = pace("tokens_per_minute = 6000");
            drop(tokens.try_leave(500).unwrap());
            tokens.used(500, 600);
            let at = tokens.try_leave(100).unwrap_err().unwrap();
            assert!(at > Instant::now() + Duration::from_millis(5500), "a debt is paid first");
        });
    }
}
