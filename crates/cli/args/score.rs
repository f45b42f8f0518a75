//! What may be typed after `score`.

use std::path::PathBuf;

use clap::Subcommand;

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Score {
    #[command(subcommand)]
    pub(crate) what: ScoreWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScoreWhat {
    /// Score predictions against one reference each
    #[command(
        after_long_help = "A line of the file: {\"prediction\": \"the red key\", \"reference\": \"a red key\"}"
    )]
    Pairs(ScoreAnswers),
    /// Score answers against one or several references, the best of which counts
    #[command(
        after_long_help = "A line of the file: {\"prediction\": \"the red key\", \"references\": [\"a red key\", \"the key\"], \"keywords\": \"red key\"}"
    )]
    Answers(ScoreAnswers),
    /// Score judges of faithfulness against StorySumm's labels
    Faithfulness(ScoreFaithfulness),
    /// Score every system in NoCha's file of claims
    Claims(ScoreClaims),
    /// Score predictions over long contexts, by set and level
    #[command(
        after_long_help = "A line of a file: {\"_id\": \"lanterns_16k/q07\", \"pred\": \"in the salt mine\"}\n\nFiles that LV-Eval's program wrote need nothing else: `pred`, `input`, `answers` and `gold_ans`, in a file that is named like set and level.\n\nExamples:\n  storymill score lveval predictions.jsonl --dataset out/lveval --window 16k\n  storymill score lveval outputs/my-model\n  storymill score lveval outputs/my-model --dataset LVEval"
    )]
    Lveval(ScoreLveval),
    /// Compare metrics and judges with people by how they rank systems
    #[command(
        after_long_help = "A line of a file: {\"system\": \"small\", \"item\": \"q07\", \"people\": [4, 5], \"scores\": {\"rouge-l\": 0.31, \"judge\": 4}}\n\nA system's score is its mean over the items that every system has. Optional: `cluster`, what must not be parted, such as the book."
    )]
    Systems(ScoreSystems),
    /// Measure how well a tagger finds names, and how fast
    #[command(
        after_long_help = "A line of the file: {\"text\": \"Ann saw Mr. Fox.\", \"spans\": [[0, 3, \"PER\", \"Ann\"], [12, 15, \"PER\", \"Fox\"]], \"split\": \"dev\"}\n\nSpans count symbols (code points). PER is a person; GPE, LOC and FAC are places; other types count for nothing."
    )]
    Names(super::names::EvalNames),
}

/// Which score LV-Eval's predictions get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LvevalVariant {
    /// As LV-Eval's program scores, against the first answer: keyword-gated F1; factrecall by F1, dureader by ROUGE-L.
    AsReleased,
    /// Keyword-gated F1 of its paper, against the best answer.
    AsInPaper,
    /// Plain F1, as for factrecall.
    F1,
    /// ROUGE-L without listed words, as for dureader.
    RougeL,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreLveval {
    /// Files of JSON lines, or folders of such files: `pred`, and `_id` or `input`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What the predictions are of: a published folder, or a file or folder of LV-Eval's records [default: what
    /// stands beside each prediction].
    #[arg(long, value_name = "PATH")]
    pub(crate) dataset: Option<PathBuf>,
    /// The table of contexts, where there are several.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: Option<String>,
    /// Which score.
    #[arg(long, value_name = "NAME", default_value = "as-released")]
    pub(crate) variant: LvevalVariant,
    /// Word lists in place of ours.
    #[arg(long, value_name = "JSON")]
    pub(crate) wordlists: Option<PathBuf>,
    /// A window, `16k`: adds what a model scores that answers all it sees, window by level.
    #[arg(long, value_name = "LEVEL", value_parser = super::export::level)]
    pub(crate) window: Option<u32>,
    #[command(flatten)]
    pub(crate) cut: super::export::Cut,
    /// Leave out contexts without a prediction; else they are an error.
    #[arg(long)]
    pub(crate) partial: bool,
    /// Write requests to a model that judges the answers, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) rater: Option<PathBuf>,
    /// How it is printed; JSON has every row.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreAnswers {
    /// JSON lines: `prediction`, `reference` or `references`; optional `keywords`, `language`, `id`,
    /// `cluster`.
    pub(crate) file: PathBuf,
    /// A WordNet 3.0 folder, for the synonyms of METEOR.
    #[arg(long, value_name = "DIR")]
    pub(crate) wordnet: Option<PathBuf>,
    /// Word lists for the keyword-gated F1 in place of ours.
    #[arg(long, value_name = "JSON")]
    pub(crate) wordlists: Option<PathBuf>,
    /// Seed of the intervals, which are drawn over clusters: stories, books, what the rows name.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How it is printed; JSON has every row.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreFaithfulness {
    /// StorySumm's labels.
    pub(crate) labels: PathBuf,
    /// Files of predictions, one judge each.
    #[arg(required = true)]
    pub(crate) predictions: Vec<PathBuf>,
    /// Leave out summaries that a judge says nothing of; else they count as judged wrongly.
    #[arg(long)]
    pub(crate) allow_missing: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

/// What intervals are drawn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Resample {
    /// Items, or the clusters that all rows name: would other questions rank these systems the same?
    Items,
    /// Systems: would other systems be ranked as well?
    Systems,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreSystems {
    /// JSON lines: `system`, `item`, `people`, `scores`; optional `cluster`. Several files count as one.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What intervals are drawn over.
    #[arg(long, value_name = "WHAT", default_value = "items")]
    pub(crate) resample: Resample,
    /// Seed of the intervals.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreClaims {
    /// Claims with `response-*` fields, as NoCha's `data_sample.json`.
    pub(crate) file: PathBuf,
    /// A system whose answered pairs make up the common set; may be given several times.
    #[arg(long, value_name = "FIELD")]
    pub(crate) common: Vec<String>,
    /// Show each book too.
    #[arg(long)]
    pub(crate) books: bool,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
