//! Who labelled, and how far they agree sentence by sentence, with intervals over stories.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::{Label, LabelVote};
use storymill_metrics::{
    Undefined,
    bootstrap::{Plan, statistic},
    krippendorff::Scale,
};

use crate::{
    agreement::{couples, overall},
    file::Placed,
    votes::{by_protocol, verdicts},
};

/// With fewer stories, draws of them say next to nothing, and look sure of it.
const LEAST_STORIES: usize = 5;

/// A number with its interval, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why there is no number, or no interval.
    pub undefined: Option<String>,
}

/// Two annotators, or two protocols.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Sentences that both voted on.
    pub sentences: usize,
    /// Those on which they agree.
    pub agreed: usize,
    /// Cohen's kappa.
    pub kappa: Estimate,
}

/// How far those agree who voted by one protocol, or protocols with one another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The protocol; blank where protocols are compared.
    pub protocol: String,
    /// Who voted, by name.
    pub voters: Vec<String>,
    /// Sentences with two votes or more.
    pub sentences: usize,
    /// Every two of them.
    pub pairs: Vec<Pair>,
    /// Krippendorff's alpha, nominal.
    pub alpha: Estimate,
}

/// The votes on one sentence: by whom, and what.
type Sentence<'v> = Vec<(&'v str, Label)>;

/// Agreement within each protocol. Adjudicated votes come after the others were seen and are left out, as are votes of
/// nobody and of another length; commentary is no vote.
pub fn within(items: &[Placed], plan: Plan) -> Vec<Agreement> {
    let votes: Vec<(i64, Vec<LabelVote>, usize)> = items.iter().map(kept).collect();
    let protocols: BTreeSet<&str> = votes
        .iter()
        .flat_map(|(_, votes, _)| votes.iter().map(|vote| vote.protocol.as_str()))
        .collect();
    let of = |protocol: &str| {
        let mut stories: BTreeMap<i64, Vec<Sentence<'_>>> = BTreeMap::new();
        for (story, votes, sentences) in &votes {
            let votes = votes.iter().filter(|vote| vote.protocol == protocol && !vote.adjudicated);
            stories.entry(*story).or_default().extend(sentences_of(votes, *sentences));
        }
        told(protocol, &stories.into_values().collect::<Vec<_>>(), plan)
    };
    protocols.into_iter().map(of).collect()
}

/// Agreement of protocols: of the verdict of each. None with fewer than two.
pub fn between(items: &[Placed], plan: Plan) -> Option<Agreement> {
    let mut stories: BTreeMap<i64, Vec<Vec<(String, Label)>>> = BTreeMap::new();
    let mut protocols = BTreeSet::new();
    for item in items {
        let (story, votes, sentences) = kept(item);
        let mut rows = vec![Vec::new(); sentences];
        for (protocol, votes) in by_protocol(&votes) {
            protocols.insert(protocol.to_owned());
            for (at, verdict) in verdicts(&votes, sentences).into_iter().flatten().enumerate() {
                if verdict.label != Label::Commentary {
                    rows[at].push((protocol.to_owned(), verdict.label));
                }
            }
        }
        stories.entry(story).or_default().extend(rows);
    }
    (protocols.len() > 1).then(|| told("", &stories.into_values().collect::<Vec<_>>(), plan))
}

/// The story, the votes that name a person and fit, and how many sentences there are.
fn kept(item: &Placed) -> (i64, Vec<LabelVote>, usize) {
    let sentences = item.labelled.summary.len();
    let mut votes = item.labelled.label_votes();
    votes.retain(|vote| !vote.person.trim().is_empty() && vote.labels.len() == sentences);
    (item.labelled.story_id, votes, sentences)
}

