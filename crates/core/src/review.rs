//! What people decide: items that a build had doubts about, and decisions that are replayed.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use serde::{Deserialize, Serialize};

use crate::{Digest, Fault, FaultKind};

/// A decision that the program took and a person may want to look at.
///
/// It is known by its content ([`Review::id`]): the same doubt about the same text is the same
/// item, whatever was built around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The item it is about, as published, or the unit.
    pub item: String,
    /// A short stable word, by which review items are counted: `front-matter`.
    pub code: Cow<'static, str>,
    /// What is to be decided: `is this preface part of the story?`
    pub question: String,
    /// What it is about, quoted in a few lines.
    pub excerpt: String,
    /// The decisions that can be taken; one alone where nothing follows from it.
    pub choices: Vec<String>,
    /// The one that is taken where nobody decides.
    pub default: String,
}

impl Review {
    /// The id: a digest of everything that the item says.
    pub fn id(&self) -> Digest {
        Digest::of(crate::canonical::json(self).as_bytes())
    }
}

/// What somebody decided: a line of a file of decisions, which only grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The review item ([`Review::id`]).
    pub review: Digest,
    /// One of its choices.
    pub choice: String,
    /// Who decided, as they want to be called.
    #[serde(default)]
    pub by: String,
    /// Why.
    #[serde(default)]
    pub note: String,
    /// The decisions that this one takes the place of ([`Decision::id`]).
    #[serde(default)]
    pub replaces: Vec<Digest>,
}

impl Decision {
    /// The id: a digest of everything that it says.
    pub fn id(&self) -> Digest {
        Digest::of(crate::canonical::json(self).as_bytes())
    }
}

/// The decisions of a workflow, by review item.
///
/// What counts for an item are the decisions that none replaces, however old; clocks play no part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    heads: BTreeMap<Digest, Vec<Decision>>,
}

impl Decisions {
    /// No decisions.
    pub const NONE: &'static Self = &Self { heads: BTreeMap::new() };

    /// Decisions from the lines of files; each line is a decision in JSON. Blank lines are passed over.
    ///
    /// # Errors
    ///
    /// A line that is no decision, named by its place; an item on which decisions disagree.
    pub fn parse<'l>(lines: impl IntoIterator<Item = (String, &'l str)>) -> Result<Self, Fault> {
        let mut all: BTreeMap<Digest, (Decision, String)> = BTreeMap::new();
        for (place, line) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let decision: Decision = serde_json::from_str(line).map_err(|error| {
                Fault::new(FaultKind::Input, format!("{place}: not a decision: {error}"))
            })?;
            all.insert(decision.id(), (decision, place));
        }
        let replaced: BTreeSet<Digest> =
            all.values().flat_map(|(decision, _)| decision.replaces.iter().copied()).collect();
        let mut heads: BTreeMap<Digest, Vec<(Decision, String)>> = BTreeMap::new();
        for (id, head) in all {
            if !replaced.contains(&id) {
                heads.entry(head.0.review).or_default().push(head);
            }
        }
        for (review, heads) in &heads {
            let (first, place) = &heads[0];
            if let Some((other, there)) = heads.iter().find(|(head, _)| head.choice != first.choice)
            {
                let said = |one: &Decision, place: &str| match one.by.as_str() {
                    "" => format!("`{}` ({place})", one.choice),
                    by => format!("`{}` by {by} ({place})", one.choice),
                };
                let message = format!(
                    "decisions on {} disagree: {} and {}",
                    review.short(),
                    said(first, place),
                    said(other, there)
                );
                let hint = "`storymill reviews WORKFLOW --decide ITEM=CHOICE` writes one that takes the place of both";
                return Err(Fault::new(FaultKind::Input, message).hint(hint));
            }
        }
        let plain = |heads: Vec<(Decision, String)>| heads.into_iter().map(|head| head.0).collect();
        Ok(Self { heads: heads.into_iter().map(|(id, heads)| (id, plain(heads))).collect() })
    }

    /// The decisions that count and are on none of these items: the text they were made on may have
    /// changed.
    pub fn idle(&self, items: &BTreeSet<Digest>) -> impl Iterator<Item = &Decision> {
        let others = self.heads.iter().filter(|(review, _)| !items.contains(*review));
        others.flat_map(|(_, heads)| heads)
    }

    /// What was decided on an item.
    pub fn choice(&self, review: &Digest) -> Option<&str> {
        self.on(review).first().map(|decision| decision.choice.as_str())
    }

    /// The decisions that count for an item: one, or several that agree.
    pub fn on(&self, review: &Digest) -> &[Decision] {
        self.heads.get(review).map_or(&[], Vec::as_slice)
    }
}

