//! "Which of the two is true": a second reader judges both claims of a pair without their labels; and what follows where
//! readers say otherwise than the set (NoCha, section on validation).

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use storymill_core::{
    Decision, Decisions, Review, ReviewForm, ReviewPassage, ReviewText, Said, Standing,
};

use super::{CHANGE, Item, REMOVE, Subject, fields, votes};
use crate::{
    import::Set,
    lint::{Code, Finding, Severity},
    pair::{Half, Pair},
    standing::words_of,
};

/// The code of the question.
pub const WHICH: &str = "which-is-true";
/// The code of a pair of which readers say otherwise than the set.
pub const DISPUTED: &str = "pair-disputed";
/// The choice that exchanges the claims of a pair.
pub(super) const SWAP: &str = "swap";
/// The choice that leaves a pair as it is.
pub(super) const KEEP: &str = "keep";

/// What the claims are called.
const LETTERS: [&str; 2] = ["A", "B"];
/// What else can be said of them.
const BOTH: &str = "both";
const NEITHER: &str = "neither";
const UNSURE: &str = "cannot tell";

/// What a reader of a passage marked, as its heading says.
const MARKED: &str = "marked-by-a-reader";

/// The pairs of a set as items. Whoever wrote a pair does not judge it.
pub fn comparisons(set: &Set) -> Vec<Item> {
    let item = |pair: &Pair| Item { review: which(pair), of: Subject::Pair(pair.id.clone()) };
    set.pairs.iter().map(item).collect()
}

/// The claims in an order that has nothing to do with which is true, and stays if their labels are exchanged.
fn lettered(pair: &Pair) -> [(&'static str, Half); 2] {
    let mut halves = Half::BOTH;
    halves.sort_by_key(|half| words_of(pair.claim(*half)));
    [(LETTERS[0], halves[0]), (LETTERS[1], halves[1])]
}

/// The question.
pub(crate) fn which(pair: &Pair) -> Review {
    let claims = lettered(pair).map(|(letter, half)| ReviewText {
        choice: letter.to_owned(),
        text: pair.claim(half).to_owned(),
    });
    let lines = claims.iter().map(|claim| format!("{}: {}", claim.choice, claim.text));
    let choices = LETTERS.into_iter().chain([NEITHER, BOTH, UNSURE]);
    Review {
        item: pair.id.clone(),
        code: Cow::Borrowed(WHICH),
        question: "which of the two is true?".to_owned(),
        excerpt: lines.collect::<Vec<_>>().join("\n"),
        choices: choices.map(str::to_owned).collect(),
        form: ReviewForm::Grounds { texts: claims.to_vec(), kinds: Vec::new() },
        author: pair.written_by.clone().unwrap_or_default(),
        ..Review::default()
    }
}

/// What a choice says, with the set's labels.
fn said_of(pair: &Pair, choice: &str) -> &'static str {
    let half = lettered(pair).into_iter().find(|(letter, _)| *letter == choice);
    match (half, choice) {
        (Some((_, Half::True)), _) => "the true claim is true",
        (Some((_, Half::False)), _) => "the false claim is true",
        (None, BOTH) => "both are true",
        (None, NEITHER) => "neither is true",
        (None, _) => "cannot tell",
    }
}

/// What readers have against a pair.
struct Against<'d> {
    /// What they say, in counts.
    told: String,
    /// Whether somebody says otherwise than the set, and not only that they cannot tell.
    otherwise: bool,
    votes: Vec<&'d Decision>,
}

/// Whether those who read a pair say otherwise than the set, by the rule of the set; none where they say the same, or too
/// few have read it.
fn against<'d>(pair: &Pair, review: &Review, decisions: &'d Decisions) -> Option<Against<'d>> {
    let as_set = said_of(pair, lettered(pair).iter().find(|(_, half)| *half == Half::True)?.0);
    let standing = decisions.standing(review);
    match &standing {
        Standing::Open(_) => return None,
        Standing::Decided { choice, .. } if said_of(pair, choice) == as_set => return None,
        Standing::Decided { .. } | Standing::Disputed(_) => {}
    }
    let votes = standing.votes().to_vec();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for vote in &votes {
        *counts.entry(said_of(pair, &vote.choice)).or_default() += 1;
    }
    let otherwise = counts.keys().any(|said| ![as_set, said_of(pair, UNSURE)].contains(said));
    let said = counts.iter().map(|(said, count)| format!("{said} ({count})"));
    let told = format!("asked which is true, readers say: {}", join(said));
    Some(Against { told, otherwise, votes })
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// The pairs of which readers say otherwise than the set, for who wrote or keeps them.
pub(super) fn disputed(set: &Set, decisions: &Decisions) -> Vec<Item> {
    let of = |pair: &Pair| {
        let against = against(pair, &which(pair), decisions)?;
        Some(Item { review: doubt(pair, &against), of: Subject::Pair(pair.id.clone()) })
    };
    set.pairs.iter().filter_map(of).collect()
}

