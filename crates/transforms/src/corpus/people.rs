//! Authors as they join books: by their ids, crowds and nobodies left out.

use storymill_core::{Book, Digest};

/// The keys of a book's authors, in order, at most so many.
pub(crate) fn keys(book: &Book, most: usize) -> Vec<String> {
    let mut keys: Vec<String> = book
        .authors
        .iter()
        .filter(|author| is_person(&author.name))
        .map(|author| key(&author.agent_id))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys.truncate(most);
    keys
}

/// An author's id, or its digest where it is long.
fn key(agent_id: &str) -> String {
    if agent_id.len() <= 64 { agent_id.to_owned() } else { Digest::of(agent_id.as_bytes()).short() }
}

/// Whether an author is somebody, and not a word for nobody or a crowd.
fn is_person(name: &str) -> bool {
    let folded: String =
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    !folded.is_empty() && !NOBODY.contains(&folded.as_str())
}

const NOBODY: &[&str] = &[
    "anon",
    "anonym",
    "anonyme",
    "anonymous",
    "anonymus",
    "author",
    "authorunknown",
    "autorenunbekannt",
    "collectif",
    "divers",
    "na",
    "none",
    "unbekannt",
    "unknown",
    "unknownauthor",
    "various",
    "variousauthors",
    "verschiedene",
    "佚名",
    "無名氏",
    "无名氏",
];
