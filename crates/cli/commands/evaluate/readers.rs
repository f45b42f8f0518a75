//! Readers, which answer in place of a model: who they are, how they are started, and why they failed.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use storymill::ModelOptions;
use storymill_core::reader::Who;
use storymill_llm::reader::{Readers, introduced};
use storymill_transforms::NamedReader;

use crate::{
    args::evaluate::{Evaluate, TypedReader},
    exit::Failure,
    report,
    table::plural,
};

/// The readers, each of which is started once to say what it is called.
pub(super) fn named(args: &Evaluate) -> Result<Vec<NamedReader>, Failure> {
    if args.on.shelf.is_some() && !args.readers.is_empty() {
        let message = "readers read no private datasets and sets: nobody knows where a program sends what it reads";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut named: Vec<NamedReader> = Vec::new();
    for typed in &args.readers {
        let who = introduced(&typed.command, Duration::from_secs(args.reply_seconds))?;
        let called = called(typed, &who);
        if named.iter().any(|one| one.called == called) {
            let message =
                format!("two readers are called `{called}`; name them: `--reader NAME=COMMAND`");
            return Err(Failure::Usage(message));
        }
        let Who { command, name, version } = who;
        named.push(NamedReader { called, command, name, version });
    }
    Ok(named)
}

/// What rows call a reader: what was typed; else what it calls itself, or its file, with its version.
fn called(typed: &TypedReader, who: &Who) -> String {
    if let Some(name) = &typed.name {
        return name.clone();
    }
    let stem = |word: &str| Path::new(word).file_stem().map(|stem| stem.display().to_string());
    let mut words = typed.command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let program = words.next().unwrap_or_default();
    let file = words.find(|word| PathBuf::from(word).is_file()).unwrap_or(program);
    let name = if who.name.is_empty() { stem(file).unwrap_or_default() } else { who.name.clone() };
    format!("{name} {}", who.version).trim().to_owned()
}

/// What was typed of models, with the readers that may be started.
pub(super) fn options(args: &Evaluate) -> Result<ModelOptions, Failure> {
    let usual = Readers::default();
    let readers = Readers {
        commands: args.readers.iter().map(|typed| typed.command.clone()).collect(),
        limit: Duration::from_secs(args.reply_seconds),
        at_once: args.readers_at_once.map_or(usual.at_once, usize::from),
    };
    Ok(ModelOptions { readers, ..args.models.options()? })
}

/// Says where readers broke off, and why.
pub(super) fn failures(answers: &[Value]) {
    let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let mut failed: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    for row in answers.iter().filter(|row| row["status"] == "failed" && row["said"] != "") {
        let key = (word(row, "model"), word(row, "of"), word(row, "said"));
        *failed.entry(key).or_default() += 1;
    }
    for ((reader, of, why), count) in &failed {
        let questions = plural(*count, "question");
        report::warn(&format!("the reader `{reader}` left {questions} of {of} unanswered: {why}"));
    }
    if !failed.is_empty() {
        report::say("such answers are kept; `--mode live` has everything read again");
    }
}
