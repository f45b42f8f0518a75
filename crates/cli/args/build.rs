//! What may be typed after `build`, `plan`, `init`, `doctor`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use storymill_disk::most;

use clap::ValueEnum;
use storymill::{Fault, ModelOptions, Rate, Rates};
use storymill_llm::{Limits, Price, Prices, Usd};
use storymill_pipeline::Shard;

use super::{Format, Messages};
use crate::{complete, exit::Failure};

#[derive(Debug, clap::Args)]
pub(crate) struct Build {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
    /// The folder to publish into [default: out/NAME, with the workflow's name].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Publish over a dataset of another name, and remove its files.
    #[arg(long, hide_short_help = true)]
    pub(crate) replace: bool,
    /// The folder that keeps what is built, for the next time; or its URL, where many machines build together:
    /// `s3://BUCKET/PREFIX`, `file:///FOLDER` (docs/store.md).
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// The shelf of a private set: books, sets, datasets and results go by their names on it, what is made of them stays in
    /// there, and nothing is published outside.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["store", "answers", "out", "replace", "shard", "step", "finalize", "dry_run"])]
    pub(crate) shelf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) key: super::shelf::KeyFile,
    /// Threads [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Work on one shard of the units only: `2/5`.
    #[arg(long, hide_short_help = true, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Do these steps only, by name or number: `scenes`, `3-5`, `3,7`. The steps that they read must be done: else
    /// nothing is made, what is missing is listed, and the exit code is 14. `storymill plan --steps` lists steps and jobs.
    #[arg(long, hide_short_help = true, value_name = "STEPS", conflicts_with_all = ["locked", "dry_run"], add = complete::steps())]
    pub(crate) step: Option<String>,
    /// Make nothing, and publish if every step is done; else list what is missing, with exit code 14.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["shard", "step", "dry_run"])]
    pub(crate) finalize: bool,
    /// The lock that the build must reproduce: else nothing is published, and the exit code is 6.
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    pub(crate) locked: Option<PathBuf>,
    /// Try only this many scenes first, spread over the books: shows how many answers each stage accepts and what
    /// the whole build will cost, and publishes into a folder of its own [default: 20 scenes, into out/NAME-pilot].
    #[arg(long, value_name = "SCENES", num_args = 0..=1, default_missing_value = "20",
          value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["shard", "step", "finalize", "locked", "dry_run", "out"])]
    pub(crate) pilot: Option<u32>,
    /// The old word for `storymill plan`.
    #[arg(long, hide = true)]
    pub(crate) dry_run: bool,
    /// How what comes of it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// How progress is shown.
    #[arg(long, hide_short_help = true, value_name = "FORMAT", default_value = "text")]
    pub(crate) message_format: Messages,
    #[command(flatten)]
    pub(crate) models: Models,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Plan {
    /// The workflow file.
    pub(crate) workflow: PathBuf,
    /// The folder that keeps what is built.
    #[arg(long, value_name = "DIR", default_value = ".storymill")]
    pub(crate) store: PathBuf,
    /// Count what the models would be asked next, and what it would cost. What needs no model is
    /// built for that.
    #[arg(long)]
    pub(crate) cost: bool,
    /// Only these steps, by name or number: `3-5`. The exit code is 14 if something of them is missing.
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["cost", "steps", "evaluate"], add = complete::steps())]
    pub(crate) step: Option<String>,
    /// List the steps as data for whatever runs them on many machines, and the jobs that do them, with so many shards each
    /// (docs/cluster.md) [default: one shard for 20 units, 1000 at most].
    #[arg(long, value_name = "SHARDS", num_args = 0..=1, require_equals = true, default_missing_value = "0", value_parser = clap::value_parser!(u32).range(0..=100_000), conflicts_with_all = ["cost", "evaluate"], overrides_with = "steps")]
    pub(crate) steps: Option<u32>,
    /// Tell what it would cost to put the questions of the published dataset to a model, whose prices you may give in
    /// dollars for a million tokens read and written: `--evaluate 2.5,10`.
    #[arg(long, value_name = "IN,OUT", num_args = 0..=1, default_missing_value = "", conflicts_with = "cost")]
    pub(crate) evaluate: Option<Tariff>,
    /// The folder of the dataset, as for `build` [default: out/NAME, with the workflow's name].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How the table is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) models: Models,
}

/// What a model takes for a million tokens, if that was typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tariff(pub(crate) Option<Price>);

