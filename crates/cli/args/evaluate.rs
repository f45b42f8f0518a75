//! What may be typed after `evaluate`.

use std::path::PathBuf;

use clap::ValueEnum;
use storymill_claims::prompt::Form;
use storymill_core::Setting;

use super::{Format, Messages};
use crate::complete;

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Evaluate {
    /// The published folder, a release, or the folder of a set of claims; with `--shelf` the name of a private dataset or set.
    pub(crate) dataset: PathBuf,
    /// Which model of `--models` answers, by the name of its table.
    #[arg(long, value_name = "NAME", default_value = "default", add = complete::models())]
    pub(crate) model: String,
    /// A workflow, or any file with tables `[model.NAME]`.
    #[arg(long = "models", value_name = "TOML", default_value = "models.toml")]
    pub(crate) models_file: PathBuf,
    /// Ask no model: score the first option, the longest, a random one, and an unchanged copy.
    #[arg(long, conflicts_with_all = ASKING)]
    pub(crate) baselines: bool,
    /// Ask no model: take answers to claims from a file. JSON lines of `system`, `pair`, `claim`, `answer`, or claims with fields
    /// `response-NAME`, as NoCha's file has them.
    #[arg(long, value_name = "FILE", conflicts_with = "baselines", conflicts_with_all = ASKING)]
    pub(crate) responses: Option<PathBuf>,
    /// Ask no model: let a program read the books scene by scene, and ask it on the way (docs/readers.md). A command such as
    /// `python my_memory.py`, which no shell reads, or `NAME=COMMAND` to say what results call it. May be given several times.
    #[arg(long = "reader", value_name = "[NAME=]COMMAND", conflicts_with_all = ["baselines", "responses", "per_request"], conflicts_with_all = ASKING)]
    pub(crate) readers: Vec<TypedReader>,
    /// How long a reader may take to reply, in seconds. Then it is ended, and what is left of the book counts as failed.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "readers", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) reply_seconds: u64,
    /// How many books are read at once, each by a process of its own [default: as many as there are cores, at most 4].
    #[arg(long, value_name = "N", requires = "readers", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) readers_at_once: Option<u16>,
    /// The prompt that claims are put in: NoCha's forms in our own words; excerpts are always shown in `excerpts`. Of a set of claims
    /// `explain-first` if none is named.
    #[arg(long, value_name = "FORM", value_parser = Form::ALL.map(Form::name))]
    pub(crate) form: Option<String>,
    /// Show the story that a claim is about, where it is about one of a collection, not the whole book.
    #[arg(long)]
    pub(crate) story: bool,
    /// With `--form`, excerpts stand in the order of the book, not the best one first.
    #[arg(long)]
    pub(crate) book_order: bool,
    /// Leave out pairs of claims that the set's ledger says this provider has seen; `PROVIDER:DATE` for what it saw before a day.
    #[arg(long, value_name = "PROVIDER")]
    pub(crate) unexposed: Option<String>,
    /// Only the questions of this config; may be given several times [default: `eval`, or all].
    #[arg(long, value_name = "NAME", add = complete::configs())]
    pub(crate) config: Vec<String>,
    /// Only the questions of this split; may be given several times.
    #[arg(long, value_name = "NAME", add = complete::splits())]
    pub(crate) split: Vec<String>,
    /// At most this many questions, sampled by their ids, for a trial. A longer run finds these answers in the log.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) questions: Option<u32>,
    /// Only questions of which these tests hold: `demand_tokens < 32768 and task = 'lookahead'`. Fields are the columns of
    /// the questions, and `task`, `demand`, `demand_tokens`, `context`, `context_tokens`; tests as in `storymill books`.
    #[arg(long = "where", value_name = "FILTER")]
    pub(crate) filter: Option<String>,
    /// Share out `--questions` evenly over the values of a column, or over so many strata of its numbers: `demand:5`.
    #[arg(long, value_name = "COLUMN[:N]", requires = "questions")]
    pub(crate) stratify: Option<String>,
    /// A trial of 10 easy questions with their evidence shown, of which nearly all must be right: whether model, prompt and
    /// reading of answers work together. Exit code 17 if fewer than 8 in 10 are right.
    #[arg(long, conflicts_with_all = ["setting", "config", "fail_below", "baselines", "responses", "form", "readers"])]
    pub(crate) smoke: bool,
    /// End with exit code 17 if the lower end of the interval of accuracy (of pair accuracy, for claims) in the first setting is
    /// below this share: `0.62`.
    #[arg(long, value_name = "SHARE", conflicts_with = "baselines")]
    pub(crate) fail_below: Option<Score>,
    /// What is shown, each in turn: `full`, `none`, `title`, `evidence`, `recent-N` tokens, `retrieved-K` excerpts,
    /// `summaries`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "full")]
    pub(crate) setting: Vec<Setting>,
    /// The model's window in tokens, request and answer together; what does not fit is not asked, or cut.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) window: Option<u32>,
    /// What becomes of a context that does not fit.
    #[arg(long, value_name = "HOW", default_value = "refuse", requires = "window")]
    pub(crate) too_long: TooLong,
    /// What contexts are counted and cut in: an encoding (`cl100k_base`, `o200k_base`, ...) or a file `tokenizer.json`.
    #[arg(long, value_name = "NAME|FILE", default_value = "o200k_base")]
    pub(crate) tokenizer: String,
    /// How many questions a request holds: those that stand one after another, have options and are asked of the same
    /// text.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) per_request: u32,
    /// How many tokens may be written, thinking among them [default: as the model is described].
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<u32>,
    /// A prompt in place of the one that comes with storymill (data/prompts).
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt: Option<PathBuf>,
    /// A WordNet 3.0 folder, for METEOR; without it METEOR is left out.
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// The folder of the results; the workflow lies beside it [default: results/NAME-MODEL, where MODEL is what `--model` names, else the model's `model_id`].
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) out: Option<PathBuf>,
    /// Only write the workflow, and show what would be asked and about what it would cost.
    #[arg(long)]
    pub(crate) plan: bool,
    /// The folder that keeps what is asked, for the next time.
    #[arg(long, value_name = "DIR", default_value = ".storymill", conflicts_with = "shelf")]
    pub(crate) store: PathBuf,
    /// Send the text of private books to this endpoint too, which is not on this machine; it stands in the public
    /// statement from then on. May be given several times.
    #[arg(long, value_name = "URL", requires = "shelf")]
    pub(crate) send_private_to: Vec<String>,
    #[command(flatten)]
    pub(crate) on: super::shelf::InShelf,
    /// How progress is told.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) message_format: Messages,
    /// How what came of it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) models: super::Models,
}

