//! What may be typed after `answers`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Format, shelf::InShelf};

#[derive(Debug, clap::Args)]
pub(crate) struct Answers {
    #[command(subcommand)]
    pub(crate) what: AnswersWhat,
}

/// Where a log is.
#[derive(Debug, clap::Args)]
pub(crate) struct LogPlace {
    /// The folder that keeps every answer, or its URL.
    #[arg(long, value_name = "DIR", default_value = ".storymill/answers")]
    pub(crate) answers: PathBuf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// A workflow, and the store where it was built.
#[derive(Debug, clap::Args)]
pub(crate) struct Built {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
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

#[derive(Debug, Subcommand)]
pub(crate) enum AnswersWhat {
    /// Count the answers of a log, and what they cost
    Stats {
        #[command(flatten)]
        place: LogPlace,
    },
    /// Print a JSON line for each answer that a model gave: for what, how long it took, how many tokens
    Calls {
        /// The folder that keeps every answer, or its URL.
        #[arg(long, value_name = "DIR", default_value = ".storymill/answers")]
        answers: PathBuf,
    },
    /// Read every record of a log and check it
    Verify {
        #[command(flatten)]
        place: LogPlace,
    },
    /// Pack the answers that a built workflow has read, for CI or for others
    Pack {
        #[command(flatten)]
        built: Built,
        /// The folder to pack into.
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
        /// The lock that the packs belong to: refuse unless the build is the one it describes.
        #[arg(long, value_name = "FILE")]
        lock: Option<PathBuf>,
    },
    /// Take answers from packs (`.pack`), lines (`.jsonl`) or folders of packs
    Import {
        /// What to import.
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Where the answers are from, in a few words, for the notes.
        #[arg(long, value_name = "TEXT", default_value = "")]
        origin: String,
        #[command(flatten)]
        place: LogPlace,
    },
    /// Write what would be asked next into files for a provider's batch interface
    ExportBatch(ExportBatch),
    /// Take the results of a batch into the log
    ImportBatch(ImportBatch),
    /// Show what a stage would ask for an item, and the nearest request that was answered
    Explain {
        #[command(flatten)]
        built: Built,
        /// A book, or an item of it: `84` or `84/0012`.
        item: String,
    },
    /// Settle which of different answers under one key counts: the others are removed
    Keep {
        /// The key, or its first digits.
        key: String,
        /// The digest of the answer that is kept, or its first digits.
        digest: String,
        /// A pack among the `answers` of the workflow in which the one that is kept may stand. It is only read.
        #[arg(long, value_name = "FILE")]
        pack: Vec<PathBuf>,
        #[command(flatten)]
        place: LogPlace,
    },
    /// Remove the answers that a built workflow has not read, those of other workflows too
    Gc {
        #[command(flatten)]
        built: Built,
        /// The lock whose answers are kept: refuse unless the build is the one it describes.
        #[arg(long, value_name = "FILE")]
        keep: Option<PathBuf>,
        /// Remove them. Without this they are only counted: answers cost money.
        #[arg(long)]
        yes: bool,
    },
}

/// What is exported, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportBatch {
    /// The workflow file; with `--shelf` also the name of results on the shelf, which `evaluate --plan` begins.
    pub(crate) workflow: PathBuf,
    /// The folder of the batch; a new one.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Whose batch interface: `openai`, which vLLM, Mistral and others share, `responses`, or `anthropic`.
    #[arg(long, value_name = "WHOSE")]
    pub(crate) format: String,
    /// Requests in a file at most [default: what the provider takes].
    #[arg(long, value_name = "REQUESTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_requests: Option<u64>,
    /// Also what is out in another batch: for batches that were lost.
    #[arg(long)]
    pub(crate) again: bool,
    /// Set damaged files of the log aside, and write what is lost with them again.
    #[arg(long)]
    pub(crate) ask_again: bool,
    /// Seal private requests to the holder of this public key (`age1...`): files for `age`. May be given several times.
    #[arg(long, value_name = "PUBLIC-KEY", requires = "shelf", conflicts_with = "clear")]
    pub(crate) to: Vec<String>,
    /// Write private requests in clear, outside of any repository. This is recorded.
    #[arg(long, requires = "shelf")]
    pub(crate) clear: bool,
    #[command(flatten)]
    pub(crate) at: BatchPlace,
}

/// What is imported.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportBatch {
    /// The workflow file, or the name of results on the shelf.
    pub(crate) workflow: PathBuf,
    /// Result files, those of errors too, or folders of them; of private requests also such that are sealed to your key.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) results: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) at: BatchPlace,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// Where a workflow is built that asks in batches.
#[derive(Debug, clap::Args)]
pub(crate) struct BatchPlace {
    /// The folder that keeps what is built.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// The folder that keeps every answer [default: `answers` in the store].
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// Prices in dollars per million tokens: `["model-id"]` with `input`, `output` and `batch`, the share of
    /// them that batches cost.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// The folder with the models of the taggers. They are looked for where none is named: in `$STORYMILL_DATA`,
    /// beside the workflow, here, beside the binary, and in `storymill` of the user's data (`~/.local/share`).
    #[arg(long = "tagger-models", value_name = "DIR")]
    pub(crate) taggers: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) on: InShelf,
}
