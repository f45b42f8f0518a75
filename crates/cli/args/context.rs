//! What may be typed after `storymill context`.

use std::path::PathBuf;

use crate::args::Format;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Context {
    /// A published folder.
    pub(crate) folder: PathBuf,
    /// The question: `84/0040/lookahead`.
    pub(crate) question: String,
    /// The config that the question is of, where several have its id.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: Option<String>,
    /// Put the question and its options behind the context: a whole prompt.
    #[arg(long)]
    pub(crate) ask: bool,
    /// The question without its context.
    #[arg(long, conflicts_with = "ask")]
    pub(crate) question_only: bool,
    /// Tell the answer too, with where it lies.
    #[arg(long)]
    pub(crate) answer: bool,
    /// Tell what kind each option is of.
    #[arg(long)]
    pub(crate) types: bool,
    /// How it is printed; `json` has the row and the context.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