/// Where doubts are put, and decisions are read.
#[derive(Debug)]
pub struct Desk<'d> {
    decisions: &'d Decisions,
    reviews: Vec<Review>,
    decided: Vec<(Digest, String)>,
}

impl<'d> Desk<'d> {
    /// A desk with these decisions.
    pub fn new(decisions: &'d Decisions) -> Self {
        Self { decisions, reviews: Vec::new(), decided: Vec::new() }
    }

    /// Puts an item there and takes what people decided, else its default.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn decide(&mut self, review: Review) -> Result<String, Fault> {
        let id = review.id();
        let choice = match self.decisions.choice(&id) {
            None => review.default.clone(),
            Some(choice) if review.choices.iter().any(|one| one == choice) => {
                self.decided.push((id, choice.to_owned()));
                choice.to_owned()
            }
            Some(choice) => {
                let message = format!(
                    "the decision `{choice}` on {} ({}, {}) is none of its choices: {}",
                    review.item,
                    review.code,
                    id.short(),
                    review.choices.join(", ")
                );
                return Err(Fault::new(FaultKind::Input, message));
            }
        };
        self.reviews.push(review);
        Ok(choice)
    }

    /// Whether people decided on an item that was put there.
    pub fn is_decided(&self, review: &Digest) -> bool {
        self.decided.iter().any(|(id, _)| id == review)
    }

    /// Puts an item there from which nothing follows yet.
    pub fn note(&mut self, review: Review) {
        self.reviews.push(review);
    }

    /// The items in order, and what was decided on those that people decided.
    pub fn clear(self) -> (Vec<Review>, Vec<(Digest, String)>) {
        (self.reviews, self.decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review() -> Review {
        Review {
            item: "84".into(),
            code: "preface".into(),
            question: "is this story or preface?".into(),
            excerpt: "To Mrs. Saville".into(),
            choices: vec!["keep".into(), "cut".into()],
            default: "keep".into(),
        }
    }

    fn decision(choice: &str, replaces: &[&Decision]) -> Decision {
        Decision {
            review: review().id(),
            choice: choice.into(),
            by: "reader".into(),
            note: String::new(),
            replaces: replaces.iter().map(|one| one.id()).collect(),
        }
    }

    fn parse(all: &[&Decision]) -> Result<Decisions, Fault> {
        let lines: Vec<String> =
            all.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        let lines =
            lines.iter().zip(1..).map(|(line, at)| (format!("d.jsonl, line {at}"), line.as_str()));
        Decisions::parse(lines)
    }

    #[test]
    fn heads_decide_in_whatever_order_they_stand() {
        let (cut, keep) = (decision("cut", &[]), decision("keep", &[]));
        let last = decision("cut", &[&cut, &keep]);
        let undone = decision("keep", &[&last]);
        for all in [[&cut, &keep, &last, &undone], [&undone, &last, &keep, &cut]] {
            assert_eq!(parse(&all).unwrap().choice(&review().id()), Some("keep"));
            assert_eq!(parse(&all).unwrap().on(&review().id()), std::slice::from_ref(&undone));
        }
        assert_eq!(parse(&[&cut, &cut, &last, &keep]).unwrap().choice(&review().id()), Some("cut"));
        assert_eq!(parse(&[]).unwrap(), *Decisions::NONE);
    }

    #[test]
    fn what_disagrees_or_is_no_decision_is_named() {
        let fault = parse(&[&decision("cut", &[]), &decision("keep", &[])]).unwrap_err();
        assert!(fault.message.contains("line 1") && fault.message.contains("line 2"), "{fault}");
        let fault =
            Decisions::parse([("d.jsonl, line 7".to_owned(), "{\"review\": 3}")]).unwrap_err();
        assert!(fault.message.starts_with("d.jsonl, line 7: not a decision"), "{fault}");
    }

    #[test]
    fn a_desk_takes_what_was_decided_and_tells_it() {
        let decided = parse(&[&decision("cut", &[])]).unwrap();
        let mut desk = Desk::new(&decided);
        assert_eq!(desk.decide(review()).unwrap(), "cut");
        let other = Review { excerpt: "Letter 1".into(), ..review() };
        assert_eq!(desk.decide(other.clone()).unwrap(), "keep");
        assert_eq!(desk.clear(), (vec![review(), other], vec![(review().id(), "cut".into())]));
        let strange = parse(&[&decision("burn", &[])]).unwrap();
        let fault = Desk::new(&strange).decide(review()).unwrap_err();
        assert!(fault.message.contains("`burn`") && fault.message.contains("keep, cut"), "{fault}");
    }
}
