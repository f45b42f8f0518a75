//! The source `narrativexl`: the archive of the original data set, in its own file formats.
//!
//! A book is up to three files of one name: chunks and summaries (`84.tagseparated`), the hierarchy
//! (`84.tagseparated_hierarch_sum`), the questions (`84.questions_shortform`). They are found
//! wherever they lie below the folder. Questions whose names were substituted fit neither the
//! chunks nor the summaries that came with them, so folders called `substituted` are passed over.

mod archive_files;
mod book;
mod table;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Archive, BookId, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Review, Reviews,
    Source, SourceUnit, Stop, plural,
};
use storymill_disk::most;

use crate::{
    catalog::{Catalog, Row},
    files::FolderPath,
    listed,
};
use archive_files::{ArchiveFiles, Files, digest};

/// The ending of files with chunks and summaries.
pub(crate) const SUMMARIES: &str = "tagseparated";
/// The ending of files with a hierarchy.
pub(crate) const LADDER: &str = "tagseparated_hierarch_sum";
/// The ending of files with questions.
pub(crate) const QUESTIONS: &str = "questions_shortform";

/// The archive of NarrativeXL: chunks, summaries true and false, hierarchies, questions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NarrativeXl {
    /// The folder of the archive, relative to the workflow file.
    pub path: FolderPath,
    /// A catalog in CSV that knows the books by their ids, such as Project Gutenberg's
    /// `pg_catalog.csv`. The archive itself names neither titles nor authors.
    #[serde(default)]
    pub catalog: Option<FolderPath>,
}

/// A file of an archive.
#[derive(Clone, Debug)]
pub struct ArchiveFile {
    /// The book it is about.
    pub book: BookId,
    /// Which of its files, by its ending.
    pub ending: &'static str,
    /// Where it is.
    pub path: PathBuf,
}

impl ArchiveFile {
    /// How many rows it has: what is lost with a book that cannot be read. None if it cannot be
    /// told.
    pub fn rows(&self) -> Option<u32> {
        table::count(&storymill_disk::read(&self.path, most::TABLE).ok()?)
    }
}

impl Options for NarrativeXl {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.path.as_path().as_os_str().is_empty() {
            return vec![("path", "is empty; `.` is the workflow's own folder".to_owned())];
        }
        Vec::new()
    }
}

impl Source for NarrativeXl {
    const KIND: &'static str = "narrativexl";
    const VERSION: u32 = 1;
    type Out = Archive;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Archive>>, Fault> {
        Ok(Box::new(self.shelf(env.root)?))
    }
}

impl OpenSource<Archive> for ArchiveFiles {
    fn units(&self, known: &Known) -> Result<Listing, Fault> {
        let units = self.books.par_iter().map(|(id, files)| files.unit(id, self.row(id), known));
        let mut notes = Vec::new();
        if self.substituted > 0 {
            notes.push(format!(
                "{} with substituted names left out: the summaries have the names of the books",
                plural(self.substituted as u64, "file")
            ));
        }
        let bare = self.books.values().filter(|files| files.questions.is_none()).count();
        if bare > 0 {
            notes.push(format!("{} without questions", plural(bare as u64, "book")));
        }
        Ok(Listing { units: units.collect(), notes })
    }

    fn read(&self, unit: &SourceUnit, reviews: &mut Reviews<'_>) -> Result<Vec<Archive>, Stop> {
        let bytes = self.files(&unit.unit)?.bytes()?;
        let row = self.row(&unit.unit);
        let digest = digest(&bytes, &row.map(Row::canonical).unwrap_or_default());
        listed::unchanged(unit, digest, "the archive or its catalog")?;
        let archive = book::read(&unit.unit, &bytes, row).map_err(Stop::Reject)?;
        doubts(&archive).for_each(|doubt| reviews.note(doubt));
        for ending in book::perhaps_cut(&bytes) {
            let end = book::end_of(&bytes, ending);
            if reviews.decide(perhaps_cut(&unit.unit, ending, end))? == "cut" {
                return Err(Stop::left_out("cut-off", "people decided that it is not whole"));
            }
        }
        Ok(vec![archive])
    }
}

impl NarrativeXl {
    /// The archive at a path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: FolderPath::from(path.into()), catalog: None }
    }

    /// The same with a catalog.
    pub fn with_catalog(self, catalog: impl Into<PathBuf>) -> Self {
        Self { catalog: Some(FolderPath::from(catalog.into())), ..self }
    }

    /// The files that are read, by book and ending.
    pub fn files(&self, root: &Path) -> Result<Vec<ArchiveFile>, Fault> {
        let shelf = self.shelf(root)?;
        let named = |book: &BookId, ending, path: &Option<PathBuf>| {
            let (book, path) = (book.clone(), path.clone()?);
            Some(ArchiveFile { book, ending, path })
        };
        let of = |(book, files): (&BookId, &Files)| {
            [
                named(book, SUMMARIES, &files.summaries),
                named(book, LADDER, &files.ladder),
                named(book, QUESTIONS, &files.questions),
            ]
        };
        Ok(shelf.books.iter().flat_map(of).flatten().collect())
    }

    fn shelf(&self, root: &Path) -> Result<ArchiveFiles, Fault> {
        let mut shelf = ArchiveFiles::default();
        let folder = root.join(self.path.as_path());
        shelf.search(&folder, false)?;
        if shelf.books.is_empty() {
            return Err(Fault::new(FaultKind::Input, "the folder holds no NarrativeXL archive")
                .at(folder)
                .hint(format!(
                    "its books are files like `84.{SUMMARIES}` and `84.{QUESTIONS}`, in any folder below"
                )));
        }
        if let Some(catalog) = &self.catalog {
            shelf.catalog =
                Some(Catalog::open(&root.join(catalog.as_path()), crate::files::CATALOG)?);
        }
        Ok(shelf)
    }
}

/// A file without the separator that the original writes at the end.
fn perhaps_cut(book: &BookId, ending: &str, end: String) -> Review {
    Review {
        item: format!("{book}.{ending}"),
        code: "perhaps-cut".into(),
        question: "the file does not end with a separator of rows; is it whole?".to_owned(),
        excerpt: String::new(),
        text: end,
        choices: vec!["whole".to_owned(), "cut".to_owned()],
        default: "whole".to_owned(),
        ..Review::default()
    }
}

/// Summaries that the original itself had doubts about.
fn doubts(archive: &Archive) -> impl Iterator<Item = Review> + '_ {
    let warned = |failure: &str| failure.eq_ignore_ascii_case("warning");
    let chunks = archive.chunks.iter().enumerate();
    chunks.filter(move |(_, chunk)| warned(&chunk.failure)).map(|(at, chunk)| Review {
        item: format!("{}/{at:04}", archive.book),
        code: "original-warning".into(),
        question: "the original took this whole answer for a summary; is it one?".to_owned(),
        excerpt: chunk.summary.chars().take(300).collect(),
        // The archive's words are recorded answers: whoever wants others asks a model.
        choices: vec!["keep".to_owned()],
        default: "keep".to_owned(),
        ..Review::default()
    })
}
