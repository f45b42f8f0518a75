//! What one person may see of an item.

use storymill_core::{Decision, Digest, Protocol, Review};

use crate::{Desk, Item, State, queue};

/// A choice as one person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What is kept of it: for texts that are compared, the text whichever place it stands in.
    pub choice: String,
    /// What the person sees it called: of texts that are compared, the first is always A.
    pub called: String,
}

/// All that a person may see of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight<'d> {
    /// Its id.
    pub id: Digest,
    /// The item.
    pub item: &'d Item,
    /// The queue's word for addresses.
    pub queue: &'static str,
    /// What the queue is called.
    pub title: &'static str,
    /// Its place in the queue, from 1.
    pub place: usize,
    /// How many items the queue has.
    pub of: usize,
    /// Its choices in the order in which the person sees them: texts that are compared stand in another order for
    /// each person, so that no place tells which is which, and are called by their places.
    pub choices: Vec<Shown>,
    /// The person's own vote.
    pub own: Option<&'d Decision>,
    /// What others said; none while that is hidden.
    pub others: Option<Vec<&'d Decision>>,
    /// Whether a model proposes something, shown or hidden.
    pub has_proposal: bool,
    /// What it proposes, where that may be seen.
    pub proposal: Option<&'d str>,
    /// How it stands.
    pub state: State,
    /// What is decided, where that may be seen.
    pub taken: Option<&'d str>,
    /// What was decided on the text that it had before: by the person, or by anybody where one person decides.
    pub stale: Option<&'d Decision>,
    /// The item before it in the queue.
    pub previous: Option<Digest>,
    /// The item behind it.
    pub next: Option<Digest>,
}

impl Desk {
    /// All that a person may see of an item; none if there is no such item. Votes of others and a model's proposal are
    /// hidden until the person's own vote is saved, unless the rule's protocol is `hybrid`, which shows the proposal.
    pub fn sight(&self, id: Digest, person: &str) -> Option<Sight<'_>> {
        let at = self.at(id).ok()?;
        Some(self.sight_at(at, person, self.own(at, person).is_some()))
    }

    /// The same for somebody who settles disputes: all votes are shown. None if the item is neither disputed nor was
    /// settled, or the person may not settle it.
    pub fn dispute(&self, id: Digest, person: &str) -> Option<Sight<'_>> {
        let at = self.at(id).ok()?;
        let may = self.decisions.rule().may_adjudicate(person) && self.is_settleable(at);
        may.then(|| self.sight_at(at, person, true))
    }

    fn sight_at(&self, at: usize, person: &str, sees: bool) -> Sight<'_> {
        let placed = &self.items[at];
        let (queue, items) = (queue::ALL[placed.queue], &self.queues[placed.queue]);
        let beside = |place: Option<usize>| {
            place.and_then(|place| items.get(place)).map(|at| self.items[*at].ids[0])
        };
        let rule = self.decisions.rule();
        let standing = self.decisions.standing_of(&placed.ids);
        let others = || {
            let own = |vote: &&Decision| vote.by != person;
            let mut votes: Vec<&Decision> = self.decisions.votes_of(&placed.ids);
            votes.extend(standing.votes().iter().filter(|head| self.decisions.settles(head)));
            votes.into_iter().filter(own).collect()
        };
        let proposal = Some(placed.item.review.proposal.as_str()).filter(|text| !text.is_empty());
        let hybrid = rule.protocol == Protocol::Hybrid;
        Sight {
            id: placed.ids[0],
            item: &placed.item,
            queue: queue.name,
            title: queue.title,
            place: placed.place + 1,
            of: items.len(),
            choices: shuffled(&placed.item.review, placed.ids[0], person),
            own: self.own(at, person),
            others: sees.then(others),
            has_proposal: proposal.is_some(),
            proposal: proposal.filter(|_| sees || hybrid),
            state: placed.state,
            taken: standing.choice().filter(|_| sees),
            stale: self.stale(at, person),
            previous: beside(placed.place.checked_sub(1)),
            next: beside(Some(placed.place + 1)),
        }
    }
}

impl Sight<'_> {
    /// What the person sees a choice called.
    pub fn called<'c>(&'c self, choice: &'c str) -> &'c str {
        called(&self.choices, choice)
    }

    /// What the item is about, with texts that are compared in the order of the person.
    pub fn excerpt(&self) -> String {
        excerpt(&self.item.review, &self.choices)
    }
}

/// What somebody who sees these choices sees one called.
pub(crate) fn called<'c>(choices: &'c [Shown], choice: &'c str) -> &'c str {
    choices.iter().find(|one| one.choice == choice).map_or(choice, |one| &one.called)
}

/// What an item is about, for somebody who sees these choices.
pub(crate) fn excerpt(review: &Review, choices: &[Shown]) -> String {
    let texts = review.form.texts();
    if texts.is_empty() {
        return review.excerpt.clone();
    }
    let line = |one: &Shown| {
        let text = texts.iter().find(|text| text.choice == one.choice)?;
        Some(format!("{}: {}", one.called, text.text))
    };
    choices.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// The choices of an item, those that stand for texts in an order of the person's own, which stays: the first of these
/// is called as the first text of the item, so that letters are in order on every page.
pub(crate) fn shuffled(review: &Review, id: Digest, person: &str) -> Vec<Shown> {
    let mut choices = review.choices.clone();
    let texts = review.form.texts();
    let place = |choice: &String| {
        if !texts.iter().any(|text| text.choice == *choice) {
            return None;
        }
        let parts = [&id.as_bytes()[..], person.as_bytes(), choice.as_bytes()];
        Some(Digest::of_parts("storymill 2026 order of texts v1", parts))
    };
    // The texts come first.
    choices.sort_by_cached_key(|choice| place(choice).map_or((true, None), |at| (false, Some(at))));
    let shown = |(at, choice): (usize, String)| {
        let called = texts.get(at).map_or_else(|| choice.clone(), |text| text.choice.clone());
        Shown { choice, called }
    };
    choices.into_iter().enumerate().map(shown).collect()
}
