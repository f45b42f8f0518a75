//! Second readers: votes on claims, how far they agree, and what is disputed.

mod votes;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use serde::Serialize;
use storymill_core::Review;
use storymill_metrics::agreement::{self as people, How, Scale, Votes};

pub use votes::{Choice, Counted, Vote, counted, votes};

use crate::{
    import::Set,
    mistake::{Mistake, Mistakes},
    pair::{Half, Scope},
};

/// How far readers agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The readers in alphabetic order.
    pub people: Vec<Person>,
    /// Agreement on whether claims are true.
    pub verdicts: people::Agreement,
    /// Agreement on scope, the set's own scope taken as one more reader's.
    pub scopes: people::Agreement,
    /// What is disputed, for people to settle. Its excerpts are the claims' texts.
    #[serde(skip)]
    pub reviews: Vec<Review>,
}

/// One reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Person {
    /// Their name or pseudonym.
    pub name: String,
    /// Claims they voted on.
    pub votes: usize,
    /// Votes that are as the set has it.
    pub right: usize,
    /// Votes that leave it open.
    pub unsure: usize,
}

/// A claim of the set.
type Place = (usize, Half);

/// Compares votes. A vote on no claim of the set, or a second one of the same reader on the same
/// claim, is a mistake.
pub fn agreement(set: &Set, votes: &[Vote]) -> Result<Agreement, Mistakes> {
    let sorted = sorted(set, votes)?;
    let names: BTreeSet<&str> = votes.iter().map(|vote| vote.reader.as_str()).collect();
    let mut people: BTreeMap<&str, Person> = names
        .iter()
        .map(|name| (*name, Person { name: (*name).to_owned(), ..Person::default() }))
        .collect();
    for ((_, half), votes) in &sorted {
        for vote in votes {
            let person = people.entry(&vote.reader).or_default();
            person.votes += 1;
            person.right += usize::from(vote.verdict.says() == Some(*half));
            person.unsure += usize::from(vote.verdict == Choice::Unsure);
        }
    }
    let verdicts = sorted.values().map(|votes| -> Votes<'_> {
        let said = votes.iter().filter_map(|vote| Some((vote, vote.verdict.says()?)));
        said.map(|(vote, half)| (vote.reader.as_str(), half.name())).collect()
    });
    let scopes = sorted.iter().map(|((pair, half), votes)| -> Votes<'_> {
        let own = match half {
            Half::True => set.pairs[*pair].true_scope,
            Half::False => set.pairs[*pair].false_scope,
        };
        let said = votes.iter().filter_map(|vote| Some((vote.reader.as_str(), vote.scope?)));
        let all = own.map(|scope| ("the set", scope)).into_iter().chain(said);
        all.map(|(who, scope)| (who, scope.name())).collect()
    });
    let ranks = Scope::ALL.map(Scope::name);
    let ordinal = How { choices: &ranks, scale: Scale::Ordinal, draws: None };
    Ok(Agreement {
        verdicts: people::agreement(&[verdicts.collect()], How::default()),
        scopes: people::agreement(&[scopes.collect()], ordinal),
        reviews: reviews(set, &sorted),
        people: people.into_values().collect(),
    })
}

/// The votes on each claim.
fn sorted<'v>(set: &Set, votes: &'v [Vote]) -> Result<BTreeMap<Place, Vec<&'v Vote>>, Mistakes> {
    let places: BTreeMap<&str, usize> =
        set.pairs.iter().enumerate().map(|(at, pair)| (pair.id.as_str(), at)).collect();
    let mut sorted: BTreeMap<Place, Vec<&Vote>> = BTreeMap::new();
    let mut faults = Vec::new();
    for vote in votes {
        let fault = |reason: &str| Mistake::new(reason).row(vote.row).pair(&vote.pair);
        let Some(&place) = places.get(vote.pair.as_str()) else {
            faults.push(fault("a vote on a pair that the set does not have"));
            continue;
        };
        let known = sorted.entry((place, vote.claim)).or_default();
        if known.iter().any(|known| known.reader == vote.reader) {
            faults.push(fault("a second vote of the same reader on the same claim"));
        }
        known.push(vote);
    }
    if faults.is_empty() { Ok(sorted) } else { Err(faults) }
}

