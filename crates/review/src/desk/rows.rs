//! What a queue looks like to a person: lists, counts, what comes next.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Digest;

use super::{Desk, Item, Placed, State};
use crate::{
    Agreement, agree,
    queue::{self, Queue},
    sight,
};

/// Which items of a queue are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Those that the person has not voted on.
    Todo,
    /// Those that the person has voted on.
    Mine,
    /// Those that are in a state.
    In(State),
    /// Those whose text changed since the person decided, or anybody where one person decides.
    Stale,
}

/// A queue as one person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueSummary {
    /// Its word for addresses: `book-kinds`.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Items.
    pub items: usize,
    /// Those that the person has voted on.
    pub mine: usize,
    /// Those that are decided.
    pub decided: usize,
    /// Those on which too few have voted.
    pub open: usize,
    /// Those on which people differ.
    pub disputed: usize,
}

/// An item in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'d> {
    /// Its id.
    pub id: Digest,
    /// Its place in the queue, from 1.
    pub place: usize,
    /// The item.
    pub item: &'d Item,
    /// How it stands.
    pub state: State,
    /// The person's own choice, as they see it called.
    pub mine: Option<String>,
    /// Whether its text changed since the person decided, or anybody where one person decides.
    pub is_stale: bool,
    /// What it is about, in one line.
    pub line: String,
}

/// How far a queue is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The queue as the person sees it.
    pub queue: QueueSummary,
    /// How many items each person has voted on, by name.
    pub people: Vec<(String, usize)>,
    /// How many seconds the person's own votes took.
    pub seconds: u64,
}

impl Desk {
    /// The queues that have items for a person: all but those on what they wrote themselves.
    pub fn queues(&self, person: &str) -> Vec<QueueSummary> {
        let all = queue::ALL.iter().zip(&self.queues);
        let all = all.map(|(queue, items)| self.summary(queue, items, person));
        all.filter(|queue| queue.items > 0).collect()
    }

    fn is_for(&self, at: usize, person: &str) -> bool {
        self.items[at].item.review.is_for(person)
    }

    fn summary(&self, queue: &Queue, items: &[usize], person: &str) -> QueueSummary {
        let items: Vec<usize> =
            items.iter().copied().filter(|at| self.is_for(*at, person)).collect();
        let state = |state| items.iter().filter(|at| self.items[**at].state == state).count();
        QueueSummary {
            name: queue.name,
            title: queue.title,
            items: items.len(),
            mine: items.iter().filter(|at| self.own(**at, person).is_some()).count(),
            decided: state(State::Decided),
            open: state(State::Open),
            disputed: state(State::Disputed),
        }
    }

    /// Some items of a queue: `count` of those that pass the filter, from number `from` on, counted from 0. Only
    /// these are looked at closely.
    pub fn page(
        &self,
        queue: &str,
        person: &str,
        filter: Filter,
        from: usize,
        count: usize,
    ) -> Vec<Row<'_>> {
        let items = self.queue(queue).iter().copied();
        let passing = items.filter(|at| self.passes(*at, person, filter));
        passing.skip(from).take(count).map(|at| self.row(at, person)).collect()
    }

    /// How many items of a queue pass a filter.
    pub fn count(&self, queue: &str, person: &str, filter: Filter) -> usize {
        self.queue(queue).iter().filter(|at| self.passes(**at, person, filter)).count()
    }

    fn passes(&self, at: usize, person: &str, filter: Filter) -> bool {
        if !self.is_for(at, person) {
            return false;
        }
        match filter {
            Filter::All => true,
            Filter::Todo => self.own(at, person).is_none(),
            Filter::Mine => self.own(at, person).is_some(),
            Filter::In(state) => self.items[at].state == state,
            Filter::Stale => self.stale(at, person).is_some(),
        }
    }

    fn row(&self, at: usize, person: &str) -> Row<'_> {
        let placed = &self.items[at];
        let review = &placed.item.review;
        let choices = sight::shuffled(review, placed.ids[0], person);
        let mine = self.own(at, person).map(|own| sight::called(&choices, &own.choice).to_owned());
        Row {
            id: placed.ids[0],
            place: placed.place + 1,
            item: &placed.item,
            state: placed.state,
            mine,
            is_stale: self.stale(at, person).is_some(),
            line: one_line(&sight::excerpt(review, &choices)),
        }
    }

    /// The next item of a queue that the person has not voted on, behind `after` and then from the start; none if
    /// there is no other.
    pub fn next(&self, queue: &str, person: &str, after: Option<Digest>) -> Option<Digest> {
        let items = self.queue(queue);
        let after = after.and_then(|id| self.at(id).ok());
        let start =
            after.map_or(0, |at| items.iter().position(|one| *one == at).map_or(0, |n| n + 1));
        let all = items[start..].iter().chain(&items[..start]);
        let mut todo =
            all.filter(|at| Some(**at) != after && self.passes(**at, person, Filter::Todo));
        todo.next().map(|at| self.items[*at].ids[0])
    }

    /// The items on which people differ, in order.
    pub fn disputes(&self) -> Vec<Digest> {
        let disputed = |placed: &&Placed| placed.state == State::Disputed;
        self.items.iter().filter(disputed).map(|placed| placed.ids[0]).collect()
    }

    /// How far people agree on a queue, by their own votes: not by what settled disputes, nor, unless the protocol is
    /// `hybrid`, by votes that were made with a proposal in sight.
    pub fn agreement(&self, queue: &str) -> BTreeMap<String, Agreement> {
        agree::agreement(self, queue)
    }

    /// How far a queue is; none if there is no such queue.
    pub fn progress(&self, queue: &str, person: &str) -> Option<Progress> {
        let named = queue::named(queue)?;
        let items = self.queue(queue);
        let mut people: BTreeMap<&str, usize> = BTreeMap::new();
        let mut seconds = 0;
        for at in items {
            let votes = self.decisions.votes_of(&self.items[*at].ids);
            for name in votes.iter().map(|vote| vote.by.as_str()).collect::<BTreeSet<_>>() {
                *people.entry(name).or_default() += 1;
            }
            seconds += self.own(*at, person).map_or(0, |own| u64::from(own.seconds));
        }
        let people = people.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        Some(Progress { queue: self.summary(&named, items, person), people, seconds })
    }
}

/// How many symbols of an excerpt a list shows.
const SHOWN: usize = 160;

fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let own = word.chars().count() + usize::from(!line.is_empty());
        if count + own > SHOWN {
            line.extend(word.chars().take(if line.is_empty() { SHOWN } else { 0 }));
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        count += own;
    }
    line
}
