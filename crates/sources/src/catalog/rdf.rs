//! Project Gutenberg's RDF: from `pgterms:ebook` to rows.
//!
//! RDF/XML nests nodes and properties by turns; a property holds its node, or names it by
//! `resource` or `nodeID` if it stands elsewhere. Namespaces are not looked at: the files have used
//! one prefix for one meaning since they exist.

use std::collections::BTreeMap;

use storymill_core::Author;
use storymill_text::one_line;

use super::{Row, agents};
use crate::epub::xml::{Element, Step, walk};

/// A tag with all in it.
#[derive(Debug, Default)]
struct Node {
    element: Element,
    text: String,
    children: Vec<Node>,
}

/// Whether bytes look like RDF.
pub(super) fn is_rdf(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    head.windows(8).any(|window| window == b"<rdf:RDF")
}

/// The books of an RDF file; a reason with the file's name where it cannot be read.
pub(super) fn rows(name: &str, bytes: &[u8]) -> Result<Vec<Row>, String> {
    let name = if name.is_empty() { "the RDF" } else { name };
    let text = String::from_utf8_lossy(bytes);
    let root = tree(name, &text)?;
    let mut known = BTreeMap::new();
    index(&root, &mut known);
    let books = root.children.iter().filter(|node| node.element.name == "ebook");
    let rows: Result<Vec<_>, _> = books.map(|book| row(name, book, &known)).collect();
    match rows {
        Ok(rows) if rows.is_empty() => Err(format!("`{name}` holds no book")),
        rows => rows,
    }
}

fn tree(name: &str, text: &str) -> Result<Node, String> {
    let mut open = vec![Node::default()];
    let bad = |why: &str| format!("`{name}` cannot be read: {why}");
    let mut unopened = false;
    walk(name, text, |step| match step {
        Step::Open(element) => open.push(Node { element, ..Node::default() }),
        Step::Text(text) => {
            if let Some(last) = open.last_mut() {
                last.text += &text;
            }
        }
        Step::Close(_) => {
            let last = if open.len() > 1 { open.pop() } else { None };
            match (last, open.last_mut()) {
                (Some(node), Some(parent)) => parent.children.push(node),
                _ => unopened = true,
            }
        }
    })
    .map_err(|reason| reason.detail)?;
    if open.len() != 1 || unopened {
        return Err(bad("it is cut off"));
    }
    let root = open.pop().unwrap_or_default().children.into_iter().next();
    root.filter(|root| root.element.name == "RDF").ok_or_else(|| bad("it is not RDF"))
}

/// The nodes that others may name.
fn index<'n>(node: &'n Node, known: &mut BTreeMap<&'n str, &'n Node>) {
    let has_more = !node.children.is_empty();
    for name in ["about", "nodeID", "ID"] {
        if let Some(name) = node.element.get(name).filter(|_| has_more) {
            known.entry(name).or_insert(node);
        }
    }
    node.children.iter().for_each(|child| index(child, known));
}

fn row(name: &str, book: &Node, known: &BTreeMap<&str, &Node>) -> Result<Row, String> {
    let about = book.element.get("about").unwrap_or_default();
    let id = about.rsplit('/').next().unwrap_or_default();
    let id = id.parse().map_err(|error| format!("`{name}`: {error}"))?;
    let mut row = Row::of(id);
    for property in &book.children {
        let value = value(property, known);
        match property.element.name.as_str() {
            "title" if row.title.is_empty() => row.title = value,
            "title" | "alternative" => row.alternative.push(value),
            "language" if row.language.is_empty() => row.language = value,
            "language" => row.language += &format!("; {value}"),
            "subject" if is_class(property, known) => row.locc.push(value),
            "subject" => row.subjects.push(value),
            "bookshelf" => row.bookshelves.push(value),
            "rights" => row.rights = value,
            "type" => row.medium = value,
            "issued" => row.issued = value,
            "downloads" => row.downloads = value.parse().ok(),
            "hasFormat" => row.files.extend(page(property)),
            role => {
                if let Some(agent) = agent(property, known) {
                    agents::sort(agent, role_word(role), &mut row.authors, &mut row.others);
                }
            }
        }
    }
    Ok(row)
}

/// The node that a property holds or names.
fn object<'n>(property: &'n Node, known: &BTreeMap<&str, &'n Node>) -> Option<&'n Node> {
    property.children.first().filter(|node| !node.children.is_empty()).or_else(|| {
        let named = property.children.first().unwrap_or(property);
        let names = ["resource", "nodeID", "about"];
        names.iter().find_map(|name| known.get(named.element.get(name)?).copied())
    })
}

/// What a property says: its own words, or the `value` of its node.
fn value(property: &Node, known: &BTreeMap<&str, &Node>) -> String {
    let held = object(property, known)
        .and_then(|node| node.children.iter().find(|child| child.element.name == "value"));
    one_line(&held.unwrap_or(property).text)
}

/// Whether a subject is a class of the Library of Congress, not a heading.
fn is_class(property: &Node, known: &BTreeMap<&str, &Node>) -> bool {
    object(property, known).is_some_and(|node| {
        node.children.iter().any(|child| {
            child.element.name == "memberOf"
                && child.element.get("resource").is_some_and(|scheme| scheme.ends_with("/LCC"))
        })
    })
}

/// The agent behind a property; its id is the catalog's own.
fn agent(property: &Node, known: &BTreeMap<&str, &Node>) -> Option<Author> {
    let node = object(property, known).filter(|node| node.element.name == "agent")?;
    let says = |name: &str| {
        let child = node.children.iter().find(|child| child.element.name == name)?;
        Some(one_line(&child.text))
    };
    let year = |name: &str| says(name).as_deref().and_then(agents::year);
    let name = says("name").filter(|name| !name.is_empty())?;
    let mut agent = agents::named(&name, year("birthdate"), year("deathdate"));
    let id = node.element.get("about").unwrap_or_default().rsplit('/').next().unwrap_or_default();
    if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) {
        agent.agent_id = format!("agent-{id}");
    }
    Some(agent)
}

/// The address of a page or of an archive of one, if that is what a format is.
fn page(property: &Node) -> Option<String> {
    let file = property.children.first()?;
    let address = file.element.get("about")?;
    let lower = address.to_ascii_lowercase();
    let page = [".htm", ".html", ".html.images", ".txt", ".txt.utf-8", ".zip"]
        .iter()
        .any(|ending| lower.ends_with(ending));
    page.then(|| address.to_owned())
}

/// The word for a role: the library's three letters spelled out, where they are common here.
fn role_word(code: &str) -> String {
    let word = match code {
        "creator" | "aut" | "cre" => "",
        "trl" => "translator",
        "ill" => "illustrator",
        "edt" => "editor",
        "ctb" => "contributor",
        "com" => "compiler",
        "aui" => "author of introduction, etc.",
        "aft" => "author of afterword, colophon, etc.",
        "ann" => "annotator",
        "adp" => "adapter",
        "cmm" => "commentator",
        "cmp" => "composer",
        "pht" => "photographer",
        "prf" => "performer",
        "nrt" => "narrator",
        "egr" => "engraver",
        "art" => "artist",
        "lbt" => "librettist",
        "pbl" => "publisher",
        "trc" => "transcriber",
        "unk" => "unknown role",
        other => other,
    };
    word.to_owned()
}