/// Claims that a reader judged otherwise than the set, left open, or gave another scope.
fn reviews(set: &Set, sorted: &BTreeMap<Place, Vec<&Vote>>) -> Vec<Review> {
    let mut reviews = Vec::new();
    for ((place, half), votes) in sorted {
        let pair = &set.pairs[*place];
        let against = votes.iter().filter(|vote| vote.verdict.says() != Some(*half)).count();
        let own = if *half == Half::True { pair.true_scope } else { pair.false_scope };
        let scopes: BTreeSet<Scope> =
            own.into_iter().chain(votes.iter().filter_map(|vote| vote.scope)).collect();
        let mut add = |code: &'static str, question: String, choices: &[&str]| {
            reviews.push(Review {
                item: format!("{}/{half}", pair.id),
                code: Cow::Borrowed(code),
                question,
                excerpt: pair.claim(*half).to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
                default: choices[0].to_owned(),
                ..Review::default()
            });
        };
        if against > 0 {
            let question = format!(
                "is this claim {half}? Votes that do not say so: {against} of {}",
                votes.len()
            );
            add("claim-disputed", question, &["keep", "change", "remove"]);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Pair;

    fn set() -> Set {
        let pair = |at: usize| Pair {
            id: format!("b/{at}"),
            book: "b".into(),
            true_claim: format!("Yes {at}."),
            false_claim: format!("No {at}."),
            true_scope: Some(Scope::Sentence),
            ..Pair::default()
        };
        Set { pairs: (0..4).map(pair).collect(), books: Vec::new() }
    }

    const VOTES: &str = "pair,claim,reader,verdict,scope\nb/0,true,ann,true,sentence\nb/0,true,bob,true,sentence\nb/0,false,ann,false,\nb/0,false,bob,true,\nb/1,true,ann,true,global\nb/1,true,bob,true,\nb/1,false,ann,unsure,\nb/1,false,bob,false,\n";

    #[test]
    fn a_disputed_claim_stays_the_same_item_when_more_people_vote() {
        let ids = |votes: &str| -> Vec<_> {
            let found = agreement(&set(), &votes_of(votes)).unwrap();
            found.reviews.iter().map(|review| (review.question.clone(), review.id())).collect()
        };
        let (few, more) = (ids(VOTES), ids(&format!("{VOTES}b/0,false,cy,true,passage\n")));
        assert!(!few.is_empty() && few != more, "the questions count the votes");
        for (_, id) in few {
            assert!(more.iter().any(|(_, other)| *other == id));
        }
    }

    fn votes_of(text: &str) -> Vec<Vote> {
        votes(text.as_bytes()).unwrap()
    }

    #[test]
    fn votes_are_compared() {
        let found = agreement(&set(), &votes(VOTES.as_bytes()).unwrap()).unwrap();
        let ann = &found.people[0];
        assert_eq!((ann.name.as_str(), ann.votes, ann.right, ann.unsure), ("ann", 4, 3, 1));
        assert_eq!(found.people[1].right, 3);
        // Who is unsure did not answer.
        let couple = &found.verdicts.pairs[0];
        assert_eq!((couple.items, couple.agreed), (3, 2));
        // Observed 2/3; by their habits (2/3)(3/3) + (1/3)(0/3) = 2/3.
        assert!(couple.kappa.value.unwrap().abs() < 1e-12);
        assert_eq!(
            (found.verdicts.items, found.verdicts.couples, found.verdicts.agreed),
            (3, 3, 2)
        );
        assert!(found.verdicts.alpha.value.is_some());
        let codes: Vec<_> =
            found.reviews.iter().map(|review| (review.item.as_str(), &*review.code)).collect();
        assert_eq!(
            codes,
            [
                ("b/0/false", "claim-disputed"),
                ("b/1/true", "scope-disputed"),
                ("b/1/false", "claim-disputed")
            ]
        );
        assert_eq!(found.reviews[1].choices, ["global", "sentence"]);
    }

    #[test]
    fn one_reader_agrees_with_nobody() {
        let one = votes(b"pair,claim,reader,verdict\nb/0,true,ann,true\n").unwrap();
        let found = agreement(&set(), &one).unwrap();
        assert_eq!((found.verdicts.pairs.len(), found.verdicts.alpha.value), (0, None));
        assert!(found.verdicts.alpha.told(3).contains("needs two voters, and there is 1"));
    }

    #[test]
    fn bad_votes() {
        let check = |text: &str, expect: &str| {
            let told = match votes(text.as_bytes()) {
                Err(faults) => faults[0].to_string(),
                Ok(votes) => agreement(&set(), &votes).unwrap_err()[0].to_string(),
            };
            assert_eq!(told, expect);
        };
        let head = "pair,claim,reader,verdict\n";
        check(
            &format!("{head}b/9,true,ann,true\n"),
            "row 2, pair b/9: a vote on a pair that the set does not have",
        );
        check(
            &format!("{head}b/0,true,ann,true\nb/0,true,ann,false\n"),
            "row 3, pair b/0: a second vote of the same reader on the same claim",
        );
        check(
            &format!("{head}b/0,true,ann,perhaps\n"),
            "row 2, `verdict`, pair b/0: must be true, false or unsure",
        );
        check(&format!("{head}b/0,,ann,true\n"), "row 2, `claim`, pair b/0: must be true or false");
        check(
            &format!("{head}He came.,true,ann,true\n"),
            "row 2, `pair`: must be the id of a pair",
        );
        check(
            "pair,claim,verdict\n",
            "row 1: the head must name the columns `pair`, `claim`, `reader`, `verdict`, and may name `scope`",
        );
        check(
            &format!("{head}\"b/0,true\n"),
            "row 2, column 1: a quotation mark opens here and is never closed",
        );
    }
}
