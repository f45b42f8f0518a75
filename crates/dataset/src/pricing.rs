//! What it would cost to put a dataset's questions to a model, each with its whole context.

use std::path::Path;

use parquet::arrow::ProjectionMask;
use serde::Serialize;
use storymill_core::{Encoding, Fault, FaultKind};

use crate::{
    manifest::Manifest,
    reading::{each_batch, json_rows, open, unreadable},
};

/// What the questions of one config come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// The config.
    pub config: String,
    /// Its questions.
    pub questions: u64,
    /// Tokens to be read: contexts, questions and options.
    pub tokens_in: u64,
    /// Tokens to be written: a number for a choice, the reference's length for free text.
    pub tokens_out: u64,
    /// The encoding that contexts were counted in; none if they are reckoned at four symbols a
    /// token.
    pub encoding: Option<Encoding>,
}

impl Evaluation {
    /// Dollars at prices in dollars per million tokens.
    #[expect(clippy::cast_precision_loss, reason = "shown, never stored")]
    pub fn usd(&self, input: f64, output: f64) -> f64 {
        (self.tokens_in as f64 * input + self.tokens_out as f64 * output) / 1e6
    }
}

/// Symbols of English prose to a token, where nobody counted.
const SYMBOLS_A_TOKEN: u64 = 4;
/// Tokens of an answer that names an option.
const CHOICE_TOKENS: u64 = 8;

/// Counts what it takes to put the questions of each config to a model, one by one.
///
/// # Errors
///
/// No dataset here, or a file that cannot be read.
pub fn evaluation(folder: &Path) -> Result<Vec<Evaluation>, Fault> {
    let manifest = Manifest::of(folder)?;
    let mut found: Vec<Evaluation> = Vec::new();
    for entry in &manifest.files {
        let path = folder.join(&entry.path);
        let reader = open(&path)?;
        let schema = reader.schema().clone();
        if schema.index_of("question_id").is_err() || schema.index_of("context_symbols").is_err() {
            continue;
        }
        let counted = |one: &&Encoding| schema.index_of(&format!("context_tokens_{one}")).is_ok();
        // The newest of those that were counted.
        let encoding = Encoding::ALL.iter().rev().find(counted).copied();
        let column =
            encoding.map_or("context_symbols".to_owned(), |one| format!("context_tokens_{one}"));
        let told = ["question", "options", "distorted", "answer", "reference", "context_symbols"];
        let names = told.into_iter().chain([column.as_str()]);
        let mask = ProjectionMask::columns(reader.parquet_schema(), names);
        let at = found.iter().position(|one| one.config == entry.config).unwrap_or_else(|| {
            let config = entry.config.clone();
            found.push(Evaluation { config, questions: 0, tokens_in: 0, tokens_out: 0, encoding });
            found.len() - 1
        });
        let sum = &mut found[at];
        each_batch(reader.with_projection(mask), &path, |batch| {
            for row in json_rows(batch).map_err(|error| unreadable(&path, error))? {
                let symbols = |text: &serde_json::Value| {
                    text.as_str().map_or(0, |text| text.chars().count() as u64)
                };
                let options = row["options"].as_array();
                let told = symbols(&row["question"])
                    + symbols(&row["distorted"])
                    + options.into_iter().flatten().map(symbols).sum::<u64>();
                // -1 is what nobody counted.
                let counted = encoding.and_then(|_| row[&column].as_u64());
                let reckoned =
                    || row["context_symbols"].as_u64().unwrap_or(0).div_ceil(SYMBOLS_A_TOKEN);
                let context = counted.unwrap_or_else(reckoned);
                let free = symbols(&row["answer"]).max(if options.is_none_or(Vec::is_empty) {
                    symbols(&row["reference"])
                } else {
                    0
                });
                sum.questions += 1;
                sum.tokens_in += context + told.div_ceil(SYMBOLS_A_TOKEN);
                sum.tokens_out +=
                    if free > 0 { free.div_ceil(SYMBOLS_A_TOKEN) } else { CHOICE_TOKENS };
            }
            Ok(())
        })?;
    }
    if found.is_empty() {
        return Err(Fault::new(FaultKind::Input, "there are no questions here").at(folder));
    }
    Ok(found)
}
