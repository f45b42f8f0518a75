//! `storymill book clean`: what it prints and writes, and pages of which no book can be made.

use std::io::{Cursor, Write};

use crate::project::{Project, page, sets};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who kept it ground out one \
    story for every sack of grain that the farmers brought to his door, and he told it to nobody but the river, which \
    carried it away to the sea, where the gulls heard it.";

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A small EPUB with these entries more.
fn epub(more: &[(&str, &[u8])]) -> Vec<u8> {
    let chapter = format!("<html><body><h2>Chapter I</h2><p>{STORY}</p></body></html>");
    let mut files: Vec<(&str, &[u8])> = vec![
        ("META-INF/container.xml", b"<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>"),
        ("b.opf", b"<package><metadata><title>The Mill</title></metadata><manifest><item id=\"a\" href=\"a.xhtml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>"),
        ("a.xhtml", chapter.as_bytes()),
    ];
    files.extend(more);
    zip(&files)
}

#[test]
fn a_page_is_summed_up_and_its_cuts_are_listed() {
    let project = Project::new();
    project.write("one.html", page("one", 2));
    let ran = project.run(&["book", "clean", "one.html"]).exits(0);
    for line in
        ["title     Book one", "author    Writer one", "chapters  2", "rule `meta`", "header"]
    {
        assert!(ran.out().contains(line), "`{line}` in\n{}", ran.out());
    }
    let cuts = project.run(&["book", "clean", "one.html", "--explain"]).exits(0).out();
    assert!(cuts.contains("header") && cuts.contains("Title: Book one"), "{cuts}");
}

#[test]
fn places_in_json_are_places_in_the_page() {
    let project = Project::new();
    let text = page("one", 2);
    project.write("one.html", &text);
    let out = project.run(&["book", "clean", "one.html", "--format", "json"]).exits(0).out();
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let paragraphs = value["pages"][0]["paragraphs"].as_array().unwrap();
    assert_eq!(paragraphs[0]["kind"], "heading");
    for paragraph in paragraphs {
        let at = |end: usize| usize::try_from(paragraph["page"][end].as_u64().unwrap()).unwrap();
        assert_eq!(&text[at(0)..at(1)], paragraph["text"].as_str().unwrap());
    }
}

#[test]
fn a_second_reading_agrees_or_says_where_it_does_not() {
    let project = Project::new();
    project.write("one.html", page("one", 2)).write("two.txt", STORY.repeat(3));
    if !cfg!(feature = "second-reading") {
        project
            .run(&["book", "clean", "one.html", "--check"])
            .exits(4)
            .says("second reading of pages");
        return;
    }
    let agrees = "a second reading sees 0 of 1 page otherwise";
    project.run(&["book", "clean", "one.html", "--check"]).exits(0).says(agrees);
    let out =
        project.run(&["book", "clean", "one.html", "--check", "--format", "json"]).exits(0).out();
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["pages"][0]["second_reading"], serde_json::json!([]));
    project.run(&["book", "clean", "two.txt", "--check"]).exits(4).says("HTML pages only");
}

#[test]
fn texts_are_written_and_pages_drawn() {
    let project = Project::new();
    project.write("books/one.html", page("one", 2)).write("books/two.epub", epub(&[]));
    project.run(&["book", "clean", "books", "--out", "texts"]).exits(0);
    assert!(project.read("texts/one.txt").starts_with("# CHAPTER 1\n"));
    assert_eq!(project.read("texts/two.txt"), format!("# Chapter I\n{STORY}\n"));
    let evil =
        page("one", 2).replace("Title: Book one", "Title: <script>alert(1)</script>&lt;b&gt;");
    project.write("evil.html", evil.replace("the brass key", "&lt;img src=x onerror=alert(1)&gt;"));
    project.run(&["book", "clean", "evil.html", "--html", "drawn.html"]).exits(0);
    let drawn = project.read("drawn.html");
    assert!(drawn.contains("<b>header</b>") && drawn.contains("class=\"legend\""));
    assert!(!drawn.contains("<img") && !drawn.contains("<script") && !drawn.contains("http"));
    project
        .run(&["book", "clean", "books", "--html", "drawn.html"])
        .exits(2)
        .says("draws one page");
    project.write("books/pg1.html", page("one", 2)).write("books/1.txt", page("one", 2));
    project
        .run(&["book", "clean", "books", "--out", "texts"])
        .exits(2)
        .says("would both be `1.txt`");
}

