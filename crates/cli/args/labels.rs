//! What may be typed after `labels`.

use std::path::PathBuf;

use clap::Subcommand;

use super::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Labels {
    #[command(subcommand)]
    pub(crate) what: LabelsWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabelsWhat {
    /// Count a file of labels, tell where it contradicts itself, and how far annotators agree
    #[command(
        after_long_help = "Reads StorySumm's file, files of our own form, and FABLES' (unpacked).\n\nExamples:\n  storymill labels check storysumm.json\n  storymill labels check data/judges/pairs.json --format json\n\nExit codes: 0 nothing speaks against it, 4 it cannot be read, 13 it contradicts itself"
    )]
    Check(LabelsCheck),
    /// Make gold labels of the votes of several protocols
    #[command(
        after_long_help = "Every finding of a protocol of `--protocols` counts; of those of `--reviewed` only what an adjudicated vote confirms.\n\nExamples:\n  storymill labels merge annotators.json experts.json --protocols annotator,expert\n  storymill labels merge votes.json --protocols annotator,expert --reviewed hybrid --out gold.json\n\nExit codes: 0 all merged, 4 a file cannot be read or a protocol is not in it, 5 some retellings could not be merged"
    )]
    Merge(LabelsMerge),
}

#[derive(Debug, clap::Args)]
pub(crate) struct LabelsCheck {
    /// The file of labels.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Protocols in which models point at sentences.
    #[arg(long, value_name = "PROTOCOL", value_delimiter = ',', default_value = "hybrid")]
    pub(crate) models: Vec<String>,
    /// Seed of the intervals, which are drawn over stories.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How it is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LabelsMerge {
    /// Files with votes; votes on the same retelling are put together.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Protocols whose findings all count.
    #[arg(long, required = true, value_name = "PROTOCOL", value_delimiter = ',')]
    pub(crate) protocols: Vec<String>,
    /// Protocols of whose findings only those count that an adjudicated vote confirms.
    #[arg(long, value_name = "PROTOCOL", value_delimiter = ',')]
    pub(crate) reviewed: Vec<String>,
    /// Where it is written [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How the counts are printed; labels on standard output are JSON either way.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}
