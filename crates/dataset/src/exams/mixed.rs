//! Exams over long contexts: the recipe is written out, from the passages of its set.

use std::{path::Path, sync::Arc};

use serde_json::Value;
use storymill_core::{Context, Digest, Exam, ExamQuestion, Fault, FaultKind, Question, UnitId};

use super::{Exams, Unit};
use crate::materialize::{context_of, fill, texts};

/// The passages of the set that was read last.
#[derive(Clone, Debug)]
pub(super) struct Passages {
    set: String,
    texts: Arc<Vec<Option<String>>>,
}

/// The unit of a context: its id in the letters of units.
pub(super) fn unit(id: &str) -> UnitId {
    id.replace('/', "-").parse().unwrap_or_else(|_| {
        let digest = Digest::of(id.as_bytes()).to_string();
        format!("context-{}", &digest[..24]).parse().expect("it is short and plain")
    })
}

impl Exams {
    pub(super) fn of_context(&self, held: &Unit) -> Result<Exam, Fault> {
        let mut exam: Option<Exam> = None;
        for (config, runs) in &held.asked {
            let mut found: Vec<(Value, String)> = Vec::new();
            self.tables.rows(runs, None, |table, row| {
                found.push((row, table.split.clone()));
                Ok(())
            })?;
            for (row, split) in found {
                let context = context_of(row, Path::new(""))?;
                if !self.asks(config, &context.id) {
                    continue;
                }
                let question = ExamQuestion {
                    config: config.clone(),
                    split,
                    flags: Vec::new(),
                    written_by: self.writers_of(config).to_vec(),
                    facets: Vec::new(),
                    story: None,
                    question: Question::from(&context),
                };
                match &mut exam {
                    Some(exam) => exam.questions.push(question),
                    None => exam = Some(self.first(&context, question)?),
                }
            }
        }
        exam.ok_or_else(|| Fault::new(FaultKind::Internal, "a unit has no rows"))
    }

    fn first(&self, context: &Context, question: ExamQuestion) -> Result<Exam, Fault> {
        let mut text = String::new();
        if !context.passages.is_empty() {
            fill(context, &self.passages(context.set.as_str())?, &mut text)?;
        }
        Ok(Exam {
            of: context.set.clone(),
            title: String::new(),
            // The same question at several lengths is one.
            author: format!("{}/{}", context.set, context.item),
            language: context.language.clone(),
            text,
            scenes: Vec::new(),
            retellings: Vec::new(),
            questions: vec![question],
        })
    }

    /// The passages of a set. Those that were read last are kept: the contexts of a set are read one after another.
    fn passages(&self, set: &str) -> Result<Arc<Vec<Option<String>>>, Fault> {
        let mut last = self.passages.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| last.set == set) {
            return Ok(Arc::clone(&last.texts));
        }
        let read = Arc::new(texts(&self.folder, set)?);
        *last = Some(Passages { set: set.to_owned(), texts: Arc::clone(&read) });
        Ok(read)
    }
}
