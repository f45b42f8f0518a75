//! `storymill import`: makes a project of an archive of another system.
//!
//! The project's own workflow is run once with an asker that reads the archive; so the answers go
//! into the log under the keys that any later build looks for, and the run tells what has no place.

mod archive_asker;
mod unplaced;

use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Env, Fault, FaultKind, Known, Source};
use storymill_disk::RealDisk;
use storymill_llm::AnswerLog;
use storymill_pipeline::{Claim, Event, Events, RunOptions, Store, run as run_workflow};
use storymill_sources::{ArchiveFile, NarrativeXl};

use super::init;
use crate::{
    args::{self, Format, ImportWhat, Messages},
    exit::{DONE, Exit, Failure, REJECTS},
    progress::Progress,
    report,
    session::Session,
    table::{Table, plain, plural},
};
use archive_asker::{ArchiveAsker, OpenArchive};
use unplaced::Account;

const TEMPLATE: &str = include_str!("narrativexl.toml");

/// Every check that can be turned off, turned off.
const CHECKS: &str = "{ least_words = 1, loop_words = 0, copy_words = 0, copy_pm = 0, \
    leak_names = 0, leak_words = 0, rewrite_pm = 0, language = false }";

const WORKFLOW: &str = "narrativexl.toml";
const UNPLACED: &str = "unplaced.csv";
/// Stands in a project for as long as it is not whole.
const UNFINISHED: &str = "import.unfinished";

pub(crate) fn run(args: &args::Import, session: &Session) -> Result<Exit, Failure> {
    let args = match &args.what {
        ImportWhat::NarrativeXl(args) => args,
        ImportWhat::Clipper(args) => return super::claims::clipper(args),
    };
    session.stop_on_signals()?;
    // What is wrong with the archive is said before anything is written.
    let mut archive = NarrativeXl::at(&args.folder);
    if let Some(catalog) = &args.catalog {
        archive = archive.with_catalog(catalog);
    }
    let files = archive.files(Path::new(""))?;
    for note in archive.open(&Env::at(Path::new("")))?.units(&Known::default())?.notes {
        report::warn(&note);
    }
    let project = Project { folder: args.out.clone(), catalog: args.catalog.is_some() };
    project.begin(&args.folder, args.catalog.as_deref(), &files)?;
    project.copy(&files, args.catalog.as_deref())?;
    let account = project.make(&files, session)?;
    show(args, &account)?;
    Ok(if account.books_lost > 0 { REJECTS } else { DONE })
}

/// The folder of a project that is being made.
struct Project {
    folder: PathBuf,
    catalog: bool,
}

impl Project {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Fault> {
        let path = self.path(name);
        fs::write(&path, text).map_err(|error| Fault::io("cannot write the project", path, error))
    }

