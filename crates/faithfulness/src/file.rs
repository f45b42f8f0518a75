//! One file of labels: StorySumm's released form, and ours, which is the same with more said.

use serde::{Deserialize, Serialize};
use storymill_core::{Difficulty, Label, LabelVote};
use storymill_metrics::score::FileError;

use crate::{entries::Entries, places};

/// The kind that is no error: the sentence tells no event.
pub const COMMENTARY: &str = "commentary";

/// What people say of one retelling, as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled {
    /// The story that is retold, by number.
    #[serde(rename = "story-id")]
    pub story_id: i64,
    /// The story's text; blank where the file does not have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub story: String,
    /// The sentences of the retelling.
    pub summary: Vec<String>,
    /// 1 for each faithful sentence, 0 for each that is not.
    pub errors: Vec<u8>,
    /// The same in more words, where the file has them: also `partial`, `inapplicable` and `commentary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<Label>>,
    /// Kinds of error for each sentence; empty where nobody said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Vec<String>>,
    /// What is wrong, one text for each 0.
    #[serde(default)]
    pub explanations: Vec<String>,
    /// Claims that somebody made of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// 1 if all of it is faithful, else 0.
    pub label: u8,
    /// `easy`, `hard`, or blank.
    #[serde(default)]
    pub difficulty: String,
    /// `val` or `test`.
    pub split: String,
    /// The model that wrote it.
    pub model: String,
    /// The votes behind the labels; empty where they were not released.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub votes: Vec<Vote>,
}

/// One person's vote, as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// Who votes, by name or pseudonym; blank where nobody knows.
    #[serde(default)]
    pub person: String,
    /// By which protocol.
    pub protocol: String,
    /// One label for each sentence.
    pub labels: Vec<Label>,
    /// Whether it settles earlier votes.
    #[serde(default)]
    pub adjudicated: bool,
}

impl Labelled {
    /// Whether people call all of it faithful.
    pub fn faithful(&self) -> bool {
        self.label == 1
    }

    /// How easily people see that it is unfaithful.
    pub fn difficulty(&self) -> Option<Difficulty> {
        match self.difficulty.as_str() {
            "easy" => Some(Difficulty::Easy),
            "hard" => Some(Difficulty::Hard),
            _ => None,
        }
    }

    /// The label of each sentence: those in words where the file has them, else faithful or not; commentary where the
    /// kinds of a sentence without an error say so.
    pub fn words(&self) -> Vec<Label> {
        if let Some(words) = &self.labels {
            return words.clone();
        }
        let commentary = |at: usize| {
            self.kinds.get(at).is_some_and(|kinds| kinds.iter().any(|kind| kind == COMMENTARY))
        };
        let plain = |(at, error): (usize, &u8)| match error {
            1 if commentary(at) => Label::Commentary,
            1 => Label::Faithful,
            _ => Label::Unfaithful,
        };
        self.errors.iter().enumerate().map(plain).collect()
    }

    /// The votes as records.
    pub fn label_votes(&self) -> Vec<LabelVote> {
        let vote = |vote: &Vote| LabelVote {
            person: vote.person.clone(),
            protocol: vote.protocol.clone(),
            labels: vote.labels.clone(),
            adjudicated: vote.adjudicated,
        };
        self.votes.iter().map(vote).collect()
    }
}

/// A retelling with its id, and where the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Its id.
    pub id: String,
    /// The line of its id, from 1.
    pub line: usize,
    /// The column of its id in symbols, from 1.
    pub column: usize,
    /// What the file says of it.
    pub labelled: Labelled,
}

/// Reads a file. Values out of range are errors with their place; contradictions are left to
/// [`defects`](crate::defects::defects).
pub fn read(json: &str) -> Result<Vec<Placed>, FileError> {
    let Entries(items): Entries<Labelled> =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    if items.is_empty() {
        return Err(FileError::Empty);
    }
    let places = places::of_keys(json);
    let placed = |(at, (id, labelled)): (usize, (String, Labelled))| {
        let (line, column) = places.get(at).copied().unwrap_or_default();
        Placed { id, line, column, labelled }
    };
    let items: Vec<Placed> = items.into_iter().enumerate().map(placed).collect();
    for Placed { id, labelled, .. } in &items {
        if let Some(label) = labelled.errors.iter().chain([&labelled.label]).find(|one| **one > 1) {
            let what = format!("a label is 0 or 1, not {label}");
            return Err(FileError::Entry { id: id.clone(), what });
        }
        if !matches!(labelled.difficulty.as_str(), "" | "easy" | "hard") {
            let what =
                format!("`difficulty` is `easy`, `hard` or empty, not `{}`", labelled.difficulty);
            return Err(FileError::Entry { id: id.clone(), what });
        }
    }
    Ok(items)
}

/// Writes a file in our form, in the order given.
pub fn write(items: Vec<(String, Labelled)>) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&Entries(items)).map(|text| text + "\n")
}
