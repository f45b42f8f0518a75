//! Gold labels from several protocols, as StorySumm merged its own (section 4.3).
//!
//! Two protocols are trusted whole: what either calls an error is one. A third finds more and is wrong more often, so of
//! its findings only those count that somebody reviewed: those of its adjudicated votes. StorySumm's raw votes were never
//! released, so nobody can hold this against theirs; it is tested on votes of our own making.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Label, LabelVote};

use crate::{
    file::{COMMENTARY, Labelled, Placed},
    votes::{by_protocol, by_protocols, counts, faithful, is_error, verdicts},
};

/// Which protocols make the gold labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protocols {
    /// Those whose findings all count.
    pub trusted: Vec<String>,
    /// Those of whose findings only the reviewed count.
    pub reviewed: Vec<String>,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The retellings in the order in which they first came.
    pub items: Vec<(String, Labelled)>,
    /// Retellings that could not be merged.
    pub rejects: Vec<Reject>,
    /// Findings of a reviewed protocol that nobody reviewed; they do not count.
    pub unreviewed: usize,
    /// Errors that only a reviewed protocol brought.
    pub added: usize,
}

/// A retelling that could not be merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reject {
    /// Its id.
    pub id: String,
    /// A short word for why.
    pub code: &'static str,
    /// Why.
    pub what: String,
}

/// Why nothing can be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotMerged {
    /// No protocol is trusted.
    #[error("no protocol is trusted, so there is nothing to merge")]
    NoneTrusted,
    /// A protocol that no vote has.
    #[error("no vote is by `{name}`; the votes are by {known}")]
    Unknown {
        /// The protocol.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A protocol that is trusted whole, and only where it was reviewed.
    #[error("`{0}` is both trusted and reviewed")]
    Both(String),
}

/// Merges files: votes of the same retelling are put together, then each gets its gold labels.
pub fn merge(files: &[Vec<Placed>], protocols: &Protocols) -> Result<Merged, NotMerged> {
    let Protocols { trusted, reviewed } = protocols;
    if trusted.is_empty() {
        return Err(NotMerged::NoneTrusted);
    }
    if let Some(both) = trusted.iter().find(|name| reviewed.contains(name)) {
        return Err(NotMerged::Both(both.clone()));
    }
    let known: BTreeSet<&str> = files
        .iter()
        .flatten()
        .flat_map(|item| item.labelled.votes.iter().map(|vote| vote.protocol.as_str()))
        .collect();
    if let Some(name) = trusted.iter().chain(reviewed).find(|name| !known.contains(name.as_str())) {
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let known = if known.is_empty() { "nobody".to_owned() } else { known.join(", ") };
        return Err(NotMerged::Unknown { name: name.clone(), known });
    }
    let mut merged = Merged::default();
    let (order, together) = put_together(files, &mut merged.rejects);
    for id in order {
        let Some(item) = together.get(id) else { continue };
        match gold(item.clone(), protocols, &mut merged) {
            Ok(item) => merged.items.push((id.to_owned(), item)),
            Err((code, what)) => merged.rejects.push(Reject { id: id.to_owned(), code, what }),
        }
    }
    Ok(merged)
}

/// One item for each id, with the votes of all files; those that contradict each other are rejects.
fn put_together<'f>(
    files: &'f [Vec<Placed>],
    rejects: &mut Vec<Reject>,
) -> (Vec<&'f str>, BTreeMap<&'f str, Labelled>) {
    let (mut order, mut together) = (Vec::new(), BTreeMap::<&str, Labelled>::new());
    let mut refused = BTreeSet::new();
    for item in files.iter().flatten() {
        let Some(known) = together.get_mut(item.id.as_str()) else {
            if !refused.contains(item.id.as_str()) {
                order.push(item.id.as_str());
                together.insert(&item.id, item.labelled.clone());
            }
            continue;
        };
        if known.summary != item.labelled.summary || known.story_id != item.labelled.story_id {
            let what = "two files have other sentences, or another story, under this id".to_owned();
            rejects.push(Reject { id: item.id.clone(), code: "texts-differ", what });
            together.remove(item.id.as_str());
            refused.insert(item.id.as_str());
            continue;
        }
        for vote in &item.labelled.votes {
            if !known.votes.contains(vote) {
                known.votes.push(vote.clone());
            }
        }
        fill(known, &item.labelled);
    }
    (order, together)
}

/// Takes what the first file does not have from a later one.
fn fill(known: &mut Labelled, other: &Labelled) {
    if known.story.is_empty() {
        known.story.clone_from(&other.story);
    }
    if known.kinds.is_empty() {
        known.kinds.clone_from(&other.kinds);
    }
    if known.claims.is_empty() {
        known.claims.clone_from(&other.claims);
    }
    let texts = [said(known), said(other)];
    let both: Vec<String> = (0..known.summary.len())
        .map(|at| texts.iter().find_map(|texts| texts.get(&at).cloned()).unwrap_or_default())
        .collect();
    if known.errors.len() == both.len() {
        let also = |at: usize| is_zero(known, at) || !both[at].is_empty();
        let errors: Vec<u8> = (0..both.len()).map(|at| u8::from(!also(at))).collect();
        known.explanations =
            (0..both.len()).filter(|at| errors[*at] == 0).map(|at| both[at].clone()).collect();
        known.errors = errors;
    }
}

