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

/// Faults that are known: an essay on a poem, which is longer than the poem.
const KNOWN: &[&str] = &[
    "17192.html begins: thesecretofapoemnolessthanajestsprosperi",
    "17192.html titles: commentonthepoemthepoemtheraven",
];

#[test]
fn books_begin_and_end_where_people_say() {
    let sets = sets::sets("books");
    let Some(books) = sets.iter().find(|set| set.join("41445.html.gz").exists()) else { return };
    let answers = books.join("../golden/literaryqa_clean/html");
    let mut wrong = Vec::new();
    let rows = [include_str!("read.txt"), include_str!("titles.txt")];
    for row in rows.iter().flat_map(|all| all.lines()).filter(|row| !row.starts_with('#')) {
        let cells: Vec<_> = row.split('|').collect();
        let [file, _, chapters, first, last] = cells[..5] else { panic!("{row}") };
        let place = [books, &answers].map(|folder| folder.join(file));
        let bytes = place.iter().find_map(|place| fs::read(place).ok()).unwrap();
        let cleaned = clean(&bytes, file).unwrap();
        let text = cleaned
            .paragraphs
            .iter()
            .filter(|one| one.level.is_none() && one.kind != ParagraphKind::Break);
        let text: Vec<String> = text.map(|one| folded(&one.text)).collect();
        let count = cleaned.paragraphs.iter().filter(|one| one.level == Some(1)).count();
        if !chapters.is_empty() && chapters != count.to_string() {
            wrong.push(format!("{file} chapters"));
        }
        if !first.split(" / ").any(|first| text[0].starts_with(&folded(first))) {
            wrong.push(format!("{file} begins: {:.40}", text[0]));
        }
        if !last.split(" / ").any(|last| text[text.len() - 1].ends_with(&folded(last))) {
            wrong.push(format!("{file} ends: {:.40}", text[text.len() - 1]));
        }
        let found = cleaned.paragraphs.iter().filter(|one| one.level.is_some());
        let found: String = found.map(|one| folded(&one.text)).collect();
        if let Some(left) = cells.get(5).and_then(|titles| apart(&found, titles)) {
            wrong.push(format!("{file} titles: {left}"));
        }
    }
    assert_eq!(wrong, KNOWN);
}

/// Where the headings of a book and what was written down part.
fn apart(mut found: &str, titles: &str) -> Option<String> {
    for title in titles.split("; ").flat_map(each) {
        let (title, taste) = title.strip_prefix('?').map_or((&title[..], false), |one| (one, true));
        match found.strip_prefix(&folded(title)) {
            Some(behind) => found = behind,
            None if taste => {}
            None => return Some(format!("{title} for {found:.40}")),
        }
    }
    (!found.is_empty()).then(|| found.to_owned())
}

/// `Chapter {1..3}` as three titles.
fn each(title: &str) -> Vec<String> {
    let Some((front, (range, back))) =
        title.split_once('{').and_then(|(front, rest)| Some((front, rest.split_once('}')?)))
    else {
        return vec![title.to_owned()];
    };
    let numbers: Vec<String> =
        (1..100).flat_map(|one: usize| [one.to_string(), roman(one)]).collect();
    let (first, last) = range.split_once("..").unwrap();
    let at = |one: &str| numbers.iter().position(|number| number == one).unwrap();
    (at(first)..=at(last)).step_by(2).map(|at| format!("{front}{}{back}", numbers[at])).collect()
}

fn roman(number: usize) -> String {
    let tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"];
    let ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    format!("{}{}", tens[number / 10], ones[number % 10])
}