fn doubt(pair: &Pair, against: &Against<'_>) -> Review {
    let claims = format!("true: {}\nfalse: {}", pair.true_claim, pair.false_claim);
    let mut lines = vec![claims.clone()];
    let mut passages: Vec<ReviewPassage> = Vec::new();
    for vote in &against.votes {
        let note = if vote.note.trim().is_empty() { "" } else { ". " };
        let said = said_of(pair, &vote.choice);
        lines.push(format!("{} says: {said}{note}{}", vote.by, vote.note.trim()));
        if let Said::Grounds(said) = &vote.said {
            passages.extend(said.spans.iter().cloned());
        }
    }
    for one in &mut passages {
        MARKED.clone_into(&mut one.role);
    }
    passages.sort();
    passages.dedup();
    Review {
        item: pair.id.clone(),
        code: Cow::Borrowed(DISPUTED),
        about: claims,
        question: "is this pair right? Readers dispute it".to_owned(),
        excerpt: lines.join("\n"),
        choices: [KEEP, SWAP, CHANGE, REMOVE].map(str::to_owned).to_vec(),
        default: KEEP.to_owned(),
        form: fields(pair, &Half::BOTH),
        passages,
        ..Review::default()
    }
}

/// Votes on both claims of a pair, each as the vote on the pair that says the same, of readers who have none on the pair.
fn of_claims(pair: &Pair, decisions: &Decisions) -> Vec<Decision> {
    let review = which(pair);
    let [yes, no] = Half::BOTH.map(|half| votes::verdicts(pair, half, decisions));
    let letter = |says: Half| lettered(pair).into_iter().find(|(_, half)| *half == says);
    let letter = |says| letter(says).map_or(UNSURE, |(letter, _)| letter);
    let both = yes.into_iter().filter_map(|(by, yes)| Some((by, yes, *no.get(by)?)));
    let vote = |(by, yes, no): (&str, &str, &str)| {
        let choice = match (yes, no) {
            ("true", "false") => letter(Half::True),
            ("false", "true") => letter(Half::False),
            ("true", "true") => BOTH,
            ("false", "false") => NEITHER,
            _ => UNSURE,
        };
        let is_new = decisions.last_of(&review, by).is_empty();
        is_new.then(|| Decision::vote(&review, choice, by, "", Decisions::NONE))
    };
    both.filter_map(vote).collect()
}

/// What second readers have against pairs, as findings, whether they voted on pairs or on both claims of each. Of a pair that
/// somebody kept, it is told all the same.
pub fn findings(set: &Set, decisions: &Decisions) -> Vec<Finding> {
    let mut all = decisions.clone();
    for pair in &set.pairs {
        for vote in of_claims(pair, decisions) {
            all.take(vote);
        }
    }
    let disputed = votes::disputed(set, decisions).into_iter();
    let kept: BTreeSet<String> = disputed
        .filter(|one| one.code == votes::DISPUTED && decisions.choice(one) == Some(KEEP))
        .map(|one| one.item)
        .collect();
    let of = |pair: &Pair| {
        let review = which(pair);
        let against = against(pair, &review, &all)?;
        let kept = all.choice(&doubt(pair, &against)) == Some(KEEP)
            || decisions.votes(&review).is_empty()
                && Half::BOTH.iter().all(|half| kept.contains(&format!("{}/{half}", pair.id)));
        let severity = match (kept, against.otherwise) {
            (true, _) => Severity::Note,
            (false, true) => Severity::Error,
            (false, false) => Severity::Warning,
        };
        let kept = if kept { "; the pair was kept" } else { "" };
        Some(Finding {
            pair: pair.id.clone(),
            claim: None,
            code: Code::ReadersDisagree,
            severity,
            reason: format!("{}{kept}", against.told),
        })
    };
    set.pairs.iter().filter_map(of).collect()
}

/// Exchanges the claims of a pair and all that is known of each. What explained the false claim does so no longer.
pub(super) fn swap(pair: &mut Pair) {
    std::mem::swap(&mut pair.true_claim, &mut pair.false_claim);
    std::mem::swap(&mut pair.true_scope, &mut pair.false_scope);
    std::mem::swap(&mut pair.true_evidence, &mut pair.false_evidence);
    pair.explanation.clear();
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
