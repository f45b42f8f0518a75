//! A set as a folder: `pairs.jsonl`, `books.jsonl`, and the texts under `books`.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use storymill_claims::{
    pair::is_book_id,
    set::{Set, lines, read_books, read_pairs},
};
use storymill_core::{Fault, FaultKind};

use super::{bytes, refused};
use crate::{exit::Failure, novel};

/// A set and where its texts lie.
pub(super) struct Folder {
    pub(super) set: Set,
    /// The page of each book by id.
    pub(super) pages: BTreeMap<String, PathBuf>,
}

impl Folder {
    /// Opens a set that must be there.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        if !path.join("pairs.jsonl").is_file() {
            return Err(Fault::new(
                FaultKind::Input,
                "no set of claims here: `pairs.jsonl` is missing",
            )
            .at(path)
            .hint("`storymill claims import FILE --into DIR` makes one")
            .into());
        }
        Self::open_or_new(path)
    }

    /// Opens a set, or begins one.
    pub(super) fn open_or_new(path: &Path) -> Result<Self, Failure> {
        let mut set = Set::default();
        let file = path.join("pairs.jsonl");
        if file.exists() {
            read_pairs(&bytes(&file)?, &mut set)
                .map_err(|mistakes| refused(&file, "the set cannot be read", &mistakes))?;
        }
        let file = path.join("books.jsonl");
        if file.exists() {
            read_books(&bytes(&file)?, &mut set)
                .map_err(|mistakes| refused(&file, "the set's books cannot be read", &mistakes))?;
        }
        Ok(Self { set, pages: pages(&path.join("books"))? })
    }

    /// The texts of the books that pairs are on, as far as they are there.
    pub(super) fn texts(&self) -> Result<BTreeMap<String, String>, Failure> {
        let mut texts = BTreeMap::new();
        for pair in &self.set.pairs {
            if let (Some(page), false) =
                (self.pages.get(&pair.book), texts.contains_key(&pair.book))
            {
                texts.insert(pair.book.clone(), novel::read(page)?.text);
            }
        }
        Ok(texts)
    }

    /// Writes the set; each file is there whole, old or new.
    pub(super) fn write(&self, path: &Path) -> Result<(), Fault> {
        fs::create_dir_all(path)
            .map_err(|error| Fault::io("cannot make the folder", path, error))?;
        replace(&path.join("books.jsonl"), lines(&self.set.books).as_bytes())?;
        replace(&path.join("pairs.jsonl"), lines(&self.set.pairs).as_bytes())
    }
}

/// Borrowed texts, as the functions take them.
pub(super) fn borrowed(texts: &BTreeMap<String, String>) -> BTreeMap<String, &str> {
    texts.iter().map(|(id, text)| (id.clone(), text.as_str())).collect()
}

/// The pages of a folder by the id that their names give; none if there is no folder.
pub(super) fn pages(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Fault> {
    let mut pages: BTreeMap<String, PathBuf> = BTreeMap::new();
    if !folder.is_dir() {
        return Ok(pages);
    }
    let failed = |error| Fault::io("cannot list the folder", folder, error).input();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let known = path.extension().is_some_and(|ending| {
            ["txt", "html", "htm", "xhtml", "epub"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        });
        let id =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
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

/// Puts new bytes in the place of a file at once.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let new = path.with_extension("new");
    let write = || -> std::io::Result<()> {
        let mut file = fs::File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::io("cannot write", path, error)
    })
}
