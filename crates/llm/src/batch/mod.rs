//! Batches: requests written into files for a provider's batch interface, and its results read back
//! into the log, as if they had been asked one by one.
//!
//! A request goes by the key of its answer, which is its custom id: results may come in any order,
//! in several files, in part. Nothing here talks to anybody: files are uploaded and fetched by hand.

mod import;
mod outstanding;
mod read;
mod write;

use serde::{Deserialize, Serialize};

pub use import::{Imported, Spent, import};
pub use outstanding::Outstanding;
pub use write::{Exported, ExportedFile, MANIFEST, export};

/// Whose batch interface the files are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// OpenAI's, which vLLM, Mistral and others share: a line holds a whole chat completion.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's message batches: a line is an item of the list `requests`.
    Anthropic,
}

/// How large one file may be.
///
/// ```
/// use storymill_llm::batch::Format;
///
/// assert_eq!(Format::OpenAi.limits().requests, 50_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileLimits {
    /// Bytes.
    pub bytes: u64,
    /// Requests.
    pub requests: u64,
}

impl Format {
    /// What the provider takes at most.
    pub fn limits(self) -> FileLimits {
        match self {
            Self::OpenAi => FileLimits { bytes: 200_000_000, requests: 50_000 },
            Self::Anthropic => FileLimits { bytes: 256_000_000, requests: 100_000 },
        }
    }
}
