//! Ids. A unit's id becomes the name of files, so its alphabet is small.

use std::{borrow::Borrow, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};

/// The id of a unit of work: a book, or a set of questions.
///
/// One to 64 of `A-Z a-z 0-9 . _ -`, not beginning with a dot.
///
/// ```
/// use storymill_core::UnitId;
/// assert!("1342".parse::<UnitId>().is_ok());
/// assert!("../etc".parse::<UnitId>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UnitId(String);

/// The id of a book, which is the unit of nearly all work.
pub type BookId = UnitId;

/// A text that cannot be an id.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` cannot be an id: use 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot")]
pub struct BadId(String);

impl UnitId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UnitId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let fits = (1..=64).contains(&text.len())
            && !text.starts_with('.')
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        if fits { Ok(Self(text.to_owned())) } else { Err(BadId(text.escape_debug().to_string())) }
    }
}

impl Borrow<str> for UnitId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for UnitId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
