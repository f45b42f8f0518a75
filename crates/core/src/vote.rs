//! Votes of people as they are published.

use serde::{Deserialize, Serialize};

use crate::{Digest, UnitId, record};

/// What a person said of a review item, under a pseudonym. Names and notes are left out: they may tell who it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The id, over item, pseudonym and what was said.
    pub id: String,
    /// The review item ([`crate::Review::id`]).
    pub review: Digest,
    /// The kind of item: `cuts`, `faithfulness`.
    pub queue: String,
    /// The code of the doubt: `preface`.
    pub code: String,
    /// The item that it is about, as published, or the unit.
    pub item: String,
    /// The step of the workflow.
    pub step: String,
    /// The book or other unit.
    pub of: UnitId,
    /// The pseudonym: `reader-01`.
    pub person: String,
    /// The choice.
    pub choice: String,
    /// What was said beyond it, as JSON; blank for nothing.
    pub said: String,
    /// How it was reached: `independent`, `hybrid`, `adjudicator`; blank where one person decided.
    pub protocol: String,
    /// Whether it settled what others said.
    pub settles: bool,
    /// Whether a model's proposal was visible.
    pub proposal_shown: bool,
    /// How long it took, in seconds; 0 where nobody measured.
    pub seconds: u32,
    /// The digest of the text that was shown ([`crate::Review::seen`]).
    pub seen: Option<Digest>,
}

record!(Vote, "vote", 1);
