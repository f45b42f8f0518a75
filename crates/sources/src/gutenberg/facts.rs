//! What a page says of itself: title, authors, language, in the header or in `<title>`.

use std::collections::BTreeSet;

use super::{
    blocks::Leaves,
    words::{Kind, fold, says},
};
use crate::{clean::PageSays, cut::Why};

/// A header names no more authors.
const AUTHORS: usize = 100;

/// Reads the facts from the blocks marked as header.
pub(crate) fn read(leaves: &Leaves) -> PageSays {
    let mut facts = PageSays::default();
    for block in leaves.blocks.iter().take_while(|block| block.fate == Some(Why::Header)) {
        let line = leaves.line(block);
        field(&line, "title", &mut facts.title);
        field(&line, "language", &mut facts.language);
        let mut author = String::new();
        field(&line, "author", &mut author);
        if !author.is_empty() && facts.authors.len() < AUTHORS && !facts.authors.contains(&author) {
            facts.authors.push(author);
        }
    }
    facts.language = tag(&facts.language);
    if facts.title.is_empty() {
        let (title, author) = bare_title(&leaves.title);
        facts.title = title;
        if facts.authors.is_empty() && !author.is_empty() {
            facts.authors.push(author);
        }
    }
    facts
}

/// The value behind `Title:` in a line that may hold further fields.
fn field(line: &str, name: &str, value: &mut String) {
    let Some(head) = line.get(..name.len()) else { return };
    let rest = line[head.len()..].trim_start();
    if !value.is_empty() || !head.eq_ignore_ascii_case(name) || !rest.starts_with(':') {
        return;
    }
    let rest = &rest[1..];
    let ends = [
        " Author:",
        " Release Date:",
        " Language:",
        " Illustrator:",
        " Translator:",
        " Edition:",
        " Posting Date:",
        " Editor:",
        " Last Updated:",
        " Character set",
        " ***",
    ];
    let end = ends.iter().filter_map(|next| rest.find(next)).min().unwrap_or(rest.len());
    rest[..end].trim().clone_into(value);
}

/// `The Project Gutenberg eBook of Emma, by Jane Austen` to `Emma` and `Jane Austen`.
fn bare_title(title: &str) -> (String, String) {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.split(" | ").next().unwrap_or("").trim();
    let lower = title.to_ascii_lowercase();
    let start = ["ebook of ", "etext of ", "e-book of ", "e-text of "]
        .iter()
        .filter(|_| lower.contains("gutenberg"))
        .find_map(|words| lower.find(words).map(|at| at + words.len()))
        .unwrap_or(0);
    let title = &title[start..];
    let (name, author) = title
        .rsplit_once(", by ")
        .or_else(|| title.rsplit_once(" by "))
        .filter(|(_, author)| author.starts_with(char::is_uppercase) && author.len() < 60)
        .unwrap_or((title, ""));
    (name.trim().to_owned(), author.trim_end_matches('.').trim().to_owned())
}

/// The language tag of a language's English name; what has none stays as it is.
fn tag(language: &str) -> String {
    const TAGS: &[(&str, &str)] = &[
        ("english", "en"),
        ("french", "fr"),
        ("german", "de"),
        ("spanish", "es"),
        ("italian", "it"),
        ("portuguese", "pt"),
        ("dutch", "nl"),
        ("finnish", "fi"),
        ("swedish", "sv"),
        ("danish", "da"),
        ("norwegian", "no"),
        ("chinese", "zh"),
        ("japanese", "ja"),
        ("latin", "la"),
        ("greek", "el"),
        ("hungarian", "hu"),
        ("polish", "pl"),
        ("russian", "ru"),
        ("esperanto", "eo"),
        ("catalan", "ca"),
        ("tagalog", "tl"),
        ("welsh", "cy"),
    ];
    let lower = language.trim().to_lowercase();
    TAGS.iter().find(|(name, _)| *name == lower).map_or(lower.clone(), |(_, tag)| (*tag).to_owned())
}

/// A title beyond this is none.
const LONGEST: usize = 600;

/// Forms in which the title may stand above or inside the book.
pub(crate) fn titles(leaves: &Leaves, facts: &PageSays) -> BTreeSet<String> {
    let mut titles = BTreeSet::new();
    let mut add = |title: &str| {
        let folded = fold(title);
        if folded.chars().count() > 2 && says(title).kind == Kind::Other {
            titles.insert(folded);
        }
    };
    for title in [&facts.title, &bare_title(&leaves.title).0] {
        // A title without an end would take the whole page.
        let title = &title[..title.floor_char_boundary(LONGEST)];
        add(title);
        for (at, _) in title.match_indices([';', ':', ',', '(']) {
            add(&title[..at]);
            let tail = title[at + 1..].trim_start();
            add(tail.strip_prefix("or,").or_else(|| tail.strip_prefix("or ")).unwrap_or(tail));
        }
        if let Some(at) = title.to_lowercase().find(" or ")
            && title.is_char_boundary(at)
        {
            add(&title[..at]);
        }
    }
    let mut first = true;
    for block in leaves.blocks.iter().filter(|block| block.fate.is_none()).take(60) {
        if block.tag.heading() == Some(1) && first {
            let line = leaves.line(block);
            add(&line);
            // Letters set apart: `D R A C U L A`.
            if line.split_whitespace().all(|word| word.chars().count() == 1) {
                add(&line.split_whitespace().collect::<String>());
            }
            first = false;
        }
    }
    titles
}
