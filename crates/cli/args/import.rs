//! What may be typed after `import`.

use std::path::PathBuf;

use clap::Subcommand;

use super::Format;

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
    /// CLIPPER's claim pairs, as a set of claims with its chapters as evidence
    ///
    /// Pairs that CLIPPER's own checks refused, and pairs that stand twice, are left out and counted.
    #[command(
        after_long_help = "Example:\n  storymill import clipper CLIPPER/data/books/output --books CLIPPER/data/books --into clipper\n  storymill claims lint clipper --balance"
    )]
    Clipper(ImportClipper),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ImportClipper {
    /// Tables, or folders with `BOOK/claims/claims_multiple.csv` and `claims_single.csv` below.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The set's folder; made if it is not there.
    #[arg(long, value_name = "SET")]
    pub(crate) into: PathBuf,
    /// A folder with the chapters of books (`BOOK/1.txt`), or their texts (`BOOK.txt`); without it pairs have no evidence.
    #[arg(long, value_name = "DIR")]
    pub(crate) books: Option<PathBuf>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
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
