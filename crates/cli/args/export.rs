//! What may be typed after `storymill export`.

use std::path::PathBuf;

use super::Format;
use crate::complete;

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// A published folder.
    pub(crate) folder: PathBuf,
    /// The table of contexts, where there are several; or a table of questions about books (`eval`).
    #[arg(long, value_name = "NAME", add = complete::configs())]
    pub(crate) config: Option<String>,
    /// Only this split, of a table of questions about books.
    #[arg(long, value_name = "NAME", requires = "config", add = complete::splits())]
    pub(crate) split: Option<String>,
    /// At most this many questions, of a table of questions about books.
    #[arg(long, value_name = "N", requires = "config")]
    pub(crate) limit: Option<u64>,
    /// Write the whole prompt too, as `evaluate` sends it to a model; for a table of questions about books.
    #[arg(long, requires = "config")]
    pub(crate) ask: bool,
    /// Only this set.
    #[arg(long, value_name = "SET")]
    pub(crate) set: Option<String>,
    /// Only this level: `16k`, or a number.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) level: Option<u32>,
    /// Write Parquet, not JSON lines.
    #[arg(long)]
    pub(crate) parquet: bool,
    #[command(flatten)]
    pub(crate) cut: Cut,
    /// The folder to write to.
    #[arg(long, value_name = "DIR", default_value = "contexts")]
    pub(crate) out: PathBuf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// How a context is cut for a model with a short window.
#[derive(Debug, clap::Args)]
pub(crate) struct Cut {
    /// Keep this many tokens of each context, half of them from either end, and cut out the
    /// middle.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) shown: Option<u32>,
    /// How tokens are counted: an encoding (`cl100k_base`, `o200k_base`, ...) or a file `tokenizer.json`
    /// [default: every symbol is a token].
    #[arg(long, value_name = "NAME|FILE", requires = "shown")]
    pub(crate) tokenizer: Option<String>,
}

/// A level: `16k`, or a number.
pub(crate) fn level(text: &str) -> Result<u32, String> {
    let (digits, times) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => (text, 1),
    };
    let number = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(times));
    number.ok_or_else(|| "a level is a number, or thousands such as `16k`".to_owned())
}
