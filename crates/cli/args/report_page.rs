//! What may be typed after `report`.

use std::path::PathBuf;

use super::{Format, shelf::InShelf};

#[derive(Debug, clap::Args)]
pub(crate) struct ReportPage {
    /// Results folders that `storymill evaluate` wrote, or their workflows, and logs (`.eval`) of Inspect AI's runs of storymill's
    /// tasks; with `--shelf` names of private results.
    #[arg(required_unless_present = "matrix", value_name = "RESULTS")]
    pub(crate) results: Vec<PathBuf>,
    /// A matrix of responses in place of results: NoCha's `data.json`, for each pair what each system made of it.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["results", "shelf", "eval_results"])]
    pub(crate) matrix: Option<PathBuf>,
    /// The page to write: one HTML file that needs nothing else [default: report.html].
    #[arg(long, value_name = "FILE", conflicts_with = "shelf")]
    pub(crate) out: Option<PathBuf>,
    /// Write the page of private results into a new file, in clear: this is recorded in the shelf. Else it is kept in there.
    #[arg(long, value_name = "FILE", requires = "shelf")]
    pub(crate) clear: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) on: InShelf,
    /// Write a signed receipt of private results: which pairs were asked, digests of requests and answers, and the scores.
    /// `storymill verify` checks it.
    #[arg(long, value_name = "FILE", requires = "shelf")]
    pub(crate) receipt: Option<PathBuf>,
    /// Write a public matrix of private results: for each pair, by its leaf in the set's statement, what each system made of it. The
    /// page of it is written beside, as `.html`.
    #[arg(long, value_name = "JSON", requires = "shelf")]
    pub(crate) matrix_out: Option<PathBuf>,
    /// Write a receipt or a matrix although another score of a system was published less than 30 days ago.
    #[arg(long, requires = "shelf")]
    pub(crate) anyway: bool,
    /// Write the figures too: `report.json`, every chart as SVG and PDF, and `report.csv`.
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) figures: Option<PathBuf>,
    /// Write what the charts show as rows of a table.
    #[arg(long, value_name = "FILE", conflicts_with = "shelf")]
    pub(crate) csv: Option<PathBuf>,
    /// Write `.eval_results/NAME-MODEL.yaml` into this folder for each model that was asked all questions of a release's
    /// `eval.yaml`, for the model's repository on the Hugging Face Hub.
    #[arg(long, value_name = "DIR", conflicts_with = "shelf")]
    pub(crate) eval_results: Option<PathBuf>,
    /// The title of the page [default: the names of the results].
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// A model that wrote the retellings: the page warns of models of its family. May be given several times.
    #[arg(long, value_name = "MODEL")]
    pub(crate) written_by: Vec<String>,
    /// What `storymill audit --format json` found: shown as baselines.
    #[arg(long, value_name = "JSON")]
    pub(crate) audit: Option<PathBuf>,
    /// Prices in dollars per million tokens, by model.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// Where a question is shown, with `{id}` for its id; ids on the page become links.
    #[arg(long, value_name = "URL")]
    pub(crate) link: Option<String>,
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
