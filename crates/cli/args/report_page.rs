//! What may be typed after `report`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct ReportPage {
    /// Results folders that `storymill evaluate` wrote.
    #[arg(required = true, value_name = "RESULTS")]
    pub(crate) results: Vec<PathBuf>,
    /// The page to write: one HTML file that needs nothing else.
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub(crate) out: PathBuf,
    /// Write the figures too: `report.json`, and every chart as SVG.
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,
    /// The title of the page [default: the names of the results].
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// A model that wrote the retellings: the page warns of models of its family. May be given several times.
    #[arg(long, value_name = "MODEL")]
    pub(crate) written_by: Vec<String>,
    /// What `storymill audit --json` found: shown as baselines.
    #[arg(long, value_name = "JSON")]
    pub(crate) audit: Option<PathBuf>,
    /// Prices in dollars per million tokens, by model.
    #[arg(long, value_name = "TOML")]
    pub(crate) prices: Option<PathBuf>,
    /// Where a question is shown, with `{id}` for its id; ids on the page become links.
    #[arg(long, value_name = "URL")]
    pub(crate) link: Option<String>,
}
