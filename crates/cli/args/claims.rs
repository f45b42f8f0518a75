//! What may be typed after `claims`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::{Format, shelf::KeyFile};

/// A set: in a folder, or on a shelf.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SetPlace {
    /// The set's folder; with `--shelf` the set's name.
    pub(crate) set: PathBuf,
    #[command(flatten)]
    pub(crate) on: OnShelf,
}

/// The shelf of a private set.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OnShelf {
    /// The shelf that holds the set and its books: what is made of them stays in there.
    #[arg(long, value_name = "DIR")]
    pub(crate) shelf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) key: KeyFile,
}

impl OnShelf {
    /// The shelf and the key; the shelf of the usual name where none was named.
    pub(crate) fn place(&self) -> super::shelf::Place {
        let shelf = self.shelf.clone().unwrap_or_else(|| "shelf".into());
        super::shelf::Place { shelf, key: self.key.clone() }
    }
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
        after_long_help = "Words that are changed in the table are changed in the set by `claims import TABLE --into SET`, since each row has the id of its pair.\n\nExamples:\n  storymill claims export my-set > pairs.csv\n  storymill claims export my-set --out pairs.jsonl\n  storymill claims export family --shelf shelf --key ann.key --texts --out /dev/shm/pairs.csv"
    )]
    Export(ClaimsExport),
    /// List the pairs of a set: id, book, how each stands, first words
    #[command(
        after_long_help = "A pair is in the set, disputed by second readers, retired, or removed; `stated`, if the last public statement holds it."
    )]
    List(ClaimsList),
    /// Show all that is known of a pair
    Show(ClaimsShow),
    /// Take a pair out of a set, and say why
    #[command(
        after_long_help = "The reason is kept beside the set; of a private set that has made a statement it stands in the next one, which everybody may read. Votes on the pair stay and count nowhere."
    )]
    Remove(ClaimsRemove),
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
        after_long_help = "The table has the columns pair, claim (true or false), reader, verdict (true, false or unsure), and may have scope.\n\nWhat was said on the pages of `claims reviews` is compared as well, queue by queue: pairs that are proposed or disputed, which claim of a pair is true, and explanations of right verdicts (with `--results`): how many of these are right is told model by model."
    )]
    Agreement(ClaimsAgreement),
    /// Decide on pairs that are proposed and on claims that are disputed, in the browser or here
    #[command(
        after_long_help = "Proposals of `claims draft` and claims that second readers dispute. Of a folder these are its `drafts.jsonl` and `votes/*.csv`. Without `--list`, `--decide` or `--apply` the pages are opened. `--of pairs` asks second readers which claim of each pair is true, without saying what the set says; `--of explanations` asks whether models that were right explain it rightly. Without `--shelf` a set that is not a folder is looked for on the shelf `shelf`.\n\nExamples:\n  storymill claims reviews my-set --by ann\n  storymill claims reviews my-set --apply\n  storymill claims reviews my-set --of pairs --by bob\n  storymill claims reviews my-set --of explanations --results results/my-set-small\n  storymill claims reviews family --key ann.key --list\n  storymill claims reviews family --key ann.key --decide 1f3a9c=take --by ann"
    )]
    Reviews(ClaimsReviews),
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
    pub(crate) on: OnShelf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsExport {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// The file: .csv, .tsv, .jsonl or .json; without it a table is printed. Of a private set it must be new and outside of
    /// any repository, and this is recorded.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Let the claims of a private set out of the shelf: onto the screen, or into the file.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsList {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// Show words of the claims of a private set.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsShow {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// The pair's id.
    pub(crate) pair: String,
    /// Show the words of a pair of a private set.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
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
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsLint {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// List every finding; without this warnings and notes are counted.
    #[arg(long)]
    pub(crate) all: bool,
    /// Let warnings decide the exit code too.
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// How findings are printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsBalance {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ClaimsAgreement {
    #[command(flatten)]
    pub(crate) at: SetPlace,
    /// The table of votes; without it the tables in the set's folder `votes` are compared. With `--shelf` it is kept, and all
    /// votes that are kept are compared.
    pub(crate) votes: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) explained: Explained,
    /// Forget the votes that were kept before.
    #[arg(long, requires = "shelf", requires = "votes")]
    pub(crate) replace: bool,
    /// Write what is disputed as JSON lines, with the claims' texts.
    #[arg(long, value_name = "FILE", conflicts_with = "shelf")]
    pub(crate) reviews: Option<PathBuf>,
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
    /// Where the proposals go, as JSON lines.
    #[arg(long, value_name = "FILE", required_unless_present = "shelf", conflicts_with = "shelf")]
    pub(crate) out: Option<PathBuf>,
    /// The set on the shelf that the proposals are kept with.
    #[arg(long, value_name = "SET", requires = "shelf", required_unless_present = "out")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) on: OnShelf,
}

