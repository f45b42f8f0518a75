//! What became of every cell of an archive, and the list of those that have no place.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde::Serialize;
use storymill_core::{
    BookId, Distortion, Fault, Parts, Reason, Record, Rows, Source, Stage, Summary, UnitId,
};
use storymill_pipeline::{Finished, Workflow};
use storymill_sources::{ArchiveFile, NarrativeXl};
use storymill_transforms::{
    ArchivedQuestions, Distort, Hierarchy, Summarize,
    recorded::{Origin, Recorded, Use, packs_differ},
};

use super::archive_asker::OpenArchive;

/// A row of the archive, or a cell of one, that has no place in the dataset.
#[derive(Debug, Serialize)]
pub(super) struct Unplaced {
    book: BookId,
    file: &'static str,
    /// From 1 below the header; blank for a whole file.
    row: Option<u32>,
    column: &'static str,
    /// Which value of the cell, from 1.
    value: Option<u32>,
    pub(super) code: String,
    reason: String,
}

/// What was counted of one column.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    pub(super) cells: u64,
    pub(super) placed: u64,
}

/// What became of an archive.
#[derive(Debug, Default, Serialize)]
pub(super) struct Account {
    pub(super) books: u64,
    pub(super) books_lost: u64,
    /// Borders between chunks, and those of which the blanks were found.
    pub(super) borders: u64,
    pub(super) borders_found: u64,
    /// By file and column.
    pub(super) columns: BTreeMap<String, Tally>,
    /// Retellings that a stage asks for and the archive does not have.
    pub(super) missing: u64,
    #[serde(skip)]
    pub(super) unplaced: Vec<Unplaced>,
}

/// What the run made and refused.
struct Came {
    rows: BTreeSet<Use>,
    rejects: BTreeMap<(UnitId, String, String), Reason>,
    lost: BTreeMap<UnitId, Reason>,
}

impl Came {
    fn of(workflow: &Workflow, run: &Finished<'_>) -> Result<Self, Fault> {
        let mut came =
            Self { rows: BTreeSet::new(), rejects: BTreeMap::new(), lost: BTreeMap::new() };
        for step in &workflow.steps {
            for part in &run.outcome.parts[&step.name] {
                let parts: &dyn Parts = run;
                match step.kind() {
                    Summarize::KIND => came.add(Summarize::KIND, &parts.rows(part)?, scene_of),
                    Hierarchy::KIND => came.add(Hierarchy::KIND, &parts.rows(part)?, Summary::id),
                    Distort::KIND => came.add(Distort::KIND, &parts.rows(part)?, Distortion::id),
                    _ => {}
                }
            }
        }
        for reject in &run.outcome.rejects {
            let (unit, item) = (reject.unit.clone(), reject.reject.item.clone());
            let reason = reject.reject.reason.clone();
            match workflow.step(&reject.step).map(storymill_pipeline::Step::kind) {
                Some(kind) if kind != NarrativeXl::KIND => {
                    came.rejects.insert((unit, kind.to_owned(), item), reason)
                }
                // The book was not read.
                _ => came.lost.insert(unit, reason),
            };
        }
        Ok(came)
    }

    fn add<R: Record>(&mut self, kind: &'static str, rows: &Rows<R>, id: impl Fn(&R) -> String) {
        self.rows.extend(rows.iter().map(|row| (kind, id(row))));
    }

    fn reject(&self, unit: &UnitId, (kind, item): &Use) -> Option<&Reason> {
        self.rejects.get(&(unit.clone(), (*kind).to_owned(), item.clone()))
    }

