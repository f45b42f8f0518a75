//! Spare decoys: wrong options that may take the place of one that turns out to be right.

use serde::{Deserialize, Serialize};

use crate::{Choice, MadeBy, record};

/// Further wrong options of a question, drawn by the rules of its own, in the order in which they are to be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spares {
    /// The id of the question.
    pub question: String,
    /// The options.
    pub spares: Vec<Spare>,
}

/// A wrong option that is not asked yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spare {
    /// The option.
    pub choice: Choice,
    /// Who made its text, where that is known.
    pub made_by: Option<MadeBy>,
}

record!(Spares, "spares", 1, question);
