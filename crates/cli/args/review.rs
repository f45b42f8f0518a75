//! What may be typed after `review`.

use std::path::PathBuf;

use clap::ValueEnum;
use storymill_review::queue;

use super::{Format, shelf::KeyFile};

/// What turns the list into something else.
const OTHER: [&str; 8] =
    ["decide", "undo", "apply", "agreement", "export", "import", "votes", "rules"];

/// What `review` shows, lists and decides.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that may be typed")]
#[derive(Debug, clap::Args)]
pub(crate) struct Review {
    /// The workflow file, or a set of claims: its folder, with `--shelf` its name.
    #[arg(value_name = "WORKFLOW|SET")]
    pub(crate) of: PathBuf,
    /// The folder that keeps what is built.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// The folder that keeps every answer [default: `answers` in the store].
    #[arg(long, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// The shelf with the private books that the workflow was built from, or with the set. Decisions lie there too.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["store", "answers"])]
    pub(crate) shelf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) key: KeyFile,
    /// Show words of private books and claims too: on the pages, on the screen, in a CSV file.
    #[arg(long, requires = "shelf")]
    pub(crate) texts: bool,
    /// Only the items of this queue. A set shows all others but `adequacy`, in which second readers say which claim of a pair is true.
    #[arg(long, value_name = "NAME", value_parser = queue::ALL.map(|queue| queue.name), hide_possible_values = true)]
    pub(crate) queue: Option<String>,
    /// Answers to a set in a folder, as `evaluate` made them: their explanations are items.
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) results: Vec<PathBuf>,
    /// List the items instead of opening the pages: all, or `--list=open` those that are not decided, `--list=disputed` those on which
    /// people differ.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "all", hide_possible_values = true, conflicts_with_all = OTHER, overrides_with = "list")]
    pub(crate) list: Option<Listed>,
    /// Decide an item, and write that into the file of decisions; an item is named by the first letters of its id. What follows for a
    /// set is done at once.
    #[arg(long, value_name = "ITEM=CHOICE", group = "does")]
    pub(crate) decide: Vec<String>,
    /// Settle disputes with `--decide`: what is decided takes the place of everybody's votes.
    #[arg(long, requires = "decide")]
    pub(crate) adjudicate: bool,
    /// Take back the last decision of `--by`.
    #[arg(long, requires = "by", group = "does")]
    pub(crate) undo: bool,
    /// Do what follows for a set from all that was decided: proposals become pairs, words are written anew, pairs go.
    #[arg(long, group = "does")]
    pub(crate) apply: bool,
    /// Who decides, as they want to be called.
    #[arg(long, value_name = "NAME", default_value = "", value_parser = super::person)]
    pub(crate) by: String,
    /// Why it is decided so.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "decide")]
    pub(crate) note: String,
    /// Tell how far people agree, queue by queue, instead of listing items.
    #[arg(long, group = "does")]
    pub(crate) agreement: bool,
    /// Write items and votes into a CSV file; with `--by` that person's votes alone.
    #[arg(long, value_name = "FILE", group = "does")]
    pub(crate) export: Option<PathBuf>,
    /// Take votes from a CSV file that `--export` wrote; `--by` says who votes where a row names nobody. Of a set also from a table with
    /// the columns pair, claim, reader, verdict, and perhaps scope.
    #[arg(long, value_name = "FILE", group = "does")]
    pub(crate) import: Option<PathBuf>,
    /// Write every vote as a row of a CSV file, with pseudonyms in place of names and without notes: to be published
    /// beside the dataset.
    #[arg(long, value_name = "FILE", group = "does")]
    pub(crate) votes: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// The port of the pages on this machine [default: one that is free].
    #[cfg(feature = "app")]
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
}

/// Which items are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    /// Every one.
    All,
    /// Those that are not decided.
    Open,
    /// Those on which people differ.
    Disputed,
}

/// How votes on a set decide; a workflow says it itself.
#[derive(Debug, clap::Args)]
#[group(id = "rules", multiple = true, conflicts_with = "does")]
pub(crate) struct Rules {
    /// Keep with a set which votes decide.
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<Rule>,
    /// Keep with a set how many people must vote on an item before it is decided.
    #[arg(long, value_name = "N")]
    pub(crate) voters: Option<u32>,
    /// Keep with a set who may settle disputes; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = super::person)]
    pub(crate) adjudicator: Vec<String>,
}

impl Rules {
    /// Whether one was named.
    pub(crate) fn are_named(&self) -> bool {
        self.rule.is_some() || self.voters.is_some() || !self.adjudicator.is_empty()
    }
}

/// Which votes decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rule {
    /// What more than half of the votes say.
    Majority,
    /// What all votes say.
    Unanimity,
    /// What all votes say; where they differ, what an adjudicator says.
    Adjudicator,
}
