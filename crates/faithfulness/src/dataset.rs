//! StorySumm's file of labels counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    defects::{Defect, defects, zeros},
    file::Placed,
};

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

/// Counts the summaries, in the order of the file.
pub fn dataset(items: &[Placed]) -> Dataset {
    let mut all = Dataset::default();
    let mut stories = BTreeSet::new();
    for Placed { labelled: item, .. } in items {
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
        stories.insert(item.story_id);
        all.sentences += item.summary.len();
        all.sentence_labels += item.errors.len();
        all.sentence_label_zeros += zeros(item);
        all.claims += item.claims.len();
    }
    all.stories = stories.len();
    all.defects = defects(items);
    all
}
