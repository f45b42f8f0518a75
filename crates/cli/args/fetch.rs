//! What may be typed after `storymill fetch`.

use std::path::PathBuf;

use clap::{ArgGroup, ValueEnum, builder::PossibleValuesParser};
use storymill_mirror::Family;

use crate::args::Format;

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("place").required(true).args(["mirror", "harvest"])))]
pub(crate) struct Fetch {
    /// The books' ids [default: all that the lock names].
    #[arg(value_name = "ID")]
    pub(crate) books: Vec<String>,
    /// A file with ids, separated by blanks, commas or lines; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    pub(crate) ids: Option<PathBuf>,
    /// A catalog: for `--where` and to leave out what is copyrighted.
    #[arg(long, value_name = "FILE")]
    pub(crate) catalog: Option<PathBuf>,
    /// The books of the catalog that fit, as `storymill books` finds them.
    #[arg(long = "where", value_name = "FILTER", requires = "catalog")]
    pub(crate) filter: Option<String>,
    /// The top address of a mirror (www.gutenberg.org/MIRRORS.ALL lists them).
    #[arg(long, value_name = "URL", requires = "contact")]
    pub(crate) mirror: Option<String>,
    /// A harvest address: the files that it lists, page by page.
    #[arg(long, value_name = "URL", requires = "contact")]
    pub(crate) harvest: Option<String>,
    /// Your mail or web address, which is sent to the mirror.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) contact: Option<String>,
    /// The folder of pages.
    #[arg(long, value_name = "DIR", default_value = "books")]
    pub(crate) out: PathBuf,
    /// The lock with the digest of every page [default: books.lock in the folder of pages].
    #[arg(long, value_name = "FILE")]
    pub(crate) lock: Option<PathBuf>,
    /// Ask for pages again that are there, in case they changed, and for those that were not there.
    #[arg(long)]
    pub(crate) refresh: bool,
    /// What becomes of pages that changed since they were pinned: `report` lays them aside, `accept` takes
    /// them, `keep` throws them away.
    #[arg(long, value_name = "WHAT", default_value = "report", hide_possible_values = true)]
    pub(crate) changed: Changed,
    /// Another host that may be asked, where the mirror leads there; may be given several times. `www.gutenberg.org` allows
    /// Project Gutenberg's main site, which is for people and blocks programs.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// Only these layouts: main, cache, epub, files, ebooks; may be given several times.
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = PossibleValuesParser::new(Family::ALL.map(Family::name)))]
    pub(crate) layout: Vec<String>,
    /// Seconds between two requests to a host; at least 2.
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(2..=3600))]
    pub(crate) wait: u64,
    /// How the last screen is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// What becomes of changed pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Changed {
    /// Laid aside and told.
    Report,
    /// Taken and pinned.
    Accept,
    /// Thrown away.
    Keep,
}
