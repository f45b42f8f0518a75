//! What may be typed after `inspect`, `verify`, `explain`.

use std::path::PathBuf;

use storymill_pipeline::Shard;

use super::{Format, Original, shelf::InShelf};
use crate::complete;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Inspect {
    /// A published folder or a Parquet file; with `--shelf` the name of a private dataset.
    pub(crate) path: PathBuf,
    /// A question, `84/0040/lookahead`: what is read before it is asked.
    #[arg(value_name = "ID", conflicts_with_all = ["split", "rows", "seed", "full", "questions", "compare"], add = complete::questions())]
    pub(crate) question: Option<String>,
    /// Only this config; of a question, where several have its id.
    #[arg(long, value_name = "NAME", add = complete::configs())]
    pub(crate) config: Option<String>,
    /// Print the whole prompt of the question: context and question, as `evaluate` puts them to a model.
    #[arg(long, requires = "question")]
    pub(crate) ask: bool,
    /// Only this split.
    #[arg(long, value_name = "NAME", add = complete::splits())]
    pub(crate) split: Option<String>,
    /// How many rows to show of each config and split [default: 1].
    #[arg(short = 'n', long = "rows", value_name = "N")]
    pub(crate) rows: Option<usize>,
    /// Show rows drawn with this seed instead of the first ones.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Show texts in full.
    #[arg(long)]
    pub(crate) full: bool,
    /// Show questions as people read them, with the answer and its evidence.
    #[arg(long)]
    pub(crate) questions: bool,
    /// What to show of a question in place of its context: the question, with its answer and where that is, with the kind of each
    /// option. Several by commas.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) show: Vec<Shown>,
    /// Show figures of the whole dataset beside those of a published one.
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "questions")]
    pub(crate) compare: Option<Original>,
    /// Show words of a private dataset too: rows and questions.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    /// Write what would be shown of a private question into a new file, in clear: this is recorded in the shelf.
    #[arg(long, value_name = "FILE", requires_all = ["shelf", "question"])]
    pub(crate) clear: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// How it is printed; `json` has the row and the context of a question.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

impl Inspect {
    /// Whether one screen about the whole dataset is wanted: nothing in it was named.
    pub(crate) fn asks_for_no_detail(&self) -> bool {
        let named = self.config.is_some() || self.split.is_some() || self.rows.is_some();
        !(named || self.seed.is_some() || self.full || self.questions)
    }
}

/// What is shown of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Shown {
    /// The question, and its options.
    Question,
    /// Also which option is right, and where the answer is.
    Answer,
    /// Also the kind of each option.
    Types,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// A published folder, the statement of a private set, or the receipt of an evaluation: with `--shelf` that is compared with
    /// the results there.
    #[arg(required_unless_present = "shelf")]
    pub(crate) folder: Option<PathBuf>,
    /// Revealed pairs to look for in the statement; for a receipt also the statement that it names.
    #[arg(value_name = "PAIR", conflicts_with_all = ["rows", "rebuild"])]
    pub(crate) pairs: Vec<PathBuf>,
    /// The statement before it.
    #[arg(long, value_name = "STATEMENT", conflicts_with = "rows")]
    pub(crate) before: Option<PathBuf>,
    /// The key that a statement or receipt must be signed with, as the maintainers have published it.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["rows", "rebuild"])]
    pub(crate) signer: Option<String>,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// Check only a part of the shelf's files: `1/10` today, `2/10` tomorrow, and all of them in ten days.
    #[arg(long, value_name = "PART", requires = "shelf", conflicts_with = "folder")]
    pub(crate) subset: Option<Shard>,
    /// Do not compare bytes: rows stay the same whatever wrote the files.
    #[arg(long)]
    pub(crate) rows: bool,
    /// Compare bytes alone, which is quicker.
    #[arg(long, conflicts_with = "rows")]
    pub(crate) bytes: bool,
    /// Build it again from this workflow and recorded answers, without asking a model, and compare.
    #[arg(long, value_name = "WORKFLOW")]
    pub(crate) rebuild: Option<PathBuf>,
    /// More answers for `--rebuild`, beside those that the workflow names: packs, or folders of packs.
    #[arg(long = "answers", value_name = "PACK", requires = "rebuild")]
    pub(crate) packs: Vec<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// `commands`, `options`, `exit-codes`, an exit code, a kind of source or stage such as `chunk`, a measure of `audit`, a
    /// reason of items without a row such as `too-near`, or an item of a dataset such as `84/0040/lookahead`. Without one,
    /// all that can be explained is listed.
    #[arg(add = complete::topics())]
    pub(crate) topic: Option<String>,
    /// The workflow that made the item.
    #[arg(long, value_name = "FILE")]
    pub(crate) workflow: Option<PathBuf>,
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
