//! What may be typed after `claims`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Claims {
    #[command(subcommand)]
    pub(crate) what: ClaimsWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClaimsWhat {
    /// Bring pairs from a CSV, JSONL or NoCha file into a set
    #[command(
        after_long_help = "A set is a folder with `pairs.jsonl`, `books.jsonl` and `books/ID.txt` (or a page).\n\nExamples:\n  storymill claims import claims.csv --into my-set --books texts\n  storymill claims import data_sample.json --into nocha --without-texts"
    )]
    Import(ClaimsImport),
    /// Tell what is wrong with pairs
    #[command(
        after_long_help = "Exit codes: 0 no pair has an error, 13 one has (with --deny-warnings also a warning)"
    )]
    Lint(ClaimsLint),
    /// Show how a set is made up, and how far claims give themselves away
    Balance(ClaimsBalance),
    /// Propose claims from the summaries and distortions of a published dataset
    #[command(
        after_long_help = "A line of the file has the question (`review`) and the `pair` as it would be imported. Nothing goes into a set by itself: look at each, write its explanation, and import the pairs you keep."
    )]
    Draft(ClaimsDraft),
    /// Tell how far second readers agree, and what is disputed
    #[command(
        after_long_help = "The table has the columns pair, claim (true or false), reader, verdict (true, false or unsure), and may have scope."
    )]
    Agreement(ClaimsAgreement),
    /// Write a bundle of requests for others to run, and the key that stays
    #[command(
        after_long_help = "Examples:\n  storymill claims requests my-set --model gpt-4o --out bundle --key bundle.key.jsonl --window 128000\n  storymill claims requests my-set --model m --form excerpts --show bm25:25 --out b25 --key b25.key.jsonl\n\nThe bundle's folder has requests.jsonl, in the form that batch runners of the OpenAI API read, and bundle.json. It says nothing of which claims are true."
    )]
    Requests(ClaimsRequests),
    /// Score answers to the claims of a set
    #[command(
        after_long_help = "Examples:\n  storymill claims score nocha data_sample.json\n  storymill claims score my-set out.jsonl --key bundle.key.jsonl --system gpt\n  storymill claims score my-set answers.jsonl --common gpt --format html > scores.html"
    )]
    Score(ClaimsScore),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsImport {
    /// The file: .csv, .tsv, .jsonl or .json.
    pub(crate) file: PathBuf,
    /// The set's folder; made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: PathBuf,
    /// A folder with the texts of books (`ID.txt`, or pages), copied into the set where it lacks them.
    #[arg(long, value_name = "DIR")]
    pub(crate) books: Option<PathBuf>,
    /// Take pairs on books whose text the set does not have.
    #[arg(long)]
    pub(crate) without_texts: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsLint {
    /// The set's folder.
    pub(crate) set: PathBuf,
    /// Let warnings decide the exit code too.
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// How findings are printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsBalance {
    /// The set's folder.
    pub(crate) set: PathBuf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// How scores are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreFormat {
    /// Markdown, for people.
    Markdown,
    /// A page.
    Html,
    /// Everything, with the label of every answer.
    Json,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsScore {
    /// The set's folder.
    pub(crate) set: PathBuf,
    /// Files of answers: JSON lines of `system`, `pair`, `claim`, `answer`, or claims with `response-*` fields.
    #[arg(required = true)]
    pub(crate) answers: Vec<PathBuf>,
    /// The key of the bundle that the files answer.
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    /// What scores call the answers to a bundle; its model without this.
    #[arg(long, value_name = "NAME", requires = "key")]
    pub(crate) system: Option<String>,
    /// Leave out pairs that the set's ledger says this provider has seen; `PROVIDER:DATE` for what it
    /// saw before a day.
    #[arg(long, value_name = "PROVIDER")]
    pub(crate) unexposed: Option<String>,
    /// A system whose answered pairs make up the common set; may be given several times.
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) common: Vec<String>,
    /// Seed of the intervals, which are drawn over books.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How scores are printed.
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    pub(crate) format: ScoreFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsAgreement {
    /// The set's folder.
    pub(crate) set: PathBuf,
    /// The table of votes.
    pub(crate) votes: PathBuf,
    /// Write what is disputed as JSON lines, with the claims' texts.
    #[arg(long, value_name = "FILE")]
    pub(crate) reviews: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// A form of prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// An explanation, then the answer.
    ExplainFirst,
    /// The answer, then an explanation.
    AnswerFirst,
    /// The answer alone.
    AnswerOnly,
    /// In a few words, for small models.
    Simple,
    /// For excerpts: an explanation, then the answer.
    Excerpts,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsRequests {
    /// The set's folder.
    pub(crate) set: PathBuf,
    /// The bundle's folder; it must not be there yet.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Where the key goes, which must not leave your hands.
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The model's name, as its server wants it.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,
    /// The form of the prompt; `explain-first`, or `excerpts` where excerpts are shown.
    #[arg(long, value_name = "FORM", conflicts_with = "prompt")]
    pub(crate) form: Option<Form>,
    /// A prompt of your own: a template with `book` and `claim`, or one of the paper's files.
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt: Option<PathBuf>,
    /// What is shown: `book`, `story`, or `bm25:K` for the K best excerpts.
    #[arg(long, value_name = "WHAT", default_value = "book")]
    pub(crate) show: String,
    /// Show excerpts in the order of the book, not by rank.
    #[arg(long)]
    pub(crate) book_order: bool,
    /// The model's window in tokens (cl100k_base); what does not fit is not asked.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// The most tokens of an answer.
    #[arg(long, value_name = "TOKENS", default_value_t = 800)]
    pub(crate) max_tokens: u32,
    /// The set's canary, put into the bundle.
    #[arg(long, value_name = "TEXT")]
    pub(crate) canary: Option<String>,
    /// Who will run the requests: written into the set's ledger of exposures.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The day for the ledger.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "provider")]
    pub(crate) date: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsDraft {
    /// The published folder.
    pub(crate) dataset: PathBuf,
    /// Only this table: that of summaries, or of distortions.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: Option<String>,
    /// Where the proposals go, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}
