//! From votes to verdicts: the majority on a sentence, the whole from its sentences, easy and hard.
//!
//! The rules are StorySumm's (section 3): a sentence is unfaithful if two of three annotators say so, a retelling if one
//! of its sentences is. Commentary tells no event and is set aside.

use std::collections::BTreeMap;

use storymill_core::{Difficulty, Label, LabelVote};
use storymill_metrics::agreement;

/// Whether a label makes a retelling unfaithful.
pub fn is_error(label: Label) -> bool {
    matches!(label, Label::Unfaithful | Label::Partial)
}

/// Whether a label says something of the source at all.
pub fn counts(label: Label) -> bool {
    !matches!(label, Label::Commentary | Label::Inapplicable)
}

/// What the votes on one sentence come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The label.
    pub label: Label,
    /// Whether there was a majority. Without one a sentence counts as faithful: nobody is called wrong by half of the votes.
    pub settled: bool,
}

/// The verdict of these votes on one sentence; none of no votes.
///
/// Commentary and what cannot be judged are set aside, unless more than half of the votes say so. Of the others more than
/// half must call the sentence unfaithful, or in part so; the label is then the one of these two that more say.
///
/// ```
/// use storymill_core::Label::{Commentary, Faithful, Unfaithful};
/// use storymill_faithfulness::votes::majority;
///
/// assert_eq!(majority(&[Unfaithful, Faithful, Unfaithful]).unwrap().label, Unfaithful);
/// assert_eq!(majority(&[Unfaithful, Faithful, Faithful]).unwrap().label, Faithful);
/// assert_eq!(majority(&[Commentary, Commentary, Unfaithful]).unwrap().label, Commentary);
/// assert!(!majority(&[Commentary, Faithful, Unfaithful]).unwrap().settled);
/// ```
pub fn majority(votes: &[Label]) -> Option<Verdict> {
    let settled = |label| Some(Verdict { label, settled: true });
    if votes.is_empty() {
        return None;
    }
    if let Some(aside) = agreement::majority(votes).filter(|label| !counts(**label)) {
        return settled(*aside);
    }
    let of = |label: Label| votes.iter().filter(|vote| **vote == label).count();
    let mut counted = votes.iter().copied().filter(|vote| counts(*vote)).peekable();
    // Half commentary, half not to be judged: neither says a thing against it.
    if counted.peek().is_none() {
        return settled(Label::Commentary);
    }
    match agreement::majority(counted.map(is_error)) {
        None => Some(Verdict { label: Label::Faithful, settled: false }),
        Some(false) => settled(Label::Faithful),
        Some(true) if of(Label::Partial) > of(Label::Unfaithful) => settled(Label::Partial),
        Some(true) => settled(Label::Unfaithful),
    }
}

/// The verdict on each of so many sentences; none without a vote of that length.
///
/// Where a vote is adjudicated it settles the others: only such votes count.
pub fn verdicts(votes: &[&LabelVote], sentences: usize) -> Option<Vec<Verdict>> {
    let whole: Vec<&&LabelVote> =
        votes.iter().filter(|one| one.labels.len() == sentences).collect();
    let settling = whole.iter().any(|vote| vote.adjudicated);
    let counted: Vec<&&&LabelVote> =
        whole.iter().filter(|vote| vote.adjudicated == settling).collect();
    let of = |at: usize| {
        let labels: Vec<Label> = counted.iter().map(|vote| vote.labels[at]).collect();
        majority(&labels)
    };
    if counted.is_empty() { None } else { (0..sentences).map(of).collect() }
}

/// Whether a retelling with these labels is faithful: no sentence of it is unfaithful.
pub fn faithful(labels: impl IntoIterator<Item = Label>) -> bool {
    !labels.into_iter().any(is_error)
}

/// The votes of each protocol.
pub fn by_protocol(votes: &[LabelVote]) -> BTreeMap<&str, Vec<&LabelVote>> {
    let mut sorted: BTreeMap<&str, Vec<&LabelVote>> = BTreeMap::new();
    for vote in votes {
        sorted.entry(&vote.protocol).or_default().push(vote);
    }
    sorted
}

/// Easy or hard by the annotators' rule: easy if all of them call the same sentence unfaithful.
///
/// None where fewer than three voted, or where the majority calls it faithful. Adjudicated votes come later and do not
/// say what people saw.
pub fn by_annotators(votes: &[&LabelVote], sentences: usize) -> Option<Difficulty> {
    let first: Vec<&LabelVote> = votes
        .iter()
        .copied()
        .filter(|vote| !vote.adjudicated && vote.labels.len() == sentences)
        .collect();
    let found = verdicts(&first, sentences)?;
    if first.len() < 3 || faithful(found.iter().map(|verdict| verdict.label)) {
        return None;
    }
    let all = |at: usize| first.iter().all(|vote| is_error(vote.labels[at]));
    Some(if (0..sentences).any(all) { Difficulty::Easy } else { Difficulty::Hard })
}

/// Easy or hard by the released labels' rule: easy if every protocol calls the retelling unfaithful.
///
/// None with fewer than two protocols, or where none of them does.
pub fn by_protocols(unfaithful: &[bool]) -> Option<Difficulty> {
    if unfaithful.len() < 2 || !unfaithful.contains(&true) {
        return None;
    }
    Some(if unfaithful.contains(&false) { Difficulty::Hard } else { Difficulty::Easy })
}

#[cfg(test)]
mod tests;
