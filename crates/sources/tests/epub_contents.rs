//! EPUBs whose titles stand in their table of contents alone, in part or not at all: navigation document and NCX alike.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
};

use storymill_sources::{Cleaned, clean};
use zip::{ZipWriter, write::SimpleFileOptions};

const STORY: &str = "The ferry left at dusk, and Anna Reed stood at the bow with the lamp in her hand. “You may tell \
    him so,” said Peter Holm, and he looked at her as if she had struck him. Nobody on board had slept; the goat was \
    tied to the rail, and she heard it stamp. He took the letter from the box and gave it to Anna.";

/// An entry: how deep it stands, its title, where it leads; nowhere, where only a navigation document can say so.
type Entry = (usize, &'static str, &'static str);

fn ncx(entries: &[Entry]) -> String {
    let mut text = "<ncx><docTitle><text>The Ferry</text></docTitle><navMap>".to_owned();
    let mut open = 0;
    for (depth, title, target) in entries {
        for _ in *depth..open {
            text += "</navPoint>";
        }
        open = depth + 1;
        write!(
            text,
            "<navPoint><navLabel><text>{title}</text></navLabel><content src=\"{target}\"/>"
        )
        .unwrap();
    }
    text + &"</navPoint>".repeat(open) + "</navMap></ncx>"
}

fn nav(entries: &[Entry]) -> String {
    let mut text =
        "<html xmlns:epub=\"e\"><body><nav epub:type=\"toc\"><h1>Contents</h1>".to_owned();
    let mut open = 0;
    for (depth, title, target) in entries {
        text += &"<ol>".repeat((depth + 1).saturating_sub(open));
        for _ in depth + 1..open {
            text += "</li></ol>";
        }
        if *depth < open {
            text += "</li>";
        }
        open = depth + 1;
        match *target {
            "" => write!(text, "<li><span>{title}</span>").unwrap(),
            target => write!(text, "<li><a href=\"{target}\">{title}</a>").unwrap(),
        }
    }
    text + &"</li></ol>".repeat(open) + "</nav></body></html>"
}

fn book(documents: &[&str], contents: &str, is_nav: bool) -> Cleaned {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    let (mut items, mut order) = (String::new(), String::new());
    for (at, body) in documents.iter().enumerate() {
        let body = body.replace("STORY", &format!("<p>{STORY}</p>"));
        add(
            &format!("{at}.xhtml"),
            &format!("<html><head><title>x</title></head><body>{body}</body></html>"),
        );
        write!(
            items,
            "<item id=\"d{at}\" href=\"{at}.xhtml\" media-type=\"application/xhtml+xml\"/>"
        )
        .unwrap();
        write!(order, "<itemref idref=\"d{at}\"/>").unwrap();
    }
    items += if is_nav {
        "<item id=\"c\" href=\"c\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>"
    } else {
        "<item id=\"c\" href=\"c\" media-type=\"application/x-dtbncx+xml\"/>"
    };
    add("c", contents);
    add(
        "META-INF/container.xml",
        "<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>",
    );
    add(
        "b.opf",
        &format!(
            "<package xmlns:dc=\"d\"><metadata><dc:title>The Ferry</dc:title><dc:creator>A. Rower</dc:creator>\
            </metadata><manifest>{items}</manifest><spine toc=\"c\">{order}</spine></package>"
        ),
    );
    clean(&zip.finish().unwrap().into_inner(), "book.epub").unwrap()
}

/// The headings with their levels in front, and `.` for each paragraph.
#[track_caller]
fn check(documents: &[&str], entries: &[Entry], expect: &str) {
    for is_nav in [true, false] {
        if !is_nav && entries.iter().any(|(.., target)| target.is_empty()) {
            continue;
        }
        let contents = if is_nav { nav(entries) } else { ncx(entries) };
        let cleaned = book(documents, &contents, is_nav);
        let told = cleaned.paragraphs.iter().map(|one| match one.level {
            Some(level) => format!("{level} {}", one.text.replace('\n', " ")),
            None => ".".to_owned(),
        });
        let mut lines: Vec<String> = told.collect();
        lines.dedup();
        assert_eq!(lines.join(" | "), expect, "{}", if is_nav { "nav" } else { "NCX" });
    }
}

#[test]
fn documents_without_headings_take_their_titles() {
    let documents =
        ["<p>Printed for the author</p>", "STORYSTORY", "STORYSTORYSTORY", "STORYSTORY"];
    let entries = [
        (0, "Title Page", "0.xhtml"),
        (0, "Dusk", "1.xhtml"),
        (0, "The Goat", "2.xhtml"),
        (0, "Dawn", "3.xhtml"),
    ];
    check(&documents, &entries, "1 Dusk | . | 1 The Goat | . | 1 Dawn | .");
    let numbers = [(0, "I", "1.xhtml"), (0, "II", "2.xhtml"), (0, "III", "3.xhtml")];
    check(&documents, &numbers, "1 I | . | 1 II | . | 1 III | .");
}

