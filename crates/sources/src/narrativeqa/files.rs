//! The released files together: which document has which summary and which questions.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use storymill_core::{
    AskedDocument, AskedQuestion, BookId, Fault, FaultKind, Reply, did_you_mean, plural,
};

use super::{
    ByBook,
    table::{Row, Table},
};
use crate::files::some;

/// What the files ask about which book.
pub(super) struct Released {
    pub(super) by_book: ByBook,
    pub(super) notes: Vec<String>,
    pub(super) documents_path: PathBuf,
}

/// The kind of documents that are no books.
const FILM: &str = "movie";

/// Reads the files of a folder.
pub(super) fn read(folder: &Path) -> Result<Released, Fault> {
    let columns = ["document_id", "set", "kind", "story_url", "wiki_title"];
    let documents = Table::read(&folder.join("documents.csv"), &columns)?;
    let columns = ["document_id", "question", "answer1", "answer2"];
    let questions = Table::read(&folder.join("qaps.csv"), &columns)?;
    let places = ["summaries.csv", "third_party/wikipedia/summaries.csv"];
    let summaries = places.map(|place| folder.join(place)).into_iter().find(|path| path.exists());
    let summaries =
        summaries.map(|path| Table::read(&path, &["document_id", "summary"])).transpose()?;
    let mut notes = Vec::new();
    let mut summary = if let Some(table) = &summaries {
        summaries_of(table)?
    } else {
        notes.push("there are no summaries: what needs them judges by less".to_owned());
        BTreeMap::new()
    };
    let mut known = BTreeSet::new();
    let mut by_book = ByBook::new();
    let mut place: BTreeMap<&str, (BookId, usize)> = BTreeMap::new();
    let mut films = 0u64;
    for row in &documents.rows {
        let id = named(&documents, row)?;
        if !known.insert(id) {
            return Err(documents.wrong(row, &format!("is a second row of the document `{id}`")));
        }
        if documents.cell(row, "kind") == FILM {
            films += 1;
            continue;
        }
        let document = document(&documents, row, id)?;
        let of = document.of.clone();
        let held = by_book.entry(of.clone()).or_default();
        place.insert(id, (of, held.len()));
        held.push(AskedDocument { summary: summary.remove(id).unwrap_or_default(), ..document });
    }
    for (table, what) in &[(Some(&questions), "a question"), (summaries.as_ref(), "a summary")] {
        let Some(table) = table else { continue };
        for row in &table.rows {
            let id = named(table, row)?;
            if !known.contains(id) {
                let message = format!("has {what} of the document `{id}`");
                return Err(table
                    .wrong(row, &message)
                    .hint(format!("{} has no such document", documents.path.display())));
            }
        }
    }
    for row in &questions.rows {
        let Some((of, at)) = place.get(named(&questions, row)?) else { continue };
        let held = by_book.get_mut(of).map_or(&mut [][..], Vec::as_mut_slice);
        let number = held.iter().map(|document| document.questions.len()).sum::<usize>() + 1;
        let text = questions.cell(row, "question");
        if text.is_empty() {
            return Err(questions.wrong(row, "has no question"));
        }
        let answers = [(1, "answer1"), (2, "answer2")].map(|(number, column)| Reply {
            number,
            text: questions.cell(row, column).to_owned(),
            is_modified: false,
        });
        held[*at].questions.push(AskedQuestion {
            id: format!("{of}/q{number:03}"),
            question: text.to_owned(),
            answers: answers.into_iter().filter(|answer| !answer.text.is_empty()).collect(),
            is_modified: false,
        });
    }
    if films > 0 {
        notes.push(format!("{} left out: they are scripts of films", plural(films, "document")));
    }
    let all = by_book.values().flatten();
    let bare: Vec<&str> =
        all.filter(|one| one.questions.is_empty()).map(|one| one.id.as_str()).collect();
    if !bare.is_empty() {
        let many = plural(bare.len() as u64, "document");
        notes.push(format!("{many} without questions: {}", some(&bare, 5)));
    }
    Ok(Released { by_book, notes, documents_path: documents.path })
}

fn named<'r>(table: &Table, row: &'r Row) -> Result<&'r str, Fault> {
    match table.cell(row, "document_id") {
        "" => Err(table.wrong(row, "has no document_id")),
        id => Ok(id),
    }
}

fn summaries_of(table: &Table) -> Result<BTreeMap<&str, String>, Fault> {
    let mut summaries = BTreeMap::new();
    for row in &table.rows {
        let id = named(table, row)?;
        if summaries.insert(id, table.cell(row, "summary").to_owned()).is_some() {
            return Err(table.wrong(row, &format!("is a second summary of the document `{id}`")));
        }
    }
    Ok(summaries)
}

