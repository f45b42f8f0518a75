//! How votes become a decision.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Decision, Said, SentenceLabel, person};

/// How the votes of several people become a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRule {
    /// `majority`: what more than half of the votes say. `unanimity`: what all say. `adjudicator`: what all say,
    /// and where people differ what an adjudicator says. Default: `majority`.
    #[serde(default)]
    pub rule: Verdict,
    /// How many people must vote on an item before it is decided. Default: 1.
    #[serde(default = "one")]
    pub voters: u32,
    /// Who may settle a dispute, by name. Default: anybody.
    #[serde(default)]
    pub adjudicators: Vec<String>,
    /// `independent`: nobody sees other votes or a model's proposal before their own vote is saved. `hybrid`: the
    /// proposal is shown first. Default: `independent`.
    #[serde(default)]
    pub protocol: Protocol,
}

fn one() -> u32 {
    1
}

/// Which votes decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// What more than half of the votes say.
    #[default]
    Majority,
    /// What all votes say.
    Unanimity,
    /// What all votes say; where they differ, what an adjudicator says.
    Adjudicator,
}

/// What people see before they vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Neither other votes nor a proposal.
    #[default]
    Independent,
    /// The proposal of a model, if there is one.
    Hybrid,
}

impl Protocol {
    /// Its name, as lines of decisions have it: `independent`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

impl Default for ReviewRule {
    fn default() -> Self {
        Self::PLAIN
    }
}

impl ReviewRule {
    /// The rule where a workflow names none: one person decides.
    pub const PLAIN: Self = Self {
        rule: Verdict::Majority,
        voters: 1,
        adjudicators: Vec::new(),
        protocol: Protocol::Independent,
    };

    /// Whether somebody may settle disputes.
    pub fn may_adjudicate(&self, person: &str) -> bool {
        let named = |name: &String| person::named(name).as_deref() == Ok(person);
        self.adjudicators.is_empty() || self.adjudicators.iter().any(named)
    }

    /// What is wrong with it: the option, and why.
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        if self.voters == 0 {
            faults.push(("voters", "must be at least 1"));
        }
        if self.adjudicators.iter().any(|name| person::named(name).is_err()) {
            faults.push(("adjudicators", "must be names of 1 to 100 visible letters"));
        }
        if self.rule == Verdict::Adjudicator && self.adjudicators.is_empty() {
            faults.push(("rule", "is `adjudicator`, so `adjudicators` must name somebody"));
        }
        faults
    }

