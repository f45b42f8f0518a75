//! What may be typed after `storymill audit`.

use std::{num::NonZeroUsize, path::PathBuf};

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
    /// How many questions of a config to look at (2000 if not given).
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<NonZeroUsize>,
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
