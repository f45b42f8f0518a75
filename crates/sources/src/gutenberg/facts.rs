//! What a page says of itself: title, authors, language. The header comes first, then `<title>`, then the
//! title page.

use std::collections::BTreeSet;

use storymill_text::one_line;

use super::{
    blocks::Leaves,
    fields::{fields, joined},
    title_page::{self, TitlePage},
    words::{Kind, fold, says},
};
use crate::{cut::Why, page_says::PageSays};

/// A header names no more authors.
const AUTHORS: usize = 100;

/// Reads the facts; what the header leaves open is looked for in `<title>` and on the title page.
pub(crate) fn read(leaves: &Leaves) -> PageSays {
    let (mut facts, authored) = header(leaves);
    let (title, authors) = bare_title(&leaves.title);
    let page = title_page::read(leaves);
    if facts.title.is_empty() {
        facts.title = if title.is_empty() { page.title } else { title };
    }
    // A field that is there and blank: the makers of the page knew of no author.
    if facts.authors.is_empty() && !authored {
        facts.authors = if authors.is_empty() { page.authors } else { authors };
    }
    facts
}

/// What the header says, and whether it has a field for authors.
pub(crate) fn header(leaves: &Leaves) -> (PageSays, bool) {
    let mut facts = PageSays::default();
    let mut authored = false;
    let header = leaves.blocks.iter().filter(|block| block.fate == Some(Why::Header));
    for field in fields(leaves, header) {
        match field.label {
            "title" if facts.title.is_empty() => facts.title = joined(&field.lines),
            "language" if facts.language.is_empty() => {
                facts.language = tag(field.lines.first().map_or("", String::as_str));
            }
            "author" | "authors" | "creator" => {
                authored = true;
                for line in &field.lines {
                    let name = title_page::unremarked(line);
                    for name in title_page::split_names(&name) {
                        let known = facts.authors.iter().any(|author| author == name);
                        if !known && facts.authors.len() < AUTHORS {
                            facts.authors.push(name.to_owned());
                        }
                    }
                }
            }
            _ => {}
        }
    }
    if !facts.title.is_empty() {
        facts.title =
            with_signs(&facts.title, &title_page::read(leaves), &bare_title(&leaves.title).0);
    }
    (facts, authored)
}

/// The header's title with the signs that the title page or `<title>` have between its words.
fn with_signs(title: &str, page: &TitlePage, bare: &str) -> String {
    let others = [page.title.as_str(), bare];
    others
        .iter()
        .find_map(|other| title_page::with_signs_of(title, other))
        .unwrap_or_else(|| title.to_owned())
}

/// `The Project Gutenberg eBook of Emma, by Jane Austen` to `Emma` and `Jane Austen`.
pub(crate) fn bare_title(title: &str) -> (String, Vec<String>) {
    let title = one_line(title);
    let lower = title.to_ascii_lowercase();
    let start = ["ebook of ", "etext of ", "e-book of ", "e-text of ", "ebook, ", "etext, "]
        .iter()
        .filter(|_| lower.contains("gutenberg"))
        .find_map(|words| lower.find(words).map(|at| at + words.len()))
        .unwrap_or(0);
    let title = &title[start..];
    // `Emma | Project Gutenberg`, `Emma, by Jane Austen—A Project Gutenberg eBook`
    let title = [" | ", "—A Project", "—The Project", " - Project Gutenberg", " - The Project"]
        .iter()
        .filter_map(|sign| title.find(sign))
        .min()
        .map_or(title, |end| &title[..end]);
    let by = [
        ", by ", ", By ", " by ", " By ", ", par ", ", von ", ", di ", ", de ", ", door ",
        ", por ", ", af ", ", av ",
    ];
    let split = by.iter().find_map(|by| {
        let (name, rest) = title.rsplit_once(by)?;
        // `…, by Mark Twain, Complete`; `…, edited by …` names no author.
        let named = title_page::names(rest.split(", ").next().unwrap_or(rest));
        let edits =
            name.ends_with("dited") || name.ends_with("ranslated") || name.ends_with("llustrated");
        (!named.is_empty() && !edits).then_some((name, named))
    });
    let (name, authors) = split.unwrap_or((title, Vec::new()));
    (name.trim().trim_end_matches([',', ';']).to_owned(), authors)
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

/// Whether the title page says `A NOVEL`.
pub(crate) fn is_called_a_novel(leaves: &Leaves) -> bool {
    let before = leaves.blocks.iter().take_while(|block| block.fate.is_some());
    let mut lines = before
        .filter(|block| block.fate == Some(Why::TitlePage))
        .flat_map(|block| leaves.lines(block));
    lines.any(|line| {
        let line = fold(line);
        ["a novel", "a romance", "roman", "ein roman", "novela", "romanzo", "een roman"].iter().any(
            |says| {
                line.strip_prefix(says)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(" in "))
            },
        )
    })
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