    /// Why a cell has no place, if it has none.
    fn why(&self, unit: &UnitId, used: &Use, refused: Option<&Reason>) -> Option<Reason> {
        let rejected = self.reject(unit, used);
        // A question goes by the name of its row in the archive, its row here has another id.
        let placed = match used.0 {
            ArchivedQuestions::KIND => rejected.is_none(),
            _ => self.rows.contains(used),
        };
        if placed {
            return None;
        }
        let not_asked = || {
            let detail =
                "no stage asked for it: what it belongs to has no place, or it is one too many";
            Reason::new("not-asked", detail)
        };
        Some(match (refused, rejected) {
            (Some(refused), _) => refused.clone(),
            (None, Some(reason)) if used.0 == Hierarchy::KIND && &*reason.code == "empty" => {
                packs_differ()
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => not_asked(),
        })
    }
}

fn scene_of(summary: &Summary) -> String {
    let id = summary.id();
    id.strip_suffix("/s0").map(str::to_owned).unwrap_or(id)
}

impl Account {
    /// Follows every cell of the archive through what came of it.
    pub(super) fn of(
        workflow: &Workflow,
        run: &Finished<'_>,
        shelf: &OpenArchive,
        files: &[ArchiveFile],
    ) -> Result<Self, Fault> {
        let came = Came::of(workflow, run)?;
        let mut account = Self::default();
        for unit in shelf.units() {
            match (shelf.read(unit)?, came.lost.get(unit)) {
                (Some(archive), None) => {
                    let recorded = Recorded::of(&archive);
                    account.books += 1;
                    account.borders += archive.chunks.len().saturating_sub(1) as u64;
                    account.borders_found +=
                        archive.chunks.iter().filter(|chunk| chunk.gap.is_some()).count() as u64;
                    account.add(unit, &recorded, &came);
                }
                (_, reason) => {
                    account.books_lost += 1;
                    let unread = Reason::new("unreadable", "the book cannot be read");
                    let reason = reason.unwrap_or(&unread);
                    let own = files.iter().filter(|file| file.book == *unit);
                    account.unplaced.extend(own.map(|file| lost(file, reason)));
                }
            }
        }
        Ok(account)
    }

    fn add(&mut self, unit: &UnitId, recorded: &Recorded<'_>, came: &Came) {
        let mut found = Vec::new();
        let mut used = BTreeSet::new();
        for (place, origin, refused) in recorded.cells() {
            used.insert(place.clone());
            let tally =
                self.columns.entry(format!("{} {}", origin.file, origin.column)).or_default();
            tally.cells += 1;
            match came.why(unit, place, refused) {
                None => tally.placed += 1,
                Some(reason) => found.push((origin.clone(), reason)),
            }
        }
        for (origin, reason) in &recorded.loose {
            self.columns.entry(format!("{} {}", origin.file, origin.column)).or_default().cells +=
                1;
            found.push((origin.clone(), reason.clone()));
        }
        found.sort_by(|(one, _), (other, _)| key(one).cmp(&key(other)));
        self.unplaced.extend(found.into_iter().map(|(origin, reason)| Unplaced {
            book: unit.clone(),
            file: origin.file,
            row: Some(origin.row),
            column: origin.column,
            value: Some(origin.nth),
            code: reason.code.to_string(),
            reason: reason.detail,
        }));
        let rejects = came.rejects.keys().filter(|(of, ..)| of == unit);
        let known = |(_, kind, item): &&(UnitId, String, String)| {
            used.iter().any(|(own, name)| own == kind && name == item)
        };
        let kinds = [Summarize::KIND, Hierarchy::KIND, Distort::KIND];
        let asks = |(_, kind, _): &&(UnitId, String, String)| kinds.contains(&&kind[..]);
        self.missing += rejects.filter(asks).filter(|reject| !known(reject)).count() as u64;
    }

    /// How many have no place, by reason.
    pub(super) fn reasons(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for row in &self.unplaced {
            *counts.entry(&row.code[..]).or_default() += 1;
        }
        counts
    }

    /// Writes the list.
    pub(super) fn write(&self, path: &Path) -> Result<(), Fault> {
        let failed = |error: csv::Error| {
            Fault::io("cannot write the list of rows", path, std::io::Error::from(error))
        };
        let mut out =
            csv::WriterBuilder::new().has_headers(false).from_path(path).map_err(failed)?;
        out.write_record(["book", "file", "row", "column", "value", "code", "reason"])
            .map_err(failed)?;
        for row in &self.unplaced {
            out.serialize(row).map_err(failed)?;
        }
        out.flush().map_err(|error| failed(error.into()))
    }
}

fn key(origin: &Origin) -> (&str, u32, &str, u32) {
    (origin.file, origin.row, origin.column, origin.nth)
}

/// A whole file that was lost with its book.
fn lost(file: &ArchiveFile, reason: &Reason) -> Unplaced {
    let rows = file.rows().map_or_else(String::new, |rows| format!(" ({rows} rows)"));
    Unplaced {
        book: file.book.clone(),
        file: file.ending,
        row: None,
        column: "",
        value: None,
        code: reason.code.to_string(),
        reason: format!("the whole file{rows}: {}", reason.detail),
    }
}
