//! The desk: the items of a build, what people said of them, and what each may see.

mod rows;
mod saying;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use storymill_core::{Decision, Decisions, Digest, Fault, Review, ReviewRule, Standing, UnitId};

use crate::{ballot::input, queue};

pub use rows::{Filter, Progress, QueueSummary, Row};

/// An item, and where it arose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The step of the workflow.
    pub step: String,
    /// The book or other unit.
    pub unit: UnitId,
    /// What is to be decided.
    pub review: Review,
}

/// How an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Too few people have voted.
    Open,
    /// It is decided.
    Decided,
    /// People differ.
    Disputed,
}

/// The items of a build, what people said of them, and what each may see.
#[derive(Debug)]
pub struct Desk {
    pub(crate) items: Vec<Placed>,
    by_id: BTreeMap<Digest, usize>,
    pub(crate) queues: Vec<Vec<usize>>,
    pub(crate) decisions: Decisions,
    /// The lines in the order in which they came.
    order: Vec<Digest>,
    /// Decisions whose item has changed, by its name and code.
    stale: BTreeMap<(String, String), Vec<Digest>>,
    /// Lines that counted, and are in no file any more.
    gone: BTreeMap<Digest, Decision>,
}

#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) item: Item,
    pub(crate) ids: [Digest; 2],
    pub(crate) queue: usize,
    pub(crate) place: usize,
    pub(crate) state: State,
}

impl Desk {
    /// A desk of items, in the order in which they are shown, and of the lines of files in their order.
    /// Items from which nothing follows are left out, and an item that stands twice is one.
    pub fn new(items: Vec<Item>, lines: Vec<Decision>, rule: ReviewRule) -> Self {
        let mut desk = Self {
            items: Vec::new(),
            by_id: BTreeMap::new(),
            queues: vec![Vec::new(); queue::ALL.len()],
            decisions: Decisions::default().with_rule(rule),
            order: Vec::new(),
            stale: BTreeMap::new(),
            gone: BTreeMap::new(),
        };
        for item in items.into_iter().filter(|item| item.review.is_open_to_votes()) {
            let ids = [item.review.id(), item.review.former_id()];
            if desk.by_id.contains_key(&ids[0]) {
                continue;
            }
            let name = queue::of(&item.review.code).name;
            let queue = queue::ALL.iter().position(|one| one.name == name).unwrap_or(0);
            let (at, place) = (desk.items.len(), desk.queues[queue].len());
            desk.queues[queue].push(at);
            desk.by_id.extend(ids.map(|id| (id, at)));
            desk.items.push(Placed { item, ids, queue, place, state: State::Open });
        }
        for line in lines {
            desk.keep(line);
        }
        (0..desk.items.len()).for_each(|at| desk.look(at));
        desk.look_for_stale();
        desk
    }

    /// What people decided, with the rule.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The items, in order.
    pub fn items(&self) -> impl Iterator<Item = (Digest, &Item)> {
        self.items.iter().map(|placed| (placed.ids[0], &placed.item))
    }

