//! What a stage may do besides reading its input: draw, ask, and let an item fail.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    Answer, AskTotals, Asker, Changes, Decision, Decisions, Digest, Fault, Followed, Reason,
    Request, RequestKey, Review, Reviews, Said, Seed, Span, Stop, Stream, Taken, UnitId, Written,
    ask::Asked,
};

/// Something a stage works on one by one: it has a name, and often a place in the book.
pub trait Item {
    /// The item's id, as published: `84/0012`.
    fn item_id(&self) -> String;
    /// Where it stands in the book.
    fn item_span(&self) -> Option<Span> {
        None
    }
}

/// An item that failed, or was left out on purpose: named, with its reason and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// The item.
    pub item: String,
    /// The reason.
    pub reason: Reason,
    /// Where it stands in the book.
    pub span: Option<Span>,
}

/// What became of the answers to one round of requests: the first tries, the second tries, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Answers that passed their check.
    pub accepted: u64,
    /// Answers that did not.
    pub refused: u64,
}

impl Round {
    /// All of them.
    pub fn answers(self) -> u64 {
        self.accepted.saturating_add(self.refused)
    }

    /// The round of an attempt, counted from 0, in a list that grows as far as it has to.
    pub fn of(rounds: &mut Vec<Self>, attempt: usize) -> &mut Self {
        if rounds.len() <= attempt {
            rounds.resize(attempt + 1, Self::default());
        }
        &mut rounds[attempt]
    }
}

impl std::ops::AddAssign for Round {
    fn add_assign(&mut self, other: Self) {
        self.accepted = self.accepted.saturating_add(other.accepted);
        self.refused = self.refused.saturating_add(other.refused);
    }
}

/// An answer that was held against its check.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its key.
    pub key: RequestKey,
    /// Which re-ask it was, from 0.
    pub attempt: u32,
    /// The item it was asked for, or the unit.
    pub item: String,
    /// Why it was refused; none if it was accepted.
    pub refused: Option<Refusal>,
}

/// Why an answer was refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The item it was asked for, or the unit.
    pub item: String,
    /// What is wrong with it.
    pub reason: Reason,
    /// Its first words.
    pub begins: String,
}

/// What running a stage on a unit read and left out, kept beside its part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Every answer read, in order: its key and its digest.
    pub reads: Vec<(RequestKey, Digest)>,
    /// Every item rejected, in order.
    pub rejects: Vec<Reject>,
    /// Every item left out on purpose, in order.
    #[serde(default)]
    pub left_out: Vec<Reject>,
    /// Every decision that a person may want to look at, in order.
    #[serde(default)]
    pub reviews: Vec<Review>,
    /// Those of them that people decided, and what they decided.
    #[serde(default)]
    pub decided: Vec<(Digest, String)>,
    /// What they said beyond the choice, where they said anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<(Digest, Said)>,
    /// Those of them whose votes were read one by one, with a digest of the votes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<(Digest, Digest)>,
    /// How much was asked of each model, by its name in the workflow; each request once.
    #[serde(default)]
    pub exchanged: BTreeMap<String, AskTotals>,
    /// What endpoints refused of the requests, by the model's name in the workflow.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, Changes>,
    /// What became of the answers, round by round; each answer once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
}

impl Trace {
    /// The trace of what read people's decisions and nothing else.
    pub fn of(followed: Followed) -> Self {
        let Followed { items, decided, said, votes } = followed;
        Self { reviews: items, decided, said, votes, ..Self::default() }
    }
}

/// The surroundings of one run of one stage on one unit.
pub struct Cx<'a> {
    kind: &'static str,
    unit: &'a UnitId,
    seed: Seed,
    asker: &'a dyn Asker,
    trace: Trace,
    reviews: Reviews<'a>,
    waiting: Vec<Asked>,
    seen: BTreeSet<RequestKey>,
    judged: Vec<Judged>,
    item: Option<String>,
    only: Option<&'a BTreeSet<u32>>,
}

/// How many symbols of a refused answer are kept to be shown.
const SHOWN: usize = 160;

impl std::fmt::Debug for Cx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cx")
            .field("kind", &self.kind)
            .field("unit", &self.unit)
            .finish_non_exhaustive()
    }
}

