//! Right verdicts whose explanations people judged: how many of these are right as well.

use serde::Serialize;
use storymill_core::{Decisions, Standing};
use storymill_metrics::{
    bootstrap::{self, Interval, Plan},
    pair_accuracy::Share,
};

use super::Asked;
use crate::{
    deciding::explained::{NONE, PARTLY, RIGHT, WRONG, question},
    import::Set,
    pair::Half,
};

/// What people said of a system's explanations of right verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Explained {
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

/// What people said of the explanations of a system; none if they said nothing.
pub(super) fn count(
    set: &Set,
    pairs: &[usize],
    asked: &Asked<'_>,
    decisions: &Decisions,
    plan: Plan,
) -> Option<Explained> {
    if decisions.is_empty() {
        return None;
    }
    let mut found = Explained::default();
    let mut rows: Vec<(&str, f64)> = Vec::new();
    for &at in pairs {
        let pair = &set.pairs[at];
        for (half, answer) in Half::BOTH.into_iter().zip(asked.responses[at]) {
            let Some(review) = answer.and_then(|answer| question(pair, half, asked.name, answer))
            else {
                continue;
            };
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
    }
    found.interval = bootstrap::mean(&rows, plan).ok();
    (found.right.total + found.disputed > 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use storymill_core::{Decision, ReviewRule};

    use super::*;
    use crate::{
        deciding::explained::explanations,
        pair::Pair,
        read::Response,
        report,
        score::{Options, score},
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

    fn scored(lines: Vec<Decision>, rule: ReviewRule) -> crate::score::Scores {
        let set = set();
        let mut decisions = Decisions::default().with_rule(rule);
        for line in lines {
            decisions.take(line);
        }
        let options = Options { decisions, ..Options::default() };
        score(&set, &answers(&set), &std::collections::BTreeMap::new(), &options).unwrap()
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
        assert_eq!(scored(Vec::new(), ReviewRule::PLAIN).systems[0].explained, None);
        let all = vec![vote(0, "ann", RIGHT), vote(1, "ann", WRONG), vote(2, "ann", PARTLY)];
        let scores = scored(all, ReviewRule::PLAIN);
        let found = scores.systems[0].explained.unwrap();
        assert_eq!((found.explained, found.right), (3, Share { correct: 1, total: 3 }));
        assert_eq!((found.wrong, found.partly, found.nothing, found.disputed), (1, 1, 0, 0));
        assert!(found.interval.is_none(), "one book says nothing of others");
        let page = report::markdown(&scores);
        assert!(
            page.contains("## Explanations of right verdicts") && page.contains("1/3"),
            "{page}"
        );
        // Two who differ are a dispute, and not counted.
        let two = ReviewRule { voters: 2, ..ReviewRule::PLAIN };
        let differ = vec![vote(0, "ann", RIGHT), vote(0, "bob", NONE), vote(1, "ann", RIGHT)];
        let scores = scored(differ, two);
        let found = scores.systems[0].explained.unwrap();
        assert_eq!((found.right.total, found.disputed), (0, 1));
        let [agreed] = &scores.agreed[..] else { panic!("{:?}", scores.agreed) };
        assert_eq!((&*agreed.kind, agreed.people, agreed.items), ("explanation", 2, 1));
        let page = report::markdown(&scores);
        assert!(page.contains("| explanation | 2 | 1 |") && !page.contains("ann"), "{page}");
    }
}
