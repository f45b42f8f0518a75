//! The package of an EPUB: where it is, the reading order, the table of contents, the facts.

use std::collections::{HashMap, HashSet};

use storymill_core::Reason;

use super::{
    archive::Archive,
    xml::{self, Element, Step},
};
use crate::{clean::PageSays, encoding};

/// What the package file says; all paths count from the top of the archive.
#[derive(Debug, Default)]
pub(super) struct Package {
    /// The documents in reading order.
    pub(super) spine: Vec<String>,
    /// The navigation document of EPUB 3.
    pub(super) contents: Option<String>,
    /// The NCX of EPUB 2.
    pub(super) ncx: Option<String>,
    pub(super) says: PageSays,
}

/// The path of the package file.
pub(super) fn root(archive: &mut Archive<'_>) -> Result<String, Reason> {
    let path = "META-INF/container.xml";
    let bytes = archive.read(path)?.ok_or_else(|| {
        Reason::new("not-an-epub", format!("the zip archive has no `{path}`, so it is no EPUB"))
    })?;
    let text = encoding::decode(&bytes).text;
    let mut root = None;
    xml::walk(path, &text, |step| {
        if let Step::Open(element) = step
            && element.name == "rootfile"
            && root.is_none()
        {
            root = element.get("full-path").map(str::to_owned);
        }
    })?;
    root.ok_or_else(|| xml::bad(path, "it names no package file"))
}

impl Package {
    pub(super) fn read(archive: &mut Archive<'_>, root: &str) -> Result<Self, Reason> {
        let bytes = archive.read(root)?.ok_or_else(|| xml::bad(root, "it is not there"))?;
        let text = encoding::decode(&bytes).text;
        let mut reading = Reading { root, items: HashMap::new(), ..Reading::default() };
        xml::walk(root, &text, |step| reading.step(step))?;
        reading.finish()
    }
}

/// One entry of the manifest.
struct Item {
    path: Option<String>,
    is_page: bool,
}

#[derive(Default)]
struct Reading<'r> {
    root: &'r str,
    items: HashMap<String, Item>,
    order: Vec<String>,
    toc: Option<String>,
    package: Package,
    /// The fact whose text comes next.
    fact: String,
    words: String,
}

impl Reading<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Open(element) => {
                self.words.clear();
                self.fact.clone_from(&element.name);
                self.open(&element);
            }
            Step::Text(text) => self.words.push_str(&text),
            Step::Close(name) => {
                if name == self.fact {
                    self.fact();
                }
                self.fact.clear();
            }
        }
    }

    fn open(&mut self, element: &Element) {
        let get = |name| element.get(name).unwrap_or_default();
        match element.name.as_str() {
            "item" => {
                let path = resolve(self.root, get("href")).map(|(path, _)| path);
                let kind = get("media-type");
                if get("properties").split_whitespace().any(|word| word == "nav") {
                    self.package.contents.clone_from(&path);
                }
                if kind == "application/x-dtbncx+xml" {
                    self.package.ncx.clone_from(&path);
                }
                let is_page = matches!(
                    kind,
                    "application/xhtml+xml" | "text/html" | "text/x-oeb1-document" | ""
                );
                self.items.insert(get("id").to_owned(), Item { path, is_page });
            }
            "spine" => self.toc = element.get("toc").map(str::to_owned),
            "itemref" => self.order.push(get("idref").to_owned()),
            _ => {}
        }
    }

    fn fact(&mut self) {
        let words = self.words.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = &mut self.package.says;
        match self.fact.as_str() {
            "title" if says.title.is_empty() => says.title = words,
            "language" if says.language.is_empty() => says.language = words.to_lowercase(),
            "creator" if !words.is_empty() && !says.authors.contains(&words) => {
                says.authors.push(words);
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Result<Package, Reason> {
        if let Some(item) = self.toc.as_ref().and_then(|id| self.items.get(id)) {
            self.package.ncx.clone_from(&item.path);
        }
        let mut seen = HashSet::new();
        for id in &self.order {
            let Some(item) = self.items.get(id) else {
                let why = format!("the reading order names `{id}`, which the list of files lacks");
                return Err(xml::bad(self.root, &why));
            };
            let Some(path) = &item.path else {
                let why = format!("the file of `{id}` lies outside the archive");
                return Err(xml::bad(self.root, &why));
            };
            // Each document once: two places in the order would be one text twice.
            if item.is_page && seen.insert(path) {
                self.package.spine.push(path.clone());
            }
        }
        if self.package.spine.is_empty() {
            return Err(xml::bad(self.root, "its reading order is empty"));
        }
        Ok(self.package)
    }
}

/// The path and the fragment that a reference leads to, counted from the top of the archive;
/// nothing where it leads outside.
pub(crate) fn resolve(from: &str, reference: &str) -> Option<(String, String)> {
    let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let scheme = path.split('/').next().unwrap_or("").contains(':');
    if scheme || path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let fragment = decoded(fragment);
    if path.is_empty() {
        return Some((from.to_owned(), fragment));
    }
    let path = decoded(path);
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some((parts.join("/"), fragment))
}

/// `a%20b` to `a b`.
fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |at: usize| tail.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, hex(0), hex(1)) {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
