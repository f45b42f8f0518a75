//! What may be typed after `storymill audit`.

use std::path::PathBuf;

use super::Format;
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
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