fn document(table: &Table, row: &Row, id: &str) -> Result<AskedDocument, Fault> {
    let address = table.cell(row, "story_url");
    let of = book_of(address).ok_or_else(|| {
        table.wrong(row, &format!("has the address `{address}`, which names no book")).hint(
            "an address ends with a number, as `/ebooks/541.txt.utf-8`, or with a file's name",
        )
    })?;
    let split = match table.cell(row, "set") {
        "valid" => "validation",
        set @ ("train" | "validation" | "test") => set,
        set => {
            let message = format!("says that the document is of the set `{set}`");
            return Err(table.wrong(row, &message).hint("use `train`, `valid` or `test`"));
        }
    };
    Ok(AskedDocument {
        id: id.to_owned(),
        of,
        split: split.to_owned(),
        title: table.cell(row, "wiki_title").to_owned(),
        address: address.to_owned(),
        summary: String::new(),
        questions: Vec::new(),
        book: None,
        book_title: String::new(),
        kind: String::new(),
        evidence: Vec::new(),
        left_out: None,
        passed: Vec::new(),
        revisions: Vec::new(),
    })
}

/// The book that an address names: the first of its parts that begins with a number, as Project Gutenberg's addresses
/// have it; else the name of the file, without its ending.
fn book_of(address: &str) -> Option<BookId> {
    let path = address.split_once("://").map_or(address, |(_, path)| path);
    let parts = path.split('/').skip(usize::from(path.len() < address.len()));
    let numbered = |part: &&str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < part.len() && (rest.is_empty() || rest.starts_with(['.', '-', '?']))
    };
    let file = || path.rsplit('/').next().unwrap_or_default();
    let part = parts.clone().find(numbered).unwrap_or_else(file);
    let end =
        if numbered(&part) { part.find(|c: char| !c.is_ascii_digit()) } else { part.find('.') };
    part[..end.unwrap_or(part.len())].parse().ok()
}

impl Released {
    /// The sets that documents are of, in the words of the table.
    pub(super) fn sets(&self) -> Vec<&'static str> {
        ["train", "valid", "test"].into_iter().filter(|set| self.has_set(set)).collect()
    }

    /// Whether a document is of a set.
    pub(super) fn has_set(&self, set: &str) -> bool {
        self.by_book.values().flatten().any(|document| document.split == split_of(set))
    }

    /// Keeps documents of some sets and books.
    pub(super) fn retain(
        &mut self,
        sets: Option<&[String]>,
        ids: Option<&[BookId]>,
    ) -> Result<(), Fault> {
        if let Some(unknown) = ids.into_iter().flatten().find(|id| !self.by_book.contains_key(*id))
        {
            let message = format!("`ids` names the book {unknown}, and no document is about it");
            let known = self.by_book.keys().map(BookId::as_str);
            let fault = Fault::new(FaultKind::Input, message).at(&self.documents_path);
            return Err(match did_you_mean(unknown.as_str(), known) {
                Some(hint) => fault.hint(hint),
                None => fault,
            });
        }
        self.by_book.retain(|id, documents| {
            documents.retain(|document| {
                sets.is_none_or(|sets| sets.iter().any(|set| split_of(set) == document.split))
            });
            !documents.is_empty() && ids.is_none_or(|ids| ids.contains(id))
        });
        Ok(())
    }
}

/// A set in the words of the table as a split.
fn split_of(set: &str) -> &str {
    if set == "valid" { "validation" } else { set }
}

#[cfg(test)]
mod tests {
    use super::book_of;

    #[track_caller]
    fn check(address: &str, expected: Option<&str>) {
        let found = book_of(address);
        assert_eq!(found.as_ref().map(storymill_core::UnitId::as_str), expected, "{address}");
    }

    #[test]
    fn addresses_name_books() {
        check("http://www.gutenberg.org/ebooks/21572.txt.utf-8", Some("21572"));
        check("http://www.gutenberg.org/files/1292/1292-0.txt", Some("1292"));
        check("https://www.gutenberg.org/cache/epub/541/pg541.txt", Some("541"));
        check("https://www.gutenberg.org/ebooks/541", Some("541"));
        check("data/books/sm01.html", Some("sm01"));
        check("https://127.0.0.1/books/sm01.html", Some("sm01"));
        check("sm02", Some("sm02"));
        check("", None);
        check("https://example.org/", None);
    }
}
