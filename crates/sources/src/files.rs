//! The files of a folder: which are pages, and which id each name holds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use storymill_core::{BookId, Digest, Fault, FaultKind, nearest, plural};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::catalog::Row;

/// A path that a user wrote, relative to the workflow file.
///
/// It serialises to nothing: a key holds what was read, never where it lay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderPath(PathBuf);

impl FolderPath {
    /// The path as written.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl From<PathBuf> for FolderPath {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl Serialize for FolderPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for FolderPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PathBuf::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for FolderPath {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FolderPath".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "path relative to the workflow file" })
    }
}

/// What to do about a catalog that is not where a workflow says.
pub(crate) const CATALOG: &str = "`catalog` is a path relative to the workflow file";

/// A file that holds a page.
#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    /// The id that its name holds, or the name if it holds none.
    pub(crate) id: Result<BookId, String>,
    pub(crate) row: Option<Row>,
}

/// The pages of a folder in the order of their names, or the one file.
///
/// A link that leads out of the folder is left out unless `links` are followed: whoever builds a folder that somebody else
/// packed would publish files of this machine. What is no plain file is never opened.
pub(crate) fn list(
    path: &Path,
    only: Option<&[String]>,
    links: Links,
    notes: &mut Vec<String>,
) -> Result<Vec<PageFile>, Fault> {
    let meta = look(path)?;
    if meta.is_file() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return match stem(&name) {
            Some(_) => Ok(vec![page(path.to_owned(), name)]),
            None => {
                Err(Fault::new(FaultKind::Input, "the file is not a book").at(path).hint(KINDS))
            }
        };
    }
    let unreadable = |error| Fault::io("cannot read the folder of books", path, error);
    let inside = fs::canonicalize(path).map_err(unreadable)?;
    let mut found = Vec::new();
    let (mut others, mut folders) = (Vec::new(), Vec::new());
    let (mut leading_out, mut no_files) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let meta = fs::metadata(entry.path()).ok();
        if meta.as_ref().is_some_and(fs::Metadata::is_dir) {
            folders.push(name);
        } else if stem(&name).is_some() && meta.is_some_and(|meta| !meta.is_file()) {
            no_files.push(name);
        } else if stem(&name).is_some() && links == Links::Inside && leads_out(&entry, &inside) {
            leading_out.push(name);
        } else if stem(&name).is_some() {
            found.push(page(entry.path(), name));
        } else {
            others.push(name);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    others.sort();
    folders.sort();
    leading_out.sort();
    no_files.sort();
    others.retain(|name| !is_aside(name));
    if let Some(only) = only {
        let missing: Vec<_> = only
            .iter()
            .map(String::as_str)
            .filter(|name| !found.iter().any(|file| file.name == **name))
            .collect();
        if let Some(first) = missing.first() {
            let message = format!(
                "`files` names {} that is not here: {}",
                plural(missing.len() as u64, "file"),
                some(&missing, 10)
            );
            let hint = match nearest(first, found.iter().map(|file| file.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None if leading_out.iter().any(|name| name == first) => FOLLOW.to_owned(),
                None => KINDS.to_owned(),
            };
            return Err(Fault::new(FaultKind::Input, message).at(path).hint(hint));
        }
        found.retain(|file| only.contains(&file.name));
    } else {
        notes.extend(listed(&others, "file", " left out, being no books"));
        notes.extend(listed(&folders, "folder", ", not looked into"));
        let out = listed(&leading_out, "link", " left out, leading out of the folder");
        notes.extend(out.map(|out| format!("{out}; {FOLLOW}")));
        notes.extend(listed(&no_files, "special file", " left out, being pipes or devices"));
    }
    if found.is_empty() {
        let there = [
            listed(&others, "other file", ""),
            listed(&folders, "folder", ", not looked into"),
            listed(&leading_out, "link", " leading out of it"),
            listed(&no_files, "special file", " (pipes or devices)"),
        ];
        let there: Vec<_> = there.into_iter().flatten().collect();
        let what = if there.is_empty() {
            "the folder of books is empty".to_owned()
        } else {
            format!("the folder holds no books, but {}", there.join("; "))
        };
        let hint = if leading_out.is_empty() { KINDS } else { FOLLOW };
        return Err(Fault::new(FaultKind::Input, what).at(path).hint(hint));
    }
    Ok(found)
}

/// Which symbolic links among the files of a folder are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Those to files of the same folder.
    Inside,
    /// All.
    All,
}

/// What to do about links that are left out.
const FOLLOW: &str = "`follow_links = true` under the source takes them";

/// Whether this is a link to somewhere else. One that leads nowhere is a file that cannot be read.
fn leads_out(entry: &fs::DirEntry, inside: &Path) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink())
        && fs::canonicalize(entry.path()).is_ok_and(|target| !target.starts_with(inside))
}