impl<'a> Cx<'a> {
    /// The surroundings for a kind of stage and a unit. Called by the engine, and by tests.
    pub fn new(kind: &'static str, unit: &'a UnitId, seed: Seed, asker: &'a dyn Asker) -> Self {
        let reviews = Reviews::new(Decisions::NONE);
        let (trace, waiting) = (Trace::default(), Vec::new());
        let (seen, judged, item, only) = (BTreeSet::new(), Vec::new(), None, None);
        Self { kind, unit, seed, asker, trace, reviews, waiting, seen, judged, item, only }
    }

    /// The same with what people decided.
    #[must_use]
    pub fn with(self, decisions: &'a Decisions) -> Self {
        Self { reviews: Reviews::new(decisions), ..self }
    }

    /// The same for a pilot: of the scenes of the unit only these are worked on one by one. A stage still
    /// reads all of them, so what it asks about one is what it will ask when all are worked on.
    #[must_use]
    pub fn only(self, scenes: Option<&'a BTreeSet<u32>>) -> Self {
        Self { only: scenes, ..self }
    }

    /// Whether a pilot passes over an item: a scene that was not chosen.
    fn passes_over(&self, item: &str) -> bool {
        let Some(only) = self.only else { return false };
        let scene = item.strip_prefix(self.unit.as_str()).and_then(|rest| rest.strip_prefix('/'));
        let scene = scene.and_then(|digits| digits.parse().ok());
        scene.is_some_and(|scene: u32| !only.contains(&scene))
    }

    /// The unit.
    pub fn unit(&self) -> &UnitId {
        self.unit
    }

    /// The root of all streams, for choices that are made in another crate, each under a name of its own.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The stream of choices for one purpose of one item.
    pub fn stream(&self, item: &str, purpose: &str) -> Stream {
        self.seed.derive(self.kind, self.unit, item, purpose)
    }

    /// Works on items one by one. An item that waits or is rejected stops no other; while any
    /// waits, the unit waits.
    pub fn each<I: Item, O>(
        &mut self,
        items: &[I],
        mut work: impl FnMut(&mut Self, &I) -> Result<O, Stop>,
    ) -> Result<Vec<O>, Stop> {
        let mut done = Vec::with_capacity(items.len());
        let mut waits = false;
        for item in items {
            if self.only.is_some() && self.passes_over(&item.item_id()) {
                continue;
            }
            let outer = self.item.replace(item.item_id());
            let worked = work(self, item);
            self.item = outer;
            match worked {
                Ok(output) => done.push(output),
                Err(Stop::Waiting) => waits = true,
                Err(stop) => self.stopped(item.item_id(), item.item_span(), stop)?,
            }
        }
        if waits { Err(Stop::Waiting) } else { Ok(done) }
    }

    /// Says why an item has no row, where that is known only behind its work.
    ///
    /// # Errors
    ///
    /// It stopped for another reason than its own.
    pub fn stop(&mut self, item: String, stop: Stop) -> Result<(), Stop> {
        if self.only.is_some() && self.passes_over(&item) {
            return Ok(());
        }
        self.stopped(item, None, stop)
    }

    fn stopped(&mut self, item: String, span: Option<Span>, stop: Stop) -> Result<(), Stop> {
        match stop {
            Stop::Reject(reason) => self.trace.rejects.push(Reject { item, reason, span }),
            Stop::LeftOut(reason) => self.trace.left_out.push(Reject { item, reason, span }),
            other => return Err(other),
        }
        Ok(())
    }

