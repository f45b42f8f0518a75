//! What may be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use storymill_pipeline::Shard;

/// Turns novels into long-context benchmark datasets.
#[derive(Debug, Parser)]
#[command(name = "storymill", version, max_term_width = 100)]
#[command(
    after_help = "Start with `storymill init`, or build the example: `storymill build workflows/quickstart.toml`"
)]
pub(crate) struct Args {
    /// Colour in messages.
    #[arg(
        long = "color",
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) colour: Colour,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// A published dataset to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Original {
    /// Moskvichev and Mai, 2023: what its paper says.
    #[value(name = "narrativexl")]
    NarrativeXl,
}

/// How events are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Messages {
    /// A bar for people, on a terminal only.
    Text,
    /// One JSON object a line on standard output.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a dataset from a workflow
    ///
    /// What was built before and still holds is not built again. Ctrl-C keeps what is done.
    #[command(
        after_long_help = "Examples:\n  storymill build workflows/quickstart.toml\n  storymill build my.toml --out datasets/mine --threads 4\n  storymill build my.toml --shard 1/5    # then 2/5 ... 5/5, then once without --shard"
    )]
    Build(Build),
    /// Show what a build would do, and why
    #[command(
        after_long_help = "Examples:\n  storymill plan workflows/quickstart.toml\n  storymill plan my.toml --format json\n  storymill plan my.toml --evaluate --usd-in 2.5 --usd-out 10"
    )]
    Plan(Plan),
    /// Look into a dataset: columns, counts, sample rows
    #[command(
        after_long_help = "Examples:\n  storymill inspect out/quickstart\n  storymill inspect out/quickstart --config reconstruction -n 3\n  storymill inspect out/quickstart/scenes/train-00000-of-00001.parquet --format json"
    )]
    Inspect(Inspect),
    /// Print what is read before a question is asked
    #[command(
        after_long_help = "Examples:\n  storymill context out/quickstart sm01/0004/scene-distortion\n  storymill context out/quickstart sm01/0004/scene-distortion --ask    # a whole prompt\n  storymill context out/quickstart sm01/0004/scene-distortion --question-only --answer --types"
    )]
    Context(crate::args_context::Context),
    /// Clean pages, and show what was kept and what was cut
    #[command(
        after_long_help = "Examples:\n  storymill clean 84.html\n  storymill clean 84.html --explain\n  storymill clean 84.epub --html 84-cuts.html\n  storymill clean books --out texts\n  storymill clean books --gold books/catalog.csv"
    )]
    Clean(crate::args_clean::Clean),
    /// Find books in a catalog
    #[command(after_long_help = crate::args_books::fields())]
    Books(crate::args_books::Books),
    /// Fetch pages from a mirror of Project Gutenberg, politely, and pin them
    ///
    /// Two seconds between requests, one connection, robots.txt heard; the main site is refused. What was
    /// fetched is not fetched again, and a page that changed is told before it is taken.
    #[cfg(feature = "mirror")]
    #[command(
        after_long_help = "Examples:\n  storymill fetch 1342 84 --mirror https://mirror.example/gutenberg/ --contact ann@example.org\n  storymill fetch --ids ids.txt --from /data/gutenberg-mirror --out my-books\n  storymill fetch --catalog pg_catalog.csv --where 'locc = PR' --mirror URL --contact ADDRESS\n  storymill fetch --mirror URL --contact ADDRESS --refresh    # have pinned pages changed?"
    )]
    Fetch(crate::args_fetch::Fetch),
    /// Check a published folder against its manifest
    #[command(
        after_long_help = "Examples:\n  storymill verify out/quickstart\n  storymill verify out/quickstart --rows"
    )]
    Verify(Verify),
    /// Compare two versions of a dataset: what changed, why, and what the new version must hold to
    #[command(
        after_long_help = "Examples:\n  storymill diff out/old out/new\n  storymill diff out/old out/new --format markdown > comment.md\n  storymill diff v1.0.0:dataset.lock dataset.lock\n\nExit codes: 0 the same rows, 10 differs, 11 breaking, 7 a gate is not passed"
    )]
    Diff(crate::args_diff::Diff),
    /// Write a workflow to start from
    #[command(
        after_long_help = "Examples:\n  storymill init --books my-books\n  storymill init mine.toml --books my-books --catalog pg_catalog.csv"
    )]
    Init(Init),
    /// Make a project of an archive of another system
    Import(Import),
    /// Print the JSON schema of workflow files
    Schema,
    /// Check the endpoints of a workflow's models
    Doctor(Doctor),
    /// Look after recorded answers
    Answers(Answers),
    /// List the decisions of a built workflow that a person may want to look at
    Reviews(Built),
    /// Score predictions, answers, labels or claims
    Score(Score),
    /// Measure parts of storymill against gold data
    Eval(crate::args_names::Eval),
    /// List who is in a novel, for reading and changing
    #[command(
        after_long_help = "Examples:\n  storymill cast 84.html --edit\n  storymill cast 84.txt --out 84.cast.toml --tagger perceptron"
    )]
    Cast(crate::args_names::Cast),
    /// Replace the names in a novel, each everywhere by the same
    #[command(
        after_long_help = "Example:\n  storymill substitute 84.html --cast 84.cast.toml --out 84-other.txt"
    )]
    Substitute(crate::args_names::Substitute),
    /// Explain an exit code, a kind of source or stage, or where a question comes from
    #[command(
        after_long_help = "Examples:\n  storymill explain exit-codes\n  storymill explain chunk\n  storymill explain sm01/0004/scene-distortion --workflow workflows/quickstart.toml"
    )]
    Explain(Explain),
    /// Print completions for a shell
    #[command(
        after_long_help = "Example:\n  storymill completions bash > ~/.local/share/bash-completion/completions/storymill"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Build {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
    /// The folder to publish into [default: out/NAME, with the workflow's name].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The folder that keeps what is built, for the next time.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    #[command(flatten)]
    pub(crate) models: Models,
    /// Threads [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Work on one shard of the units only: `2/5`.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Build nothing, show what would be built: the same as `storymill plan`.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How the last screen is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// How progress is told.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) message_format: Messages,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Plan {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
    /// The folder that keeps what is built.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// Count what the models would be asked next, and what it would cost. What needs no model is
    /// built for that.
    #[arg(long)]
    pub(crate) cost: bool,
    /// Tell what it would cost to put the questions of the published dataset to a model.
    #[arg(long, conflicts_with = "cost")]
    pub(crate) evaluate: bool,
    #[command(flatten)]
    pub(crate) evaluation: Evaluation,
    #[command(flatten)]
    pub(crate) models: Models,
    /// How the table is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// The model that is to be evaluated.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Evaluation")]
pub(crate) struct Evaluation {
    /// Dollars for a million tokens read.
    #[arg(long, value_name = "DOLLARS", requires = "evaluate")]
    pub(crate) usd_in: Option<f64>,
    /// Dollars for a million tokens written.
    #[arg(long, value_name = "DOLLARS", requires = "evaluate")]
    pub(crate) usd_out: Option<f64>,
    /// The published folder [default: out/NAME, with the workflow's name].
    #[arg(long, value_name = "DIR", requires = "evaluate")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Inspect {
    /// A published folder or a Parquet file.
    pub(crate) path: PathBuf,
    /// Only this config.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: Option<String>,
    /// Only this split.
    #[arg(long, value_name = "NAME")]
    pub(crate) split: Option<String>,
    /// How many rows to show of each config and split.
    #[arg(short = 'n', long = "rows", value_name = "N", default_value_t = 1)]
    pub(crate) rows: usize,
    /// Show rows drawn with this seed instead of the first ones.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Show texts in full.
    #[arg(long)]
    pub(crate) full: bool,
    /// Show questions as people read them, with the answer and its evidence.
    #[arg(long)]
    pub(crate) questions: bool,
    /// Show with each option of a question what kind it is of.
    #[arg(long, requires = "questions")]
    pub(crate) types: bool,
    /// Show figures of the whole dataset beside those of a published one.
    #[arg(long, value_name = "ORIGINAL", conflicts_with = "questions")]
    pub(crate) compare: Option<Original>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// A published folder.
    pub(crate) folder: PathBuf,
    /// Compare rows instead of bytes: they stay the same whatever wrote the files. Ids, canaries,
    /// splits, rights and texts are looked at too.
    #[arg(long)]
    pub(crate) rows: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Init {
    /// The file to write.
    #[arg(default_value = "storymill.toml")]
    pub(crate) file: PathBuf,
    /// The folder with your books, relative to the file.
    #[arg(long, value_name = "DIR", default_value = "books")]
    pub(crate) books: String,
    /// A catalog of them, relative to the file.
    #[arg(long, value_name = "CSV")]
    pub(crate) catalog: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Import {
    #[command(subcommand)]
    pub(crate) what: ImportWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportWhat {
    /// NarrativeXL's chunks, summaries, hierarchies and questions
    ///
    /// Summaries become recorded answers, contexts are whole again, retention demand is computed
    /// anew; `unplaced.csv` in the project lists every row that has no place, and why.
    #[command(
        name = "narrativexl",
        after_long_help = "Example:\n  storymill import narrativexl archive --out my-project\n  cd my-project && storymill build narrativexl.toml"
    )]
    NarrativeXl(ImportNarrativeXl),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ImportNarrativeXl {
    /// The folder of the archive, with files like `84.tagseparated` in any folder below.
    pub(crate) folder: PathBuf,
    /// The folder to write the project into.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// A catalog with titles and authors, such as `pg_catalog.csv`: the archive has neither.
    #[arg(long, value_name = "CSV")]
    pub(crate) catalog: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// `exit-codes`, an exit code, a kind of source or stage such as `chunk`, or an item of a
    /// dataset such as `84/0040/lookahead`.
    pub(crate) topic: String,
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

#[derive(Debug, clap::Args)]
pub(crate) struct Score {
    #[command(subcommand)]
    pub(crate) what: ScoreWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScoreWhat {
    /// Score predictions against one reference each
    #[command(
        after_long_help = "A line of the file: {\"prediction\": \"the red key\", \"reference\": \"a red key\"}"
    )]
    Pairs(ScoreAnswers),
    /// Score answers against one or several references, the best of which counts
    #[command(
        after_long_help = "A line of the file: {\"prediction\": \"the red key\", \"references\": [\"a red key\", \"the key\"], \"keywords\": \"red key\"}"
    )]
    Answers(ScoreAnswers),
    /// Score judges of faithfulness against StorySumm's labels
    Faithfulness(ScoreFaithfulness),
    /// Score every system in NoCha's file of claims
    Claims(ScoreClaims),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreAnswers {
    /// JSON lines: `prediction`, `reference` or `references`; optional `keywords`, `language`, `id`,
    /// `cluster`.
    pub(crate) file: PathBuf,
    /// A WordNet 3.0 folder, for METEOR's synonyms.
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// Word lists for the keyword-gated F1 in place of ours.
    #[arg(long, value_name = "JSON")]
    pub(crate) wordlists: Option<PathBuf>,
    /// Seed of the intervals, which are drawn over clusters.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How it is printed; JSON has every row.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreFaithfulness {
    /// StorySumm's labels.
    pub(crate) labels: PathBuf,
    /// Files of predictions, one judge each.
    #[arg(required = true)]
    pub(crate) predictions: Vec<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreClaims {
    /// Claims with `response-*` fields, as NoCha's `data_sample.json`.
    pub(crate) file: PathBuf,
    /// A system whose answered pairs make up the common set; may be given several times.
    #[arg(long, value_name = "FIELD")]
    pub(crate) common: Vec<String>,
    /// Show each book too.
    #[arg(long)]
    pub(crate) books: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// Where answers come from, and what they may cost.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct Models {
    /// The folder that keeps every answer [default: `answers` in the store].
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// `prefer` asks for what the log lacks, `frozen` asks for nothing, `live` asks for all anew (after an
    /// interruption go on with `prefer`: `live` would pay for everything again).
    #[arg(long, value_name = "MODE", default_value = "prefer", hide_possible_values = true)]
    pub(crate) mode: Mode,
    /// The same as `--mode frozen`: an answer that the log lacks ends the run.
    #[arg(long, conflicts_with = "mode")]
    pub(crate) frozen: bool,
    /// Prices in dollars per million tokens: `["model-id"]` with `input` and `output`.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// Stop before more than this is spent.
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_usd: Option<f64>,
    /// Stop before more than so many requests are sent.
    #[arg(long, value_name = "N")]
    pub(crate) max_requests: Option<u64>,
    /// Wait up to so many seconds for endpoints that are still starting.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "600")]
    pub(crate) wait_ready: Option<u64>,
    /// The folder with the models of the taggers [default: `data/models/litner`, here or beside the binary].
    #[arg(long = "tagger-models", value_name = "DIR")]
    pub(crate) taggers: Option<PathBuf>,
}

/// Where answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The models answer everything anew.
    Live,
    /// The log first, then the models.
    Prefer,
    /// The log alone.
    Frozen,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
    /// Only this model of the workflow.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Also send a text of about so many tokens, which should be too long.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) overflow: Option<u32>,
    /// Wait up to so many seconds for endpoints that are still starting.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "600")]
    pub(crate) wait_ready: Option<u64>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Answers {
    #[command(subcommand)]
    pub(crate) what: AnswersWhat,
}

/// Where a log is.
#[derive(Debug, clap::Args)]
pub(crate) struct LogPlace {
    /// The folder that keeps every answer.
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
    /// Show what a stage would ask for an item, and the nearest request that was answered
    Explain {
        #[command(flatten)]
        built: Built,
        /// A book, or an item of it: `84` or `84/0012`.
        item: String,
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
