//! What may be typed after `storymill release`.

use std::path::PathBuf;

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Release {
    /// The workflow, built as it is now; or the folder that it was published into.
    pub(crate) what: PathBuf,
    /// The folder that the workflow was published into [default: out/NAME, with the workflow's name].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The folder of releases, where `NAME-VERSION` is written, and its lock beside it.
    #[arg(long, value_name = "DIR", default_value = "releases")]
    pub(crate) releases: PathBuf,
    /// The folder of the release before [default: the highest version in the folder of releases].
    #[arg(long, value_name = "DIR")]
    pub(crate) previous: Option<PathBuf>,
    /// There is no release before.
    #[arg(long, conflicts_with = "previous")]
    pub(crate) first: bool,
    /// What changed, by version: a heading `## 1.1.0 (2026-01-31)` and lines below it.
    #[arg(long, value_name = "FILE", default_value = "CHANGELOG.md")]
    pub(crate) changelog: PathBuf,
    /// Why ids of earlier releases are gone or changed: `id,version,reason`; `84/*` stands for all ids of a book, `*`
    /// for all.
    #[arg(long, value_name = "FILE", default_value = "ERRATA.csv")]
    pub(crate) errata: PathBuf,
    /// Write the errata with the rows that they lack, one for each book; the reasons are yours to add.
    #[arg(long, value_name = "FILE")]
    pub(crate) draft_errata: Option<PathBuf>,
    /// List everything that blocks the release, and write none.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The folder that keeps what is built.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// The folder that keeps every answer [default: `answers` in the store].
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