    /// The first answer that passes `check`. `prompt` sees the last failure, so that it may
    /// insist. If the log lacks an answer, the request is noted and the item waits.
    pub fn ask<T>(
        &mut self,
        sample: u32,
        prompt: impl Fn(Option<&Reason>) -> Request,
        check: impl Fn(&Answer) -> Result<T, Reason>,
    ) -> Result<T, Stop> {
        let mut last: Option<Reason> = None;
        for attempt in 0.. {
            let request = prompt(last.as_ref());
            if attempt >= request.tries {
                break;
            }
            let key = self.asker.key(self.unit, &request, sample, attempt)?;
            let Some(answer) = self.asker.get(&key)? else {
                let (stage, unit) = (self.kind, self.unit.clone());
                let item = self.item.clone();
                self.waiting.push(Asked { key, stage, unit, item, request, sample, attempt });
                return Err(Stop::Waiting);
            };
            self.trace.reads.push((key, answer.digest()));
            let checked = check(&answer);
            if self.seen.insert(key) {
                let one = AskTotals {
                    answers: 1,
                    symbols_in: request.symbols(),
                    symbols_out: answer.symbols(),
                };
                *self.trace.exchanged.entry(request.model.clone()).or_default() += one;
                let changes = self.asker.changes(&key);
                if !changes.is_empty() {
                    self.trace.changes.entry(request.model.clone()).or_default().extend(changes);
                }
                self.judge(key, attempt, &answer, checked.as_ref().err());
            }
            match checked {
                Ok(value) => return Ok(value),
                Err(reason) => last = Some(reason),
            }
        }
        Err(Stop::Reject(
            last.unwrap_or_else(|| Reason::new("no-tries", "the workflow allows no tries")),
        ))
    }

    fn judge(&mut self, key: RequestKey, attempt: u32, answer: &Answer, reason: Option<&Reason>) {
        let round = Round::of(&mut self.trace.rounds, attempt as usize);
        let counted = if reason.is_none() { &mut round.accepted } else { &mut round.refused };
        *counted += 1;
        let item = self.item.clone().unwrap_or_else(|| self.unit.to_string());
        let refused = reason.map(|reason| Refusal {
            item: item.clone(),
            reason: reason.clone(),
            begins: answer.text.chars().take(SHOWN).collect(),
        });
        self.judged.push(Judged { key, attempt, item, refused });
    }

    /// Every answer that was held against its check, in order, each once. They are given away.
    pub fn judged(&mut self) -> Vec<Judged> {
        std::mem::take(&mut self.judged)
    }

    /// Puts a doubt before people and takes what they decided, else its default.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn decide(&mut self, review: Review) -> Result<String, Fault> {
        self.reviews.decide(review)
    }

    /// Takes what people decided of what a rule decides safely: it is not put before them, and their votes on it from
    /// elsewhere still count.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn settle(&mut self, review: Review) -> Result<String, Fault> {
        if self.reviews.votes(&review).is_empty() {
            return Ok(review.default);
        }
        self.reviews.decide(review)
    }

    /// Puts a doubt before people and takes what they decided, with what they said beyond the choice; else its
    /// default.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn take(&mut self, review: Review) -> Result<Taken, Fault> {
        self.reviews.take(review)
    }

    /// Each person's vote on an item, whether or not they decide it.
    pub fn votes(&mut self, review: &Review) -> Vec<Decision> {
        self.reviews.votes(review)
    }

    /// Whether people decided on an item.
    pub fn is_decided(&self, review: &Review) -> bool {
        self.reviews.is_decided(review)
    }

    /// Who decided on an item, as they want to be called; none if nobody did.
    pub fn decided_by(&self, review: &Review) -> Option<&'a str> {
        self.reviews.decided_by(review)
    }

    /// Puts something before people from which nothing follows yet.
    pub fn review(&mut self, review: Review) {
        self.reviews.note(review);
    }

    /// Every answer read so far, in order. A stage that publishes which answers a row was made from
    /// looks at what was added since it began the row.
    pub fn reads(&self) -> &[(RequestKey, Digest)] {
        &self.trace.reads
    }

    /// How much was written for the answer that was read last, where that is known.
    ///
    /// # Errors
    ///
    /// The log cannot be read.
    pub fn written(&self) -> Result<Option<Written>, Fault> {
        self.trace.reads.last().map_or(Ok(None), |(key, _)| self.asker.written(key))
    }

    /// What was read and rejected, and what is waited for.
    pub fn finish(self) -> (Trace, Vec<Asked>) {
        let Trace { reviews, decided, said, votes, .. } = Trace::of(self.reviews.finish());
        (Trace { reviews, decided, said, votes, ..self.trace }, self.waiting)
    }
}
