//! How fast an endpoint is asked: how many requests at once, how many a minute, and everybody's
//! pause when the server says it is crowded.
//!
//! A refusal that stands alone among answers is bad luck: fewer are asked, and who was refused waits.
//! Only refusals without an answer between them say that the server takes nobody.

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
    /// The server answers again after it had taken nobody.
    recovered: Notify,
}

#[derive(Debug)]
struct Inner {
    /// How many may be in flight, in thousandths.
    limit: u64,
    most: u64,
    flying: u64,
    /// How many leaves were given, and the last of them that took (nearly) the last place.
    given: u64,
    full: u64,
    /// Refusals since the last answer.
    refused: u32,
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
pub(crate) struct Leave<'a> {
    pace: &'a Pace,
    /// Which leave it is, counted from 1.
    number: u64,
}

impl Leave<'_> {
    /// Its answer came: the limit grows by one for each round of them. Whoever has an answer gives
    /// the place back this way, so that it is still counted while we look how full it was.
    pub(crate) fn answered(self) {
        let mut inner = self.pace.inner();
        let crowd = std::mem::take(&mut inner.refused) > 1;
        let before = inner.limit;
        // Only while the limit is what holds us back: nearly all places were taken while this request
        // was under way. Answers come together, so those taken at this moment say little.
        if before < inner.most && inner.full >= self.number {
            inner.limit = (before + 1000_u64.div_ceil(before / 1000)).min(inner.most);
        }
        drop(inner);
        if crowd {
            self.pace.recovered.notify_waiters();
        }
    }
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.pace.inner().flying -= 1;
        self.pace.freed.notify_one();
    }
}

impl Pace {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let most = u64::from(config.concurrency) * 1000;
        let inner = Inner {
            limit: most,
            most,
            flying: 0,
            given: 0,
            full: 0,
            refused: 0,
            last_cut: None,
            paused_until: None,
            requests: config.requests_per_minute.map(Bucket::new),
            tokens: config.tokens_per_minute.map(Bucket::new),
        };
        Self { inner: Mutex::new(inner), freed: Notify::new(), recovered: Notify::new() }
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
        inner.given += 1;
        if inner.flying * 1250 >= inner.limit / 1000 * 1000 {
            inner.full = inner.given;
        }
        if (inner.flying + 1) * 1000 <= inner.limit {
            // Two calls to look again may have become one.
            self.freed.notify_one();
        }
        Ok(Leave { pace: self, number: inner.given })
    }

    /// Waits until the server answers somebody again after it took nobody.
    pub(crate) async fn recovered(&self) {
        self.recovered.notified().await;
    }

    /// Corrects the estimate of tokens by what was really used.
    pub(crate) fn used(&self, estimated: u64, used: u64) {
        if let Some(bucket) = &mut self.inner().tokens {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let difference = estimated as f64 - used as f64;
            bucket.level = (bucket.level + difference).min(bucket.most);
        }
    }

    /// The server is crowded: fewer are in flight afterwards. Where it asks for a pause, and refuses
    /// several in a row, everybody pauses. The new limit, if it changed.
    pub(crate) fn crowded(&self, asked: Option<Duration>) -> Option<u32> {
        let now = Instant::now();
        let mut inner = self.inner();
        inner.refused = inner.refused.saturating_add(1);
        if let Some(pause) = asked.filter(|_| inner.refused > 1) {
            inner.paused_until = inner.paused_until.max(Some(now + pause));
        }
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

    /// Rounds of answers, all of a round together, with as many in flight as may be.
    fn rounds(pace: &Pace, rounds: usize) {
        for _ in 0..rounds {
            let leaves: Vec<_> = std::iter::from_fn(|| pace.try_leave(1).ok()).collect();
            leaves.into_iter().for_each(Leave::answered);
        }
    }

    fn room(pace: &Pace) -> usize {
        std::iter::from_fn(|| pace.try_leave(1).ok()).collect::<Vec<_>>().len()
    }

    #[test]
    fn a_crowded_server_is_asked_less_and_slowly_more_again_from_any_limit() {
        block(async {
            for concurrency in 2..=40 {
                let pace = pace(&format!("concurrency = {concurrency}"));
                pace.crowded(None);
                assert_eq!(pace.crowded(None), None, "one cut for all that fail together");
                let cut = room(&pace);
                assert_eq!(cut, (concurrency * 7 / 10).max(1), "of {concurrency}");
                pace.inner().limit = 1000;
                rounds(&pace, 1);
                assert_eq!(room(&pace), 2, "each round of answers is one more");
                rounds(&pace, concurrency);
                assert_eq!(room(&pace), concurrency);
            }
        });
    }

    #[test]
    fn the_limit_does_not_grow_where_it_holds_nobody_back() {
        block(async {
            let pace = pace("concurrency = 10");
            pace.crowded(None);
            for _ in 0..50 {
                pace.try_leave(1).unwrap().answered();
            }
            assert_eq!(room(&pace), 7);
        });
    }

    #[test]
    fn everybody_pauses_after_the_second_refusal_in_a_row() {
        let long = Some(Duration::from_secs(9));
        block(async {
            let pace = pace("concurrency = 10");
            pace.crowded(long);
            pace.try_leave(1).unwrap().answered();
            pace.crowded(long);
            assert!(pace.try_leave(1).is_ok(), "an answer stands between the two");
            pace.crowded(long);
            assert!(pace.try_leave(1).unwrap_err().is_some());
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
