//! The pages that a set of claims has the texts of its books in.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use storymill_claims::pair::is_book_id;
use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_sources::{clean, page_id};

/// The pages of a set's folder `books` by the id that their names give; none if there is no folder.
///
/// # Errors
///
/// The folder cannot be listed, or two pages are of one book.
pub fn pages_of_set(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Fault> {
    let mut pages: BTreeMap<String, PathBuf> = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(pages);
    }
    let failed = |error| Fault::io("cannot list the folder", folder, error).input();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let known = path.extension().is_some_and(|ending| {
            let known = ["txt", "html", "htm", "xhtml", "epub"];
            known.iter().any(|known| ending.eq_ignore_ascii_case(known))
        });
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let id = id.unwrap_or_default();
        if !known || !path.is_file() || !is_book_id(&id) {
            continue;
        }
        if let Some(other) = pages.insert(id, path.clone()) {
            let other = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let message = format!("this text and `{other}` are of one book");
            return Err(Fault::new(FaultKind::Input, message).at(path));
        }
    }
    Ok(pages)
}

/// The text of a page that somebody named: plain text as it is, any other page as a build cleans it, to the byte.
///
/// # Errors
///
/// It cannot be read, or it is not a book.
pub fn text_of_page(path: &Path) -> Result<String, Fault> {
    let bytes = storymill_disk::read(path, most::BOOK)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    if path.extension().is_some_and(|extension| extension == "txt") {
        return String::from_utf8(bytes).map_err(|error| {
            Fault::new(FaultKind::Input, "not UTF-8 text").at(path).because(error)
        });
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = page_id(&name).unwrap_or_else(|| "book".parse().expect("it is short and plain"));
    let cleaned = clean(&bytes, &name).and_then(|cleaned| {
        cleaned.check(0)?;
        Ok(cleaned)
    });
    let cleaned = cleaned.map_err(|reason| {
        let message =
            format!("cannot make a book of the page: {} ({})", reason.detail, reason.code);
        Fault::new(FaultKind::Input, message).at(path)
    })?;
    Ok(cleaned.book(id, None).text)
}
