//! Whose rules a stage follows, where they can be followed to the letter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// This project's.
    #[default]
    Storymill,
    /// NarrativeXL's, as published.
    Paper,
}

impl Preset {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
