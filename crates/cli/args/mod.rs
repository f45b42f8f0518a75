//! What may be typed.

mod answers;
mod audit;
pub(crate) mod books;
mod build;
pub(crate) mod claims;
pub(crate) mod clean;
mod dataset;
pub(crate) mod diff;
pub(crate) mod evaluate;
pub(crate) mod export;
#[cfg(feature = "mirror")]
pub(crate) mod fetch;
pub(crate) mod groups;
#[cfg(test)]
mod groups_tests;
mod import;
pub(crate) mod labels;
pub(crate) mod names;
mod release;
pub(crate) mod report_page;
pub(crate) mod review;
mod score;
pub(crate) mod shared;
pub(crate) mod shelf;
#[cfg(test)]
mod shown_tests;
pub(crate) mod store;
#[cfg(feature = "app")]
pub(crate) mod view;

use std::ffi::OsString;

use clap::{
    Args as _, CommandFactory, FromArgMatches as _, Subcommand, ValueEnum, error::ErrorKind,
};
use clap_complete::Shell;

/// A person's name; blank where nobody is named.
fn person(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    storymill_core::person::named(text).map_err(|why| format!("the name {why}"))
}

pub(crate) use answers::{
    Answers, AnswersWhat, BatchPlace, Built, ExportBatch, ImportBatch, LogPlace,
};
pub(crate) use audit::Audit;
pub(crate) use build::{Build, Doctor, Init, Models, Plan, Purpose, Quickstart, Tariff, prices};
pub(crate) use dataset::{Explain, Inspect, Shown, Verify};
pub(crate) use import::{Import, ImportClipper, ImportNarrativeXl, ImportWhat};
pub(crate) use release::Release;
pub(crate) use review::Review;
pub(crate) use score::{
    LvevalVariant, Resample, Score, ScoreAnswers, ScoreClaims, ScoreFaithfulness, ScoreLveval,
    ScoreSystems, ScoreWhat,
};

/// Turns novels into long-context benchmark datasets.
#[derive(Debug, clap::Args)]
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

impl Args {
    /// What was typed, or why it is none of the commands, or the help that was asked for.
    pub(crate) fn read(typed: &[impl Into<OsString> + Clone]) -> Result<Self, clap::Error> {
        // Every start of the program comes by here: what only the help shows is made for the help alone.
        match Self::read_as(Self::commands(), typed) {
            Err(said) if matches!(said.kind(), ErrorKind::DisplayHelp | NO_COMMAND) => {
                Self::read_as(Self::command(), typed)
            }
            read => read.map_err(plain),
        }
    }

    fn read_as(
        mut commands: clap::Command,
        typed: &[impl Into<OsString> + Clone],
    ) -> Result<Self, clap::Error> {
        let mut matches = commands.try_get_matches_from_mut(typed.iter().cloned())?;
        Self::from_arg_matches_mut(&mut matches).map_err(|said| said.format(&mut commands))
    }

    fn commands() -> clap::Command {
        let program = clap::Command::new("storymill").version(env!("CARGO_PKG_VERSION"));
        Self::augment_args(program)
    }
}

/// What was not understood, without words of Rust.
fn plain(said: clap::Error) -> clap::Error {
    const WORDS: [(&str, &str); 4] = [
        ("invalid digit found in string", "this is not a whole number"),
        ("cannot parse integer from empty string", "a whole number is missing"),
        ("number too large to fit in target type", "this is too large"),
        ("invalid float literal", "this is not a number"),
    ];
    let text = said.to_string();
    match WORDS.iter().find(|(rust, _)| text.contains(rust)) {
        Some((rust, words)) => {
            let text = text.replace(rust, words);
            clap::Error::raw(said.kind(), text.strip_prefix("error: ").unwrap_or(&text))
        }
        None => said,
    }
}

const NO_COMMAND: ErrorKind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

impl CommandFactory for Args {
    fn command() -> clap::Command {
        let program = Self::commands().max_term_width(100).help_template(groups::template());
        shared::said_once(program)
    }

