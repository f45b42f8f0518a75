//! EPUB 2 and 3: a book in a zip archive, opened as one page.
//!
//! The XHTML documents of the spine, joined in reading order, are the *decoded page* into which
//! all spans point. Each is walked like any other page, into the same blocks; what the table of
//! contents says of a document's title counts where the document has no heading of its own, and what
//! package and documents say of themselves (a cover, a preface, notes) counts where it leaves a story. What
//! may be in an archive is decided in [`archive`], what is locked in [`protection`].

mod archive;
mod contents;
mod matter;
mod package;
mod protection;
pub(crate) mod styles;
pub(crate) mod xml;

use storymill_core::Reason;

pub(crate) use self::package::resolve;
use self::{
    archive::Archive,
    package::{Package, Place},
};
use crate::{
    cut::Why,
    encoding::{self, Decoded},
    gutenberg::{
        blocks::Leaves,
        documents::{self, Document},
    },
    page_says::PageSays,
    unpack::LARGEST,
};

/// An EPUB as a page and what its package says.
pub(crate) struct Epub {
    pub(crate) page: Decoded,
    pub(crate) leaves: Leaves,
    pub(crate) says: PageSays,
    /// Whether a header inside the book knows better.
    pub(crate) converted: bool,
}

/// Whether a file is a zip archive, by its first bytes.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Opens an EPUB.
pub(crate) fn open(bytes: &[u8]) -> Result<Epub, Reason> {
    let mut archive = Archive::open(bytes)?;
    let root = package::root(&mut archive)?;
    protection::check(&mut archive)?;
    let package = Package::read(&mut archive, &root)?;
    let titles = contents::titles(&mut archive, &package)?;
    let styles = styles::read(&mut archive, &package.sheets)?;
    let mut page = Decoded { text: String::new(), encoding: "UTF-8", rule: "utf-8", unsure: None };
    let mut parts = Vec::with_capacity(package.spine.len());
    for Place { path, apart } in &package.spine {
        let decoded = document(&mut archive, path)?;
        if parts.is_empty() {
            (page.encoding, page.rule) = (decoded.encoding, decoded.rule);
        }
        if page.text.len() + decoded.text.len() >= LARGEST {
            let detail = format!("the book's text is larger than {} MB", LARGEST / 1024 / 1024);
            return Err(Reason::new("too-large", detail));
        }
        let start = page.text.len();
        page.text.push_str(&decoded.text);
        let apart = apart.or_else(|| matter::apart(&decoded.text));
        parts.push((path, start..page.text.len(), apart));
        page.text.push('\n');
    }
    let documents: Vec<_> = parts
        .into_iter()
        .map(|(path, range, apart)| Document {
            path,
            range,
            titles: titles.get(path).map_or(&[][..], Vec::as_slice),
            apart: if package.contents.as_ref() == Some(path) {
                Some(Why::Contents)
            } else {
                apart
            },
        })
        .collect();
    let mut leaves = documents::leaves(&page.text, &documents, &styles)?;
    // What a single document calls itself is a chapter's name, or `Cover`.
    leaves.title = package.title;
    Ok(Epub { page, leaves, says: package.says, converted: package.converted })
}

/// Reads one document of the spine.
fn document(archive: &mut Archive<'_>, path: &str) -> Result<Decoded, Reason> {
    let bytes = archive.read(path)?.ok_or_else(|| {
        Reason::new("bad-epub", format!("the reading order names `{path}`, which is not there"))
    })?;
    if is_zip(&bytes) || bytes.starts_with(b"\x1f\x8b") {
        let detail = format!("`{path}` is an archive inside the archive");
        return Err(Reason::new("nested-archive", detail));
    }
    let place = format!(" of `{path}`");
    encoding::check_bytes(&bytes, &place)?;
    let decoded = encoding::decode(&bytes);
    decoded.check(&place)?;
    xml::no_entities(path, &decoded.text)?;
    Ok(decoded)
}
