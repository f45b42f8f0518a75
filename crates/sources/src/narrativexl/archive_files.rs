//! Which files an archive has, and what they are to each book.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use storymill_core::{BookId, Digest, Fault, FaultKind, Known, Reason, SourceUnit};
use storymill_disk::most;

use super::{LADDER, QUESTIONS, SUMMARIES, book::Bytes};
use crate::{
    catalog::{Catalog, Row},
    listed,
};

/// The files of an archive by book, and the catalog.
#[derive(Debug, Default)]
pub(super) struct ArchiveFiles {
    pub(super) books: BTreeMap<BookId, Files>,
    pub(super) catalog: Option<Catalog>,
    /// Files of these formats that were passed over.
    pub(super) substituted: usize,
}

/// The files of a book.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) summaries: Option<PathBuf>,
    pub(super) ladder: Option<PathBuf>,
    pub(super) questions: Option<PathBuf>,
}

impl ArchiveFiles {
    pub(super) fn search(&mut self, folder: &Path, substituted: bool) -> Result<(), Fault> {
        let unreadable = |error| Fault::io("cannot read the archive", folder, error).input();
        let entries = fs::read_dir(folder).map_err(unreadable)?;
        let entries: Result<Vec<_>, _> = entries.collect();
        let mut paths: Vec<_> =
            entries.map_err(unreadable)?.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                let substituted = substituted || name.eq_ignore_ascii_case("substituted");
                self.search(&path, substituted)?;
            } else {
                self.add(path, &name, substituted)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: PathBuf, name: &str, substituted: bool) -> Result<(), Fault> {
        let Some((stem, ending)) = name.rsplit_once('.') else { return Ok(()) };
        if ![SUMMARIES, LADDER, QUESTIONS].contains(&ending) {
            return Ok(());
        }
        if substituted {
            self.substituted += 1;
            return Ok(());
        }
        let id: BookId = stem.parse().map_err(|error| {
            let fault = Fault::new(FaultKind::Input, "no book id in the file name").at(&path);
            fault.because(error).hint(format!("expected `ID.{ending}`, as in `1342.{ending}`"))
        })?;
        let files = self.books.entry(id).or_default();
        let place = match ending {
            SUMMARIES => &mut files.summaries,
            LADDER => &mut files.ladder,
            _ => &mut files.questions,
        };
        if let Some(other) = place {
            let message = format!("{} and another file are the same of one book", other.display());
            return Err(Fault::new(FaultKind::Input, message)
                .at(path)
                .hint("import one folder of the archive, or move one of the files away"));
        }
        *place = Some(path);
        Ok(())
    }

    pub(super) fn row(&self, id: &BookId) -> Option<&Row> {
        self.catalog.as_ref()?.find("", Some(id))
    }

    pub(super) fn files(&self, id: &BookId) -> Result<&Files, Fault> {
        self.books.get(id).ok_or_else(|| {
            Fault::new(FaultKind::Input, format!("the archive no longer holds book {id}"))
        })
    }
}

impl Files {
    pub(super) fn bytes(&self) -> Result<Bytes, Fault> {
        let read = |path: &Option<PathBuf>| match path {
            Some(path) => storymill_disk::read(path, most::TABLE)
                .map_err(|error| Fault::io("cannot read the archive", path, error).input()),
            None => Ok(Vec::new()),
        };
        Ok(Bytes {
            summaries: read(&self.summaries)?,
            ladder: read(&self.ladder)?,
            questions: read(&self.questions)?,
        })
    }

    pub(super) fn unit(&self, id: &BookId, row: Option<&Row>, known: &Known) -> SourceUnit {
        let files = [&self.summaries, &self.questions, &self.ladder];
        let files: Vec<_> = files.into_iter().flatten().map(PathBuf::as_path).collect();
        let row = row.map(Row::canonical).unwrap_or_default();
        let mut unit = listed::unit(id.clone(), &files, &row, known, || match self.bytes() {
            Ok(bytes) => (digest(&bytes, &row), None),
            Err(fault) => {
                let reason = Reason::new("unreadable", fault.to_string());
                (digest(&Bytes::default(), &row), Some(reason))
            }
        });
        if self.summaries.is_none() {
            let detail = format!("there is no file {id}.{SUMMARIES}, which holds the book");
            unit.spoiled = Some(Reason::new("no-summaries", detail));
        }
        unit
    }
}

/// The digest of all that a book is made from: its files' bytes and its catalog row.
pub(super) fn digest(bytes: &Bytes, row: &str) -> Digest {
    let parts = [&bytes.summaries, &bytes.ladder, &bytes.questions].map(Vec::as_slice);
    let parts = parts.into_iter().chain([row.as_bytes()]);
    Digest::of_parts("storymill 2026 narrativexl source unit", parts)
}