/// Looks at the folder of books, or the one file.
pub(crate) fn look(path: &Path) -> Result<fs::Metadata, Fault> {
    fs::metadata(path).map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let what = if missing {
            "there is no such folder of books"
        } else {
            "cannot read the folder of books"
        };
        Fault::new(FaultKind::Input, what)
            .at(path)
            .because(error)
            .hint("`path` counts from the folder of the workflow file")
    })
}

/// The pages at a path: those of a folder in the order of their names, or the file itself. `notes` gets what else is there.
pub fn pages(path: &Path, notes: &mut Vec<String>) -> Result<Vec<PathBuf>, Fault> {
    if path.is_dir() {
        let found = list(path, None, Links::Inside, notes)?;
        return Ok(found.into_iter().map(|file| file.path).collect());
    }
    Ok(vec![path.to_owned()])
}

/// The id that a page's file name holds, if it holds one.
pub fn page_id(name: &str) -> Option<BookId> {
    stem(name).and_then(id_of)
}

/// Catalogs, notes and the lock, which a folder of books has of right.
fn is_aside(name: &str) -> bool {
    if name == "books.lock" {
        return true;
    }
    let name = Path::new(name);
    let bare = if name.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz")) {
        Path::new(name.file_stem().unwrap_or_default())
    } else {
        name
    };
    bare.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("csv") || end.eq_ignore_ascii_case("md"))
}

/// What kinds of files are read.
pub const KINDS: &str =
    "books are files that end in .epub, or in .html, .htm, .xhtml or .txt, packed as .gz or not";

fn page(path: PathBuf, name: String) -> PageFile {
    let id = stem(&name).and_then(id_of).ok_or_else(|| name.clone());
    PageFile { path, name, id, row: None }
}

/// The name without its endings, if it is that of a page.
fn stem(name: &str) -> Option<&str> {
    let lower = name.to_ascii_lowercase();
    if let Some(stem) = lower.strip_suffix(".epub") {
        return Some(&name[..stem.len()]);
    }
    let bare = lower.strip_suffix(".gz").unwrap_or(&lower);
    [".html", ".htm", ".xhtml", ".txt"]
        .iter()
        .find_map(|ending| bare.strip_suffix(ending))
        .map(|stem| &name[..stem.len()])
}

/// `1342`, `pg1342-images`, `1342-h`, `1342-0` all hold the id 1342; other names are the id, or
/// one is made of them.
fn id_of(stem: &str) -> Option<BookId> {
    let body = stem.strip_prefix("pg").unwrap_or(stem);
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &body[digits..];
    let known = matches!(
        rest,
        "" | "-h"
            | "-0"
            | "-8"
            | "-images"
            | "-images-h"
            | ".utf-8"
            | "-images.html"
            | ".html"
            | "-h.images"
            | "-readable"
            | "-images-3"
            | "-images-kf8"
            | ".epub.images"
            | ".epub3.images"
            | ".epub.noimages"
    );
    if digits > 0 && known {
        return body[..digits].parse().ok();
    }
    stem.parse().ok().or_else(|| made_of(stem))
}

/// An id made of a name with blanks, accents or other letters than those of ids: `Émile II` gives
/// `Emile-II`. Where letters have no place in an id, a digest of the name keeps ids apart.
fn made_of(stem: &str) -> Option<BookId> {
    let mut id = String::new();
    let mut lost = false;
    for c in stem.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => id.push(c),
            'ß' => id.push_str("ss"),
            'æ' | 'Æ' => id.push_str("ae"),
            'œ' | 'Œ' => id.push_str("oe"),
            'ø' | 'Ø' => id.push('o'),
            'ł' | 'Ł' => id.push('l'),
            '\'' | '’' => {}
            _ => {
                lost |= c.is_alphanumeric();
                if !id.ends_with(['-', '.']) {
                    id.push(if c == '.' { '.' } else { '-' });
                }
            }
        }
    }
    let id = id.trim_matches(['-', '.']);
    let room = &id[..id.len().min(LONGEST_NAME)];
    if lost || id.is_empty() || room.len() < id.len() {
        let digest = Digest::of(stem.as_bytes()).short();
        let name = if room.is_empty() { "book" } else { room.trim_end_matches(['-', '.']) };
        return format!("{name}-{digest}").parse().ok();
    }
    id.parse().ok()
}

/// So much of a long name goes into an id, the digest behind it.
const LONGEST_NAME: usize = 40;

/// `2 files left out: a.pdf, b.pdf`; nothing where there are none.
fn listed(names: &[String], thing: &str, what: &str) -> Option<String> {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let all = || format!("{}{what}: {}", plural(names.len() as u64, thing), some(&names, 5));
    (!names.is_empty()).then(all)
}

/// The first of some names.
pub(crate) fn some(names: &[&str], most: usize) -> String {
    let mut text = names[..names.len().min(most)].join(", ");
    if names.len() > most {
        text.push_str(", …");
    }
    text
}