    fn command_for_update() -> clap::Command {
        Self::command()
    }
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
    /// Make and build a sample, which needs no model
    #[command(after_long_help = "Examples:\n  storymill quickstart\n  storymill quickstart sample")]
    Quickstart(Quickstart),
    /// Build a dataset from a workflow
    ///
    /// What was built before and still holds is not built again. Ctrl-C keeps what is done.
    #[command(
        after_long_help = "Examples:\n  storymill build workflows/quickstart.toml\n  storymill build my.toml --out datasets/mine --threads 4\n  storymill build my.toml --shard 1/5    # then 2/5 ... 5/5, then once without --shard\n  storymill build my.toml --step scenes --shard 1/5    # one job of `plan --steps`\n  storymill build my.toml --finalize"
    )]
    Build(Build),
    /// Show what a build would do, and how far it is
    ///
    /// What is done and what runs, and why; shards in flight or lost; what was paid for.
    #[command(
        after_long_help = "Examples:\n  storymill plan workflows/quickstart.toml\n  storymill plan my.toml --store /shared/store --prices prices.toml --format json\n  storymill plan my.toml --steps=16\n  storymill plan my.toml --evaluate 2.5,10"
    )]
    Plan(Plan),
    /// Show a dataset on one screen, its rows, or what a question reads
    ///
    /// With a config its columns and rows; with the id of a question what is read before it is asked.
    #[command(
        after_long_help = "Examples:\n  storymill inspect out/quickstart\n  storymill inspect out/quickstart --config reconstruction -n 3\n  storymill inspect out/quickstart sm01/0004/scene-distortion --config read-along\n  storymill inspect out/quickstart sm01/0004/scene-distortion --config read-along --ask    # a whole prompt\n  storymill inspect out/quickstart/scenes/train-00000-of-00001.parquet --format json"
    )]
    Inspect(Inspect),
    /// Put the questions of a dataset to a model, and grade the answers
    ///
    /// Writes a workflow beside the results and runs it: what was asked is not asked again, and Ctrl-C keeps what is
    /// done. `--baselines` asks no model.
    #[command(
        after_long_help = "Examples:\n  storymill evaluate out/quickstart --baselines\n  storymill evaluate out/my --model small --setting full,none,recent-8000 --max-usd 5 --prices prices.toml\n  storymill evaluate out/my --window 32768 --too-long middle\n  storymill build results/my-small.toml --out results/my-small --frozen"
    )]
    Evaluate(Box<evaluate::Evaluate>),
    /// Measure what can be answered without understanding
    ///
    /// Without the book: the first option, the longest, the one nearest in style to the others, what was least often
    /// wrong elsewhere, what words and characters of the options tell a classifier that learned from other authors;
    /// for free text a copy. With the book: options searched as strings and by BM25.
    #[command(
        after_long_help = "Examples:\n  storymill audit out/quickstart\n  storymill audit out/quickstart --config read-along --without-book\n  storymill audit out/quickstart --format json >audit.json\n\nExit codes: 0 all within the limits of `[publish.audit]`, 7 a figure is past its limit"
    )]
    Audit(Audit),
    /// Make one page of results: accuracy, charts, models in pairs
    ///
    /// Accuracy by retention demand, length, type and book.
    #[command(
        after_long_help = "Examples:\n  storymill report results/my-small results/my-large\n  storymill report results/* --out report.html --figures figures\n  storymill report results/my-small --audit audit.json --written-by gpt-4o-mini"
    )]
    Report(report_page::ReportPage),
    /// Read a dataset in the browser
    ///
    /// Books, questions at the moment they are asked, and where everything comes from. The pages are served on this machine alone, to one browser, and need no network.
    #[cfg(feature = "app")]
    #[command(
        after_long_help = "Examples:\n  storymill view out/quickstart\n  storymill view workflows/quickstart.toml --results results/my-small\n  storymill view out/quickstart --html pages    # a sample as files"
    )]
    View(view::View),
    /// Write long contexts and questions with their contexts into files
    ///
    /// Long contexts as LV-Eval's own code reads them.
    #[command(
        after_long_help = "Examples:\n  storymill export out/lveval --set lanterns --level 16k\n  storymill export out/lveval --parquet --out contexts"
    )]
    Export(export::Export),
    /// Find books in a catalog
    #[command(after_long_help = books::fields())]
    Books(books::Books),
    /// Clean a book, list its characters, give them other names
    Book(names::Book),
    /// Fetch pages from a mirror of Project Gutenberg, and pin them
    ///
    /// Two seconds between requests, one connection, robots.txt obeyed; the main site is refused. A page that is
    /// here is not fetched again, and a page that changed is reported before it is replaced.
    #[cfg(feature = "mirror")]
    #[command(
        after_long_help = "Examples:\n  storymill fetch 1342 84 --mirror https://mirror.example/gutenberg/ --contact ann@example.org\n  storymill fetch --ids ids.txt --mirror URL --contact ADDRESS --out my-books\n  storymill fetch --catalog pg_catalog.csv --where 'locc = PR' --mirror URL --contact ADDRESS\n  storymill fetch --mirror URL --contact ADDRESS --refresh    # have pinned pages changed?"
    )]
    Fetch(fetch::Fetch),
    /// Check a published folder against its manifest, and its rows
    #[command(
        after_long_help = "Examples:\n  storymill verify out/quickstart\n  storymill verify out/quickstart --rows    # tables that another library wrote anew\n  storymill verify out/quickstart --rebuild workflows/quickstart.toml\n  storymill verify statements/0002.json pair.json --before statements/0001.json\n  storymill verify --shelf shelf --key ann.key    # every record of a shelf"
    )]
    Verify(Verify),
    /// Compare two versions of a dataset: what changed, and why
    ///
    /// And whether the new one passes its checks.
    #[command(
        after_long_help = "Examples:\n  storymill diff out/old out/new\n  storymill diff out/old out/new --format markdown > comment.md\n  storymill diff v1.0.0:dataset.lock dataset.lock\n\nExit codes: 0 the same rows, 10 differs, 11 breaking, 7 a gate is not passed"
    )]
    Diff(diff::Diff),
    /// Make a release of a published folder, if nothing blocks it
    ///
    /// A release needs a changelog line, a version that is high enough, an erratum for every id that is gone
    /// or changed, and a folder that is what its manifest says. It is never written to again.
    #[command(
        after_long_help = "Examples:\n  storymill release my.toml --first\n  storymill release my.toml --dry-run\n  storymill release my.toml --draft-errata ERRATA.new.csv\n  storymill release out/my --previous releases/my-1.0.0"
    )]
    Release(Release),
    /// Write a workflow to start from
    #[command(
        after_long_help = "Examples:\n  storymill init --books my-books\n  storymill init mine.toml --books my-books --catalog pg_catalog.csv\n  storymill init recall.toml --for long-contexts --books my-books\n  storymill init claims.toml --for claims --books my-set\n  storymill init mine.toml --for private"
    )]
    Init(Init),
    /// Make a project from the archive of another system
    Import(Import),
    /// Print the JSON schema of workflow files
    Schema,
    /// Check the endpoints of a workflow's models
    Doctor(Doctor),
    /// Manage recorded answers
    Answers(Answers),
    /// Decide what a build or a set of claims is uncertain of
    ///
    /// In the browser, or item by item. Without a flag the pages are served on this machine alone, to one browser. Decisions stand in the workflow's
    /// file of decisions; builds use them. Items of a set are pairs that are proposed, claims that second readers dispute, and explanations
    /// in answers of models.
    #[command(
        after_long_help = "Examples:\n  storymill review my.toml --by ann\n  storymill review my.toml --list=open\n  storymill review my.toml --decide 1f3a9c=cut --by ann --note \"a frame story\"\n  storymill review my.toml --export votes.csv --by ann    # then --import votes.csv\n  storymill review my-set --apply\n  storymill review my-set --queue adequacy --by bob    # which claim of a pair is true\n  storymill review family --shelf shelf --key ann.key --list"
    )]
    Review(Review),
    /// The old word for `review --list` and `review --decide`
    #[command(hide = true)]
    Reviews(Review),
    /// Score predictions, answers, labels or claims
    Score(Score),
    /// Manage claim pairs: import, list, lint, balance, decide
    Claims(claims::Claims),
    /// Manage labels of retellings: check a file, merge votes
    Labels(labels::Labels),
    /// Keep private books sealed
    #[command(
        after_long_help = "Examples:\n  storymill shelf init --key ann.key\n  storymill shelf add novel.epub --id n01 --key ann.key\n  storymill shelf init --key-only --key bob.key    # a public key for others\n  storymill shelf rekey --add age1... --key ann.key"
    )]
    Shelf(shelf::Shelf),
    /// Check that a bucket or a shared folder can be used as a store
    #[command(
        after_long_help = "Examples:\n  storymill store check --store s3://my-bucket/novels\n  storymill store check --store /lustre/me/store\n\nExit codes: 0 it can hold a store, 9 it cannot"
    )]
    Store(store::Store),
    /// Explain options, stages, exit codes, where a question comes from
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
