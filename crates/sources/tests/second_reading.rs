//! A second reading of pages: it agrees with what is right, and sees each kind of fault.

#![cfg(feature = "second-reading")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;

use storymill_core::{Decisions, Env, Known, Reviews, Source, Stop};
use storymill_sources::{Cleaned, Folder, clean, second_reading};

const PAGE: &str = "<html><head><title>The Ferry</title><style>p { margin: 0 }</style></head><body><h1>THE FERRY</h1>\
    <p>by A. Rower</p><h2>CONTENTS</h2><p><a href='#a'>I. Dusk</a><br><a href='#b'>II. Dawn</a></p>\
    <h2 id='a'>I. Dusk <a href='#toc'>(back)</a></h2>{}<p>The fer<span class='pagenum'>[12]</span>ry left &amp; came.</p>{}\
    <h2 id='b'>II. Dawn</h2><p><img alt='T' src='t.png'>he goat slept.</p>{}<pre>A line\n  of verse</pre></body></html>";

fn page() -> Cleaned {
    let story = "<p>The ferry left at dusk, and Anna stood at the bow with the lamp in her hand. “Go home,” she said to him, \
        and he went with his hat in his hand.</p>";
    clean(PAGE.replace("{}", &story.repeat(4)).as_bytes(), "page.html").unwrap()
}

#[track_caller]
fn sees(cleaned: &Cleaned, what: &[&str]) {
    let found = second_reading(cleaned).unwrap();
    let kinds: Vec<_> = found.iter().map(|one| one.what).collect();
    assert_eq!(kinds, what, "{found:?}");
}

#[test]
fn what_is_right_is_seen_alike() {
    sees(&page(), &[]);
}

#[test]
fn each_kind_of_fault_is_seen() {
    let mut lost = page();
    let cut = lost.cuts.iter().position(|cut| cut.text.contains("Rower")).unwrap();
    lost.cuts.remove(cut);
    sees(&lost, &["lost"]);
    let mut dropped = page();
    let at = dropped.paragraphs.iter().position(|one| one.text.contains("left & came")).unwrap();
    dropped.paragraphs.remove(at);
    sees(&dropped, &["in-no-paragraph"]);
    let mut invented = page();
    invented.paragraphs[at].text.push_str(" Nobody wrote this.");
    sees(&invented, &["not-of-page"]);
    let mut text = page();
    let head = text.paragraphs.iter().position(|one| one.text == "II. Dawn").unwrap();
    text.paragraphs[head].level = None;
    sees(&text, &["no-chapter"]);
    let mut heading = page();
    heading.paragraphs[at].level = Some(1);
    sees(&heading, &["no-heading"]);
    assert!(
        second_reading(
            &clean(b"Plain text of a ferry, and no tag in all of it.", "a.txt").unwrap()
        )
        .is_err()
    );
}

/// A source that asks for it puts what differs before people, one item a book, and leaves out what they call wrong.
#[test]
fn in_a_build_what_differs_is_put_before_people() {
    let root = tempfile::tempdir().unwrap();
    let story =
        "<p>The ferry left at dusk, and Anna stood at the bow with the lamp in her hand.</p>"
            .repeat(8);
    let chapters =
        ["I", "II", "III"].map(|number| format!("<h2>LETTER {number} - ANNA</h2>{story}"));
    // A heading set as any line.
    let plain = format!("<p>LETTER IV - ANNA TO PETER London, June 6.</p>{story}");
    let page = format!("<html><body>{}{plain}</body></html>", chapters.concat());
    fs::write(root.path().join("7.html"), page).unwrap();
    fs::write(
        root.path().join("8.html"),
        format!("<html><body>{}</body></html>", chapters.concat()),
    )
    .unwrap();
    let read = |on: bool, unit: usize, decisions: &Decisions| {
        let folder: Folder =
            serde_json::from_value(serde_json::json!({ "path": ".", "second_reading": on }))
                .unwrap();
        let open = folder.open(&Env::at(root.path())).unwrap();
        let listing = open.units(&Known::default()).unwrap();
        let mut reviews = Reviews::new(decisions);
        let read = open.read(&listing.units[unit], &mut reviews);
        let items = reviews.finish().items;
        (read, items.into_iter().filter(|one| &*one.code == "second-reading").collect::<Vec<_>>())
    };
    let (_, items) = read(true, 0, Decisions::NONE);
    assert_eq!(items.len(), 1);
    assert!(
        items[0].excerpt.contains("a heading of the book is a line like others"),
        "{}",
        items[0].excerpt
    );
    assert!(
        read(true, 1, Decisions::NONE).1.is_empty() && read(false, 0, Decisions::NONE).1.is_empty()
    );
    let line = format!("{{\"review\": \"{}\", \"choice\": \"wrong\"}}", items[0].id());
    let decisions = Decisions::parse([(String::new(), &*line)]).unwrap();
    assert!(matches!(read(true, 0, &decisions).0, Err(Stop::LeftOut(_))));
    assert!(read(false, 0, &decisions).0.is_ok());
}