/// What is decided of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReviewsOf {
    /// Pairs that are proposed, and what second readers dispute.
    Doubts,
    /// Which of the two claims of a pair is true.
    Pairs,
    /// Explanations of right verdicts.
    Explanations,
}

/// Which votes decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleOf {
    /// What more than half of the votes say.
    Majority,
    /// What all votes say.
    Unanimity,
    /// What all votes say; where they differ, what an adjudicator says.
    Adjudicator,
}

/// The answers whose explanations are judged.
#[derive(Debug, clap::Args)]
pub(crate) struct Explained {
    /// Results of `evaluate` on the set, whose explanations are judged. Those on the set's shelf need not be named.
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) results: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct ClaimsReviews {
    /// The set's folder, or its name on a shelf.
    pub(crate) set: PathBuf,
    #[command(flatten)]
    pub(crate) on: OnShelf,
    /// What is decided.
    #[arg(long, value_name = "WHAT", default_value = "doubts")]
    pub(crate) of: ReviewsOf,
    #[command(flatten)]
    pub(crate) explained: Explained,
    /// List the items instead of opening the pages.
    #[arg(long, conflicts_with_all = ["decide", "apply"])]
    pub(crate) list: bool,
    /// List them, and show what those of a private set are about, in the words of claims; with `--export` let these stand in the
    /// file.
    #[arg(long)]
    pub(crate) texts: bool,
    /// Write the items and what was said of them into a CSV file, for a spreadsheet; with `--by` this person's votes alone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["decide", "apply", "list", "open", "page", "per_page", "rule", "voters", "adjudicator"])]
    pub(crate) export: Option<PathBuf>,
    /// Take votes from such a file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["decide", "apply", "list", "open", "page", "per_page", "rule", "voters", "adjudicator", "export"])]
    pub(crate) import: Option<PathBuf>,
    /// List only items that nobody has decided.
    #[arg(long, conflicts_with_all = ["decide", "apply"])]
    pub(crate) open: bool,
    /// List the items of this page [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: Option<u32>,
    /// List this many items a page; 0 lists all on one page [default: 50].
    #[arg(long, value_name = "N")]
    pub(crate) per_page: Option<u32>,
    /// Decide an item, named by the first letters of its id, and bring what follows into the set.
    #[arg(long, value_name = "ITEM=CHOICE")]
    pub(crate) decide: Vec<String>,
    /// Bring into the set what was decided on the pages: pairs that were taken, words and scopes that were written anew; and
    /// take out what is to go.
    #[arg(long, conflicts_with = "decide")]
    pub(crate) apply: bool,
    /// Settle a dispute with `--decide`: it takes the place of everybody's votes.
    #[arg(long, requires = "decide")]
    pub(crate) adjudicate: bool,
    /// Keep with the set which votes decide.
    #[arg(long, conflicts_with_all = ["decide", "apply"])]
    pub(crate) rule: Option<RuleOf>,
    /// Keep with the set how many people must vote on an item before it is decided.
    #[arg(long, value_name = "N", conflicts_with_all = ["decide", "apply"])]
    pub(crate) voters: Option<u32>,
    /// Keep with the set who may settle disputes; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = super::person, conflicts_with_all = ["decide", "apply"])]
    pub(crate) adjudicator: Vec<String>,
    /// Who decides, as they want to be called.
    #[arg(long, value_name = "NAME", default_value = "", value_parser = super::person)]
    pub(crate) by: String,
    /// Why it is decided so.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "decide")]
    pub(crate) note: String,
    /// How a list is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// The port of the pages on this machine [default: one that is free].
    #[cfg(feature = "app")]
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
}
