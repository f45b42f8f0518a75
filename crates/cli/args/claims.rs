//! What may be typed after `claims`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Format, evaluate::Score, shelf::InShelf};

/// A set: in a folder, or on a shelf.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SetPlace {
    /// The set's folder; with `--shelf` the set's name.
    pub(crate) set: PathBuf,
    #[command(flatten)]
    pub(crate) on: InShelf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Claims {
    #[command(subcommand)]
    pub(crate) what: ClaimsWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClaimsWhat {
    /// Bring pairs from a CSV, JSONL or NoCha file into a set
    #[command(
        after_long_help = "A set is a folder with `pairs.jsonl`, `books.jsonl` and `books/ID.txt` (or a page).\n\nExamples:\n  storymill claims import claims.csv --into my-set --books texts\n  storymill claims import data_sample.json --into nocha --without-texts\n  storymill claims import claims.csv --into family --shelf shelf --key ann.key"
    )]
    Import(ClaimsImport),
    /// Write the pairs of a set with their ids, as a table that `claims import` takes back
    #[command(
        after_long_help = "Words that are changed in the table are changed in the set by `claims import TABLE --into SET`, since each row has the id of its pair.\n\nExamples:\n  storymill claims export my-set > pairs.csv\n  storymill claims export my-set --out pairs.jsonl\n  storymill claims export my-set --balanced --out part.jsonl\n  storymill claims export family --shelf shelf --key ann.key --texts --out /dev/shm/pairs.csv"
    )]
    Export(ClaimsExport),
    /// List the pairs of a set: id, book, how each stands, first words; or all that is known of one
    #[command(
        after_long_help = "A pair is in the set, disputed by second readers, retired, or removed; `stated`, if the last public statement holds it."
    )]
    List(ClaimsList),
    /// Take a pair out of a set, and say why
    #[command(
        after_long_help = "The reason is kept beside the set; of a private set that has made a statement it stands in the next one, which everybody may read. Votes on the pair stay and count nowhere."
    )]
    Remove(ClaimsRemove),
    /// Tell what is wrong with pairs, or how a set is made up
    #[command(
        after_long_help = "Exit codes: 0 no pair has an error, 13 one has (with --deny-warnings also a warning)"
    )]
    Lint(ClaimsLint),
    /// Propose claims from the summaries and distortions of a published dataset
    #[command(
        after_long_help = "A line of the file has the question (`review`) and the `pair` as it would be imported. Nothing goes into a set by itself: look at each, write its explanation, and import the pairs you keep."
    )]
    Draft(ClaimsDraft),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsImport {
    /// The file: .csv, .tsv, .jsonl or .json.
    pub(crate) file: PathBuf,
    /// The set's folder, or with `--shelf` its name; made if it is not there.
    #[arg(long, value_name = "SET")]
    pub(crate) into: PathBuf,
    /// A folder with the texts of books (`ID.txt`, or pages), copied into the set where it lacks them.
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) books: Option<PathBuf>,
    /// Take pairs on books whose text the set does not have.
    #[arg(long, conflicts_with = "shelf")]
    pub(crate) without_texts: bool,
    /// Let a pair without an id take the place of the pair that has one of its claims.
    #[arg(long)]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsExport {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// The file: .csv, .tsv, .jsonl or .json; without it a table is printed. Of a private set it must be new and outside of
    /// any repository, and this is recorded.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Only the largest part of which at most this share is told apart without the book [default: 0.55], as `claims lint
    /// --balance` counts it. Every book gives the same share of its pairs, as far as it has such that are told apart.
    #[arg(long, value_name = "SHARE", num_args = 0..=1, require_equals = true, default_missing_value = "0.55")]
    pub(crate) balanced: Option<Score>,
    /// Let the claims of a private set out of the shelf: onto the screen, or into the file.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsList {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// A pair, by its id: all that is known of it.
    pub(crate) pair: Option<String>,
    /// Show words of the claims of a private set.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsRemove {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// The pair's id.
    pub(crate) pair: String,
    /// Why, in words that everybody may read.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsLint {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// Show how the set is made up, and how far claims give themselves away, and no findings.
    #[arg(long, conflicts_with_all = ["all", "deny_warnings"])]
    pub(crate) balance: bool,
    /// List every finding; without this warnings and notes are counted.
    #[arg(long)]
    pub(crate) all: bool,
    /// Let warnings decide the exit code too.
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsDraft {
    /// The published folder; with `--shelf` the workflow that was built into the shelf.
    pub(crate) dataset: PathBuf,
    /// Only this table: that of summaries, or of distortions.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: Option<String>,
    /// The file that proposals are written to, as JSON lines; with `--shelf` the set on it that they are kept with.
    #[arg(long, value_name = "FILE|SET")]
    pub(crate) into: PathBuf,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
