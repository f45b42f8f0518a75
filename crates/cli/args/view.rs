//! What may be typed after `view`.

use std::path::PathBuf;

use super::{Format, shelf::InShelf};

#[derive(Debug, clap::Args)]
pub(crate) struct View {
    /// A published folder, or the workflow that publishes it: with the workflow, pages also tell where items come from,
    /// what has no row, who is who, and what was cut from pages. With `--shelf` the name of a private dataset, or a
    /// workflow.
    #[arg(value_name = "FOLDER|WORKFLOW")]
    pub(crate) what: PathBuf,
    /// Results folders of `storymill evaluate`: answers are shown beside the questions. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Vec<PathBuf>,
    /// The port on this machine [default: one that is free].
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    /// Open the pages in the browser, if this machine has a screen.
    #[arg(long, conflicts_with = "html")]
    pub(crate) open: bool,
    /// Write pages of a sample of the questions into a folder instead of serving them.
    #[arg(long, value_name = "OUT", conflicts_with = "port", conflicts_with = "shelf")]
    pub(crate) html: Option<PathBuf>,
    /// How many questions of each config the written sample has.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "html")]
    pub(crate) sample: u64,
    /// The folder that keeps what is built, where a workflow is given.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// The folder that keeps every answer, where a workflow is given [default: `answers` in the store].
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// The folder that the workflow was published into [default: `out/NAME`].
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) out: Option<PathBuf>,
    /// Show words of private books and claims too: on the pages, on the screen, in a file.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
