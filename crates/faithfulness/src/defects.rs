//! Where a file of labels contradicts itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Label;

use crate::{
    file::{COMMENTARY, Labelled, Placed},
    votes::is_error,
};

/// A contradiction, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Defect {
    /// The retelling.
    pub id: String,
    /// The line of its id, from 1.
    pub line: usize,
    /// The column of its id, from 1.
    pub column: usize,
    /// What kind of contradiction.
    pub fault: Fault,
    /// The numbers.
    pub what: String,
}

/// Kinds of contradictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// Labels without sentences.
    LabelsWithoutSentences,
    /// Sentences without labels.
    SentencesWithoutLabels,
    /// Not one label for each sentence.
    SummaryAndErrorsLengthDiffer,
    /// Labelled unfaithful, but no sentence is.
    #[serde(rename = "label_0_but_no_zero_sentence")]
    LabelZeroButNoZeroSentence,
    /// Labelled faithful, but a sentence is not.
    #[serde(rename = "label_1_but_zero_sentence")]
    LabelOneButZeroSentence,
    /// Explanations where no sentence is unfaithful.
    ExplanationsWithoutZero,
    /// Not one explanation for each unfaithful sentence.
    ExplanationsAndZerosDiffer,
    /// Labels in words that are not those in numbers.
    WordsAndErrorsDiffer,
    /// Not one list of kinds for each sentence.
    KindsAndSentencesDiffer,
    /// Kinds of error on a sentence without one.
    KindsWithoutError,
    /// Faithful, but said to be easy or hard to see as unfaithful.
    DifficultyOfFaithful,
    /// A vote that is not one label for each sentence.
    VoteLengthDiffers,
    /// A vote of nobody.
    UnknownAnnotator,
    /// A second vote of one person by one protocol on one retelling.
    SecondVote,
    /// One story with two texts.
    StoryTextDiffers,
    /// One story in two splits.
    StoryInTwoSplits,
}

impl Fault {
    /// Whether it leaves the labels of sentences without a meaning.
    pub fn spoils_sentences(self) -> bool {
        matches!(
            self,
            Self::LabelsWithoutSentences
                | Self::SentencesWithoutLabels
                | Self::SummaryAndErrorsLengthDiffer
                | Self::WordsAndErrorsDiffer
        )
    }
}

/// Every contradiction, in the order of the file.
pub fn defects(items: &[Placed]) -> Vec<Defect> {
    let mut found = Vec::new();
    let mut stories: BTreeMap<i64, &Placed> = BTreeMap::new();
    for item in items {
        let mut note = |fault, what| {
            let Placed { id, line, column, .. } = item;
            found.push(Defect { id: id.clone(), line: *line, column: *column, fault, what });
        };
        of_labels(&item.labelled, &mut note);
        of_words(&item.labelled, &mut note);
        of_votes(&item.labelled, &mut note);
        let first = stories.entry(item.labelled.story_id).or_insert(item);
        let of = item.labelled.story_id;
        if first.labelled.story != item.labelled.story {
            let what = format!("story {of} has another text than at `{}`", first.id);
            note(Fault::StoryTextDiffers, what);
        }
        if first.labelled.split != item.labelled.split {
            let splits = (&item.labelled.split, &first.labelled.split);
            let what =
                format!("story {of} is in `{}`, at `{}` in `{}`", splits.0, first.id, splits.1);
            note(Fault::StoryInTwoSplits, what);
        }
    }
    found
}

/// Sentences labelled unfaithful.
pub(crate) fn zeros(item: &Labelled) -> usize {
    item.errors.iter().filter(|label| matches!(label, 0)).count()
}

fn of_labels(item: &Labelled, note: &mut impl FnMut(Fault, String)) {
    let (sentences, labels, explained) =
        (item.summary.len(), item.errors.len(), item.explanations.len());
    let zeros = zeros(item);
    if sentences != labels {
        let fault = match (sentences, labels) {
            (0, _) => Fault::LabelsWithoutSentences,
            (_, 0) => Fault::SentencesWithoutLabels,
            _ => Fault::SummaryAndErrorsLengthDiffer,
        };
        note(fault, format!("{sentences} sentences, {labels} labels"));
    }
    if !item.faithful() && zeros == 0 {
        note(Fault::LabelZeroButNoZeroSentence, format!("label 0, {labels} sentences labelled 1"));
    }
    if item.faithful() && zeros > 0 {
        note(Fault::LabelOneButZeroSentence, format!("label 1, {zeros} sentences labelled 0"));
    }
    if explained > 0 && zeros == 0 {
        note(
            Fault::ExplanationsWithoutZero,
            format!("{explained} explanations, no sentence labelled 0"),
        );
    } else if explained != zeros {
        note(
            Fault::ExplanationsAndZerosDiffer,
            format!("{explained} explanations, {zeros} sentences labelled 0"),
        );
    }
    if item.faithful() && !item.difficulty.is_empty() {
        note(Fault::DifficultyOfFaithful, format!("label 1, difficulty `{}`", item.difficulty));
    }
}

fn of_words(item: &Labelled, note: &mut impl FnMut(Fault, String)) {
    let sentences = item.summary.len();
    if let Some(words) = &item.labels {
        let differs = |(word, error): &(&Label, &u8)| is_error(**word) == (**error == 1);
        if words.len() != item.errors.len() {
            let what = format!("{} labels in words, {} in numbers", words.len(), item.errors.len());
            note(Fault::WordsAndErrorsDiffer, what);
        } else if let Some(at) = words.iter().zip(&item.errors).position(|pair| differs(&pair)) {
            let (word, error) = (words[at].name(), item.errors[at]);
            let what = format!("sentence {}: `{word}`, but {error}", at + 1);
            note(Fault::WordsAndErrorsDiffer, what);
        }
    }
    if item.kinds.is_empty() {
        return;
    }
    if item.kinds.len() != sentences {
        let what = format!("{sentences} sentences, {} lists of kinds", item.kinds.len());
        note(Fault::KindsAndSentencesDiffer, what);
    }
    let kinds = item.kinds.iter().zip(&item.errors);
    let odd: Vec<String> = (1..)
        .zip(kinds)
        .filter(|(_, (kinds, error))| **error == 1 && kinds.iter().any(|kind| kind != COMMENTARY))
        .map(|(at, _)| at.to_string())
        .collect();
    if !odd.is_empty() {
        let what = format!("kinds of error on sentences labelled 1: {}", odd.join(", "));
        note(Fault::KindsWithoutError, what);
    }
}

fn of_votes(item: &Labelled, note: &mut impl FnMut(Fault, String)) {
    let mut seen = BTreeSet::new();
    for (at, vote) in (1..).zip(&item.votes) {
        let sentences = item.summary.len();
        if vote.labels.len() != sentences {
            let what = format!("vote {at}: {} labels, {sentences} sentences", vote.labels.len());
            note(Fault::VoteLengthDiffers, what);
        }
        if vote.person.trim().is_empty() {
            note(Fault::UnknownAnnotator, format!("vote {at} names no person"));
        } else if !seen.insert((&vote.person, &vote.protocol, vote.adjudicated)) {
            let what = format!("vote {at}: `{}` voted by `{}` already", vote.person, vote.protocol);
            note(Fault::SecondVote, what);
        }
    }
}
