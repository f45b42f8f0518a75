//! Drafts: what retellings offer as claims. A person takes them, changes them, or drops them; nothing
//! here goes into a set by itself.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use storymill_core::{Edit, Review};
use storymill_text::{Language, sentence::sentences};

use crate::{
    lint::{Finding, Severity, lint},
    pair::{Half, Pair},
};

/// A retelling of a part of a book, and what was changed to make it false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retelling {
    /// Its id: `84/0012/d2`, or `84/0012/s0` of a true one.
    pub id: String,
    /// The book.
    pub book: String,
    /// The text of a true retelling; blank for a false one.
    pub text: String,
    /// The changes of a false one.
    pub edits: Vec<Edit>,
}

/// A draft, and the question about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The question. The same draft is the same item in every build.
    pub review: Review,
    /// The pair as it would be imported: without an id, its explanation and perhaps its false claim
    /// still to be written.
    pub pair: Pair,
}

/// The drafts of some retellings, in their order.
///
/// Every edit is a pair. Every sentence of a true retelling in which the lint finds no error is half
/// of one. `model_written` is set on all.
pub fn proposals(retellings: &[Retelling]) -> Vec<Proposal> {
    retellings.iter().flat_map(|retelling| of_edits(retelling).chain(of_text(retelling))).collect()
}

fn of_edits(retelling: &Retelling) -> impl Iterator<Item = Proposal> + '_ {
    retelling.edits.iter().enumerate().map(move |(at, edit)| {
        let pair = draft(retelling, &edit.true_event, &edit.false_event);
        let found = look(&pair);
        let mut codes: Vec<&str> = found.iter().map(|finding| finding.code.name()).collect();
        codes.sort_unstable();
        codes.dedup();
        let lint = match codes.as_slice() {
            [] => "the lint finds nothing".to_owned(),
            codes => format!("the lint finds {}", codes.join(", ")),
        };
        let review = Review {
            item: format!("{}/e{at}", retelling.id),
            code: Cow::Borrowed("claim-pair-proposed"),
            question: format!("take these claims as a pair? Is the one true of the book, and the other false? ({lint})"),
            excerpt: format!("true: {}\nfalse: {}", pair.true_claim, pair.false_claim),
            choices: ["drop", "take", "change"].map(str::to_owned).to_vec(),
            default: "drop".to_owned(),
            ..Review::default()
        };
        Proposal { review, pair }
    })
}

fn of_text(retelling: &Retelling) -> impl Iterator<Item = Proposal> + '_ {
    let drafts = sentences(&retelling.text, Language::English)
        .enumerate()
        .map(|(at, text)| (at, draft(retelling, text, "")));
    let fit = drafts.filter(|(_, pair)| {
        let of_claim = |finding: &Finding| finding.claim == Some(Half::True);
        !look(pair).iter().any(|finding| of_claim(finding) && finding.severity == Severity::Error)
    });
    fit.map(|(at, pair)| {
        let review = Review {
            item: format!("{}/c{at}", retelling.id),
            code: Cow::Borrowed("claim-proposed"),
            question: "take this as a true claim, and write its false twin?".to_owned(),
            excerpt: pair.true_claim.clone(),
            choices: ["drop", "take", "change"].map(str::to_owned).to_vec(),
            default: "drop".to_owned(),
            ..Review::default()
        };
        Proposal { review, pair }
    })
}

fn draft(retelling: &Retelling, yes: &str, no: &str) -> Pair {
    Pair {
        book: retelling.book.clone(),
        true_claim: yes.trim().to_owned(),
        false_claim: no.trim().to_owned(),
        model_written: Some(true),
        ..Pair::default()
    }
}

/// What the lint finds beyond what no draft has.
fn look(pair: &Pair) -> Vec<Finding> {
    use crate::lint::Code;
    let mut found = lint(std::slice::from_ref(pair), &BTreeMap::new());
    found.retain(|finding| !matches!(finding.code, Code::NoText | Code::NoExplanation));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_and_sentences_become_questions() {
        let edit = |yes: &str, no: &str| Edit { true_event: yes.into(), false_event: no.into() };
        let retellings = [
            Retelling {
                id: "84/0001/d0".into(),
                book: "84".into(),
                edits: vec![
                    edit("Walton meets Victor on the ice.", "Walton meets Victor on the moor."),
                    edit("He is ill.", "He is not ill."),
                ],
                ..Retelling::default()
            },
            Retelling {
                id: "84/0001/s0".into(),
                book: "84".into(),
                text: "Walton writes to Margaret. She waits. Arguably Walton is boring.".into(),
                ..Retelling::default()
            },
        ];
        let found = proposals(&retellings);
        let items: Vec<_> =
            found.iter().map(|one| (one.review.item.as_str(), &*one.review.code)).collect();
        assert_eq!(
            items,
            [
                ("84/0001/d0/e0", "claim-pair-proposed"),
                ("84/0001/d0/e1", "claim-pair-proposed"),
                ("84/0001/s0/c0", "claim-proposed"),
            ]
        );
        assert!(
            found[0].review.question.contains("the lint finds nothing"),
            "{}",
            found[0].review.question
        );
        assert!(found[1].review.question.contains("names-nobody, negation-only"));
        assert!(
            found
                .iter()
                .all(|one| one.pair.model_written == Some(true) && one.review.default == "drop")
        );
        assert_eq!(proposals(&retellings), found);
    }
}