fn sentences_of<'v>(
    votes: impl Iterator<Item = &'v LabelVote>,
    sentences: usize,
) -> Vec<Sentence<'v>> {
    let mut rows = vec![Vec::new(); sentences];
    for vote in votes {
        for (at, label) in vote.labels.iter().enumerate() {
            if *label != Label::Commentary {
                rows[at].push((vote.person.as_str(), *label));
            }
        }
    }
    rows
}

/// The agreement of those who voted on the sentences of these stories.
fn told<P: AsRef<str> + Clone>(
    protocol: &str,
    stories: &[Vec<Vec<(P, Label)>>],
    plan: Plan,
) -> Agreement {
    let all: Vec<Vec<(P, Label)>> = stories.concat();
    let voters: BTreeSet<&str> = all.iter().flatten().map(|(person, _)| person.as_ref()).collect();
    let pair = |couple: crate::agreement::Couple| {
        let drawn = |drawn: &[usize]| {
            let both = [couple.one.as_str(), couple.other.as_str()];
            let of = |row: &Vec<(P, Label)>| -> Vec<(P, Label)> {
                row.iter().filter(|(person, _)| both.contains(&person.as_ref())).cloned().collect()
            };
            let rows: Vec<_> = drawn.iter().flat_map(|at| stories[*at].iter().map(of)).collect();
            couples(&rows).into_iter().next()?.kappa.ok()
        };
        let kappa = estimate(&couple.kappa, stories.len(), plan, drawn);
        let (one, other) = (couple.one.clone(), couple.other.clone());
        Pair { one, other, sentences: couple.items, agreed: couple.agreed, kappa }
    };
    let numbers = |rows: &[Vec<(P, Label)>]| -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.iter().map(|(_, label)| number(*label)).collect()).collect()
    };
    let found = overall(&numbers(&all), Scale::Nominal);
    let mut alpha = estimate(&found.alpha, stories.len(), plan, |drawn| {
        let rows: Vec<Vec<f64>> = drawn.iter().flat_map(|at| numbers(&stories[*at])).collect();
        overall(&rows, Scale::Nominal).alpha.ok()
    });
    if voters.len() < 2 {
        alpha.undefined =
            Some(format!("undefined: agreement needs two voters, and there is {}", voters.len()));
    }
    Agreement {
        protocol: protocol.to_owned(),
        sentences: found.items,
        pairs: couples(&all).into_iter().map(pair).collect(),
        alpha,
        voters: voters.into_iter().map(str::to_owned).collect(),
    }
}

fn number(label: Label) -> f64 {
    match label {
        Label::Faithful => 0.0,
        Label::Unfaithful => 1.0,
        Label::Partial => 2.0,
        Label::Inapplicable => 3.0,
        Label::Commentary => 4.0,
    }
}

fn estimate(
    found: &Result<f64, Undefined>,
    stories: usize,
    plan: Plan,
    of: impl FnMut(&[usize]) -> Option<f64>,
) -> Estimate {
    let value = match found {
        Ok(value) => *value,
        Err(error) => {
            let undefined = Some(format!("undefined: {error}"));
            return Estimate { undefined, ..Estimate::default() };
        }
    };
    if (2..LEAST_STORIES).contains(&stories) {
        let told = format!("no interval: votes on {stories} stories, and it needs {LEAST_STORIES}");
        return Estimate { value: Some(value), undefined: Some(told), ..Estimate::default() };
    }
    match statistic(stories, plan, of) {
        Ok(drawn) => Estimate {
            value: Some(value),
            low: Some(drawn.interval.low),
            high: Some(drawn.interval.high),
            undefined: None,
        },
        Err(Undefined::FewClusters { .. }) => Estimate {
            value: Some(value),
            undefined: Some("no interval: all votes are on retellings of one story".to_owned()),
            ..Estimate::default()
        },
        Err(error) => Estimate {
            value: Some(value),
            undefined: Some(format!("no interval: {error}")),
            ..Estimate::default()
        },
    }
}

#[cfg(test)]
#[path = "annotators_tests.rs"]
mod tests;
