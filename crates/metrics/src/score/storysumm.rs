//! StorySumm's file of labels: its counts, and where it contradicts itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{FileError, entries::Entries};

/// One summary of the file.
#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) label: u8,
    #[serde(default)]
    pub(crate) difficulty: String,
    summary: Vec<String>,
    errors: Vec<u8>,
    #[serde(rename = "story-id")]
    story: i64,
    #[serde(default)]
    explanations: Vec<String>,
    #[serde(default)]
    claims: Vec<String>,
    pub(crate) split: String,
    model: String,
}

impl Item {
    pub(crate) fn faithful(&self) -> bool {
        self.label == 1
    }
}

/// Counts over all summaries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dataset {
    /// Summaries.
    pub summaries: usize,
    /// Different stories.
    pub stories: usize,
    /// Summaries of each split.
    pub per_split: BTreeMap<String, usize>,
    /// Summaries labelled faithful.
    pub faithful: usize,
    /// Unfaithful ones that are easy to see.
    pub easy: usize,
    /// Unfaithful ones that are hard to see.
    pub hard: usize,
    /// Faithful ones of each split.
    pub faithful_by_split: BTreeMap<String, usize>,
    /// Counts for each model that wrote summaries.
    pub by_model: BTreeMap<String, ModelCounts>,
    /// Sentences of all summaries.
    pub sentences: usize,
    /// Labels of sentences.
    pub sentence_labels: usize,
    /// Sentences labelled unfaithful.
    pub sentence_label_zeros: usize,
    /// Claims of all summaries.
    pub claims: usize,
    /// Where the file contradicts itself.
    pub defects: Vec<Defect>,
}

/// Counts for the summaries of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelCounts {
    /// Summaries.
    pub n: usize,
    /// Faithful ones.
    pub faithful: usize,
    /// Unfaithful ones that are easy to see.
    pub easy: usize,
    /// Unfaithful ones that are hard to see.
    pub hard: usize,
}

/// A contradiction within one summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Defect {
    /// The summary.
    pub id: String,
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
}

/// Reads the file. Values out of range are errors, contradictions are [`Defect`]s.
pub(crate) fn read(json: &str) -> Result<Vec<(String, Item)>, FileError> {
    let Entries(items): Entries<Item> =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    if items.is_empty() {
        return Err(FileError::Empty);
    }
    for (id, item) in &items {
        if let Some(label) = item.errors.iter().chain([&item.label]).find(|label| **label > 1) {
            let what = format!("a label is 0 or 1, not {label}");
            return Err(FileError::Entry { id: id.clone(), what });
        }
        if !matches!(item.difficulty.as_str(), "" | "easy" | "hard") {
            let what =
                format!("`difficulty` is `easy`, `hard` or empty, not `{}`", item.difficulty);
            return Err(FileError::Entry { id: id.clone(), what });
        }
    }
    Ok(items)
}

/// Counts the summaries, in the order of the file.
pub(crate) fn dataset(items: &[(String, Item)]) -> Dataset {
    let mut all = Dataset::default();
    let mut stories = BTreeSet::new();
    for (id, item) in items {
        let one = ModelCounts {
            n: 1,
            faithful: usize::from(item.faithful()),
            easy: usize::from(item.difficulty == "easy"),
            hard: usize::from(item.difficulty == "hard"),
        };
        let model = all.by_model.entry(item.model.clone()).or_default();
        model.n += one.n;
        model.faithful += one.faithful;
        model.easy += one.easy;
        model.hard += one.hard;
        all.summaries += one.n;
        all.faithful += one.faithful;
        all.easy += one.easy;
        all.hard += one.hard;
        *all.per_split.entry(item.split.clone()).or_default() += 1;
        *all.faithful_by_split.entry(item.split.clone()).or_default() += one.faithful;
        stories.insert(item.story);
        all.sentences += item.summary.len();
        all.sentence_labels += item.errors.len();
        all.sentence_label_zeros += zeros(item);
        all.claims += item.claims.len();
        all.defects.extend(defects(id, item));
    }
    all.stories = stories.len();
    all
}

fn zeros(item: &Item) -> usize {
    item.errors.iter().filter(|label| matches!(label, 0)).count()
}

fn defects(id: &str, item: &Item) -> Vec<Defect> {
    let (sentences, labels, explained) =
        (item.summary.len(), item.errors.len(), item.explanations.len());
    let zeros = zeros(item);
    let mut found = Vec::new();
    let mut note = |fault, what| found.push(Defect { id: id.to_owned(), fault, what });
    if sentences != labels {
        note(
            Fault::SummaryAndErrorsLengthDiffer,
            format!("{sentences} sentences, {labels} labels"),
        );
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
    found
}
