//! All that can be said of a file of labels, whichever form it has.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_metrics::{bootstrap::Plan, score::FileError};

use crate::{
    annotators::{Agreement, between, within},
    dataset::{Dataset, dataset},
    fables::{self, Fables},
    file::{Placed, read},
    found::{Found, found},
};

/// What a file of labels holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checked {
    /// StorySumm's form, or ours.
    Retellings(Box<Retellings>),
    /// FABLES'.
    Fables(Fables),
}

impl Checked {
    /// How many contradictions there are.
    pub fn defects(&self) -> usize {
        match self {
            Self::Retellings(found) => found.dataset.defects.len(),
            Self::Fables(found) => found.defects.len(),
        }
    }
}

/// Retellings with their labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Retellings {
    /// Their counts, and where the file contradicts itself.
    pub dataset: Dataset,
    /// Sentences of each label, by its word.
    pub labels: BTreeMap<&'static str, usize>,
    /// Sentences of each kind of error, and of commentary where it is given as a kind.
    pub kinds: BTreeMap<String, usize>,
    /// Who voted.
    pub people: Vec<Person>,
    /// How far those agree who voted by the same protocol.
    pub within: Vec<Agreement>,
    /// How far protocols agree.
    pub between: Option<Agreement>,
    /// Which protocols found which errors; none without votes.
    pub found: Option<Found>,
}

/// Somebody who voted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    /// Their name or pseudonym; blank where nobody knows.
    pub name: String,
    /// By which protocol.
    pub protocol: String,
    /// Votes that come before an adjudication.
    pub votes: usize,
    /// Adjudicated votes.
    pub adjudicated: usize,
    /// Sentences that they call unfaithful, in part or whole, in all of these.
    pub errors: usize,
}

/// Checks a file; `models` names the protocols in which models point at sentences.
pub fn check(json: &str, models: &[String], plan: Plan) -> Result<Checked, FileError> {
    if fables::is_fables(json)? {
        return fables::read(json).map(Checked::Fables);
    }
    let items = read(json)?;
    let (mut labels, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    for item in &items {
        for label in item.labelled.words() {
            *labels.entry(label.name()).or_default() += 1;
        }
        // A kind counts once for each sentence.
        for of_sentence in &item.labelled.kinds {
            for kind in of_sentence.iter().collect::<BTreeSet<_>>() {
                *kinds.entry(kind.clone()).or_default() += 1;
            }
        }
    }
    let voted = items.iter().any(|item| !item.labelled.votes.is_empty());
    Ok(Checked::Retellings(Box::new(Retellings {
        dataset: dataset(&items),
        labels,
        kinds,
        people: people(&items),
        within: within(&items, plan),
        between: between(&items, plan),
        found: voted.then(|| found(&items, models)),
    })))
}

fn people(items: &[Placed]) -> Vec<Person> {
    let mut people: BTreeMap<(&str, &str), Person> = BTreeMap::new();
    for vote in items.iter().flat_map(|item| &item.labelled.votes) {
        let person = people.entry((&vote.protocol, &vote.person)).or_insert_with(|| Person {
            name: vote.person.clone(),
            protocol: vote.protocol.clone(),
            votes: 0,
            adjudicated: 0,
            errors: 0,
        });
        *(if vote.adjudicated { &mut person.adjudicated } else { &mut person.votes }) += 1;
        person.errors += vote.labels.iter().filter(|one| crate::votes::is_error(**one)).count();
    }
    people.into_values().collect()
}
