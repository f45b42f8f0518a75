//! Right verdicts whose explanations people judged: how many of these are right as well.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{Decisions, Standing};
use storymill_metrics::{
    bootstrap::{self, Interval, Plan},
    pair_accuracy::Share,
};

use super::explained::{NONE, PARTLY, RIGHT, WRONG, question};
use crate::{import::Set, read::Response};

/// What people said of a system's explanations of right verdicts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judged {
    /// The system.
    pub system: String,
    /// Right verdicts with an explanation.
    pub explained: usize,
    /// Explanations that are right, of those that people judged.
    pub right: Share,
    /// The share of these with its interval over books; none with fewer than five books.
    pub interval: Option<Interval>,
    /// Explanations that are partly right.
    pub partly: usize,
    /// Explanations that are wrong.
    pub wrong: usize,
    /// What explains nothing.
    pub nothing: usize,
    /// Explanations on which people differ; they are not among those that were judged.
    pub disputed: usize,
}

/// A system's counts, and for each explanation its book and whether it is right.
type Found<'s> = (Judged, Vec<(&'s str, f64)>);

/// What people said of explanations, system by system; those of which they said nothing are left out.
pub fn judged(set: &Set, responses: &[Response], decisions: &Decisions) -> Vec<Judged> {
    let pairs: BTreeMap<&str, _> = set.pairs.iter().map(|pair| (pair.id.as_str(), pair)).collect();
    let mut systems: BTreeMap<String, Found<'_>> = BTreeMap::new();
    for response in responses {
        let Some(pair) = pairs.get(response.pair.as_str()) else { continue };
        let answer = response.answer.as_deref().unwrap_or_default();
        let Some(review) = question(pair, response.claim, &response.system, answer) else {
            continue;
        };
        let (found, rows) = systems.entry(response.named()).or_default();
        found.explained += 1;
        let choice = match decisions.standing(&review) {
            Standing::Decided { choice, .. } => choice,
            Standing::Disputed(_) => {
                found.disputed += 1;
                continue;
            }
            Standing::Open(_) => continue,
        };
        match choice {
            RIGHT => found.right.correct += 1,
            PARTLY => found.partly += 1,
            WRONG => found.wrong += 1,
            NONE => found.nothing += 1,
            _ => continue,
        }
        found.right.total += 1;
        rows.push((&pair.book, f64::from(u8::from(choice == RIGHT))));
    }
    let told = systems.into_iter().map(|(system, (found, rows))| {
        let interval = bootstrap::mean(&rows, Plan::default()).ok();
        Judged { system, interval, ..found }
    });
    told.filter(|found| found.right.total + found.disputed > 0).collect()
}

#[cfg(test)]
mod tests {
    use storymill_core::{Decision, ReviewRule};

    use super::*;
    use crate::{
        deciding::explained::explanations,
        pair::{Half, Pair},
    };

    fn set() -> Set {
        let pair = |at: usize| Pair {
            id: format!("b{}/{at:04}", at % 2),
            book: format!("b{}", at % 2),
            true_claim: format!("Bob rang the bell at noon on day {at}."),
            false_claim: format!("Bob rang the bell at night on day {at}."),
            ..Pair::default()
        };
        Set { pairs: (0..4).map(pair).collect(), books: Vec::new() }
    }

    /// Every claim is called true, and each answer explains itself but one.
    fn answers(set: &Set) -> Vec<Response> {
        let of = |pair: &Pair, claim: Half| Response {
            system: "m".into(),
            pair: pair.id.clone(),
            claim,
            answer: Some(match pair.id.as_str() {
                "b1/0003" => "<answer>TRUE</answer>".to_owned(),
                id => {
                    format!("<explanation>So it says in {id}.</explanation> <answer>TRUE</answer>")
                }
            }),
            prompt: None,
        };
        set.pairs.iter().flat_map(|pair| Half::BOTH.map(|half| of(pair, half))).collect()
    }

    fn counted(lines: Vec<Decision>, rule: ReviewRule) -> Vec<Judged> {
        let set = set();
        let mut decisions = Decisions::default().with_rule(rule);
        for line in lines {
            decisions.take(line);
        }
        judged(&set, &answers(&set), &decisions)
    }

    #[test]
    fn right_verdicts_with_an_explanation_are_judged_and_counted() {
        let set = set();
        let items = explanations(&set, &answers(&set));
        let names: Vec<&str> = items.iter().map(|item| item.review.item.as_str()).collect();
        assert_eq!(items.len(), 3, "{names:?}");
        assert!(names.iter().all(|name| name.contains("/true/")), "{names:?}");
        let shown = &items[0].review.excerpt;
        assert!(shown.contains("which is true: Bob") && shown.contains("m says so too"), "{shown}");
        let vote = |at: usize, by: &str, choice: &str| {
            Decision::vote(&items[at].review, choice, by, "", Decisions::NONE)
        };
        assert_eq!(counted(Vec::new(), ReviewRule::PLAIN), []);
        let all = vec![vote(0, "ann", RIGHT), vote(1, "ann", WRONG), vote(2, "ann", PARTLY)];
        let [found] = &counted(all, ReviewRule::PLAIN)[..] else { panic!("one system") };
        assert_eq!((found.explained, found.right), (3, Share { correct: 1, total: 3 }));
        assert_eq!((found.wrong, found.partly, found.nothing, found.disputed), (1, 1, 0, 0));
        assert!(found.interval.is_none(), "two books say too little of others");
        // Two who differ are a dispute, and not counted.
        let two = ReviewRule { voters: 2, ..ReviewRule::PLAIN };
        let differ = vec![vote(0, "ann", RIGHT), vote(0, "bob", NONE), vote(1, "ann", RIGHT)];
        let [found] = &counted(differ, two)[..] else { panic!("one system") };
        assert_eq!((found.right.total, found.disputed), (0, 1));
    }
}
