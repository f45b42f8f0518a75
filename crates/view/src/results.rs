//! What models answered, beside the question.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{Grade, Status};

/// What a model said to a question in one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The model, as results call it.
    pub model: String,
    /// What it was shown: `full`, `none`.
    pub setting: String,
    /// How the asking ended: `answered`, `cut`.
    pub status: &'static str,
    /// How good the answer is, in millionths; a right choice has a million.
    pub score_ppm: u32,
}

/// What models said, by config and question.
#[derive(Clone, Debug, Default)]
pub struct Results(BTreeMap<(String, String), Vec<Said>>);

impl Results {
    /// Takes a grade in.
    pub fn add(&mut self, grade: &Grade) {
        let said = Said {
            model: grade.model.clone(),
            setting: grade.setting.clone(),
            status: Status::name(grade.status),
            score_ppm: grade.score_ppm,
        };
        let key = (grade.config.clone(), grade.question.clone());
        self.0.entry(key).or_default().push(said);
    }

    /// What was said to a question.
    pub fn of(&self, config: &str, question: &str) -> &[Said] {
        let key = (config.to_owned(), question.to_owned());
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
