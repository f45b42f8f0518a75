//! Items and desks for tests.

use storymill_core::{Decision, Digest, Review, ReviewForm, ReviewRule, Verdict};

use crate::{Ballot, Desk, Item};

pub(crate) fn item(code: &'static str, number: usize) -> Item {
    Item {
        step: "clean".into(),
        unit: format!("b{}", number % 7).parse().unwrap(),
        review: Review {
            item: format!("b{}/{number}", number % 7),
            code: code.into(),
            question: "is this story or preface?".into(),
            excerpt: format!("Number {number} of some pages.\nIt goes on."),
            choices: vec!["keep".into(), "cut".into()],
            default: "keep".into(),
            proposal: "cut it".into(),
            ..Review::default()
        },
    }
}

pub(crate) fn with_form(form: ReviewForm, number: usize) -> Item {
    let mut item = item("question-changed", number);
    item.review.form = form;
    item
}

pub(crate) fn rule(voters: u32, adjudicators: &[&str]) -> ReviewRule {
    let adjudicators = adjudicators.iter().map(|name| (*name).to_owned()).collect();
    ReviewRule { rule: Verdict::Majority, voters, adjudicators, ..ReviewRule::default() }
}

pub(crate) fn desk(items: usize, rule: ReviewRule) -> Desk {
    Desk::new((0..items).map(|at| item("preface", at)).collect(), Vec::new(), rule)
}

pub(crate) fn ids(desk: &Desk) -> Vec<Digest> {
    desk.items().map(|(id, _)| id).collect()
}

/// Votes, as if it had been saved.
pub(crate) fn vote(desk: &mut Desk, person: &str, id: Digest, choice: &str) -> Decision {
    let line = desk.vote(person, id, Ballot::of(choice)).unwrap();
    assert!(desk.take(line.clone()), "{line:?}");
    line
}
