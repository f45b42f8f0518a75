//! The package of an EPUB: where it is, the reading order, the table of contents, the facts.

use std::collections::{HashMap, HashSet};

use storymill_core::Reason;
use storymill_text::one_line;

use super::{
    archive::{Archive, decoded},
    xml::{self, Element, Step},
};
use crate::{cut::Why, encoding, gutenberg::facts, page_says::PageSays};

/// What the package file says; all paths count from the top of the archive.
#[derive(Debug, Default)]
pub(super) struct Package {
    /// The documents in reading order.
    pub(super) spine: Vec<Place>,
    /// The style sheets.
    pub(super) sheets: Vec<String>,
    /// The navigation document of EPUB 3.
    pub(super) contents: Option<String>,
    /// The NCX of EPUB 2.
    pub(super) ncx: Option<String>,
    /// The title as the package has it.
    pub(super) title: String,
    /// What the package says of the book.
    pub(super) says: PageSays,
    /// Whether a converter made the title from a page's `<title>`: then a header inside knows better.
    pub(super) converted: bool,
}

/// A document in the reading order.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) path: String,
    /// Why it is no part of the story, where the package says so.
    pub(super) apart: Option<Why>,
}

/// The path of the package file.
pub(super) fn root(archive: &mut Archive<'_>) -> Result<String, Reason> {
    let path = "META-INF/container.xml";
    let bytes = archive.read(path)?.ok_or_else(|| {
        Reason::new("not-an-epub", format!("the zip archive has no `{path}`, so it is not an EPUB"))
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

/// Somebody who had a part in the book.
#[derive(Default)]
struct Creator {
    id: String,
    role: String,
    name: String,
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
    /// The ids of documents, and whether readers come past them.
    order: Vec<(String, bool)>,
    toc: Option<String>,
    /// What the guide of EPUB 2 says of documents.
    guide: HashMap<String, Why>,
    creators: Vec<Creator>,
    /// Roles of EPUB 3 stand beside what they are said of: the id, and the role.
    roles: HashMap<String, String>,
    /// What the property at hand is said of.
    refined: Option<String>,
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
                if kind == "text/css" {
                    self.package.sheets.extend(path.clone());
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
            "itemref" => self.order.push((get("idref").to_owned(), get("linear") != "no")),
            "reference" => {
                // A place inside a document says nothing of the whole.
                if let (Some((path, fragment)), Some(why)) =
                    (resolve(self.root, get("href")), guided(get("type")))
                    && fragment.is_empty()
                {
                    self.guide.entry(path).or_insert(why);
                }
            }
            "creator" => {
                let (id, role) = (get("id").to_owned(), get("role").to_owned());
                self.creators.push(Creator { id, role, name: String::new() });
            }
            "meta" if get("property") == "role" => {
                self.refined = Some(get("refines").trim_start_matches('#').to_owned());
            }
            _ => {}
        }
    }

    fn fact(&mut self) {
        let words = one_line(&self.words);
        let says = &mut self.package.says;
        match self.fact.as_str() {
            "title" if says.title.is_empty() => says.title = words,
            "language" if says.language.is_empty() => says.language = words.to_lowercase(),
            "creator" => {
                if let Some(creator) = self.creators.last_mut() {
                    creator.name = words;
                }
            }
            "meta" => {
                if let Some(id) = self.refined.take() {
                    self.roles.insert(id, words);
                }
            }
            _ => {}
        }
    }

    /// The authors among the creators, translators and illustrators left out.
    fn authors(&self) -> Vec<String> {
        let mut authors: Vec<String> = Vec::new();
        for creator in &self.creators {
            let role = self.roles.get(&creator.id).unwrap_or(&creator.role);
            let writes = matches!(role.to_lowercase().as_str(), "" | "aut" | "cre" | "author");
            let known = !creator.name.is_empty() && !creator.name.eq_ignore_ascii_case("unknown");
            if writes && known && !authors.contains(&creator.name) {
                authors.push(creator.name.clone());
            }
        }
        authors
    }

    fn finish(mut self) -> Result<Package, Reason> {
        if let Some(item) = self.toc.as_ref().and_then(|id| self.items.get(id)) {
            self.package.ncx.clone_from(&item.path);
        }
        self.package.says.authors = self.authors();
        let says = &mut self.package.says;
        self.package.title.clone_from(&says.title);
        let (title, authors) = facts::bare_title(&says.title);
        if title != says.title {
            self.package.converted = true;
            says.title = title;
            if says.authors.is_empty() {
                says.authors = authors;
            }
        }
        let mut seen = HashSet::new();
        for (id, linear) in &self.order {
            let Some(item) = self.items.get(id) else {
                let why = format!("the reading order names `{id}`, which the list of files lacks");
                return Err(xml::bad(self.root, &why));
            };
            let Some(path) = &item.path else {
                let why = format!("the file of `{id}` is outside the archive");
                return Err(xml::bad(self.root, &why));
            };
            // Each document once: two places in the order would be one text twice.
            if item.is_page && seen.insert(path) {
                let guided = self.guide.get(path).copied();
                let apart = guided.or((!linear).then_some(Why::BackMatter));
                self.package.spine.push(Place { path: path.clone(), apart });
            }
        }
        if self.package.spine.is_empty() {
            return Err(xml::bad(self.root, "its reading order is empty"));
        }
        Ok(self.package)
    }
}

/// What the guide says by the type of a reference.
fn guided(kind: &str) -> Option<Why> {
    Some(match kind.to_lowercase().as_str() {
        "cover" | "title-page" | "copyright-page" | "colophon" => Why::TitlePage,
        "toc" | "loi" | "lot" => Why::Contents,
        _ => return None,
    })
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
