//! Votes on single claims, as tables of second readers have them: each is a decision on an item of the claim, in the words
//! that it had; and what such votes dispute.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use storymill_core::{Decision, Decisions, Digest, Review};

use super::{CHANGE, Item, REMOVE, Subject, compare::KEEP, table::Vote};
use crate::{
    mistake::{Mistake, Mistakes},
    pair::{Half, Pair, Scope},
    set::Set,
    standing::words_of,
};

/// The code of an item that asks whether a claim is true.
pub const VERDICT: &str = "claim-verdict";
/// The code of an item that asks how much must be read to judge a claim.
pub const SCOPE: &str = "claim-scope";
/// The code of a claim that readers judge otherwise than the set.
pub(super) const DISPUTED: &str = "claim-disputed";
/// The reader that the set's own scopes are votes of, where people are compared.
const THE_SET: &str = "the set";

/// An item of a claim in some words; without words one that no claim has.
fn item(code: &'static str, pair: &str, half: Half, words: Option<Digest>) -> Review {
    let scopes = Scope::ALL.map(Scope::name);
    let (question, choices) = match code {
        VERDICT => ("is this claim true?", ["true", "false", "cannot tell"]),
        _ => ("how much must be read to judge this claim?", scopes),
    };
    Review {
        item: format!("{pair}/{half}"),
        code: Cow::Borrowed(code),
        question: question.to_owned(),
        about: words.map(|words| words.to_string()).unwrap_or_default(),
        choices: choices.map(str::to_owned).to_vec(),
        ..Review::default()
    }
}

/// The item of a claim as the set has it.
fn of_claim(code: &'static str, pair: &Pair, half: Half) -> Review {
    let words = words_of(pair.claim(half));
    Review { excerpt: pair.claim(half).to_owned(), ..item(code, &pair.id, half, Some(words)) }
}

/// Votes as decisions. `words` gives those of a claim when the vote was cast; none where nobody knows them.
pub fn lines(votes: &[Vote], words: impl Fn(&Vote) -> Option<Digest>) -> Vec<Decision> {
    let of = |vote: &Vote| {
        let words = words(vote);
        let line = |code, choice: &str| {
            let review = item(code, &vote.pair, vote.claim, words);
            Decision {
                item: review.item.clone(),
                code: code.to_owned(),
                choice: choice.to_owned(),
                by: vote.reader.clone(),
                ..Decision::blank(review.id())
            }
        };
        let scope = vote.scope.map(|scope| line(SCOPE, scope.name()));
        [Some(line(VERDICT, vote.verdict)), scope].into_iter().flatten()
    };
    votes.iter().flat_map(of).collect()
}

/// Those of some lines that say something new, in the place of what the same people said of the same words before.
pub fn new(lines: Vec<Decision>, before: &Decisions) -> Vec<Decision> {
    let fresh = |mut line: Decision| {
        let own = before.last_of_ids(&[line.review], &line.by);
        if own.iter().any(|(_, own)| own.choice == line.choice) {
            return None;
        }
        line.replaces = own.into_iter().map(|(id, _)| id).collect();
        Some(line)
    };
    lines.into_iter().filter_map(fresh).collect()
}