impl std::str::FromStr for Tariff {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        let dollars = |text: &str| {
            let price = text.trim().parse::<f64>().ok();
            price.filter(|price| (0.0..=1e6).contains(price))
        };
        let (input, output) = text.split_once(',').unwrap_or((text, "0"));
        match (dollars(input), dollars(output)) {
            (Some(input), Some(output)) => {
                Ok(Self(Some(Price { input, output, ..Price::default() })))
            }
            _ => Err("prices are two numbers from 0 to 1,000,000, such as `2.5,10`".to_owned()),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Quickstart {
    /// The folder, which is made; the dataset is in `out/quickstart` below it.
    #[arg(value_name = "DIR", default_value = "quickstart")]
    pub(crate) folder: PathBuf,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Init {
    /// The file to write.
    #[arg(default_value = "storymill.toml")]
    pub(crate) file: PathBuf,
    /// What you want to make; on a terminal you are asked [default: evaluation].
    #[arg(long = "for", value_name = "WHAT", overrides_with = "purpose")]
    pub(crate) purpose: Option<Purpose>,
    /// The folder with your books, or of your set of claims, relative to the file [default: books; of claims my-set].
    #[arg(long, value_name = "DIR")]
    pub(crate) books: Option<String>,
    /// A catalog of the books, relative to the file.
    #[arg(long, value_name = "CSV")]
    pub(crate) catalog: Option<String>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// What a workflow is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Purpose {
    /// questions about novels, asked while reading and at the end; every book is for evaluation
    Evaluation,
    /// the same questions, most books for training, some for validation and test
    #[value(alias = "questions")]
    Training,
    /// one fact among many pages of novels, at several depths and lengths
    LongContexts,
    /// pairs of a true and a false claim about a book
    Claims,
    /// questions about books that stay sealed on this machine
    Private,
}

impl Purpose {
    /// The folder that it reads, where none is named.
    pub(crate) fn folder(self) -> String {
        match self {
            Self::Evaluation | Self::Training | Self::LongContexts => "books",
            Self::Claims => "my-set",
            Self::Private => "shelf",
        }
        .to_owned()
    }
}

/// Where answers come from, and what they may cost.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct Models {
    /// The folder that keeps every answer [default: `answers` in the store].
    #[arg(long, hide_short_help = true, value_name = "DIR")]
    pub(crate) answers: Option<PathBuf>,
    /// `prefer` asks for what the log lacks, `frozen` asks for nothing, `live` asks for all anew (after an
    /// interruption go on with `prefer`: `live` would pay for everything again).
    #[arg(
        long,
        hide_short_help = true,
        value_name = "MODE",
        default_value = "prefer",
        hide_possible_values = true
    )]
    pub(crate) mode: Mode,
    /// Ask no model: an answer that the log lacks ends the run. The same as `--mode frozen`.
    #[arg(long, conflicts_with = "mode")]
    pub(crate) frozen: bool,
    /// Prices in dollars per million tokens: `["model-id"]` with `input` and `output`.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// Stop before more than this is spent.
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_usd: Option<f64>,
    /// Stop before more requests than this are sent.
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub(crate) max_requests: Option<u64>,
    /// Send at most this many requests a minute to each model, or to one (`small=600`): a shard's share. A limit in
    /// the workflow can only be lowered.
    #[arg(long, hide_short_help = true, value_name = "[MODEL=]N")]
    pub(crate) requests_per_minute: Vec<Rate>,
    /// The same for tokens a minute, of requests and answers together.
    #[arg(long, hide_short_help = true, value_name = "[MODEL=]N")]
    pub(crate) tokens_per_minute: Vec<Rate>,
    /// The same for requests in flight.
    #[arg(long, hide_short_help = true, value_name = "[MODEL=]N")]
    pub(crate) in_flight: Vec<Rate>,
    /// Set damaged files of the log aside, and ask again for the answers that are lost with them. Without this
    /// the run stops and says what is lost.
    #[arg(long, hide_short_help = true)]
    pub(crate) ask_again: bool,
    /// Wait up to this many seconds for endpoints that are still starting.
    #[arg(long, hide_short_help = true, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "600")]
    pub(crate) wait_ready: Option<u64>,
    /// The folder with the models of the taggers. They are looked for where none is named: in `$STORYMILL_DATA`,
    /// beside the workflow, here, beside the binary, and in `storymill` of the user's data (`~/.local/share`).
    #[arg(long = "tagger-models", hide_short_help = true, value_name = "DIR")]
    pub(crate) taggers: Option<PathBuf>,
}

impl Models {
    /// What was typed, as the library takes it.
    pub(crate) fn options(&self) -> Result<ModelOptions, Failure> {
        Ok(ModelOptions {
            answers: self.answers.clone(),
            mode: match self.mode {
                _ if self.frozen => storymill_llm::Mode::Frozen,
                Mode::Live => storymill_llm::Mode::Live,
                Mode::Prefer => storymill_llm::Mode::Prefer,
                Mode::Frozen => storymill_llm::Mode::Frozen,
            },
            prices: prices(self.prices.as_deref())?,
            limits: Limits {
                max_requests: self.max_requests,
                max_usd: self.max_usd.map(usd).transpose()?,
            },
            rates: Rates {
                requests: self.requests_per_minute.clone(),
                tokens: self.tokens_per_minute.clone(),
                in_flight: self.in_flight.clone(),
            },
            ask_again: self.ask_again,
            wait_ready: self.wait_ready.map(Duration::from_secs),
            taggers: self.taggers.clone(),
            ..ModelOptions::default()
        })
    }
}

/// The table of prices in a file; an empty one where none is named.
pub(crate) fn prices(path: Option<&Path>) -> Result<Prices, Fault> {
    let Some(path) = path else { return Ok(Prices::default()) };
    let text = storymill_disk::read_text(path, most::WORKFLOW)
        .map_err(|error| Fault::io("cannot read the prices", path, error).input())?;
    Prices::parse(&text).map_err(|fault| fault.at(path))
}

/// An amount of dollars.
pub(crate) fn usd(dollars: f64) -> Result<Usd, Failure> {
    if !(0.0..=1e9).contains(&dollars) {
        return Err(Failure::Usage("--max-usd takes an amount from 0 to 1,000,000,000".to_owned()));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    let micro = (dollars * 1e6).floor() as u64;
    Ok(Usd::micro(micro))
}

/// Where answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The models answer everything anew.
    Live,
    /// The log first, then the models.
    Prefer,
    /// The log alone.
    Frozen,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// A workflow, or any file with tables `[model.NAME]`.
    pub(crate) workflow: PathBuf,
    /// Only this model of the file.
    #[arg(long, value_name = "NAME", add = complete::models())]
    pub(crate) model: Option<String>,
    /// Also send a text of about this many tokens, which should be too long.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) overflow: Option<u32>,
    /// Wait up to this many seconds for endpoints that are still starting.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "600")]
    pub(crate) wait_ready: Option<u64>,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
