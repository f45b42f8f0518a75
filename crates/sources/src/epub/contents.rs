//! The titles that the table of contents gives: the navigation document of EPUB 3, else the NCX.

use std::collections::HashMap;

use storymill_core::Reason;
use storymill_text::one_line;

use super::{
    archive::Archive,
    package::{Package, resolve},
    xml::{self, Element, Step},
};
use crate::{encoding, gutenberg::entries::Title};

/// Titles by document, in the order of the table.
pub(super) type Titles = HashMap<String, Vec<Title>>;

/// Reads the table of contents. A table that cannot be read is as good as none: the documents'
/// own headings count first anyway.
pub(super) fn titles(archive: &mut Archive<'_>, package: &Package) -> Result<Titles, Reason> {
    for (path, is_nav) in [(&package.contents, true), (&package.ncx, false)] {
        let Some(path) = path else { continue };
        let Some(bytes) = archive.read(path)? else { continue };
        let text = encoding::decode(&bytes).text;
        let mut table = Table { path, is_nav, inside: !is_nav, ..Table::default() };
        match xml::walk(path, &text, |step| table.step(step)) {
            Err(reason) if reason.code == "xml-entities" => return Err(reason),
            Ok(()) | Err(_) if !table.entries.is_empty() => return Ok(by_document(table.entries)),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(Titles::new())
}

/// An entry: its words, how deep it stands, the document and the anchor that it leads to.
struct Entry {
    text: String,
    depth: u8,
    target: (String, String),
}

fn by_document(entries: Vec<Entry>) -> Titles {
    let mut titles = Titles::new();
    let depths: Vec<u8> = entries.iter().map(|entry| entry.depth).collect();
    for (at, Entry { text, depth, target: (path, fragment) }) in entries.into_iter().enumerate() {
        let below = depths[at + 1..].iter().take_while(|below| **below > depth);
        let height = below.max().map_or(0, |lowest| lowest - depth);
        titles.entry(path).or_default().push(Title { text, fragment, height });
    }
    titles
}

#[derive(Default)]
struct Table<'p> {
    path: &'p str,
    is_nav: bool,
    /// Whether the walk is inside the table, not in a list of pages or landmarks.
    inside: bool,
    words: String,
    depth: u8,
    /// Entries without a link, which lead where the next one leads.
    unlinked: Vec<(String, u8)>,
    /// Where the entry at hand leads.
    target: Option<(String, String)>,
    entries: Vec<Entry>,
}

impl Table<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Text(text) => self.words.push_str(&text),
            Step::Open(element) if self.is_nav => self.open_nav(&element),
            Step::Open(element) => self.open_ncx(&element),
            Step::Close(name) => match name.as_str() {
                "nav" if self.is_nav => self.inside = false,
                "a" if self.is_nav => self.entry(),
                "ol" | "navPoint" => self.depth = self.depth.saturating_sub(1),
                "pageList" | "navList" => self.inside = true,
                _ => {}
            },
        }
    }

    fn open_nav(&mut self, element: &Element) {
        match element.name.as_str() {
            "nav" => self.inside = element.get("type").is_none_or(|kind| kind.contains("toc")),
            "li" => self.words.clear(),
            "ol" => {
                let text = one_line(&self.words);
                if self.inside && self.depth > 0 && !text.is_empty() {
                    self.unlinked.push((text, self.depth));
                }
                self.words.clear();
                self.depth = self.depth.saturating_add(1);
            }
            "a" => {
                self.words.clear();
                self.target = element.get("href").and_then(|href| resolve(self.path, href));
            }
            _ => {}
        }
    }

    fn open_ncx(&mut self, element: &Element) {
        match element.name.as_str() {
            "pageList" | "navList" => self.inside = false,
            "navPoint" => self.depth = self.depth.saturating_add(1),
            "navLabel" => self.words.clear(),
            "content" => {
                self.target = element.get("src").and_then(|src| resolve(self.path, src));
                self.entry();
            }
            _ => {}
        }
    }

    fn entry(&mut self) {
        let text = one_line(&std::mem::take(&mut self.words));
        if let Some(target) = self.target.take()
            && self.inside
            && !text.is_empty()
        {
            let above = self.unlinked.drain(..);
            let above = above.map(|(text, depth)| Entry { text, depth, target: target.clone() });
            self.entries.extend(above);
            self.entries.push(Entry { text, depth: self.depth, target });
        }
    }
}
