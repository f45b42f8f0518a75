//! EPUBs made by hand: read in order, titled from their contents, refused by name.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::{Cursor, Write};

use storymill_core::{Decisions, Env, Known, ParagraphKind, Reviews, Source};
use storymill_sources::{Cleaned, Folder, Why, clean};
use zip::{ZipWriter, write::SimpleFileOptions};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

const CONTAINER: &str = r#"<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;

/// An archive of these files.
fn pack(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A page of a book.
fn page(body: &str) -> String {
    let body = body.replace("STORY", STORY);
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"
        xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><script src="x.js"/></head><body>{body}</body></html>"#
    )
}

/// A package over these documents, in this order.
fn package(documents: &[&str]) -> String {
    use std::fmt::Write;
    let (mut items, mut order) = (String::new(), String::new());
    for name in documents {
        let media = "application/xhtml+xml";
        write!(items, r#"<item id="{name}" href="{name}" media-type="{media}"/>"#).unwrap();
        write!(order, r#"<itemref idref="{name}"/>"#).unwrap();
    }
    format!(
        r#"<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Mill &amp; the River</dc:title>
        <dc:creator>A. Writer</dc:creator><dc:language>en</dc:language></metadata><manifest>{items}
        <item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
        <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>
        <spine toc="ncx">{order}</spine></package>"#
    )
}

/// A book with two chapters in the wrong order of names, and more files.
fn book(more: &[(&str, &str)]) -> Vec<u8> {
    let first = page(
        "<section id='pg-header'><p>The Project Gutenberg eBook of The Mill</p></section>\
        <h2 id='c'>CHAPTER I</h2><p>STORY STORY It had <a id='p2'/>one wheel<a href='a.xhtml#n1' epub:type='noteref'>1</a>.</p>",
    );
    let second = page(
        "<h2>CHAPTER II</h2><p>STORY</p><aside epub:type='footnote' id='n1'><p>1 Of oak.</p></aside>\
        <section id='pg-footer'><p>licence</p></section>",
    );
    let mut files = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/a.xhtml", &second),
        ("OEBPS/b.xhtml", &first),
    ];
    let package = package(&["b.xhtml", "a.xhtml"]);
    if !more.iter().any(|(name, _)| *name == "OEBPS/book.opf") {
        files.push(("OEBPS/book.opf", &package));
    }
    files.extend(more);
    pack(&files)
}

fn lines(cleaned: &Cleaned) -> Vec<String> {
    cleaned.lines().replace(STORY, "STORY").lines().map(str::to_owned).collect()
}

#[track_caller]
fn refused(bytes: &[u8], code: &str) {
    match clean(bytes, "book.epub") {
        Ok(cleaned) => panic!("{code}: read as {:?}", lines(&cleaned)),
        Err(reason) => assert_eq!(reason.code, code, "{}", reason.detail),
    }
}

#[test]
fn the_spine_is_the_order_and_everything_is_accounted_for() {
    let cleaned = clean(&book(&[]), "book.epub").unwrap();
    let expect = ["# CHAPTER I", "STORY STORY It had one wheel.", "# CHAPTER II", "STORY"]
        .map(str::to_owned);
    assert_eq!(lines(&cleaned), expect);
    let whys: Vec<_> = cleaned.cuts.iter().map(|cut| cut.why).collect();
    assert_eq!(whys, [Why::Header, Why::NoteMark, Why::Footnote, Why::Footer]);
    assert_eq!(cleaned.says.title, "The Mill & the River");
    assert_eq!(cleaned.says.authors, ["A. Writer"]);
    assert_eq!((cleaned.says.language.as_str(), cleaned.page.rule), ("en", "xml"));
    for paragraph in &cleaned.paragraphs {
        let shown = &cleaned.page.text[paragraph.page.bytes()];
        assert!(shown.starts_with(&paragraph.text[..4]), "{shown}");
    }
}

#[test]
fn titles_come_from_the_contents_where_the_text_has_none() {
    let nav = page(
        "<nav epub:type='toc'><ol><li><a href='one.xhtml'>Chapter I</a></li><li><a \
        href='two.xhtml#t'>The <b>River</b></a></li></ol></nav><nav epub:type='page-list'><a href='one.xhtml'>1</a></nav>",
    );
    let ncx = r#"<ncx><navMap><navPoint><navLabel><text>Chapter I</text></navLabel><content src="one.xhtml"/></navPoint>
        <navPoint><navLabel><text>The River</text></navLabel><content src="two.xhtml#t"/></navPoint></navMap>
        <pageList><pageTarget><navLabel><text>1</text></navLabel><content src="one.xhtml"/></pageTarget></pageList></ncx>"#;
    let one = page("<p><img src='i.png' alt=''/></p><p>STORY</p>");
    let two = page("<p id='t'>The River</p><p>STORY</p><p>STORY</p>");
    for contents in [("OEBPS/nav.xhtml", nav.as_str()), ("OEBPS/toc.ncx", ncx)] {
        let package = package(&["one.xhtml", "two.xhtml"]);
        let files = [
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/book.opf", &package),
            ("OEBPS/one.xhtml", &one),
            ("OEBPS/two.xhtml", &two),
            contents,
        ];
        let cleaned = clean(&pack(&files), "book.epub").unwrap();
        let expect = ["# Chapter I", "STORY", "# The River", "STORY", "STORY"].map(str::to_owned);
        assert_eq!(lines(&cleaned), expect, "{}", contents.0);
        // A heading that is nowhere in the text takes no room there.
        assert_eq!(cleaned.paragraphs[0].kind, ParagraphKind::Heading);
        assert!(cleaned.paragraphs[0].page.bytes().is_empty());
    }
}

#[test]
fn a_table_of_contents_in_the_reading_order_is_cut() {
    let package = package(&["nav.xhtml", "b.xhtml", "a.xhtml"]);
    let nav = page(
        "<nav epub:type='toc'><h2>Contents</h2><ol><li><a href='b.xhtml'>Chapter I</a></li></ol></nav>",
    );
    let bytes = book(&[("OEBPS/book.opf", &package), ("OEBPS/nav.xhtml", &nav)]);
    let cleaned = clean(&bytes, "book.epub").unwrap();
    assert_eq!(lines(&cleaned)[0], "# CHAPTER I");
    assert!(cleaned.cuts.iter().any(|cut| cut.why == Why::Contents));
}

#[test]
fn locked_books_are_refused_and_hidden_fonts_are_not() {
    let method = |uri: &str| {
        format!(
            r#"<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod
            Algorithm="{uri}"/></enc:EncryptedData></encryption>"#
        )
    };
    let path = "META-INF/encryption.xml";
    let fonts = method("http://www.idpf.org/2008/embedding");
    assert!(clean(&book(&[(path, &fonts)]), "book.epub").is_ok());
    refused(&book(&[(path, &method("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))]), "drm");
    refused(&book(&[("META-INF/rights.xml", "<rights/>")]), "drm");
}

#[test]
fn archives_that_are_no_books_are_named() {
    refused(&pack(&[("word/document.xml", "<w/>")]), "not-an-epub");
    refused(&pack(&[("META-INF/container.xml", "<container/>")]), "bad-epub");
    refused(&pack(&[("META-INF/container.xml", CONTAINER)]), "bad-epub");
    refused(&book(&[("OEBPS/book.opf", &package(&["none.xhtml"]))]), "bad-epub");
    refused(&book(&[("OEBPS/book.opf", &package(&["../../etc/passwd"]))]), "bad-epub");
    refused(&book(&[("OEBPS/book.opf", "<package><manifest>")]), "bad-epub");
    let whole = book(&[]);
    refused(&whole[..whole.len() / 2], "bad-zip");
    let mut bent = whole.clone();
    let at = bent.len() / 3;
    bent[at..at + 40].fill(0xaa);
    assert!(clean(&bent, "book.epub").is_err());
    let package = package(&["inner.xhtml"]);
    let files = [
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/book.opf", &package),
        ("OEBPS/inner.xhtml", "PK\u{3}\u{4} a zip"),
    ];
    refused(&pack(&files), "nested-archive");
}

#[test]
fn entities_of_ones_own_are_not_followed() {
    let bomb = r#"<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]><container/>"#;
    refused(&pack(&[("META-INF/container.xml", bomb)]), "xml-entities");
    let outside = format!(
        "<!DOCTYPE html [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>{}",
        page("<h2>I</h2><p>&e; STORY</p>")
    );
    let package = package(&["c.xhtml"]);
    refused(&book(&[("OEBPS/book.opf", &package), ("OEBPS/c.xhtml", &outside)]), "xml-entities");
}

#[test]
fn bombs_and_links_are_refused() {
    let zeros = " ".repeat(40 * 1024 * 1024);
    refused(&book(&[("OEBPS/c.xhtml", &zeros)]), "packed-too-tight");
    let many: Vec<String> = (0..10_001).map(|at| format!("f{at}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
    refused(&pack(&many), "too-many-entries");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("a", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    refused(&zip.finish().unwrap().into_inner(), "archive-link");
}

#[test]
fn folders_hold_epubs() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("pg17-images-3.epub"), book(&[])).unwrap();
    let folder = Folder::at(".").open(&Env::at(dir.path())).unwrap();
    let listing = folder.units(&Known::default()).unwrap();
    assert_eq!(listing.units[0].unit.as_str(), "17");
    let book =
        folder.read(&listing.units[0], &mut Reviews::new(Decisions::NONE)).unwrap().remove(0);
    assert_eq!((book.title.as_str(), book.chapters.len()), ("The Mill & the River", 2));
    assert_eq!(book.authors[0].name, "A. Writer");
}
