//! Pairs of a true and a false retelling that people tell apart.

use serde::{Deserialize, Serialize};

use crate::{BookId, record};

/// Two retellings of the same scenes, one of them true, and what people said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdequacyPair {
    /// The id: that of the false retelling, and `q` where the answer is known beforehand.
    pub id: String,
    /// The book.
    pub book: BookId,
    /// The first and the last scene that both are said to tell of.
    pub scenes: (u32, u32),
    /// The retelling that is shown first.
    pub first: String,
    /// The one that is shown second.
    pub second: String,
    /// Whether the first is the true one.
    pub first_is_true: bool,
    /// Whether it tells who may be counted: the answer is known beforehand.
    pub qualifies: bool,
    /// The least share of such pairs, of a thousand, that a person must get right to be counted.
    pub qualify_pm: u16,
    /// What each person said, in the order of their names.
    pub votes: Vec<AdequacyVote>,
}

/// What a person said of a pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AdequacyVote {
    /// Who, as they want to be called.
    pub person: String,
    /// `first`, `second` or `neither`.
    pub said: String,
}

record!(AdequacyPair, "adequacy-pair", 1, id);
