//! From what a server sent to a page: packing undone, and a look whether it is a book at all.

use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use storymill_core::BookId;
use storymill_sources::clean;
use zip::ZipArchive;

/// Entries of an archive of one book, pictures included.
const ENTRIES: usize = 20_000;

/// A page as it is kept.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) bytes: Vec<u8>,
    /// `.html` or `.txt`.
    pub(crate) ending: &'static str,
}

/// Makes a page of what came under a name, or says why it is none.
pub(crate) fn page(id: &BookId, name: &str, body: Vec<u8>, most: usize) -> Result<Page, String> {
    let (name, bytes) = if body.starts_with(b"PK\x03\x04") {
        from_zip(id, &body, most)?
    } else if body.starts_with(b"\x1f\x8b") {
        let page = gunzip(&body, most)?.ok_or_else(|| too_large(most))?;
        (name.trim_end_matches(".gz").to_owned(), page)
    } else {
        (name.to_owned(), body)
    };
    let page = Page { bytes, ending: ending(&name) };
    let cleaned = clean(&page.bytes, &format!("{id}{}", page.ending));
    let cleaned = cleaned.and_then(|cleaned| cleaned.check(0).map(|()| cleaned));
    let cleaned =
        cleaned.map_err(|reason| format!("cannot make a book of it: {}", reason.detail))?;
    match numbers(&cleaned.page.text).as_slice() {
        [] => Ok(page),
        numbers if numbers.contains(&id.as_str()) => Ok(page),
        numbers => Err(format!("it says it is eBook {}", numbers.join(", "))),
    }
}

/// The ending that a page is kept under, by the name it had.
pub(crate) fn ending(name: &str) -> &'static str {
    if name.to_ascii_lowercase().contains(".txt") { ".txt" } else { ".html" }
}

/// The numbers that a page's head gives itself: `[eBook #1342]`.
fn numbers(text: &str) -> Vec<&str> {
    let head = &text[..text.floor_char_boundary(8 * 1024)];
    let lower = head.to_ascii_lowercase();
    let mut found = Vec::new();
    for word in ["[ebook #", "[etext #"] {
        for (at, _) in lower.match_indices(word) {
            let rest = &head[at + word.len()..];
            let end = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
            if end > 0 && rest[end..].starts_with(']') {
                found.push(&rest[..end]);
            }
        }
    }
    found
}

/// Undoes gzip; nothing where more comes out than a page may have.
pub(crate) fn gunzip(bytes: &[u8], most: usize) -> Result<Option<Vec<u8>>, String> {
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(most as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|error| format!("the gzip data are damaged: {error}"))?;
    Ok((out.len() <= most).then_some(out))
}

pub(crate) fn too_large(most: usize) -> String {
    format!("it is larger than {} MB", most / 1024 / 1024)
}

/// The page in an archive: HTML before text, the one with the id before others, the largest.
fn from_zip(id: &BookId, bytes: &[u8], most: usize) -> Result<(String, Vec<u8>), String> {
    let broken = |error| format!("the zip archive is damaged: {error}");
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if zip.len() > ENTRIES {
        return Err(format!("the archive has more than {ENTRIES} entries"));
    }
    let mut best = None;
    for at in 0..zip.len() {
        let entry = zip.by_index_raw(at).map_err(broken)?;
        let name = entry.name().map(std::borrow::Cow::into_owned).unwrap_or_default();
        let lower = name.to_ascii_lowercase();
        let html = [".htm", ".html", ".xhtml"].iter().any(|end| lower.ends_with(end));
        if !entry.is_dir() && (html || ending(&lower) == ".txt") {
            let own = lower.rsplit('/').next().is_some_and(|file| {
                file.trim_start_matches("pg")
                    .strip_prefix(id.as_str())
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            });
            best = best.max(Some((html, own, entry.size(), at, name)));
        }
    }
    let (_, _, _, at, name) = best.ok_or("the archive holds no page")?;
    let entry = zip.by_index(at).map_err(broken)?;
    let mut out = Vec::new();
    entry
        .take(most as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|error| format!("`{name}` in the archive is damaged: {error}"))?;
    if out.len() > most { Err(too_large(most)) } else { Ok((name, out)) }
}
