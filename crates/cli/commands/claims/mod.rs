//! `storymill claims`: claim pairs in a folder, or on a shelf. Files and shelves are read and written here;
//! what is done with claims is in `storymill-claims`.

mod balance;
mod clipper;
mod draft;
mod export;
mod folder;
mod import;
mod kept;
mod lint;
mod list;
mod measured;
mod past;
mod remove;
mod results;
pub(super) mod reviews;
mod set_store;
mod shown;
mod stories;

use std::{path::Path, sync::Arc};

use storymill_claims::{
    mistake::{Mistake, Mistakes},
    read::Format,
};
use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_shelf::{Private, Shelf};

use crate::{
    args::{
        claims::{Claims, ClaimsWhat},
        shelf::InShelf,
    },
    exit::{Exit, Failure},
    report, secrets,
    session::Session,
    table::plural,
};

/// What is kept of a pair of a private set that is to go and does not count any more; none if it is nothing.
pub(crate) fn kept_of_retired(
    shelf: &Arc<Shelf>,
    set: &str,
    pair: &str,
) -> Result<Option<String>, Failure> {
    let home = set_store::Home::sealed(set_store::Sealed::of(Arc::clone(shelf), set))?;
    kept::of_gone(&home, pair)
}

pub(crate) use clipper::run as clipper;
pub(crate) use past::warn_of_past;
pub(crate) use reviews::packet;
pub(crate) use shown::{HOLDERS, holders, standing};
pub(crate) use stories::headings;

pub(crate) fn run(args: &Claims, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        ClaimsWhat::Import(import) => import::run(import),
        ClaimsWhat::Export(export) => export::run(export),
        ClaimsWhat::List(list) => list::run(list),
        ClaimsWhat::Remove(remove) => remove::run(remove),
        ClaimsWhat::Lint(lint) => lint::run(lint),
        ClaimsWhat::Draft(draft) => draft::run(draft, session),
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
        if count > TOLD { format!(" (the first {TOLD} are listed above)") } else { String::new() };
    let mistakes = plural(count as u64, "mistake");
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
    storymill_disk::read(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read", path, error).input())
}

/// How a file of claims is written, by its name; a sealed one may end in `.age` as well.
fn format(path: &Path) -> Option<Format> {
    let name = path.to_string_lossy();
    Format::of_name(name.strip_suffix(".age").unwrap_or(&name))
}

/// The bytes of a file that the user named; of a private set also of one that was sealed to its
/// maintainers.
fn unsealed(path: &Path, on: &InShelf) -> Result<Private<Vec<u8>>, Failure> {
    Ok(secrets::named(path, most::TABLE, on.shelf.as_ref().map(|_| &on.key))?)
}