/// Checks that votes are on pairs that the set has, or by `once` had, and that nobody has two on a claim.
///
/// # Errors
///
/// What is not so.
pub fn check(set: &Set, votes: &[Vote], once: impl Fn(&str) -> bool) -> Result<(), Mistakes> {
    let known: BTreeSet<&str> = set.pairs.iter().map(|pair| pair.id.as_str()).collect();
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    for vote in votes {
        let fault = |reason: &str| Mistake::new(reason).row(vote.row).pair(&vote.pair);
        if !known.contains(vote.pair.as_str()) && !once(&vote.pair) {
            faults.push(fault("a vote on a pair that the set does not have"));
        } else if !seen.insert((&vote.pair, vote.claim, &vote.reader)) {
            faults.push(fault("a second vote of the same reader on the same claim"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Both items of each claim.
fn claims(set: &Set) -> impl Iterator<Item = (&Pair, Half)> {
    set.pairs.iter().flat_map(|pair| Half::BOTH.map(|half| (pair, half)))
}

/// The items of claims that somebody voted on.
pub fn voted(set: &Set, decisions: &Decisions) -> Vec<Item> {
    let items = claims(set).flat_map(|(pair, half)| {
        let of = Subject::Claim { pair: pair.id.clone(), half };
        [VERDICT, SCOPE].map(|code| Item { review: of_claim(code, pair, half), of: of.clone() })
    });
    items.filter(|item| decisions.on(&item.review).next().is_some()).collect()
}

/// The set's own scopes, as one more reader's.
pub fn scopes_of_set(set: &Set) -> Vec<Decision> {
    let of = |(pair, half): (&Pair, Half)| {
        let scope = pair.scope_of(half)?;
        let review = of_claim(SCOPE, pair, half);
        Some(Decision::vote(&review, scope.name(), THE_SET, "", Decisions::NONE))
    };
    claims(set).filter_map(of).collect()
}

/// What readers say of a claim, by reader: `true`, `false` or `cannot tell`.
pub(super) fn verdicts<'d>(
    pair: &Pair,
    half: Half,
    decisions: &'d Decisions,
) -> BTreeMap<&'d str, &'d str> {
    let votes = decisions.votes(&of_claim(VERDICT, pair, half)).into_iter();
    votes.map(|vote| (vote.by.as_str(), vote.choice.as_str())).collect()
}

/// Claims that a reader judged otherwise than the set, left open, or gave another scope.
pub fn disputed(set: &Set, decisions: &Decisions) -> Vec<Review> {
    let mut reviews = Vec::new();
    for (pair, half) in claims(set) {
        let mut add = |code: &'static str, question: String, choices: &[&str]| {
            reviews.push(Review {
                item: format!("{}/{half}", pair.id),
                code: Cow::Borrowed(code),
                question,
                excerpt: pair.claim(half).to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
                default: choices[0].to_owned(),
                ..Review::default()
            });
        };
        let verdict = of_claim(VERDICT, pair, half);
        let votes = decisions.votes(&verdict);
        let against = votes.iter().filter(|vote| vote.choice != half.name()).count();
        if against > 0 {
            let question = format!(
                "is this claim {half}? Votes that do not say so: {against} of {}",
                votes.len()
            );
            add(DISPUTED, question, &[KEEP, CHANGE, REMOVE]);
        }
        let scope = of_claim(SCOPE, pair, half);
        let said = decisions.votes(&scope).into_iter();
        let said = said.filter_map(|vote| Scope::named(&vote.choice));
        let scopes: BTreeSet<Scope> = pair.scope_of(half).into_iter().chain(said).collect();
        if scopes.len() > 1 {
            let names: Vec<&str> = scopes.iter().rev().map(|scope| scope.name()).collect();
            let question = format!(
                "how much must be read to judge this claim? Readers say {}",
                names.join(", ")
            );
            add("scope-disputed", question, &names);
        }
    }
    reviews
}

/// The pairs that votes on claims are about.
pub fn said_pairs(decisions: &Decisions) -> BTreeSet<&str> {
    let votes = decisions.idle([]).filter(|line| line.code == VERDICT);
    votes.filter_map(|line| Some(line.item.rsplit_once('/')?.0)).collect()
}

/// What people said of a pair: their votes on its claims, and other decisions.
pub fn said_on<'d>(
    decisions: impl Iterator<Item = &'d Decision>,
    pair: &str,
) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for line in decisions {
        let of_pair = line.item.strip_prefix(pair);
        if of_pair.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            && line.code != SCOPE
        {
            let what = if line.code == VERDICT { "vote" } else { "decision" };
            *counts.entry(what).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
#[path = "votes_tests.rs"]
mod tests;
