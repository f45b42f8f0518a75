//! Readers: programs that read a text scene by scene and are asked on the way. What is said to one, and what it says.
//!
//! What is said is JSON lines, each of which gets one line in reply. The request to a reader is all that is said to it of
//! one text, so that it can be said again word by word.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Fault;

/// The name by which stages ask whatever reader they name.
pub const READER: &str = "reader";
/// What the lines are, as the first of them says it.
pub const FORMAT: &str = "storymill-reader/1";

/// Which reader it is: other words here make it another reader, with answers of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// The command that starts it.
    pub command: String,
    /// What it calls itself; blank if it does not say.
    #[serde(default)]
    pub name: String,
    /// Its own version; blank if it does not say.
    #[serde(default)]
    pub version: String,
}

/// All that is said to a reader of one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// The reader.
    pub reader: Who,
    /// The lines in order. The first one is a reset, and no other.
    pub lines: Vec<Line>,
    /// The published ids of the questions, in the order in which they are asked. They are not said: some tell what is right.
    pub asked: Vec<String>,
}

/// A line to a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// Forget everything: a text begins.
    Reset {
        /// [`FORMAT`].
        format: String,
        /// The language of the text: `en`, `zh`; blank if nobody knows.
        language: String,
    },
    /// Read this, which follows what was read before.
    Read {
        /// The number of the scene in the text, from 0.
        scene: u32,
        /// Its text.
        text: String,
    },
    /// Answer this by what was read so far.
    Ask {
        /// Which question about this text it is, from 1.
        id: u32,
        /// What is asked, in words.
        question: String,
        /// What there is to choose from; nothing where an answer is given in words of one's own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
}

impl Line {
    /// The line before all others.
    pub fn reset(language: &str) -> Self {
        Self::Reset { format: FORMAT.to_owned(), language: language.to_owned() }
    }

    /// The line in short, for messages.
    pub fn name(&self) -> String {
        match self {
            Self::Reset { .. } => "`reset`".to_owned(),
            Self::Read { scene, .. } => format!("`read` of scene {scene}"),
            Self::Ask { id, .. } => format!("`ask` {id}"),
        }
    }
}

/// What a reader answers to a question. What it writes beside these fields is passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// A text, the number of an option from 1, or whether a claim is true.
    pub answer: Value,
    /// How many tokens it put before its models for this answer.
    #[serde(default)]
    pub tokens: Option<u32>,
    /// How many tokens these wrote.
    #[serde(default)]
    pub written: Option<u32>,
}

/// What came of a script: an answer for each question, in order, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replies {
    /// The answers.
    pub answers: Vec<Answered>,
    /// Why there are no more of them; none if there is one for each question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Script {
    /// A script as a request holds it.
    ///
    /// # Errors
    ///
    /// It is no script.
    pub fn of(raw: &Value) -> Result<Self, Fault> {
        Self::deserialize(raw).map_err(|error| unread("the request to a reader", error))
    }
}

impl Replies {
    /// Replies as an answer in the log holds them.
    ///
    /// # Errors
    ///
    /// They are none.
    pub fn of(text: &str) -> Result<Self, Fault> {
        serde_json::from_str(text).map_err(|error| unread("what a reader answered", error))
    }
}

fn unread(what: &str, error: serde_json::Error) -> Fault {
    Fault::new(crate::FaultKind::Input, format!("{what} cannot be read")).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_the_docs_say() {
        let read = Line::Read { scene: 3, text: "Rain.".to_owned() };
        let ask = |options| Line::Ask { id: 7, question: "Who?".into(), options };
        for (line, expected) in [
            (Line::reset("en"), r#"{"reset":{"format":"storymill-reader/1","language":"en"}}"#),
            (read, r#"{"read":{"scene":3,"text":"Rain."}}"#),
            (ask(Vec::new()), r#"{"ask":{"id":7,"question":"Who?"}}"#),
            (
                ask(vec!["Ann".into(), "Ben".into()]),
                r#"{"ask":{"id":7,"question":"Who?","options":["Ann","Ben"]}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&line).unwrap(), expected);
            assert_eq!(serde_json::from_str::<Line>(expected).unwrap(), line);
        }
    }
}
