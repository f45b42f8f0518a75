//! What people decided, as votes to be compared: how far voters agree, whatever they vote on, with intervals over books.

use std::collections::BTreeMap;

use storymill_core::{Decisions, Digest, Protocol, Said};
use storymill_metrics::{
    agreement::{Agreement, Draws, How, Votes, agreement, answer},
    bootstrap::Plan,
};

/// Rounds of resampling: an interval that is shown while people vote.
const ROUNDS: usize = 500;

/// A vote of a person on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voted<'v> {
    /// Who.
    pub by: &'v str,
    /// The choice.
    pub choice: &'v str,
    /// What was said beyond it: labels are compared sentence by sentence.
    pub said: &'v Said,
}

/// The agreement on items of books by what people decided; an item is given by its ids. Votes that were made with a
/// proposal in sight count under the protocol `hybrid` alone. `how` says whether choices are steps of a scale.
pub fn on<B: Ord>(
    decisions: &Decisions,
    items: impl IntoIterator<Item = (B, [Digest; 2])>,
    how: How<'_>,
) -> Agreement {
    let hybrid = decisions.rule().protocol == Protocol::Hybrid;
    let mut books: BTreeMap<B, Vec<Vec<Voted<'_>>>> = BTreeMap::new();
    for (book, ids) in items {
        let votes = decisions.votes_of(&ids).into_iter();
        let votes = votes.filter(|vote| hybrid || !vote.proposal_shown);
        let voted =
            votes.map(|vote| Voted { by: &vote.by, choice: &vote.choice, said: &vote.said });
        books.entry(book).or_default().push(voted.collect());
    }
    compared(books.into_values(), how)
}

/// The agreement on items, by book. Who says two things of one item says nothing yet.
pub fn of<'v>(books: impl IntoIterator<Item = Vec<Vec<Voted<'v>>>>) -> Agreement {
    compared(books, How::default())
}

fn compared<'v>(books: impl IntoIterator<Item = Vec<Vec<Voted<'v>>>>, how: How<'_>) -> Agreement {
    let items = |items: Vec<Vec<Voted<'v>>>| {
        items.into_iter().flat_map(|votes| rows(&clear(votes))).collect()
    };
    let books: Vec<Vec<Votes<'v>>> = books.into_iter().map(items).collect();
    let plan = Plan { rounds: ROUNDS, ..Plan::default() };
    let draws = Some(Draws { of: ["book", "books"], plan, blank: false });
    agreement(&books, How { draws, ..how })
}

/// The answers of people who said one thing, by name; who said it twice, on two machines, said it once.
fn clear(mut votes: Vec<Voted<'_>>) -> Vec<Voted<'_>> {
    votes.retain(|vote| answer(vote.choice).is_some());
    votes.sort_unstable();
    votes.dedup();
    let torn = |vote: &Voted<'_>| votes.iter().filter(|one| one.by == vote.by).count() > 1;
    votes.iter().copied().filter(|vote| !torn(vote)).collect()
}

/// One row for an item, or one for each of its sentences where these are labelled.
fn rows<'v>(votes: &[Voted<'v>]) -> Vec<Votes<'v>> {
    let labelled = votes.iter().filter_map(|vote| match vote.said {
        Said::Labels(labels) => Some((vote.by, labels)),
        _ => None,
    });
    match labelled.clone().map(|(_, labels)| labels.len()).max() {
        None => vec![votes.iter().map(|vote| (vote.by, vote.choice)).collect()],
        Some(sentences) => (0..sentences)
            .map(|at| {
                let said = labelled.clone();
                said.filter_map(|(by, labels)| Some((by, labels.get(at)?.label.name()))).collect()
            })
            .collect(),
    }
}
