//! How long the answers of an evaluation took, as the notes of the log tell it.
//!
//! No output of a build holds a clock, so times lie beside results and not in them.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Fault, Stage};
use storymill_llm::{
    answers::notes,
    reader::{NOTED, noted_question},
};
use storymill_transforms::{AnswerStage, NamedReader, Read};

use crate::Project;

/// How long one answer took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Took {
    /// The model, as rows call it.
    pub model: String,
    /// The setting.
    pub setting: String,
    /// The question.
    pub question: String,
    /// Milliseconds.
    pub millis: u64,
}

impl Project {
    /// How long the answers took that published rows hold (`model`, `setting`, `config`, `question_id`). Nothing is
    /// known of those from packs and batches. Of several askings of one question the last one counts; questions that
    /// say the same are asked once, and so is their time.
    ///
    /// # Errors
    ///
    /// The log cannot be read.
    pub fn took(&self, answers: Option<&Path>, rows: &[Value]) -> Result<Vec<Took>, Fault> {
        let folder = answers.map_or_else(|| self.workspace.store.join("answers"), Path::to_owned);
        let mut known: BTreeMap<(String, String), u64> = BTreeMap::new();
        let mut read: BTreeMap<(String, String), u64> = BTreeMap::new();
        notes(&folder, &*self.workspace.disk, None, |_, note| {
            if note.stage == AnswerStage::KIND && note.millis > 0 {
                known.insert((note.model_id, note.item), note.millis);
            } else if let Some(who) = note.headers.get(NOTED) {
                let millis = |(question, millis): (&String, &String)| {
                    Some((
                        (who.clone(), noted_question(question)?.to_owned()),
                        millis.parse().ok()?,
                    ))
                };
                read.extend(note.headers.iter().filter_map(millis));
            }
        })?;
        let readers = self.readers();
        let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let took = |row: &Value| {
            let (model, setting) = (word(row, "model"), word(row, "setting"));
            let question = word(row, "question_id");
            let item = format!("{}/{question}/{setting}", word(row, "config"));
            let of_reader = || read.get(&(readers.get(&model)?.clone(), question.clone()));
            let millis = *known.get(&(model.clone(), item)).or_else(of_reader)?;
            Some(Took { model, setting, question, millis })
        };
        Ok(rows.iter().filter_map(took).collect())
    }

    /// The readers of the workflow by what rows call them, as notes of answers name them.
    fn readers(&self) -> BTreeMap<String, String> {
        let steps = self.workflow().steps.iter().filter(|step| step.kind() == Read::KIND);
        let options = steps.filter_map(|step| serde_json::from_str::<Value>(&step.options()).ok());
        let named = |mut options: Value| {
            serde_json::from_value::<Vec<NamedReader>>(options["readers"].take()).ok()
        };
        let readers = options.filter_map(named).flatten();
        readers
            .filter_map(|one| Some((one.called.clone(), serde_json::to_string(&one.who()).ok()?)))
            .collect()
    }
}
