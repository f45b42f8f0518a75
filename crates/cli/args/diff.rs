//! What may be typed after `storymill diff`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// The old version: a published folder or its workflow, a lock, a lock in git (`v1.0.0:dataset.lock`), or a matrix of responses.
    pub(crate) old: PathBuf,
    /// The new version.
    pub(crate) new: PathBuf,
    /// Prices in dollars per million tokens: what the change asked of models cost.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// How it is printed; `markdown` is made for pull requests.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) format: DiffFormat,
}

/// How a difference is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// For a comment on a pull request
    Markdown,
    /// For programs
    Json,
}
