//! `import clipper`: CLIPPER's tables of claims as a set, with the chapters that they name as evidence.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use storymill_claims::{
    import::merge,
    pair::{Scope, Stretch},
    read::Clipper,
};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::Access;

use super::{bytes, import::keep, refused, set_store::Home};
use crate::{
    args::{self, Format, shelf::InShelf},
    exit::{DONE, Exit, Failure},
    novel, report,
    table::plural,
    whole_file,
};

pub(crate) fn run(args: &args::ImportClipper) -> Result<Exit, Failure> {
    let mut clipper = Clipper::default();
    for file in tables(&args.files)? {
        let (book, scope) = named(&file);
        clipper
            .add(&bytes(&file)?, book.as_deref(), scope)
            .map_err(|mistakes| refused(&file, "nothing was imported", &mistakes))?;
    }
    let Clipper { mut read, chapters, left_out, .. } = clipper;
    for (why, count) in &left_out {
        report::warn(&format!("{} left out: {why}", plural(*count as u64, "row")));
    }
    let mut home = Home::open_or_new(&args.into, &InShelf::default(), Access::Change)?;
    let mut texts = BTreeMap::new();
    for book in read.books.iter().map(|book| &book.id) {
        if let Some(found) = args.books.as_deref().map(|books| text(&home, books, book)) {
            texts.insert(book.clone(), found?);
        }
    }
    let mut lost = 0;
    for (pair, chapters) in read.pairs.iter_mut().zip(&chapters) {
        let places = texts.get(&pair.book).map(|text| &text.chapters);
        let found = chapters.iter().filter_map(|number| places?.get(number).copied());
        pair.true_evidence = found.collect();
        lost += usize::from(pair.true_evidence.len() < chapters.len());
        pair.false_evidence.clone_from(&pair.true_evidence);
    }
    let imported = merge(&mut home.set, read, &|_| true)
        .map_err(|mistakes| refused(&args.into, "nothing was imported", &mistakes))?;
    for (book, text) in &texts {
        if let (true, Some(text)) = (text.is_new, &text.whole) {
            whole_file::put(&args.into.join("books").join(format!("{book}.txt")), text.as_bytes())?;
        }
    }
    // The pages of the set are listed when it is opened.
    let set = std::mem::take(&mut home.set);
    let mut home = Home::open_or_new(&args.into, &InShelf::default(), Access::Change)?;
    home.set = set;
    keep(&mut home, &imported, args.format)?;
    if lost > 0 {
        let pairs = plural(lost as u64, "pair");
        report::warn(&format!("{pairs} without the evidence of a chapter: its text was not found"));
        report::hint("`--books DIR` names the folder with the chapters, `DIR/BOOK/1.txt`");
    }
    if args.format == Format::Text {
        let set = args.into.display();
        writeln!(crate::screen::out(), "next: storymill claims lint {set} --balance")?;
    }
    Ok(DONE)
}

/// The tables that were named, and those below folders that were.
fn tables(named: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let (mut tables, mut open) = (Vec::new(), named.to_vec());
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            tables.push(path);
            continue;
        }
        let failed = |error| Fault::io("cannot list the folder", &path, error).input();
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?.path();
            let name = entry.file_name().unwrap_or_default();
            if name == "claims_multiple.csv" || name == "claims_single.csv" || entry.is_dir() {
                open.push(entry);
            }
        }
    }
    tables.sort();
    if tables.is_empty() {
        let message = "there is no table of CLIPPER in the folder";
        let hint =
            "it has `BOOK/claims/claims_multiple.csv`; a table of another name is named itself";
        return Err(Fault::new(FaultKind::Input, message).at(&named[0]).hint(hint));
    }
    Ok(tables)
}

/// The book and the scope that the path of a table says: `51/claims/claims_single.csv`.
fn named(path: &Path) -> (Option<String>, Option<Scope>) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let scope = if name.contains("single") {
        Some(Scope::Passage)
    } else {
        name.contains("multiple").then_some(Scope::Global)
    };
    let folder = path.parent().filter(|folder| folder.ends_with("claims"));
    let book = folder.and_then(|folder| folder.parent()?.file_name());
    (book.map(|book| book.to_string_lossy().into_owned()), scope)
}

/// The text of a book, and where its chapters lie.
struct Text {
    whole: Option<String>,
    is_new: bool,
    chapters: BTreeMap<usize, Stretch>,
}

/// The text that the set has, else what lies in the folder: the chapters in a row, or a text.
fn text(home: &Home, books: &Path, book: &str) -> Result<Text, Failure> {
    let mut files: Vec<(usize, PathBuf)> = Vec::new();
    for entry in fs::read_dir(books.join(book)).into_iter().flatten().flatten() {
        let path = entry.path();
        let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        files.extend(number.map(|number| (number, path)));
    }
    files.sort();
    let mut chapters = Vec::new();
    for (_, file) in &files {
        chapters.push(novel::text(file)?.trim().to_owned());
    }
    let held = home.text(book)?.map(|text| text.expose().clone());
    let is_new = held.is_none();
    let whole = books.join(format!("{book}.txt"));
    let text = match held {
        Some(text) => Some(text),
        // As CLIPPER puts them before its models.
        None if !chapters.is_empty() => Some(chapters.join("\n\n\n\n")),
        None if whole.is_file() => Some(novel::text(&whole)?),
        None => None,
    };
    let mut from = 0;
    let place = |((number, _), chapter): (&(usize, PathBuf), &String)| {
        let text = text.as_deref()?;
        let start = from + text[from..].find(chapter.as_str())?;
        from = start + chapter.len();
        let symbols = |byte: usize| u32::try_from(text[..byte].chars().count()).ok();
        Some((*number, Stretch { start: symbols(start)?, end: symbols(from)? }))
    };
    let chapters = files.iter().zip(&chapters).filter_map(place).collect();
    Ok(Text { whole: text, is_new, chapters })
}
