//! How fast an endpoint is asked: how many requests at once, how many a minute, and everybody's
//! pause when the server takes nobody.
//!
//! A server that refuses a request because it has too many tells how many it takes: those that are
//! still in flight. No more are sent until answers come, and then one more now and then, ever more
//! rarely while that is refused. Only a server that refuses the last one in flight takes nobody.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::{ModelConfig, bucket::Bucket, delay};

/// At most so many answers come before one more request is tried.
const LONGEST_PATIENCE: u32 = 64;

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
    /// How many may be in flight.
    limit: u32,
    most: u32,
    flying: u32,
    /// How many leaves were given, and the last of them that took the last place.
    given: u64,
    full: u64,
    /// So many answers let the limit grow by one, and how many came since it last moved.
    patience: u32,
    answers: u32,
    /// The last leave before the limit grew, until it is known whether the server takes one more.
    grown: Option<u64>,
    /// Refusals since the last answer, and how many of them nobody was in flight with.
    refused: u32,
    alone: u32,
    paused_until: Option<Instant>,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

/// Leave to send one request. Dropping it gives the place back.
#[derive(Debug)]
pub(crate) struct Leave<'a> {
    pace: &'a Pace,
    /// Which leave it is, counted from 1.
    number: u64,
}

impl Leave<'_> {
    /// Its answer came. Whoever has an answer gives the place back this way, so that it is still
    /// counted while we look how full it was.
    pub(crate) fn answered(self) {
        let mut inner = self.pace.inner();
        let crowd = std::mem::take(&mut inner.refused) > 1;
        inner.alone = 0;
        inner.grow(self.number);
        drop(inner);
        if crowd {
            // All of them: the limit says how many are sent.
            self.pace.recovered.notify_waiters();
        }
    }
}

impl Inner {
    /// After an answer: one more may be in flight, once enough answers came.
    fn grow(&mut self, answered: u64) {
        // Only while the limit is what holds us back: all places were taken while this request was
        // under way. Answers come together, so those taken at this moment say little.
        if self.full < answered {
            return;
        }
        if self.grown.is_some_and(|before| before < answered) {
            (self.grown, self.patience) = (None, 1);
        }
        self.answers += 1;
        if self.answers >= self.patience && self.limit < self.most {
            (self.limit, self.answers, self.grown) = (self.limit + 1, 0, Some(self.given));
        }
    }

    /// After a refusal: no more may be in flight than are.
    fn cut(&mut self) {
        self.limit = self.limit.min(self.flying.max(1));
        self.answers = 0;
        if self.grown.take().is_some() {
            self.patience = (self.patience * 2).min(LONGEST_PATIENCE);
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
        let most = config.concurrency;
        let inner = Inner {
            limit: most,
            most,
            flying: 0,
            given: 0,
            full: 0,
            patience: 1,
            answers: 0,
            grown: None,
            refused: 0,
            alone: 0,
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
        if inner.flying >= inner.limit {
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
                bucket.change(-needed);
            }
        }
        inner.flying += 1;
        inner.given += 1;
        if inner.flying >= inner.limit {
            inner.full = inner.given;
        }
        if inner.flying < inner.limit {
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
            bucket.change(difference);
        }
    }

    /// The server is crowded: fewer are in flight afterwards. Where it takes nobody, or refuses several
    /// in a row and asks for a pause, everybody pauses. How often in a row it took nobody, and the new
    /// limit, if it changed.
    pub(crate) fn crowded(&self, asked: Option<Duration>, longest: Duration) -> (u32, Option<u32>) {
        let mut inner = self.inner();
        let before = inner.limit;
        inner.cut();
        inner.refused = inner.refused.saturating_add(1);
        let takes_nobody = inner.flying == 0;
        inner.alone = inner.alone.saturating_add(u32::from(takes_nobody));
        let pause = match asked {
            Some(asked) => (inner.refused > 1).then_some(asked),
            None => takes_nobody.then(|| delay::guessed(inner.alone - 1).min(longest)),
        };
        let until = pause.map(|pause| Instant::now() + pause);
        inner.paused_until = inner.paused_until.max(until);
        (inner.alone, (inner.limit != before).then_some(inner.limit))
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

    const LONGEST: Duration = Duration::from_mins(2);

    /// A round with as many in flight as may be, of which a server takes so many; how many it refused.
    fn round(pace: &Pace, takes: usize) -> usize {
        let mut leaves: Vec<_> = std::iter::from_fn(|| pace.try_leave(1).ok()).collect();
        let refused = leaves.split_off(takes.min(leaves.len()));
        let count = refused.len();
        for leave in refused {
            drop(leave);
            pace.crowded(None, LONGEST);
        }
        leaves.into_iter().for_each(Leave::answered);
        count
    }

    fn room(pace: &Pace) -> usize {
        std::iter::from_fn(|| pace.try_leave(1).ok()).collect::<Vec<_>>().len()
    }

    #[test]
    fn the_limit_becomes_what_the_server_takes_and_more_are_tried_ever_more_rarely() {
        block(async {
            for takes in 1..=10 {
                let pace = pace("concurrency = 10");
                assert_eq!(round(&pace, takes), 10 - takes);
                let refused: usize = (0..300).map(|_| round(&pace, takes)).sum();
                assert!(refused <= 20 + 300 * takes / 60, "{takes} at once: {refused} refused");
                // Once it takes all, all are sent again.
                (0..200).for_each(|_| assert_eq!(round(&pace, 10), 0));
                assert_eq!(room(&pace), 10, "after {takes} at once");
            }
        });
    }

    #[test]
    fn after_a_server_took_nobody_the_limit_doubles_with_each_round() {
        block(async {
            let pace = pace("concurrency = 8");
            round(&pace, 0);
            assert!(pace.try_leave(1).unwrap_err().is_some(), "everybody pauses");
            pace.inner().paused_until = None;
            for expected in [1, 2, 4, 8] {
                assert_eq!(room(&pace), expected);
                round(&pace, 8);
            }
        });
    }

    #[test]
    fn the_limit_does_not_grow_where_it_holds_nobody_back() {
        block(async {
            let pace = pace("concurrency = 10");
            pace.inner().limit = 7;
            for _ in 0..50 {
                pace.try_leave(1).unwrap().answered();
            }
            assert_eq!(room(&pace), 7);
        });
    }

    #[test]
    fn only_refusals_with_nobody_in_flight_say_that_the_server_takes_nobody() {
        block(async {
            let pace = pace("concurrency = 2");
            let (one, two) = (pace.try_leave(1).unwrap(), pace.try_leave(1).unwrap());
            drop(two);
            assert_eq!(pace.crowded(None, LONGEST).0, 0);
            drop(one);
            assert_eq!(pace.crowded(None, LONGEST).0, 1);
            assert_eq!(pace.crowded(None, LONGEST).0, 2);
            pace.inner().paused_until = None;
            pace.try_leave(1).unwrap().answered();
            assert_eq!(pace.crowded(None, LONGEST).0, 1, "an answer stands between them");
        });
    }

    #[test]
    fn everybody_pauses_after_the_second_refusal_in_a_row() {
        let long = Some(Duration::from_secs(9));
        block(async {
            let pace = pace("concurrency = 10");
            pace.crowded(long, LONGEST);
            pace.try_leave(1).unwrap().answered();
            pace.crowded(long, LONGEST);
            assert!(pace.try_leave(1).is_ok(), "an answer stands between the two");
            pace.crowded(long, LONGEST);
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
