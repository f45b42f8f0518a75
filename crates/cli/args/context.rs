//! What may be typed after `storymill context`.

use std::path::PathBuf;

use crate::{
    args::{Format, shelf::InShelf},
    complete,
};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Context {
    /// A published folder; with `--shelf` the name of a private dataset.
    pub(crate) folder: PathBuf,
    /// The question: `84/0040/lookahead`.
    #[arg(add = complete::questions())]
    pub(crate) question: String,
    /// The config that the question is of, where several have its id.
    #[arg(long, value_name = "NAME", add = complete::configs())]
    pub(crate) config: Option<String>,
    /// Print the whole prompt: the context and the question, as `evaluate` puts them to a model.
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
    /// Show the words of a private book on the screen.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    /// Write what would be shown of a private book into a new file, in clear: this is recorded in the shelf.
    #[arg(long, value_name = "FILE", requires = "shelf")]
    pub(crate) clear: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// How it is printed; `json` has the row and the context.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