    /// Takes the folder: a new one, an empty one, or one that an import has not finished. Until it
    /// is taken nothing is written.
    fn begin(
        &self,
        source: &Path,
        catalog: Option<&Path>,
        files: &[ArchiveFile],
    ) -> Result<(), Fault> {
        let failed = |error| Fault::io("cannot make the project", &self.folder, error);
        self.stands_apart(source, catalog, files).map_err(failed)??;
        match fs::read_dir(&self.folder).map(|mut entries| entries.next().is_some()) {
            Ok(true) if !self.path(UNFINISHED).exists() => {
                return Err(Fault::new(
                    FaultKind::Input,
                    "this folder is not empty, and was left as it is",
                )
                .at(&self.folder)
                .hint("name a folder that is empty or not there: `--out other-project`"));
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(
                    Fault::new(FaultKind::Input, "this is a file, not a folder").at(&self.folder)
                );
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        fs::create_dir_all(&self.folder).map_err(failed)?;
        self.write(UNFINISHED, "An import was interrupted; run it again.\n")?;
        // An import that was interrupted may have been of another archive.
        let copies = self.path("archive");
        match fs::remove_dir_all(&copies) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => fs::create_dir(&copies),
        }
        .map_err(failed)
    }

    /// Refuses a project and an archive of which one lies in the other: what is copied would be
    /// removed or overwritten.
    fn stands_apart(
        &self,
        source: &Path,
        catalog: Option<&Path>,
        files: &[ArchiveFile],
    ) -> std::io::Result<Result<(), Fault>> {
        let places = [resolved(&self.folder)?, resolved(&self.path("archive"))?];
        let read = [source].into_iter().chain(catalog);
        for path in read.chain(files.iter().map(|file| &*file.path)) {
            let from = resolved(path)?;
            if places.iter().any(|place| from.starts_with(place) || place.starts_with(&from)) {
                let message = "the project is inside what it is made of, or the other way round; nothing was written";
                return Ok(Err(Fault::new(FaultKind::Input, message)
                    .at(path)
                    .hint("name a folder elsewhere: `--out other-project`")));
            }
        }
        Ok(Ok(()))
    }

    /// Copies the archive's files, so that the project needs nothing else.
    fn copy(&self, files: &[ArchiveFile], catalog: Option<&Path>) -> Result<(), Fault> {
        let copy = |from: &Path, name: &str| {
            let copied = fs::copy(from, self.path(name));
            copied.map(drop).map_err(|error| Fault::io("cannot copy into the project", from, error))
        };
        for file in files {
            copy(&file.path, &format!("archive/{}.{}", file.book, file.ending))?;
        }
        catalog.map_or(Ok(()), |catalog| copy(catalog, "catalog.csv"))
    }

    /// Writes the workflow and runs it on the archive.
    fn make(&self, files: &[ArchiveFile], session: &Session) -> Result<Account, Failure> {
        let canary = init::canary()?;
        self.write(WORKFLOW, &self.workflow(&canary, 0))?;
        let workflow = session.project(&self.path(WORKFLOW))?.workflow().clone();
        let store = Store::open(self.path(".storymill"), Arc::new(RealDisk), Claim::Whole)?;
        let log = Arc::new(AnswerLog::open(&self.path("answers"), &[], Arc::new(RealDisk))?);
        let shelf = OpenArchive::open(&self.folder, &NarrativeXl::at("archive"))?;
        let asker = ArchiveAsker::new(&workflow, &shelf, Arc::clone(&log))?;
        let progress = Progress::new(Messages::Text);
        let options = RunOptions { threads: 0, shard: None, stop: &session.surroundings.stop };
        let run = run_workflow(&workflow, &store, &asker, &Quiet(&progress), &options);
        progress.finish();
        let run = run?;
        log.seal()?;
        let account = Account::of(&workflow, &run, &shelf, files)?;
        account.write(&self.path(UNPLACED))?;
        self.write(WORKFLOW, &self.workflow(&canary, run.outcome.rejects.len()))?;
        let mark = self.path(UNFINISHED);
        fs::remove_file(&mark).map_err(|error| Fault::io("cannot remove", mark, error))?;
        Ok(account)
    }

    fn workflow(&self, canary: &str, expected: usize) -> String {
        let name = init::dataset_name(&self.folder).unwrap_or_else(|_| "narrativexl".to_owned());
        let catalog = if self.catalog {
            "catalog = \"catalog.csv\""
        } else {
            "# catalog = \"pg_catalog.csv\"   # titles and authors: the archive has neither"
        };
        TEMPLATE
            .replace("{{name}}", &init::quoted(&name))
            .replace("{{canary}}", canary)
            .replace("{{expected}}", &expected.to_string())
            .replace("{{catalog}}", catalog)
            .replace("{{checks}}", CHECKS)
    }
}

/// A path without links and dots, also where its end is not there yet.
fn resolved(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut known = PathBuf::new();
    for part in path.components() {
        match part {
            // What is there has no links any more, and what is not there has none yet.
            Component::ParentDir => drop(known.pop()),
            part => known.push(part),
        }
        match fs::canonicalize(&known) {
            Ok(real) => known = real,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(known)
}

/// Progress without waves: no model is asked.
struct Quiet<'p>(&'p Progress);

impl Events for Quiet<'_> {
    fn emit(&self, event: Event) {
        if !matches!(event, Event::Wave { .. }) {
            self.0.emit(event);
        }
    }
}

fn show(args: &args::ImportNarrativeXl, account: &Account) -> Result<(), Failure> {
    if args.format == Format::Json {
        let value = serde_json::json!({
            "project": args.out,
            "account": account,
            "unplaced": account.reasons(),
        });
        super::json(&value)?;
        return Ok(());
    }
    let mut out = crate::screen::out();
    let folder = args.out.display().to_string();
    writeln!(out, "{} in {}", plural(account.books, "book"), plain(&folder))?;
    if account.books_lost > 0 {
        writeln!(out, "{} could not be read", plural(account.books_lost, "book"))?;
    }
    let (found, borders) = (account.borders_found, account.borders);
    writeln!(out, "the blanks of {found} of {borders} borders between chunks were found\n")?;
    let mut table = Table::new(&["of the archive", ">cells", ">placed", ">not placed"]);
    for (column, tally) in &account.columns {
        let lost = tally.cells - tally.placed;
        let counts = [tally.cells, tally.placed, lost].map(|count| count.to_string());
        table.row([column.clone()].into_iter().chain(counts));
    }
    writeln!(out, "{table}")?;
    let lost: u64 = account.reasons().values().sum();
    if lost > 0 {
        let mut table = Table::new(&["why not", ">cells"]);
        for (code, count) in account.reasons() {
            table.row([code.to_owned(), count.to_string()]);
        }
        let list = args.out.join(UNPLACED).display().to_string();
        writeln!(out, "{table}{} lists each with its reason\n", plain(&list))?;
    }
    if account.missing > 0 {
        let missing = plural(account.missing, "retelling");
        writeln!(out, "{missing} that the original's rules ask for are not in the archive\n")?;
    }
    writeln!(out, "next: cd {} && storymill build {WORKFLOW}", plain(&folder))?;
    Ok(())
}
