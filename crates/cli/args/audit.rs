//! What may be typed after `storymill audit`.

use std::path::PathBuf;

use crate::complete;

#[derive(Debug, clap::Args)]
pub(crate) struct Audit {
    /// A published folder.
    pub(crate) folder: PathBuf,
    /// Only this config.
    #[arg(long, value_name = "NAME", add = complete::configs())]
    pub(crate) config: Option<String>,
    /// Do not search the books.
    #[arg(long)]
    pub(crate) without_book: bool,
    /// Write the figures to a file as JSON; `-` prints them instead of the table.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