/// What has a meaning only where a model is asked.
const ASKING: [&str; 9] = [
    "model",
    "models_file",
    "setting",
    "window",
    "max_tokens",
    "prompt",
    "form",
    "story",
    "book_order",
];

/// A reader as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedReader {
    /// What results call it; none if that is left to it.
    pub(crate) name: Option<String>,
    /// The command that starts it.
    pub(crate) command: String,
}

impl std::str::FromStr for TypedReader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |name: &str| {
            let sign = |sign: char| sign.is_alphanumeric() || "._-".contains(sign);
            !name.is_empty() && name.chars().all(sign)
        };
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if plain(name) => (Some(name.to_owned()), command),
            _ => (None, text),
        };
        if command.trim().is_empty() {
            return Err("there is no command, such as `python my_memory.py`".to_owned());
        }
        Ok(Self { name, command: command.trim().to_owned() })
    }
}

/// A share from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score(pub(crate) f64);

impl std::str::FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        share.map(Self).ok_or_else(|| "is not a share from 0 to 1, such as 0.62".to_owned())
    }
}

/// What becomes of a context that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TooLong {
    /// It is not asked.
    Refuse,
    /// The middle is cut out.
    Middle,
    /// The beginning is cut off.
    Front,
}

impl TooLong {
    /// The word that workflows have for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Middle => "middle",
            Self::Front => "front",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TypedReader;

    #[test]
    fn readers_have_a_name_where_one_was_typed() {
        for (text, name, command) in [
            ("python my_memory.py", None, "python my_memory.py"),
            ("bm25=python r.py --k=3", Some("bm25"), "python r.py --k=3"),
            ("python r.py --k=3", None, "python r.py --k=3"),
            ("./r=1", None, "./r=1"),
        ] {
            let typed: TypedReader = text.parse().unwrap();
            assert_eq!((typed.name.as_deref(), typed.command.as_str()), (name, command));
        }
        for wrong in ["", " ", "a=", "a= "] {
            assert!(wrong.parse::<TypedReader>().is_err(), "{wrong}");
        }
    }
}
