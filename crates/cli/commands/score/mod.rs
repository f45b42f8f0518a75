//! `storymill score`: the scores of the field over files of predictions, answers, labels, claims.
//!
//! The numbers come from `storymill-metrics`; here files are read and tables are printed.

mod answers;
mod claims;
mod faithfulness;
mod lveval;
pub(crate) mod names;
mod systems;

use std::path::Path;

use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_metrics::{score::FileError, wordlists::WordLists};

use crate::{
    args,
    exit::{Exit, Failure},
    session::Session,
};

pub(crate) fn run(args: &args::Score, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        args::ScoreWhat::Pairs(answers) => answers::run(answers, answers::References::One),
        args::ScoreWhat::Answers(answers) => answers::run(answers, answers::References::Several),
        args::ScoreWhat::Faithfulness(labels) => faithfulness::run(labels),
        args::ScoreWhat::Claims(claims) => claims::run(claims),
        args::ScoreWhat::Lveval(lveval) => lveval::run(lveval),
        args::ScoreWhat::Systems(systems) => systems::run(systems),
        args::ScoreWhat::Names(gold) => names::run(gold, session),
    }
}

/// The text of a file that the user named.
pub(super) fn text(path: &Path) -> Result<String, Fault> {
    let bytes = storymill_disk::read(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    String::from_utf8(bytes)
        .map_err(|error| Fault::new(FaultKind::Input, "not UTF-8 text").at(path).because(error))
}

/// A file that cannot be scored.
fn refused(path: &Path, error: FileError) -> Fault {
    Fault::new(FaultKind::Input, "cannot score this file").at(path).because(error)
}

/// The word lists of a file, or ours.
fn lists(path: Option<&Path>) -> Result<WordLists, Fault> {
    let Some(path) = path else { return Ok(WordLists::ours()) };
    WordLists::parse(&text(path)?).map_err(|error| {
        Fault::new(FaultKind::Input, "cannot read the word lists").at(path).because(error)
    })
}

/// A number for people: four places, as the papers print them.
fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.4}"))
}
