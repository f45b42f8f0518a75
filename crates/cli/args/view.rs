//! What may be typed after `view`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct View {
    /// A published folder, or the workflow that publishes it: with the workflow, pages also tell where items come from.
    #[arg(value_name = "FOLDER|WORKFLOW")]
    pub(crate) what: PathBuf,
    /// Results folders of `storymill evaluate`: answers are shown beside the questions. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Vec<PathBuf>,
    /// The port on this machine [default: one that is free].
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    /// Write pages of a sample of the questions into a folder instead of serving them.
    #[arg(long, value_name = "OUT", conflicts_with = "port")]
    pub(crate) html: Option<PathBuf>,
    /// How many questions of each config the written sample has.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "html")]
    pub(crate) sample: u64,
    /// The folder that keeps what is built, where a workflow is given.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
}
