//! The page that a book was made from: what was kept, what was cut beside it, and the bytes that something comes from.

use serde::Serialize;
use storymill_core::Fault;

use super::Way;
use crate::{address::Query, build, site::Site};

/// The most bytes of a page that are shown as they are.
const BYTES: usize = 20_000;

#[derive(Serialize)]
struct Page {
    title: String,
    book: String,
    read: Way,
    facts: Vec<(String, String)>,
    reasons: Vec<(String, usize)>,
    bytes: Option<Bytes>,
    rows: Vec<Row>,
}

/// A stretch of the page as it is.
#[derive(Serialize)]
struct Bytes {
    name: String,
    text: String,
    is_short: bool,
}

#[derive(Default, Serialize)]
struct Row {
    kept: Option<String>,
    is_heading: bool,
    is_here: bool,
    is_first_here: bool,
    place: String,
    cut: Vec<(String, String)>,
}

pub(crate) fn page(site: &Site, book: &str, query: &Query) -> Result<Option<String>, Fault> {
    let Some(build) = &site.build else { return Ok(None) };
    let Some(page) = build.page(book)? else { return Ok(None) };
    let number = |name: &str| query.get(name).and_then(|value| value.parse::<u32>().ok());
    let wanted = number("from").zip(number("to")).filter(|(from, to)| from < to);
    let mut reasons: Vec<(String, usize)> = Vec::new();
    for cut in &page.cut {
        match reasons.iter_mut().find(|(why, _)| *why == cut.why) {
            Some((_, count)) => *count += 1,
            None => reasons.push((cut.why.clone(), 1)),
        }
    }
    let facts = vec![
        ("Read as".to_owned(), page.encoding.clone()),
        ("Kept".to_owned(), format!("{}.{} %", page.kept_pm / 10, page.kept_pm % 10)),
        ("Bytes".to_owned(), crate::numbers::thousands(page.text.len() as u64)),
    ];
    let view = Page {
        title: site.title(),
        book: book.to_owned(),
        read: Way::new(format!("book/{book}"), "read the book"),
        facts,
        reasons,
        bytes: wanted.and_then(|wanted| bytes(&page.text, wanted)),
        rows: rows(&page, wanted),
    };
    site.draw("page.html", &view)
}

/// A stretch of the page as it is, cut where it is too long or where a letter would be split.
fn bytes(text: &str, (from, to): (u32, u32)) -> Option<Bytes> {
    let (from, to) = (from as usize, (to as usize).min(text.len()));
    let mut last = to.min(from.saturating_add(BYTES));
    while !text.is_char_boundary(last) {
        last -= 1;
    }
    let text = text.get(from..last)?.to_owned();
    Some(Bytes { name: format!("{from} to {to}"), text, is_short: last < to })
}

/// Paragraphs and cuts in the order of the page; what is cut inside a paragraph stands beside it.
fn rows(page: &build::Page, wanted: Option<(u32, u32)>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut cuts = page.cut.iter().peekable();
    let touches =
        |(start, end): (u32, u32)| wanted.is_some_and(|(from, to)| start < to && from < end);
    let alone = |cuts: &[&build::Cut], rows: &mut Vec<Row>| {
        let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return };
        rows.push(Row {
            place: format!("bytes {} to {}", first.bytes.0, last.bytes.1),
            cut: cuts.iter().map(|cut| (cut.why.clone(), cut.text.clone())).collect(),
            ..Row::default()
        });
    };
    for kept in &page.kept {
        let mut before: Vec<&build::Cut> = Vec::new();
        while let Some(cut) = cuts.next_if(|cut| cut.bytes.0 < kept.bytes.0) {
            if before.last().is_some_and(|last| last.why != cut.why) {
                alone(&before, &mut rows);
                before.clear();
            }
            before.push(cut);
        }
        alone(&before, &mut rows);
        let mut inside = Vec::new();
        while let Some(cut) = cuts.next_if(|cut| cut.bytes.0 < kept.bytes.1) {
            inside.push((cut.why.clone(), cut.text.clone()));
        }
        rows.push(Row {
            kept: Some(kept.text.clone()),
            is_heading: kept.is_heading,
            is_here: touches(kept.bytes),
            is_first_here: false,
            place: String::new(),
            cut: inside,
        });
    }
    let rest: Vec<&build::Cut> = cuts.collect();
    for run in rest.chunk_by(|one, next| one.why == next.why) {
        alone(run, &mut rows);
    }
    // An anchor is for one row.
    if let Some(row) = rows.iter_mut().find(|row| row.is_here) {
        row.is_first_here = true;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Cut, Kept};

    #[test]
    fn cuts_stand_where_the_page_has_them() {
        let kept = |bytes, text: &str| Kept { bytes, is_heading: false, text: text.to_owned() };
        let cut = |bytes, why: &str| Cut { bytes, why: why.to_owned(), text: why.to_uppercase() };
        let page = build::Page {
            kept: vec![kept((10, 20), "one"), kept((30, 40), "two")],
            cut: vec![
                cut((0, 2), "header"),
                cut((2, 4), "header"),
                cut((5, 6), "contents"),
                cut((32, 33), "note-mark"),
                cut((50, 60), "footer"),
            ],
            ..build::Page::default()
        };
        let rows = rows(&page, Some((12, 35)));
        let shape: Vec<_> = rows
            .iter()
            .map(|row| (row.kept.as_deref(), row.cut.len(), row.is_first_here))
            .collect();
        assert_eq!(
            shape,
            [
                (None, 2, false),
                (None, 1, false),
                (Some("one"), 0, true),
                (Some("two"), 1, false),
                (None, 1, false)
            ]
        );
        assert!(rows[3].is_here && !rows[4].is_here);
    }

    #[test]
    fn no_letter_is_split() {
        let shown = bytes("äöü", (0, 3)).unwrap();
        assert_eq!((&*shown.text, shown.is_short), ("ä", true));
        assert!(bytes("äöü", (1, 3)).is_none() && bytes("a", (7, 9)).is_none());
    }
}