#[test]
fn anchors_part_a_document() {
    let document = "<p id='a'><a/>Dusk had come.</p>STORYSTORY<p><span id='b'/>They slept.</p>STORYSTORY<div id='c'>STORYSTORY</div>";
    let entries =
        [(0, "Dusk", "0.xhtml#a"), (0, "The Goat", "0.xhtml#b"), (0, "Dawn", "0.xhtml#c")];
    check(&[document], &entries, "1 Dusk | . | 1 The Goat | . | 1 Dawn | .");
    // An anchor that is nowhere parts nothing.
    let entries = [(0, "Dusk", "0.xhtml#a"), (0, "The Oar", "0.xhtml#x"), (0, "Dawn", "0.xhtml#c")];
    check(&[document], &entries, "1 Dusk | . | 1 Dawn | .");
    // Some titles are printed.
    let document = "<h3 id='a'>Dusk</h3>STORYSTORY<p id='b'>STORYSTORY</p><p id='c'>Dawn</p>STORYSTORY<h3>Noon</h3>STORYSTORY";
    let entries =
        [(0, "Dusk", "0.xhtml#a"), (0, "The Goat", "0.xhtml#b"), (0, "Dawn", "0.xhtml#c")];
    check(&[document], &entries, "1 Dusk | . | 1 The Goat | . | 1 Dawn | . | 1 Noon | .");
}

#[test]
fn nested_contents_give_parts() {
    let expect =
        "0 Outward | 1 Dusk | . | 1 The Goat | . | 0 Homeward | 1 Dawn | . | 1 The Quay | .";
    let bare = ["STORYSTORY", "STORYSTORY", "STORYSTORY", "STORYSTORY"];
    let entries = |first, second| {
        [
            (0, "Outward", first),
            (1, "Dusk", "0.xhtml"),
            (1, "The Goat", "1.xhtml"),
            (0, "Homeward", second),
            (1, "Dawn", "2.xhtml"),
            (1, "The Quay", "3.xhtml"),
        ]
    };
    check(&bare, &entries("0.xhtml", "2.xhtml"), expect);
    check(&bare, &entries("", ""), expect);
    // Chapters have their headings, parts have none, or all have the same tag.
    let headed = [
        "<h2>Dusk</h2>STORYSTORY",
        "<h2>The Goat</h2>STORYSTORY",
        "<h2>Dawn</h2>STORYSTORY",
        "<h2>The Quay</h2>STORYSTORY",
    ];
    check(&headed, &entries("0.xhtml", "2.xhtml"), expect);
    let all = [
        "<h2>Outward</h2>",
        "<h2>Dusk</h2>STORYSTORY",
        "<h2>The Goat</h2>STORYSTORY",
        "<h2>Homeward</h2>",
        "<h2>Dawn</h2>STORYSTORY",
        "<h2>The Quay</h2>STORYSTORY",
    ];
    let entries = [
        (0, "Outward", "0.xhtml"),
        (1, "Dusk", "1.xhtml"),
        (1, "The Goat", "2.xhtml"),
        (0, "Homeward", "3.xhtml"),
        (1, "Dawn", "4.xhtml"),
        (1, "The Quay", "5.xhtml"),
    ];
    check(&all, &entries, expect);
    // Part pages may be pictures.
    let mut pictured = all;
    (pictured[0], pictured[3]) = ("<img src='1.png' alt=''/>", "<img src='2.png' alt=''/>");
    check(&pictured, &entries, expect);
}

#[test]
fn the_text_counts_before_the_contents() {
    // Other words, other places, pictures, pages: the contents are evidence.
    let documents = [
        "<h2>CHAPTER I</h2>STORYSTORY",
        "<h2>CHAPTER II</h2>STORYSTORY",
        "<h2>CHAPTER III</h2>STORYSTORY",
    ];
    let entries =
        [(0, "One: Dusk", "0.xhtml"), (0, "Chapter III", "1.xhtml"), (0, "Three", "2.xhtml")];
    check(&documents, &entries, "1 CHAPTER I | . | 1 CHAPTER II | . | 1 CHAPTER III | .");
    let figures = "<h2>CHAPTER I</h2>STORY<div class='figcenter' id='i1'><img src='a.png'/><p>The goat</p></div>STORYSTORY<h2>CHAPTER II</h2>STORYSTORY";
    let entries =
        [(0, "Chapter I", "0.xhtml"), (1, "The goat", "0.xhtml#i1"), (0, "Chapter II", "0.xhtml")];
    let cleaned = book(&[figures], &nav(&entries), true);
    assert!(!cleaned.paragraphs.iter().any(|one| one.text == "The goat"), "{}", cleaned.lines());
    // A document that is named by how it begins has no title.
    let named = [
        (0, "The ferry left at dusk", "0.xhtml"),
        (0, "The ferry left at dusk, and Anna", "1.xhtml"),
    ];
    check(&["STORYSTORY", "STORYSTORY"], &named, ".");
    // Many entries that lead to one place name it for nobody.
    let many = ["Dusk", "Goats", "Oars", "Lamps"].map(|title| (0, title, "1.xhtml"));
    check(&["<h2>Dawn</h2>STORYSTORY", "STORYSTORY"], &many, "1 Dawn | .");
}