#[test]
fn texts_are_compared_with_gold_texts() {
    let project = Project::new();
    project.write("books/one.html", page("one", 2));
    project.run(&["book", "clean", "books", "--out", "gold"]).exits(0);
    let table = project.run(&["book", "clean", "books", "--gold", "gold"]).exits(0).out();
    let mean = table.lines().last().unwrap();
    assert!(mean.starts_with("mean of 1") && mean.contains("1.000"), "{table}");
    project
        .run(&["book", "clean", "books", "--gold", "books"])
        .exits(4)
        .says("none of these pages has a gold text");
    project.write("table.csv", "file,gold\none.html,none.txt\n");
    project.run(&["book", "clean", "books", "--gold", "table.csv"]).says("none.txt");
    project.write("table.csv", "a,b\n1,2\n");
    project
        .run(&["book", "clean", "books", "--gold", "table.csv"])
        .exits(4)
        .says("no column `file`");
}

#[test]
fn one_command_scores_the_whole_set() {
    for books in sets("books") {
        one_command_scores(&books.display().to_string());
    }
}

fn one_command_scores(books: &str) {
    let out = Project::new()
        .run(&[
            "book",
            "clean",
            books,
            "--gold",
            &format!("{books}/catalog.csv"),
            "--format",
            "json",
        ])
        .exits(0)
        .out();
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let mean = |name: &str| value["mean"][name].as_f64().unwrap();
    assert!(mean("f1") >= 0.997 && mean("chapter_f1") >= 0.98 && mean("paragraph_f1") >= 0.98);
    assert!(mean("leak_front") + mean("leak_back") <= 0.05 && mean("lost") <= 0.3);
    for page in value["pages"].as_array().unwrap() {
        assert_eq!(page["traces"], serde_json::json!([]), "{}", page["file"]);
        assert!(page["score"].is_null() || page["score"]["f1"].as_f64().unwrap() >= 0.99);
    }
}

/// Each file, the exit code, what is said.
#[track_caller]
fn refused(name: &str, bytes: &[u8], says: &str) {
    let project = Project::new();
    project.write(name, bytes);
    let ran = project.run(&["book", "clean", name]).exits(4).says(says);
    assert!(ran.err().contains(name) && !ran.err().contains("panicked"), "{}", ran.err());
    assert!(ran.out().is_empty());
}

#[test]
fn pages_that_are_no_books() {
    Project::new()
        .run(&["book", "clean", "none.html"])
        .exits(4)
        .says("cannot read the page: none.html");
    Project::new().run(&["clean"]).exits(2);
    refused("a.html", b"", "(empty)");
    refused("a.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "(binary)");
    refused("a.html", b"fn main() { return 1; }", "(kept-too-little)");
    refused("a.html", format!("<p>{STORY}</p><a href=\"x").as_bytes(), "(cut-off)");
    refused("a.html", format!("<p>{STORY}</p>\0").as_bytes(), "a NUL byte at byte");
    let licence = "<p>The Project Gutenberg eBook of X</p><p>*** START OF THE PROJECT GUTENBERG EBOOK X ***</p>\
        <p>*** END OF THE PROJECT GUTENBERG EBOOK X ***</p><p>Section 1. General Terms of Use</p>";
    refused("a.html", licence.as_bytes(), "(only-licence)");
    refused("a.html", "<div>".repeat(200_000).as_bytes(), "(nested-too-deep)");
}

#[test]
fn archives_that_are_no_books() {
    let whole = epub(&[]);
    refused("a.epub", &whole[..whole.len() - 30], "(bad-zip)");
    refused("a.epub", &zip(&[("word/document.xml", b"<w/>")]), "(not-an-epub)");
    let locked = b"<encryption><EncryptedData><EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#aes256-cbc\"/></EncryptedData></encryption>";
    refused("a.epub", &epub(&[("META-INF/encryption.xml", locked)]), "digital rights management");
    refused("a.epub", &epub(&[("bomb.xhtml", &vec![b' '; 30 << 20])]), "(packed-too-tight)");
    refused("a.html.gz", b"\x1f\x8b\x08\0\0", "(bad-gzip)");
}

#[test]
fn of_many_pages_each_bad_one_is_named_and_the_good_are_shown() {
    let project = Project::new();
    project
        .write("books/a.html", "")
        .write("books/b.html", page("b", 2))
        .write("books/c.html", "\0");
    let ran = project
        .run(&["book", "clean", "books"])
        .exits(4)
        .says("Book b")
        .says("2 pages are not books");
    assert!(ran.err().contains("a.html") && ran.err().contains("c.html"), "{}", ran.err());
}

#[test]
fn a_page_in_another_language_than_it_says_is_pointed_out() {
    let project = Project::new();
    let french = "<p>Le meunier dit à sa femme qu'il avait vu les loups dans la forêt, et que la neige était si haute \
        qu'on ne voyait plus les murs du moulin; elle lui répondit qu'il ne fallait pas sortir avec les enfants.</p>";
    let page = format!(
        "<section id=pg-header><p>Title: X</p><p>Language: English</p></section><h2>I</h2>{}",
        french.repeat(8)
    );
    project.write("a.html", page);
    project
        .run(&["book", "clean", "a.html"])
        .exits(0)
        .says("looks like fr")
        .says("is this in the language");
}
