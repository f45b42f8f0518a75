//! `storymill claims`: claim pairs in a folder. Files are read and written here; what is done with
//! them is in `storymill-claims`.

mod agreement;
mod balance;
mod draft;
mod folder;
mod import;
mod lint;
mod requests;
mod score;

use std::path::Path;

use storymill_claims::mistake::{Mistake, Mistakes};
use storymill_core::{Fault, FaultKind};

use crate::{
    args::claims::{Claims, ClaimsWhat},
    exit::{Exit, Failure},
    report,
};

pub(crate) fn run(args: &Claims) -> Result<Exit, Failure> {
    match &args.what {
        ClaimsWhat::Import(import) => import::run(import),
        ClaimsWhat::Lint(lint) => lint::run(lint),
        ClaimsWhat::Balance(balance) => balance::run(balance),
        ClaimsWhat::Draft(draft) => draft::run(draft),
        ClaimsWhat::Agreement(agreement) => agreement::run(agreement),
        ClaimsWhat::Requests(requests) => requests::run(requests),
        ClaimsWhat::Score(score) => score::run(score),
    }
}

/// How many mistakes are told one by one.
const TOLD: usize = 20;

/// A file with mistakes: each is told, and what could not be done is the failure.
fn refused(path: &Path, message: &str, mistakes: &Mistakes) -> Failure {
    for mistake in mistakes.iter().take(TOLD) {
        report::warn(&format!("{}: {mistake}", path.display()));
    }
    let count = mistakes.len();
    let told =
        if count > TOLD { format!(" (the first {TOLD} are told above)") } else { String::new() };
    let mistakes = if count == 1 { "1 mistake".to_owned() } else { format!("{count} mistakes") };
    Fault::new(FaultKind::Input, format!("{message}: {mistakes}{told}")).at(path).into()
}

fn warn(path: &Path, warnings: &[Mistake]) {
    for warning in warnings.iter().take(TOLD) {
        report::warn(&format!("{}: {warning}", path.display()));
    }
    if warnings.len() > TOLD {
        report::warn(&format!("{}: {} more like these", path.display(), warnings.len() - TOLD));
    }
}

/// The bytes of a file that the user named.
fn bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    std::fs::read(path).map_err(|error| Fault::io("cannot read", path, error).input())
}
