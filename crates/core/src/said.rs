//! What people say of an item beyond a choice: an edited text, changes of a cast, labels, evidence, fields.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{SentenceLabel, Span};

/// What was said beyond the choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Said {
    /// Nothing.
    #[default]
    Nothing,
    /// The text as it should be.
    Text(String),
    /// What is to change in a cast; the order plays no part.
    Names(Vec<NameChange>),
    /// One label for each sentence.
    Labels(Vec<SentenceLabel>),
    /// What bears it out.
    Spans(Vec<ReviewPassage>),
    /// Fields that are written anew, and what bears them out.
    Fields(SaidFields),
    /// The grounds of the choice. Whether people agree is told by their choices alone.
    Grounds(SaidGrounds),
}

/// The grounds of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaidGrounds {
    /// Kinds of error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// What bears it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<ReviewPassage>,
}

/// Fields that are written anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaidFields {
    /// The values of those that changed, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// What bears them out, where that changed: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<ReviewPassage>>,
}

impl Said {
    /// Whether nothing was said.
    pub fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// A short word for its kind: `text`; blank for nothing.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Text(_) => "text",
            Self::Names(_) => "names",
            Self::Labels(_) => "labels",
            Self::Spans(_) => "spans",
            Self::Fields(_) => "fields",
            Self::Grounds(_) => "grounds",
        }
    }

    /// What people have to agree on beside the choice: grounds are each person's own.
    pub(crate) fn in_common(&self) -> &Self {
        match self {
            Self::Grounds(_) => &Self::Nothing,
            said => said,
        }
    }
}

/// A change of a cast. Characters are named as the cast names them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum NameChange {
    /// Two characters are one.
    Merge {
        /// The one whose name stays.
        one: String,
        /// The other.
        with: String,
    },
    /// A name of a character is somebody else's.
    Split {
        /// The character.
        of: String,
        /// The name that is somebody else's.
        name: String,
    },
    /// A character's gender.
    Gender {
        /// The character.
        of: String,
        /// `female`, `male` or `unknown`.
        gender: String,
    },
    /// What a name is replaced by.
    Substitute {
        /// The name: one word.
        name: String,
        /// What stands in its place.
        by: String,
    },
    /// A character whose names stay as they are.
    Keep {
        /// The character.
        of: String,
    },
}

/// A passage of a book that an item is about, or that bears a vote out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewPassage {
    /// The book's id.
    pub book: String,
    /// Where it stands in the book's text.
    pub span: Span,
    /// What it is there for, in a word: `cut`, `evidence`, `true-claim`; blank where it is what is judged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
}

/// What may be said of an item beyond a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReviewForm {
    /// A choice alone.
    #[default]
    Choice,
    /// A text that may be edited.
    Text {
        /// The text as it is proposed.
        text: String,
        /// The choice that takes an edited text; with any other nothing is edited.
        of: String,
    },
    /// A cast that may be changed.
    Names {
        /// Who is in it.
        people: Vec<NamedPerson>,
        /// The choice that takes changes.
        of: String,
    },
    /// Sentences that are labelled one by one.
    Labels {
        /// The sentences.
        sentences: Vec<String>,
        /// The kinds of error that a sentence may have.
        kinds: Vec<String>,
        /// The choice that takes labels.
        of: String,
    },
    /// Passages of the book may be named that bear the choice out.
    Evidence,
    /// Fields that may be written anew, and passages of the book that bear them out.
    Fields {
        /// The fields.
        fields: Vec<ReviewField>,
        /// The choice that takes them; with any other nothing is written anew.
        of: String,
    },
    /// A choice with its grounds: kinds of error, and passages of the book.
    Grounds {
        /// Texts that are compared, each with the choice that stands for it. The order is another for each person.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        texts: Vec<ReviewText>,
        /// The kinds of error that may be named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kinds: Vec<String>,
    },
}

/// A text that is compared with others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewText {
    /// The choice that stands for it.
    pub choice: String,
    /// The text.
    pub text: String,
}

/// A field that may be written anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewField {
    /// Its name: `false_claim`.
    pub name: String,
    /// Its value as it is.
    pub text: String,
    /// What it may be; anything where nothing is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether it must not be blank once the fields are taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needed: bool,
}

impl ReviewForm {
    /// The choice that says nothing without passages that bear it out, where an item has it.
    pub const MARKED: &str = "marked";

    /// Whether only a choice is asked for.
    pub fn is_choice(&self) -> bool {
        *self == Self::Choice
    }

    /// The texts that are compared.
    pub fn texts(&self) -> &[ReviewText] {
        match self {
            Self::Grounds { texts, .. } => texts,
            _ => &[],
        }
    }

    /// Whether passages may be marked.
    pub fn takes_evidence(&self) -> bool {
        matches!(self, Self::Evidence | Self::Fields { .. } | Self::Grounds { .. })
    }
}

/// Somebody of a cast, as shown to people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPerson {
    /// The name by which the cast knows them.
    pub name: String,
    /// Their names, each a word: given names first.
    pub names: Vec<String>,
    /// `female`, `male` or `unknown`.
    pub gender: String,
    /// How often the book names them.
    pub seen: u32,
    /// Whether their names stay as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}
