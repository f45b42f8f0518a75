//! What people decide on review items: decisions that are kept in files and replayed by every build.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Digest, Fault, FaultKind, Review};

/// What somebody decided: a line of a file of decisions, which only grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The review item ([`Review::id`]).
    pub review: Digest,
    /// The item that it is about, and the code of the doubt, for who reads the file and for the day on which
    /// there is no such item any more. Blank in decisions of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub item: String,
    /// See `item`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
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
    /// A choice of somebody on an item, in the place of what was decided on it before.
    pub fn on(review: &Review, choice: &str, by: &str, note: &str, before: &Decisions) -> Self {
        Self {
            review: review.id(),
            item: review.item.clone(),
            code: review.code.to_string(),
            choice: choice.to_owned(),
            by: by.to_owned(),
            note: note.to_owned(),
            replaces: before.on(review).map(Self::id).collect(),
        }
    }

    /// The id: a digest of everything that it says.
    pub fn id(&self) -> Digest {
        Digest::of(crate::canonical::json(self).as_bytes())
    }
}

const DECIDE_ONCE_MORE: &str = "`storymill reviews WORKFLOW --decide ITEM=CHOICE` writes one that takes the place of what was decided";

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
                return Err(Fault::new(FaultKind::Input, message).hint(DECIDE_ONCE_MORE));
            }
        }
        let plain = |heads: Vec<(Decision, String)>| heads.into_iter().map(|head| head.0).collect();
        Ok(Self { heads: heads.into_iter().map(|(id, heads)| (id, plain(heads))).collect() })
    }

    /// The decisions that count and are on none of these items: what they were made on may have changed.
    pub fn idle<'s, 'r: 's>(
        &'s self,
        items: impl IntoIterator<Item = &'r Review>,
    ) -> impl Iterator<Item = &'s Decision> {
        // Without decisions nothing has to be digested.
        let items = items.into_iter().filter(|_| !self.heads.is_empty());
        let known: BTreeSet<Digest> =
            items.flat_map(|item| [item.id(), item.former_id()]).collect();
        let others = self.heads.iter().filter(move |(review, _)| !known.contains(*review));
        others.flat_map(|(_, heads)| heads)
    }

    /// What was decided on an item.
    pub fn choice(&self, review: &Review) -> Option<&str> {
        self.on(review).next().map(|decision| decision.choice.as_str())
    }

    /// The decisions that count for an item: one, or several that agree.
    pub fn on(&self, review: &Review) -> impl Iterator<Item = &Decision> {
        let of = |id: Digest| self.heads.get(&id).map_or(&[][..], Vec::as_slice);
        let ids = (!self.heads.is_empty()).then(|| [review.id(), review.former_id()]);
        ids.into_iter().flatten().flat_map(of)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }
}

/// Where doubts are put, and decisions are read.
#[derive(Debug)]
pub struct Reviews<'d> {
    decisions: &'d Decisions,
    items: Vec<Review>,
    decided: Vec<(Digest, String)>,
}

impl<'d> Reviews<'d> {
    /// What is to be put before people who have made these decisions.
    pub fn new(decisions: &'d Decisions) -> Self {
        Self { decisions, items: Vec::new(), decided: Vec::new() }
    }

    /// Puts an item there and takes what people decided, else its default.
    ///
    /// # Errors
    ///
    /// A decision that the item does not offer.
    pub fn decide(&mut self, review: Review) -> Result<String, Fault> {
        let place = || format!("{} ({}, {})", review.item, review.code, review.id().short());
        let mut heads = self.decisions.on(&review);
        let choice = match heads.next() {
            None => review.default.clone(),
            Some(Decision { choice, .. }) if !review.choices.contains(choice) => {
                let (place, choices) = (place(), review.choices.join(", "));
                let message =
                    format!("the decision `{choice}` on {place} is none of its choices: {choices}");
                return Err(Fault::new(FaultKind::Input, message).hint(DECIDE_ONCE_MORE));
            }
            Some(head) => {
                // Decisions of two forms did not meet when they were read.
                if let Some(other) = heads.find(|other| other.choice != head.choice) {
                    let (place, one, other) = (place(), &head.choice, &other.choice);
                    let message = format!("decisions on {place} disagree: `{one}` and `{other}`");
                    return Err(Fault::new(FaultKind::Input, message).hint(DECIDE_ONCE_MORE));
                }
                self.decided.push((head.review, head.choice.clone()));
                head.choice.clone()
            }
        };
        drop(heads);
        self.items.push(review);
        Ok(choice)
    }

