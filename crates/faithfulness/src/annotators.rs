//! Who labelled, and how far they agree sentence by sentence, with intervals over stories.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Label, LabelVote};
use storymill_metrics::{
    agreement::{self, Draws, How, Votes, agreement},
    bootstrap::Plan,
};

use crate::{
    file::Placed,
    votes::{by_protocol, verdicts},
};

/// How far those agree who voted by one protocol, or protocols with one another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The protocol; blank where protocols are compared.
    pub protocol: String,
    /// Their agreement; an item is a sentence.
    pub agreement: agreement::Agreement,
}

/// Agreement within each protocol. Adjudicated votes come after the others were seen and are left out, as are votes of
/// nobody and of another length; commentary is no vote.
pub fn within(items: &[Placed], plan: Plan) -> Vec<Agreement> {
    let votes: Vec<(i64, Vec<LabelVote>, usize)> = items.iter().map(kept).collect();
    let protocols: BTreeSet<&str> = votes
        .iter()
        .flat_map(|(_, votes, _)| votes.iter().map(|vote| vote.protocol.as_str()))
        .collect();
    let of = |protocol: &str| {
        let rows = votes.iter().map(|(story, votes, sentences)| {
            let votes = votes.iter().filter(|vote| vote.protocol == protocol && !vote.adjudicated);
            let said = votes.map(|vote| (vote.person.as_str(), vote.labels.clone()));
            (*story, *sentences, said.collect())
        });
        told(protocol, rows, plan)
    };
    protocols.into_iter().map(of).collect()
}

/// Agreement of protocols: of the verdict of each. None with fewer than two.
pub fn between(items: &[Placed], plan: Plan) -> Option<Agreement> {
    let votes: Vec<(i64, Vec<LabelVote>, usize)> = items.iter().map(kept).collect();
    let mut protocols = BTreeSet::new();
    let mut rows = Vec::new();
    for (story, votes, sentences) in &votes {
        let sorted = by_protocol(votes);
        protocols.extend(sorted.keys().copied());
        let said = sorted.into_iter().filter_map(|(protocol, votes)| {
            let verdicts = verdicts(&votes, *sentences)?;
            Some((protocol, verdicts.into_iter().map(|verdict| verdict.label).collect()))
        });
        rows.push((*story, *sentences, said.collect()));
    }
    (protocols.len() > 1).then(|| told("", rows, plan))
}

/// The story, the votes that name a person and fit, and how many sentences there are.
fn kept(item: &Placed) -> (i64, Vec<LabelVote>, usize) {
    let sentences = item.labelled.summary.len();
    let mut votes = item.labelled.label_votes();
    votes.retain(|vote| !vote.person.trim().is_empty() && vote.labels.len() == sentences);
    (item.labelled.story_id, votes, sentences)
}

/// The agreement on retellings, each with its story, its sentences, and the labels that somebody gave these.
fn told<'v>(
    protocol: &str,
    retellings: impl IntoIterator<Item = (i64, usize, Vec<(&'v str, Vec<Label>)>)>,
    plan: Plan,
) -> Agreement {
    let mut stories: BTreeMap<i64, Vec<Votes<'v>>> = BTreeMap::new();
    for (story, sentences, said) in retellings {
        let on = |at: usize| {
            let labels = said.iter().map(|(who, labels)| (*who, labels[at]));
            let votes = labels.filter(|(_, label)| *label != Label::Commentary);
            votes.map(|(who, label)| (who, label.name())).collect()
        };
        stories.entry(story).or_default().extend((0..sentences).map(on));
    }
    let stories: Vec<_> = stories.into_values().collect();
    let draws = Some(Draws { of: ["story", "stories"], plan, blank: true });
    let choices = Label::ALL.map(Label::name);
    let how = How { choices: &choices, draws, ..How::default() };
    Agreement { protocol: protocol.to_owned(), agreement: agreement(&stories, how) }
}

#[cfg(test)]
mod tests;
