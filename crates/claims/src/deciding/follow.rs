//! What decisions do to a set.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use storymill_core::{Decisions, Digest, ReviewPassage, Said, SaidFields, Standing};

use super::{
    CHANGE, Item, REMOVE, Subject, TAKE,
    compare::{SWAP, swap},
    passages::stretches,
};
use crate::{
    import::{Set, merge},
    mistake::Mistakes,
    pair::{Half, Pair, Scope},
    read::Read,
    standing::words_of,
};

/// A proposal that was taken: it is taken once, whatever becomes of the pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taken {
    /// The item.
    pub review: Digest,
    /// The pair that it became.
    pub pair: String,
}

/// What followed from decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Proposals that became pairs just now.
    pub taken: Vec<Taken>,
    /// Pairs of which something was written anew.
    pub changed: BTreeSet<String>,
    /// Pairs that are to go, and why.
    pub removed: BTreeMap<String, String>,
    /// Items whose false claim is still to be written.
    pub unwritten: Vec<String>,
}

/// Brings into a set what was decided on some items: all of it or nothing. Pairs that are to go are named alone, since why
/// they went is kept elsewhere. `before` are the proposals that were taken before, `gone` the words of pairs that went.
///
/// Law: what follows once follows no second time.
///
/// # Errors
///
/// A pair that is taken shares a claim with one that the set has.
pub fn follow(
    set: &mut Set,
    items: &[Item],
    decisions: &Decisions,
    before: &[Taken],
    gone: &BTreeSet<[Digest; 2]>,
) -> Result<Followed, Mistakes> {
    let mut followed = Followed::default();
    let (mut reviews, mut new) = (Vec::new(), Vec::new());
    let mut next = set.clone();
    for item in items {
        let Standing::Decided { choice, said, by, .. } = decisions.standing(&item.review) else {
            continue;
        };
        match &item.of {
            Subject::Proposal(pair) => {
                let id = item.review.id();
                if ![TAKE, CHANGE].contains(&choice) || before.iter().any(|one| one.review == id) {
                    continue;
                }
                if choice == CHANGE && said.is_nothing() && is_whole(pair) {
                    // Somebody wants it otherwise, and did not say how.
                    followed.unwritten.push(item.review.item.clone());
                    continue;
                }
                let mut pair = Pair::clone(pair);
                write(&mut pair, &said, &Half::BOTH);
                if !is_whole(&pair) {
                    followed.unwritten.push(item.review.item.clone());
                } else if !gone.contains(&Half::BOTH.map(|half| words_of(pair.claim(half)))) {
                    reviews.push(id);
                    new.push(pair);
                }
            }
            Subject::Pair(pair) | Subject::Claim { pair, .. } => {
                let halves = item.halves();
                let Some(own) = next.pairs.iter_mut().find(|own| own.id == *pair) else { continue };
                let was = own.clone();
                match choice {
                    REMOVE => {
                        let why =
                            by.iter().map(|line| line.note.trim()).find(|note| !note.is_empty());
                        let why = why.unwrap_or("readers disputed it").to_owned();
                        followed.removed.entry(pair.clone()).or_insert(why);
                    }
                    SWAP => swap(own),
                    CHANGE => write(own, &said, halves),
                    scope => {
                        if let (Some(scope), [half]) = (Scope::named(scope), halves) {
                            *own.scope_mut(*half) = Some(scope);
                        }
                        write(own, &said, halves);
                    }
                }
                if *own != was {
                    followed.changed.insert(pair.clone());
                }
            }
        }
    }
    for (review, pair) in reviews.into_iter().zip(new) {
        let has_claims = |one: &&Pair| {
            let is_same = |half: &Half| one.claim(*half) == pair.claim(*half);
            one.book == pair.book && Half::BOTH.iter().all(is_same)
        };
        let there = next.pairs.iter().find(has_claims).map(|one| one.id.clone());
        let id = if let Some(id) = there {
            id
        } else {
            let read = Read { rows: vec![1], pairs: vec![pair], ..Read::default() };
            merge(&mut next, read, &|_| true)?.added.swap_remove(0)
        };
        followed.taken.push(Taken { review, pair: id });
    }
    *set = next;
    Ok(followed)
}

fn is_whole(pair: &Pair) -> bool {
    Half::BOTH.iter().all(|half| !pair.claim(*half).trim().is_empty())
}

/// Writes into a pair what was said of some of its claims.
fn write(pair: &mut Pair, said: &Said, halves: &[Half]) {
    let spans: Option<&[ReviewPassage]> = match said {
        Said::Spans(spans) => Some(spans),
        Said::Fields(SaidFields { spans, .. }) => spans.as_deref(),
        _ => None,
    };
    if let Some(spans) = spans {
        let marked = stretches(pair, spans);
        for half in halves {
            pair.evidence_mut(*half).clone_from(&marked);
        }
    }
    let Said::Fields(SaidFields { values, .. }) = said else { return };
    for half in halves {
        if let Some(words) = values.get(&format!("{half}_claim")) {
            pair.claim_mut(*half).clone_from(words);
        }
        if let Some(scope) = values.get(&format!("{half}_scope")) {
            *pair.scope_mut(*half) = Scope::named(scope);
        }
    }
    if let Some(words) = values.get("explanation") {
        pair.explanation.clone_from(words);
    }
}
