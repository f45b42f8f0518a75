//! What people read in real pages: with which words each book begins and ends, and how many chapters it has.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;

use storymill_core::ParagraphKind;
use storymill_sources::clean;

#[path = "../../../tests/golden/sets.rs"]
mod sets;

fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Faults that are known: a letter or a chapter whose heading stands inside a paragraph.
const KNOWN: &[&str] = &[];

#[test]
fn books_begin_and_end_where_people_say() {
    let sets = sets::sets("books");
    let Some(books) = sets.iter().find(|set| set.join("41445.html.gz").exists()) else { return };
    let mut wrong = Vec::new();
    for row in include_str!("read.txt").lines().filter(|row| !row.starts_with('#')) {
        let [file, _, chapters, first, last] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let cleaned = clean(&fs::read(books.join(file)).unwrap(), file).unwrap();
        let text = cleaned
            .paragraphs
            .iter()
            .filter(|one| one.level.is_none() && one.kind != ParagraphKind::Break);
        let text: Vec<String> = text.map(|one| folded(&one.text)).collect();
        let count = cleaned.paragraphs.iter().filter(|one| one.level == Some(1)).count();
        if !chapters.is_empty() && chapters != count.to_string() {
            wrong.push(format!("{file} chapters"));
        }
        if !text[0].starts_with(&folded(first)) {
            wrong.push(format!("{file} begins"));
        }
        if !text[text.len() - 1].ends_with(&folded(last)) {
            wrong.push(format!("{file} ends"));
        }
    }
    assert_eq!(wrong, KNOWN);
}
