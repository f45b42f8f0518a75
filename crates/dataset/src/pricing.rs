//! What it would cost to put a dataset's questions to a model, each with its whole context.

use std::{borrow::Cow, path::Path};

use parquet::arrow::ProjectionMask;
use serde::Serialize;
use serde_json::Value;
use storymill_core::{Encoding, Fault, FaultKind, Form, Question};

use crate::{
    asked,
    manifest::Manifest,
    reading::{each_row, open_here},
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
        let reader = open_here(&path)?;
        let schema = reader.schema().clone();
        let has = |name: &str| schema.index_of(name).is_ok();
        if !has("context_id")
            && ["question_id", "book_id", "context_symbols"].into_iter().any(|name| !has(name))
        {
            continue;
        }
        let counted = |one: &&Encoding| schema.index_of(&format!("context_tokens_{one}")).is_ok();
        // The newest of those that were counted.
        let encoding = Encoding::ALL.iter().rev().find(counted).copied();
        let names: Vec<String> = asked::columns().collect();
        let names = names.iter().map(String::as_str);
        let reader = if has("context_id") {
            // A recipe is read whole.
            reader.with_batch_size(64)
        } else {
            let mask = ProjectionMask::columns(reader.parquet_schema(), names);
            reader.with_projection(mask)
        };
        let at = found.iter().position(|one| one.config == entry.config).unwrap_or_else(|| {
            let config = entry.config.clone();
            found.push(Evaluation { config, questions: 0, tokens_in: 0, tokens_out: 0, encoding });
            found.len() - 1
        });
        let sum = &mut found[at];
        each_row(reader, &path, |row: Value| {
            let question = asked::question(&row).map_err(|fault| fault.at(&path))?;
            let Some(question) = question else { return Ok(()) };
            // A Chinese symbol is a word or half of one.
            let a_token = if row["language"] == "zh" { 1 } else { SYMBOLS_A_TOKEN };
            sum.questions += 1;
            sum.tokens_in += context_tokens(&question, encoding, a_token)
                + told(&question).map(|text| symbols(&text)).sum::<u64>().div_ceil(a_token);
            sum.tokens_out += answer_tokens(&question, a_token);
            Ok(())
        })?;
    }
    if found.is_empty() {
        return Err(Fault::new(FaultKind::Input, "there are no questions here").at(folder));
    }
    Ok(found)
}

fn symbols(text: &str) -> u64 {
    text.chars().count() as u64
}

fn context_tokens(question: &Question, encoding: Option<Encoding>, a_token: u64) -> u64 {
    let context = question.context.length();
    let counted = context.tokens.iter().find(|one| Some(one.encoding) == encoding);
    counted.map_or_else(
        || u64::from(context.symbols).div_ceil(a_token),
        |tokens| u64::from(tokens.count),
    )
}

/// What is told beside the context: the task with the texts that stand in it, and options.
fn told(question: &Question) -> impl Iterator<Item = Cow<'_, str>> {
    let options = question.options().iter().map(|option| option.text.as_str().into());
    std::iter::once(question.asked().into()).chain(options)
}

fn answer_tokens(question: &Question, a_token: u64) -> u64 {
    match &question.form {
        Form::FreeText { .. } => symbols(question.reference()).div_ceil(a_token),
        Form::Options { .. } | Form::Verdict { .. } => CHOICE_TOKENS,
    }
}