    /// What these votes come to; adjudications are those that settle, if there are any.
    pub(crate) fn of<'d>(
        &self,
        votes: Vec<&'d Decision>,
        adjudications: &[&'d Decision],
    ) -> Standing<'d> {
        if !adjudications.is_empty() {
            return match same(adjudications) {
                Some(first) => decided(first, votes),
                None => Standing::Disputed(votes),
            };
        }
        let mut people: Vec<&str> = votes.iter().map(|vote| vote.by.as_str()).collect();
        people.sort_unstable();
        people.dedup();
        if votes.is_empty() || people.len() < self.voters as usize {
            return Standing::Open(votes);
        }
        if let Some(first) = same(&votes) {
            return decided(first, votes);
        }
        // Who says two things at once, on two machines, has to say which.
        let torn = distinct(&votes) > people.len();
        if torn || self.rule == Verdict::Adjudicator {
            return Standing::Disputed(votes);
        }
        if self.rule == Verdict::Majority {
            let voices = unlike(&votes);
            let most = voices.iter().find(|one| {
                2 * voices.iter().filter(|other| agree(one, other)).count() > voices.len()
            });
            if let Some(first) = most.copied() {
                return decided(first, votes);
            }
        }
        match self.labels(&unlike(&votes)) {
            Some((choice, labels)) => {
                let by = votes.iter().copied().filter(|vote| vote.choice == choice).collect();
                Standing::Decided { choice, said: Cow::Owned(Said::Labels(labels)), by, votes }
            }
            None => Standing::Disputed(votes),
        }
    }

    /// Labels are settled sentence by sentence.
    fn labels<'d>(&self, votes: &[&'d Decision]) -> Option<(&'d str, Vec<SentenceLabel>)> {
        let enough = |count: usize| match self.rule {
            Verdict::Majority => 2 * count > votes.len(),
            Verdict::Unanimity | Verdict::Adjudicator => count == votes.len(),
        };
        let choice = votes
            .iter()
            .find(|one| enough(votes.iter().filter(|other| other.choice == one.choice).count()))?;
        let said: Option<Vec<&Vec<SentenceLabel>>> = votes
            .iter()
            .map(|vote| match &vote.said {
                Said::Labels(labels) => Some(labels),
                _ => None,
            })
            .collect();
        let said = said?;
        let sentences = said.first()?.len();
        if said.iter().any(|labels| labels.len() != sentences) {
            return None;
        }
        let settled = (0..sentences).map(|at| {
            let of = |label| said.iter().map(|own| &own[at]).filter(move |own| own.label == label);
            let label =
                said.iter().map(|own| own[at].label).find(|own| enough(of(*own).count()))?;
            let behind = of(label).count();
            // Kinds of error and explanations follow those who gave this label.
            let mut kinds: Vec<String> = of(label)
                .flat_map(|own| &own.kinds)
                .filter(|kind| {
                    2 * of(label).filter(|own| own.kinds.contains(kind)).count() > behind
                })
                .cloned()
                .collect();
            kinds.sort();
            kinds.dedup();
            let first = &of(label).next()?.explanation;
            let agreed = of(label).all(|own| own.explanation == *first);
            let explanation = if agreed { first.clone() } else { String::new() };
            Some(SentenceLabel { label, kinds, explanation })
        });
        Some((&choice.choice, settled.collect::<Option<_>>()?))
    }
}

/// The first of some votes that all say the same.
fn same<'d>(votes: &[&'d Decision]) -> Option<&'d Decision> {
    let first = votes.first()?;
    votes.iter().all(|vote| agree(vote, first)).then_some(*first)
}

/// Whether two votes say the same.
fn agree(one: &Decision, other: &Decision) -> bool {
    one.choice == other.choice && one.said.in_common() == other.said.in_common()
}

/// Each person's votes, those that say the same once.
fn unlike<'d>(votes: &[&'d Decision]) -> Vec<&'d Decision> {
    let mut sorted = votes.to_vec();
    let key =
        |vote: &Decision| (vote.by.clone(), vote.choice.clone(), vote.said.in_common().clone());
    sorted.sort_by_cached_key(|vote| key(vote));
    sorted.dedup_by_key(|vote| key(vote));
    sorted
}

fn distinct(votes: &[&Decision]) -> usize {
    unlike(votes).len()
}

fn decided<'d>(first: &'d Decision, votes: Vec<&'d Decision>) -> Standing<'d> {
    let by = votes.iter().copied().filter(|vote| agree(vote, first)).collect();
    Standing::Decided { choice: &first.choice, said: Cow::Borrowed(&first.said), by, votes }
}

/// How an item stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing<'d> {
    /// Too few people have voted; their votes.
    Open(Vec<&'d Decision>),
    /// It is decided.
    Decided {
        /// The choice.
        choice: &'d str,
        /// What was said beyond it.
        said: Cow<'d, Said>,
        /// The votes that say so.
        by: Vec<&'d Decision>,
        /// All votes that stand.
        votes: Vec<&'d Decision>,
    },
    /// People differ, and the rule does not settle it; their votes.
    Disputed(Vec<&'d Decision>),
}

impl<'d> Standing<'d> {
    /// The choice, if it is decided.
    pub fn choice(&self) -> Option<&'d str> {
        match self {
            Self::Decided { choice, .. } => Some(choice),
            Self::Open(_) | Self::Disputed(_) => None,
        }
    }

    /// The votes that stand, those that were overruled among them.
    pub fn votes(&self) -> &[&'d Decision] {
        match self {
            Self::Open(votes) | Self::Disputed(votes) | Self::Decided { votes, .. } => votes,
        }
    }

    /// Whether people differ.
    pub fn is_disputed(&self) -> bool {
        matches!(self, Self::Disputed(_))
    }
}