    /// The lines in the order in which they came.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &Decision> {
        self.order.iter().filter_map(|id| self.decisions.line(id))
    }

    /// The one item whose id begins so.
    ///
    /// # Errors
    ///
    /// There is none, or there are several.
    pub fn find(&self, begins: &str) -> Result<Digest, Fault> {
        // Pages name whole ids, and a queue may have thousands.
        if let Some(at) = begins.parse().ok().and_then(|id: Digest| self.by_id.get(&id)) {
            return Ok(self.items[*at].ids[0]);
        }
        let fits = |id: &Digest| !begins.is_empty() && id.to_string().starts_with(begins);
        let mut found = self.items.iter().map(|placed| placed.ids[0]).filter(fits);
        match (found.next(), found.count()) {
            (Some(id), 0) => Ok(id),
            (None, _) => Err(input(format!("no item of this build is called `{begins}`"))
                .hint("`storymill review WORKFLOW --list` lists them with their ids")),
            (Some(_), more) => {
                let message = format!("several items begin with `{begins}`: {}", more + 1);
                Err(input(message)
                    .hint("give more letters of the id; `--format json` shows all of them"))
            }
        }
    }

    pub(crate) fn queue(&self, name: &str) -> &[usize] {
        let at = queue::ALL.iter().position(|queue| queue.name == name);
        at.map_or(&[][..], |at| &self.queues[at])
    }

    /// Takes a line in, after it was saved or read. Whether it is new.
    pub fn take(&mut self, line: Decision) -> bool {
        let of = |id: &Digest| self.decisions.line(id).map(|line| line.review);
        let mut touched: BTreeSet<Digest> = line.replaces.iter().filter_map(of).collect();
        touched.insert(line.review);
        if !self.keep(line) {
            return false;
        }
        let known: BTreeSet<usize> =
            touched.iter().filter_map(|id| self.by_id.get(id)).copied().collect();
        let all_known = touched.iter().all(|id| self.by_id.contains_key(id));
        for at in known {
            self.look(at);
        }
        if !all_known {
            self.look_for_stale();
        }
        true
    }

    /// Takes what stands in the files for all that was said: a line that is not there any more does not count, and is kept
    /// aside until it is taken in again or forgotten.
    pub fn stands(&mut self, lines: Vec<Decision>) {
        let rule = self.decisions.rule().clone();
        let before = std::mem::replace(&mut self.decisions, Decisions::default().with_rule(rule));
        let order = std::mem::take(&mut self.order);
        for line in lines {
            self.keep(line);
        }
        let gone = order.iter().filter(|id| self.decisions.line(id).is_none());
        let gone: Vec<_> = gone.filter_map(|id| Some((*id, before.line(id)?.clone()))).collect();
        self.gone.extend(gone);
        (0..self.items.len()).for_each(|at| self.look(at));
        self.look_for_stale();
    }

    /// Lines that were read or saved, and that stand in no file any more.
    pub fn gone(&self) -> impl Iterator<Item = &Decision> {
        self.gone.values()
    }

    /// Lets them go.
    pub fn forget_gone(&mut self) {
        self.gone.clear();
    }

    fn keep(&mut self, line: Decision) -> bool {
        let id = line.id();
        self.gone.remove(&id);
        let is_new = self.decisions.take(line);
        if is_new {
            self.order.push(id);
        }
        is_new
    }

    fn look(&mut self, at: usize) {
        let state = match self.decisions.standing_of(&self.items[at].ids) {
            Standing::Open(_) => State::Open,
            Standing::Decided { .. } => State::Decided,
            Standing::Disputed(_) => State::Disputed,
        };
        self.items[at].state = state;
    }

    fn look_for_stale(&mut self) {
        let known: BTreeSet<Digest> = self.by_id.keys().copied().collect();
        let mut stale: BTreeMap<(String, String), Vec<Digest>> = BTreeMap::new();
        for line in self.decisions.idle_but(known).filter(|line| !line.item.is_empty()) {
            stale.entry((line.item.clone(), line.code.clone())).or_default().push(line.id());
        }
        self.stale = stale;
    }

    /// Decisions on the text that an item had before: those on the only item of its name and code that is gone.
    fn stale_lines(&self, at: usize) -> impl Iterator<Item = (Digest, &Decision)> {
        let placed = &self.items[at];
        let review = &placed.item.review;
        let place = (review.item.clone(), review.code.to_string());
        let all = self.stale.get(&place).filter(|_| placed.state == State::Open);
        let lines: Vec<(Digest, &Decision)> = all
            .into_iter()
            .flatten()
            .filter_map(|id| Some((*id, self.decisions.line(id)?)))
            .collect();
        let alone = lines.windows(2).all(|pair| pair[0].1.review == pair[1].1.review);
        lines.into_iter().filter(move |_| alone)
    }

    /// Those of them that a person's own vote takes the place of, so that they may be seen before it: their own, and
    /// where one person decides everybody's.
    fn stale_before(&self, at: usize, person: &str) -> impl Iterator<Item = (Digest, &Decision)> {
        let one_decides = self.decisions.rule().voters <= 1;
        self.stale_lines(at).filter(move |(_, line)| one_decides || line.by == person)
    }

    /// What was decided on the text that an item had before, as a person may see it: their own vote if there is one.
    pub(crate) fn stale(&self, at: usize, person: &str) -> Option<&Decision> {
        if self.stale.is_empty() {
            return None;
        }
        let lines = self.stale_before(at, person).map(|(_, line)| line);
        lines.min_by_key(|line| line.by != person)
    }

    pub(crate) fn at(&self, id: Digest) -> Result<usize, Fault> {
        self.by_id.get(&id).copied().ok_or_else(|| {
            input(format!("no item of this build has the id {}", id.short()))
                .hint("the item may have changed; look at the queue again")
        })
    }

    fn last(&self, at: usize, person: &str) -> Vec<(Digest, &Decision)> {
        self.decisions.last_of_ids(&self.items[at].ids, person)
    }

    /// The person's own vote on an item.
    pub(crate) fn own(&self, at: usize, person: &str) -> Option<&Decision> {
        let mut last = self.last(at, person).into_iter().map(|(_, line)| line);
        last.rfind(|line| !line.is_withdrawn())
    }
}

#[cfg(test)]
mod tests;
