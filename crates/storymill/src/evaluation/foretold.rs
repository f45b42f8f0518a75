//! What of an evaluation would not be put to the model, and what a sample leaves for later.

use std::collections::BTreeMap;

use storymill_core::{Exam, Fault, FaultKind, Options, Stop};
use storymill_dataset::exams::Wanted;
use storymill_transforms::{AnswerStage, Unasked};

use super::{Evaluation, Subject};
use crate::Published;

/// How many questions would not be put to the model in a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foretold {
    /// The name of the setting.
    pub setting: String,
    /// Why.
    pub why: Unasked,
    /// So many questions.
    pub questions: u64,
    /// Of so many that there are.
    pub of: u64,
}

impl Evaluation {
    /// Of a sample of the questions, how many there are, and how many of them it asks; none where all are asked.
    ///
    /// # Errors
    ///
    /// As of [`written`](Self::written).
    pub fn sampled(&self) -> Result<Option<(u64, u64)>, Fault> {
        if self.wanted.questions.is_none() {
            return Ok(None);
        }
        let wanted = Wanted { questions: None, stratify: None, ..self.wanted.clone() };
        let all = Self { wanted, ..self.clone() };
        Ok(Some((all.count()?, self.count()?)))
    }

    /// How many questions are asked.
    fn count(&self) -> Result<u64, Fault> {
        Ok(match (self.claims()?, &self.of) {
            (Some(claims), _) => 2 * claims.pairs().count() as u64,
            (None, Subject::Dataset(dataset)) => {
                Published::exams(dataset, &self.wanted)?.questions() as u64
            }
            (None, _) => 0,
        })
    }

    /// About how many requests so many questions take, in all settings.
    pub fn requests(&self, questions: u64) -> u64 {
        let together = u64::from(self.per_request.max(1));
        questions.div_ceil(together) * self.settings.len().max(1) as u64
    }

    /// The questions that would not be put to the model: those that do not fit its window, and in the setting `evidence` those of
    /// which nobody knows it. Nobody is asked.
    ///
    /// # Errors
    ///
    /// The dataset is not what its manifest says, or a prompt or tokenizer cannot be read.
    pub fn unasked(&self) -> Result<Vec<Foretold>, Fault> {
        let Some(model) = &self.model else { return Ok(Vec::new()) };
        let looks = self.settings.iter().any(|name| name == "evidence");
        if self.window.is_none() && !looks {
            return Ok(Vec::new());
        }
        let mut stage = serde_json::json!({
            "from": "exam", "per_request": self.per_request,
            "max_tokens": self.max_tokens.unwrap_or(model.max_tokens),
            "window": self.window, "prompt": self.prompt, "tokenizer": self.tokenizer,
            "form": self.form, "story": self.story, "book_order": self.book_order,
        });
        for (option, value) in [
            ("settings", serde_json::json!(self.settings)),
            ("too_long", serde_json::json!(self.too_long)),
            ("tokens", serde_json::json!(self.tokens)),
        ] {
            if !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()) {
                stage[option] = value;
            }
        }
        let mut stage: AnswerStage = serde_json::from_value(stage).map_err(|error| {
            Fault::new(FaultKind::Input, "the evaluation cannot be read").because(error)
        })?;
        for resource in stage.resources() {
            let path = resource.path().to_owned();
            let content = storymill_disk::read(&path, storymill_disk::most::MODEL);
            resource.fill(content.map_err(|error| Fault::io("cannot read", path, error).input())?);
        }
        let (mut counts, mut of) = (BTreeMap::<_, u64>::new(), 0);
        let mut count = |exam: &Exam| {
            let found = stage.unasked(exam).map_err(|stop| match stop {
                Stop::Fault(fault) => fault,
                _ => Fault::new(FaultKind::Internal, "a question cannot be shown"),
            })?;
            of += exam.questions.len() as u64;
            for (key, count) in found {
                *counts.entry(key).or_default() += count;
            }
            Ok::<_, Fault>(())
        };
        if let Some(claims) = self.claims()? {
            claims.books().iter().try_for_each(|book| count(&claims.exam(book)?))?;
        } else if let Subject::Dataset(dataset) = &self.of {
            let exams = Published::exams(dataset, &self.wanted)?;
            exams.units().try_for_each(|(unit, _)| count(&exams.exam(unit)?))?;
        }
        let told = |((setting, why), questions)| Foretold { setting, why, questions, of };
        Ok(counts.into_iter().map(told).collect())
    }
}