    /// Whether people decided on an item.
    pub fn is_decided(&self, review: &Review) -> bool {
        self.decisions.choice(review).is_some()
    }

    /// Who decided on an item, as they want to be called; none if nobody did.
    pub fn decided_by(&self, review: &Review) -> Option<&'d str> {
        self.decisions.on(review).next().map(|decision| decision.by.as_str())
    }

    /// Puts an item there from which nothing follows yet.
    pub fn note(&mut self, review: Review) {
        self.items.push(review);
    }

    /// The items in order, and what was decided on those that people decided.
    pub fn finish(self) -> (Vec<Review>, Vec<(Digest, String)>) {
        (self.items, self.decided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::review;

    fn decision(choice: &str, replaces: &[&Decision]) -> Decision {
        let replaces = replaces.iter().map(|one| one.id()).collect();
        Decision { replaces, ..Decision::on(&review(), choice, "reader", "", Decisions::NONE) }
    }

    /// A decision as versions before wrote it.
    fn former(choice: &str) -> Decision {
        let (item, code) = (String::new(), String::new());
        Decision { review: review().former_id(), item, code, ..decision(choice, &[]) }
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
            let parsed = parse(&all).unwrap();
            assert_eq!(parsed.choice(&review()), Some("keep"));
            assert_eq!(parsed.on(&review()).collect::<Vec<_>>(), [&undone]);
        }
        assert_eq!(parse(&[&cut, &cut, &last, &keep]).unwrap().choice(&review()), Some("cut"));
        assert_eq!(parse(&[]).unwrap(), *Decisions::NONE);
    }

    #[test]
    fn decisions_of_older_versions_count_and_are_replaced() {
        let old = former("cut");
        // As it was written: the fields that are new leave no trace.
        let line = serde_json::to_string(&old).unwrap();
        assert!(!line.contains("item") && !line.contains("code"), "{line}");
        let decisions = parse(&[&old]).unwrap();
        assert_eq!(decisions.choice(&review()), Some("cut"));
        assert_eq!(decisions.idle([&review()]).count(), 0);
        let mut reviews = Reviews::new(&decisions);
        assert_eq!(reviews.decide(review()).unwrap(), "cut");
        assert_eq!(reviews.finish().1, [(review().former_id(), "cut".into())]);

        let new = Decision::on(&review(), "keep", "", "", &decisions);
        assert_eq!(new.replaces, [old.id()]);
        assert_eq!(parse(&[&old, &new]).unwrap().choice(&review()), Some("keep"));
        let torn = parse(&[&old, &decision("keep", &[])]).unwrap();
        let fault = Reviews::new(&torn).decide(review()).unwrap_err();
        assert!(fault.message.contains("disagree"), "{fault}");
    }

    #[test]
    fn a_decision_on_nothing_is_idle() {
        let decided = parse(&[&decision("cut", &[])]).unwrap();
        assert_eq!(decided.idle([&review()]).count(), 0);
        let changed = Review { excerpt: "To Mr. Saville".into(), ..review() };
        let idle: Vec<_> = decided.idle([&changed]).collect();
        assert_eq!((idle[0].item.as_str(), idle[0].code.as_str()), ("84", "preface"));
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
        let mut reviews = Reviews::new(&decided);
        assert_eq!(reviews.decide(review()).unwrap(), "cut");
        let other = Review { excerpt: "Letter 1".into(), ..review() };
        assert_eq!(reviews.decide(other.clone()).unwrap(), "keep");
        assert_eq!(reviews.finish(), (vec![review(), other], vec![(review().id(), "cut".into())]));
        let strange = parse(&[&decision("burn", &[])]).unwrap();
        let fault = Reviews::new(&strange).decide(review()).unwrap_err();
        assert!(fault.message.contains("`burn`") && fault.message.contains("keep, cut"), "{fault}");
    }
}
