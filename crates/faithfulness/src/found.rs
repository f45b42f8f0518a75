//! Which errors people found, and which models pointed out: StorySumm, section 4.

use std::collections::BTreeSet;

use serde::Serialize;
use storymill_core::LabelVote;

use crate::{
    file::Placed,
    votes::{by_protocol, is_error, verdicts},
};

/// Errors by who found them. An error is a sentence that a protocol's verdict calls unfaithful, in part or whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Found only by protocols of people.
    pub only_people: usize,
    /// Found only by protocols in which models point at sentences.
    pub only_models: usize,
    /// Found by both.
    pub both: usize,
    /// Retellings with votes of both kinds of protocols; only their errors are counted above.
    pub compared: usize,
    /// What each protocol found.
    pub protocols: Vec<FoundBy>,
    /// Sentences on which an adjudicated vote stands against the majority of the votes before it.
    pub overruled: usize,
    /// Sentences on which as many votes say one thing as the other.
    pub unsettled: usize,
    /// Retellings whose own labels are not what all votes together come to.
    pub otherwise: Vec<String>,
}

/// What one protocol found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FoundBy {
    /// The protocol.
    pub protocol: String,
    /// Whether models point at sentences in it.
    pub by_models: bool,
    /// Retellings with a vote.
    pub retellings: usize,
    /// Errors.
    pub errors: usize,
    /// Those that no other protocol found.
    pub alone: usize,
}

/// Sorts errors; `models` names the protocols in which models point at sentences.
pub fn found(items: &[Placed], models: &[String]) -> Found {
    let mut found = Found::default();
    let by_models = |protocol: &str| models.iter().any(|name| name == protocol);
    for item in items {
        let sentences = item.labelled.summary.len();
        let votes = item.labelled.label_votes();
        let mut by: Vec<(&str, BTreeSet<usize>)> = Vec::new();
        for (protocol, votes) in by_protocol(&votes) {
            let Some(verdicts) = verdicts(&votes, sentences) else { continue };
            found.unsettled += verdicts.iter().filter(|verdict| !verdict.settled).count();
            found.overruled += overruled(&votes, sentences);
            let errors = verdicts.iter().enumerate().filter(|(_, one)| is_error(one.label));
            by.push((protocol, errors.map(|(at, _)| at).collect()));
        }
        let errors: BTreeSet<usize> =
            by.iter().flat_map(|(_, errors)| errors.iter().copied()).collect();
        for (protocol, own) in &by {
            let others = by.iter().filter(|(other, _)| other != protocol);
            let others: BTreeSet<usize> =
                others.flat_map(|(_, errors)| errors.iter().copied()).collect();
            let place = found.protocols.iter().position(|known| known.protocol == *protocol);
            let place = place.unwrap_or_else(|| {
                let new = FoundBy {
                    protocol: (*protocol).to_owned(),
                    by_models: by_models(protocol),
                    ..FoundBy::default()
                };
                found.protocols.push(new);
                found.protocols.len() - 1
            });
            let told = &mut found.protocols[place];
            told.retellings += 1;
            told.errors += own.len();
            told.alone += own.difference(&others).count();
        }
        let kinds: BTreeSet<bool> = by.iter().map(|(protocol, _)| by_models(protocol)).collect();
        if kinds.len() == 2 {
            found.compared += 1;
            for at in &errors {
                let who = |models: bool| {
                    by.iter().any(|(name, own)| by_models(name) == models && own.contains(at))
                };
                *match (who(false), who(true)) {
                    (true, false) => &mut found.only_people,
                    (false, _) => &mut found.only_models,
                    (true, true) => &mut found.both,
                } += 1;
            }
        }
        if !by.is_empty() && item.labelled.words().len() == sentences {
            let words = item.labelled.words();
            let stated: BTreeSet<usize> =
                (0..sentences).filter(|at| is_error(words[*at])).collect();
            if stated != errors {
                found.otherwise.push(item.id.clone());
            }
        }
    }
    found.protocols.sort_by(|one, other| one.protocol.cmp(&other.protocol));
    found
}

/// Sentences on which the adjudicated votes stand against the others.
fn overruled(votes: &[&LabelVote], sentences: usize) -> usize {
    let (late, early): (Vec<&LabelVote>, Vec<&LabelVote>) =
        votes.iter().copied().partition(|vote| vote.adjudicated);
    let (Some(late), Some(early)) = (verdicts(&late, sentences), verdicts(&early, sentences))
    else {
        return 0;
    };
    late.iter()
        .zip(&early)
        .filter(|(late, early)| is_error(late.label) != is_error(early.label))
        .count()
}

#[cfg(test)]
mod tests;
