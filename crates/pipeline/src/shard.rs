//! Shards: which units one of several runs works on, or which files it checks.

use std::str::FromStr;

use storymill_core::{Digest, UnitId};

/// Shard `index` of `of`, written `2/5`; the index counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// One of some shards; the index counts from 1.
    pub(crate) fn new(index: u32, of: u32) -> Self {
        Self { index, of }
    }

    /// The shard that a unit belongs to: by a hash of its id alone.
    pub(crate) fn of(unit: &UnitId, of: u32) -> Self {
        Self::of_name(unit.as_str(), of)
    }

    fn of_name(name: &str, of: u32) -> Self {
        let digest = Digest::of_parts("storymill 2026 shard v1", [name.as_bytes()]);
        let head = digest.as_bytes().first_chunk::<8>().expect("a digest has 32 bytes");
        let index = u64::from_le_bytes(*head) % u64::from(of);
        Self { index: u32::try_from(index).expect("less than `of`") + 1, of }
    }

    /// Whether a unit, or a file, of this name belongs to this shard.
    pub fn holds(self, name: &str) -> bool {
        Self::of_name(name, self.of) == self
    }

    /// Which one it is, from 1.
    pub(crate) fn index(self) -> u32 {
        self.index
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A text that names no shard.
#[derive(Debug, thiserror::Error)]
#[error("expected `i/N` with 1 <= i <= N, as in `2/5`")]
pub struct NotAShard;

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let (index, of) = text.split_once('/').ok_or(NotAShard)?;
        let (index, of) =
            (index.parse().map_err(|_| NotAShard)?, of.parse().map_err(|_| NotAShard)?);
        if (1..=of).contains(&index) { Ok(Self { index, of }) } else { Err(NotAShard) }
    }
}
