//! What may be typed after `book`, and after `score names`.

use std::{num::NonZeroU32, path::PathBuf};

use clap::{Subcommand, ValueEnum};

use crate::args::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Book {
    #[command(subcommand)]
    pub(crate) what: BookWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookWhat {
    /// Clean pages, and show what was kept and what was cut
    #[command(
        after_long_help = "Examples:\n  storymill book clean 84.html\n  storymill book clean 84.html --explain\n  storymill book clean 84.epub --html 84-cuts.html\n  storymill book clean books --out texts\n  storymill book clean books --gold books/catalog.csv"
    )]
    Clean(super::clean::Clean),
    /// List the characters of a novel, to be read and edited
    #[command(
        after_long_help = "Examples:\n  storymill book cast 84.html --edit\n  storymill book cast 84.txt --out 84.cast.toml --tagger perceptron"
    )]
    Cast(Cast),
    /// Replace the names in a novel, each name by the same substitute everywhere
    #[command(
        after_long_help = "Example:\n  storymill book substitute 84.html --cast 84.cast.toml --out 84-other.txt"
    )]
    Substitute(Substitute),
}

#[derive(Debug, clap::Args)]
pub(crate) struct EvalNames {
    /// JSON lines with `text` and `spans`; optional `book` and `split`.
    pub(crate) file: PathBuf,
    /// Only the lines of this split.
    #[arg(long, value_name = "NAME")]
    pub(crate) split: Option<String>,
    #[command(flatten)]
    pub(crate) tagger: Choice,
    /// How it is printed; JSON has every line.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Cast {
    /// The novel: a plain text (.txt), taken as it is, or a page, cleaned as a build does.
    pub(crate) book: PathBuf,
    /// The file to write [default: standard output; with `--edit` the book's name with `.cast.toml`].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Open the file in `$VISUAL` or `$EDITOR`, and check it afterwards. A file that is there is not made anew.
    #[arg(long)]
    pub(crate) edit: bool,
    /// Replace the names of invented places too; real ones stay.
    #[arg(long)]
    pub(crate) places: bool,
    /// Replace people of history, letters and scripture too of whom the book only speaks, as Homer.
    #[arg(long)]
    pub(crate) replace_known: bool,
    #[command(flatten)]
    pub(crate) tagger: Choice,
    /// How it is printed; JSON without `--out` is the whole cast.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Substitute {
    /// The novel, the same file that the cast was made from.
    pub(crate) book: PathBuf,
    /// Its cast.
    #[arg(long, value_name = "FILE")]
    pub(crate) cast: PathBuf,
    /// The file to write the text to.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Another seed draws other names.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How it is told; JSON has every pair and every place, in bytes: old from and to, new from and to.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// Which tagger, and where its model is.
#[derive(Debug, clap::Args)]
pub(crate) struct Choice {
    /// What finds the names [default: litner, or perceptron where the model of litner is not found].
    #[arg(long, value_name = "TAGGER")]
    pub(crate) tagger: Option<Tagger>,
    /// The folder with the model of `litner` or `rust-bert`. That of `litner` is looked for where none is named: in
    /// `$STORYMILL_DATA`, here, beside the binary, and in `storymill` of the user's data (`~/.local/share`).
    #[arg(long = "tagger-models", alias = "models", value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    /// How many occurrences of a form `litner` or `rust-bert` reads where it is not clear at first sight what it is, and
    /// more where what it says of them differs; two to four times as fast over a novel [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) occurrences: Option<NonZeroU32>,
}

/// The taggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tagger {
    /// A model trained for novels.
    Litner,
    /// The same with half the layers: twice as fast.
    LitnerSmall,
    /// A small table inside the binary: needs no file, and is the fastest.
    Perceptron,
    /// A BERT of your own, run by libtorch, if the binary was built with it.
    RustBert,
}
