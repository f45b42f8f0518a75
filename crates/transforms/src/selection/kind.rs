//! Kinds of books, and what one was judged to be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a book is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One long story in prose.
    Novel,
    /// Several stories in prose, or a single short one.
    Stories,
    /// A play, in prose or in verse.
    Play,
    /// Poems, or one long poem.
    Poetry,
    /// Letters or a diary that somebody really wrote.
    Letters,
    /// Anything else: lives, travels, essays, treatises, works of reference.
    Nonfiction,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Novel, Self::Stories, Self::Play, Self::Poetry, Self::Letters, Self::Nonfiction];

    /// The kind as it is published: `novel`.
    pub fn name(self) -> &'static str {
        storymill_core::word(&self)
    }
}

/// What a book was judged to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The likeliest kind.
    pub kind: Kind,
    /// How sure that is, of a thousand.
    pub sure_pm: u16,
    /// The next kind.
    pub second: Kind,
    /// What spoke for and against, the weightiest first.
    pub evidence: Vec<String>,
    /// How likely each kind is, of a thousand, in the order of [`Kind::ALL`].
    pub(super) chances: [u16; 6],
}

impl Verdict {
    /// How likely it is one of some kinds, of a thousand.
    pub fn chance_pm(&self, kinds: &[Kind]) -> u16 {
        kinds.iter().map(|kind| self.chances[*kind as usize]).sum::<u16>().min(1000)
    }

    /// Makes it no surer than even, and says why before all else.
    pub(super) fn doubt(&mut self, why: &str) {
        self.sure_pm = self.sure_pm.min(EVEN);
        self.evidence.insert(0, why.to_owned());
        self.keep_open();
    }

    /// Gives every kind a chance.
    pub(super) fn keep_open(&mut self) {
        self.chances = self.chances.map(|chance| chance.max(EVEN / 5));
    }
}

/// As likely as not, of a thousand.
const EVEN: u16 = 500;
