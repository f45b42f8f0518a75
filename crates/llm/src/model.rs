//! A model of the workflow as it is asked in a run, and what all requests in flight share.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    sync::{Arc, Mutex, atomic::AtomicU64},
};

use storymill_core::{Changes, Digest, Fault, RequestKey};
use tokio::time::Instant;

use crate::{
    AnswerLog, AskEvents, Env, ModelConfig, asker::lock, budget::Budget, endpoint::Endpoint,
    pace::Pace, price::Price, sharing::Row, wire::Wire,
};

/// What the requests in flight share.
pub(crate) struct Shared {
    pub(crate) log: Arc<AnswerLog>,
    pub(crate) budget: Budget,
    pub(crate) events: Arc<dyn AskEvents>,
    /// The keys answered in this run, where only these count.
    pub(crate) fresh: Option<Mutex<BTreeSet<RequestKey>>>,
    /// How many answers this machine gave in this run.
    pub(crate) here: AtomicU64,
}

/// A model of the workflow.
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) config: ModelConfig,
    /// What its endpoint speaks.
    pub(crate) wire: &'static dyn Wire,
    pub(crate) pace: Pace,
    pub(crate) price: Option<Price>,
    /// What the endpoint has refused in this run, and is sent without or under another name.
    pub(crate) changes: Mutex<Changes>,
    /// The beginnings that its cache was last sent, and when.
    sent: Mutex<HashMap<Digest, Instant>>,
    private: bool,
    endpoint: Mutex<Option<Arc<Endpoint>>>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Model {
    pub(crate) fn new(
        name: String,
        config: ModelConfig,
        wire: &'static dyn Wire,
        price: Option<Price>,
        private: bool,
    ) -> Self {
        let pace = Pace::new(&config);
        let (changes, sent, endpoint) = Default::default();
        Self { name, config, wire, pace, price, changes, sent, private, endpoint }
    }

    /// A request was answered: its beginnings are in the cache.
    pub(crate) fn sent(&self, row: &Row<'_>) {
        let marks = self.wire.wants_marks();
        let now = Instant::now();
        lock(&self.sent).extend(row.sends(marks).map(|digest| (digest, now)));
    }

    /// Whether a beginning is in the cache still.
    pub(crate) fn has_sent(&self, digest: &Digest) -> bool {
        let sent = lock(&self.sent);
        sent.get(digest).is_some_and(|when| when.elapsed() < self.config.cache.time())
    }

    pub(crate) fn endpoint(&self, env: &Env) -> Result<Arc<Endpoint>, Fault> {
        let mut endpoint = lock(&self.endpoint);
        if let Some(endpoint) = &*endpoint {
            return Ok(Arc::clone(endpoint));
        }
        let made = Arc::new(Endpoint::new(&self.config, self.wire, env, self.private)?);
        *endpoint = Some(Arc::clone(&made));
        Ok(made)
    }
}