fn is_zero(item: &Labelled, at: usize) -> bool {
    item.errors.get(at) == Some(&0)
}

/// The explanation of each sentence that has one.
fn said(item: &Labelled) -> BTreeMap<usize, String> {
    let zeros = (0..item.errors.len()).filter(|at| is_zero(item, *at));
    let zeros: Vec<usize> = zeros.collect();
    if zeros.len() != item.explanations.len() {
        return BTreeMap::new();
    }
    zeros.into_iter().zip(item.explanations.iter().cloned()).collect()
}

fn gold(
    mut item: Labelled,
    protocols: &Protocols,
    merged: &mut Merged,
) -> Result<Labelled, (&'static str, String)> {
    let sentences = item.summary.len();
    if let Some(vote) = item.votes.iter().find(|vote| vote.labels.len() != sentences) {
        let what = format!(
            "a vote by `{}` has {} labels for {sentences} sentences",
            vote.protocol,
            vote.labels.len()
        );
        return Err(("vote-length", what));
    }
    if let Some(vote) = item.votes.iter().find(|vote| vote.person.trim().is_empty()) {
        return Err((
            "unknown-annotator",
            format!("a vote by `{}` names no person", vote.protocol),
        ));
    }
    let votes = item.label_votes();
    let sorted = by_protocol(&votes);
    let of = |name: &String| -> Option<Vec<Label>> {
        let verdicts = verdicts(sorted.get(name.as_str())?, sentences)?;
        Some(verdicts.into_iter().map(|verdict| verdict.label).collect())
    };
    let mut trusted = Vec::new();
    for name in &protocols.trusted {
        trusted.push(of(name).ok_or_else(|| ("no-vote", format!("no vote by `{name}`")))?);
    }
    let (mut reviewed, mut unfaithful, mut complete) = (Vec::new(), Vec::new(), true);
    unfaithful.extend(trusted.iter().map(|labels| !faithful(labels.iter().copied())));
    for name in &protocols.reviewed {
        let votes = sorted.get(name.as_str()).cloned().unwrap_or_default();
        complete &= !votes.is_empty();
        let late: Vec<&LabelVote> = votes.iter().copied().filter(|vote| vote.adjudicated).collect();
        if let Some(verdicts) = verdicts(&late, sentences) {
            let labels: Vec<Label> = verdicts.into_iter().map(|verdict| verdict.label).collect();
            unfaithful.push(!faithful(labels.iter().copied()));
            reviewed.push(labels);
        } else {
            let pointed = |at: &usize| votes.iter().any(|vote| is_error(vote.labels[*at]));
            merged.unreviewed += (0..sentences).filter(pointed).count();
            unfaithful.push(false);
        }
    }
    let texts = said(&item);
    let labels: Vec<Label> = (0..sentences)
        .map(|at| {
            let by_trusted = joined(trusted.iter().map(|labels| labels[at]));
            let late = reviewed.iter().map(|labels| labels[at]).filter(|label| is_error(*label));
            let all = joined([by_trusted].into_iter().chain(late));
            merged.added += usize::from(is_error(all) && !is_error(by_trusted));
            all
        })
        .collect();
    let errors = || labels.iter().enumerate().filter(|(_, label)| is_error(**label));
    item.explanations =
        errors().map(|(at, _)| texts.get(&at).cloned().unwrap_or_default()).collect();
    if item.kinds.len() == sentences {
        for (kinds, label) in item.kinds.iter_mut().zip(&labels) {
            let commentary = *label == Label::Commentary;
            kinds.retain(|kind| is_error(*label) || (commentary && kind == COMMENTARY));
        }
    } else {
        item.kinds.clear();
    }
    item.errors = labels.iter().map(|label| u8::from(!is_error(*label))).collect();
    item.label = u8::from(faithful(labels.iter().copied()));
    let difficulty = if complete { by_protocols(&unfaithful) } else { None };
    item.difficulty = match difficulty {
        Some(storymill_core::Difficulty::Easy) => "easy".to_owned(),
        Some(storymill_core::Difficulty::Hard) => "hard".to_owned(),
        None => String::new(),
    };
    let plain = |label: &Label| matches!(label, Label::Faithful | Label::Unfaithful);
    item.labels = (!labels.iter().all(plain)).then_some(labels);
    Ok(item)
}

/// The union of labels: an error if any is, the whole before the part; else faithful if any says so.
fn joined(labels: impl Iterator<Item = Label>) -> Label {
    let rank = |label: &Label| match label {
        Label::Unfaithful => 0,
        Label::Partial => 1,
        label if counts(*label) => 2,
        Label::Inapplicable => 3,
        _ => 4,
    };
    labels.min_by_key(rank).unwrap_or(Label::Faithful)
}

#[cfg(test)]
mod tests;
