//! What maintainers of storymill run by hand: recorders of the answers that come with it,
//! generators of its data, and benches. `cargo xtask TOOL ...`, one file a tool; users need none.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "tools for the people who build storymill"
)]

mod bench_answers;
mod bench_contexts;
mod bench_pages;
mod bench_questions;
mod bench_scores;
mod bench_tables;
mod long_rows;
mod measure;
mod record;
mod record_lveval;
mod record_quickstart;
mod train_perceptron;
mod write_sets;

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use clap::Parser;

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// What maintainers of storymill run by hand
#[derive(Parser)]
enum Tool {
    #[command(subcommand)]
    BenchAnswers(bench_answers::Job),
    BenchContexts(bench_contexts::Args),
    BenchPages(bench_pages::Args),
    BenchQuestions(bench_questions::Args),
    BenchScores(bench_scores::Args),
    BenchTables(bench_tables::Args),
    LongRows(long_rows::Args),
    /// Records the answers of `workflows/lveval.toml`
    RecordLveval,
    /// Records the answers of the quickstart
    RecordQuickstart,
    TrainPerceptron(train_perceptron::Args),
    /// Writes the question sets that come with storymill
    WriteSets,
}

fn main() -> Done {
    match Tool::parse() {
        Tool::BenchAnswers(job) => job.run(),
        Tool::BenchContexts(args) => args.run(),
        Tool::BenchPages(args) => args.run(),
        Tool::BenchQuestions(args) => args.run(),
        Tool::BenchScores(args) => args.run(),
        Tool::BenchTables(args) => args.run(),
        Tool::LongRows(args) => args.run(),
        Tool::RecordLveval => record_lveval::run(),
        Tool::RecordQuickstart => record_quickstart::run(),
        Tool::TrainPerceptron(args) => args.run(),
        Tool::WriteSets => write_sets::run(),
    }
}

/// The top folder of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
