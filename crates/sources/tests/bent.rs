//! Pages bent on purpose: none may end the program, and none may cost more than its size allows.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    fmt::Write as _,
    fs,
    io::{Cursor, Write as _},
    time::{Duration, Instant},
};

use storymill_sources::clean;
use zip::{ZipWriter, write::SimpleFileOptions};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

fn code(page: &[u8], name: &str) -> String {
    match clean(page, name) {
        Ok(_) => "a book".to_owned(),
        Err(reason) => reason.code.into_owned(),
    }
}

/// A tag with so many attributes.
fn tag(name: &str, attributes: usize) -> String {
    let mut tag = format!("<{name}");
    for at in 0..attributes {
        write!(tag, " a{at}=\"x\"").unwrap();
    }
    tag + ">"
}

fn epub(files: &[(&str, &str)]) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='b.opf'/></rootfiles></container>";
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("META-INF/container.xml", container)].iter().chain(files) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_tag_with_too_many_attributes_is_refused_by_name() {
    let story = format!("<h2>I</h2><p>{}</p>", STORY.repeat(3));
    for many in [201, 11_232, 200_000] {
        for name in ["p", "img", "/p", "br", "td", "a href=\"#x\""] {
            let page = format!("{story}{}{story}", tag(name, many));
            assert_eq!(code(page.as_bytes(), "page.html"), "too-many-attributes", "{name}");
            // The page may end inside the tag.
            let page = format!("{story}{}", tag(name, many).trim_end_matches('>'));
            assert_eq!(code(page.as_bytes(), "page.html"), "too-many-attributes", "{name}");
        }
    }
    for tight in ["a=\"\"", "a=''", "a=b ", "a ", "a=\"&amp;\"", "a = \"\" ", "\"\" "] {
        let page = format!("{story}<p {}>{story}", tight.repeat(50_000));
        assert_eq!(code(page.as_bytes(), "page.html"), "too-many-attributes", "{tight}");
    }
    let page = format!("{story}{}{story}", tag("p", 190));
    assert_eq!(code(page.as_bytes(), "page.html"), "a book");
    // What only looks like attributes counts for nothing.
    let inert = format!(
        "{story}<!-- {0} --><script>{0}</script><title>{0}</title>{story}",
        tag("p", 9_000)
    );
    assert_eq!(code(inert.as_bytes(), "page.html"), "a book");
}

#[test]
fn no_file_of_an_epub_has_a_tag_with_too_many_attributes() {
    let package = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
        <item id='n' href='n.xhtml' properties='nav' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='a'/></spine></package>";
    let page = format!("<html><body><h2>I</h2><p>{}</p></body></html>", STORY.repeat(3));
    let bent = tag("p", 20_000);
    let whole = [("b.opf", package), ("a.xhtml", &page), ("n.xhtml", "<nav/>")];
    assert_eq!(code(&epub(&whole), "b.epub"), "a book");
    for (at, bent) in [(0, format!("{bent}{package}")), (1, format!("{bent}{page}"))] {
        let mut files = whole;
        files[at].1 = &bent;
        assert_eq!(code(&epub(&files), "b.epub"), "too-many-attributes", "{}", files[at].0);
    }
    // A table of contents that cannot be read is as good as none.
    let mut files = whole;
    files[2].1 = &bent;
    assert_eq!(code(&epub(&files), "b.epub"), "a book");
}

#[test]
fn abuses_end_in_a_book_or_a_reason() {
    const BIG: usize = 10 << 20;
    let long = "x".repeat(BIG);
    let story = format!("<h2>I</h2><p>{}</p>", STORY.repeat(3));
    for (what, page, expect) in [
        ("tags in tags", "<div>".repeat(100_000), "nested-too-deep"),
        ("inline tags in tags", format!("<p>{}", "<b>".repeat(100_000)), "nested-too-deep"),
        ("a long attribute", format!("{story}<p class='{long}'>{story}"), "a book"),
        ("a long attribute without an end", format!("{story}<p class='{long}"), "a book"),
        ("a long name", format!("{story}<{long}>{story}"), "a book"),
        ("a long comment", format!("{story}<!-- {long} -->{story}"), "a book"),
        ("a comment without an end", format!("{story}<!-- {long}"), "a book"),
        ("a title without an end", format!("<html><title>{long}"), "no-text"),
        ("references", format!("{story}{}", "&amp;".repeat(1 << 20)), "a book"),
        ("references that are none", format!("{story}{}", "&x".repeat(1 << 20)), "a book"),
        ("a reference without an end", format!("{story}&#{}", "9".repeat(BIG)), "a book"),
        ("signs of tags", format!("{story}{}", "<".repeat(1 << 20)), "a book"),
        ("too many paragraphs", "<p>a".repeat(1_000_100), "too-many-paragraphs"),
        (
            "too many blank lines",
            format!("<div>{}", "a\n\n".repeat(1_000_100)),
            "too-many-paragraphs",
        ),
    ] {
        let start = Instant::now();
        let found = code(page.as_bytes(), "page.html");
        assert_eq!(found, expect, "{what}");
        assert!(start.elapsed() < Duration::from_mins(1), "{what}: {:?}", start.elapsed());
    }
    assert_eq!(code("a\n\n".repeat(1_000_100).as_bytes(), "page.txt"), "too-many-paragraphs");
    assert_eq!(code(b"<p>A mill\0</p>", "page.html"), "binary");
}

#[test]
fn a_picture_among_line_breaks_stands_before_what_follows() {
    for blanks in (0..6).map(|many| " ".repeat(many)) {
        for rest in ["</p>", "“““Éééé, he said.</p>", "<img src='y.jpg'><br>“Come!”</p>"]
        {
            let page =
                format!("<h2>I</h2><p>{STORY}</p><p>He went.<br>{blanks}<img src=x.jpg><br>{rest}");
            assert_eq!(code(page.as_bytes(), "page.html"), "a book", "{page}");
        }
    }
    let page = format!("<h2>I</h2><p>{STORY}<br> <img alt=T><br>he mill burnt.</p>");
    let lines = clean(page.as_bytes(), "page.html").unwrap().lines();
    assert!(lines.ends_with("\nThe mill burnt.\n"), "{lines}");
}

/// What this thread has spent, where the system tells; else what the clock says.
fn spent(start: Instant) -> Duration {
    let read = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = read.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn cost(page: &[u8], name: &str) -> Duration {
    let start = Instant::now();
    let before = spent(start);
    assert_ne!(code(page, name), "cleaner-failed");
    spent(start).saturating_sub(before)
}

#[track_caller]
fn scales(what: &str, name: &str, page: impl Fn(usize) -> String) {
    grows(what, name, 6_000, |size| page(size).into_bytes());
}

/// Four times the page may cost ten times as much; what is quadratic costs sixteen times as much. What seems so is tried with larger
/// pages, of which a machine's own stumbling is a smaller share.
#[track_caller]
fn grows(what: &str, name: &str, size: usize, page: impl Fn(usize) -> Vec<u8>) {
    let mut told = String::new();
    for size in [size, size * 2, size * 4] {
        let small = cost(&page(size), name).max(Duration::from_millis(10));
        let large = cost(&page(size * 4), name);
        if large < small * 10 {
            return;
        }
        told = format!("{what}: {small:?}, four times the page {large:?}");
    }
    panic!("{told}");
}

fn each(size: usize, one: impl Fn(usize) -> String) -> String {
    (0..size).map(one).collect()
}

#[test]
fn cost_grows_with_the_page_and_no_faster() {
    let page = |body: String| {
        format!("<h2>Chapter I</h2><p>{STORY}</p>{body}<h2>Chapter II</h2><p>{STORY}</p>")
    };
    let html = |what: &str, body: &dyn Fn(usize) -> String| {
        scales(what, "page.html", |size| page(body(size)));
    };
    html("links in a paragraph", &|size| {
        format!("<p>{}</p>", each(size, |at| format!("<a href='#x{at}'>{at}</a>, ")))
    });
    html("links alone in a paragraph", &|size| {
        format!("<p>{}</p>", "<a href='#x'>1</a>".repeat(size))
    });
    html("linked paragraphs", &|size| {
        each(size, |at| format!("<p id=x{at}><a href='#x{}'>{at}</a> word</p>", at + 1))
    });
    html("links forth from one paragraph", &|size| {
        format!(
            "<p>{}</p>{}",
            each(size, |at| format!("<a href='#x{at}'>1</a>")),
            each(size, |at| format!("<p id=x{at}>word</p>"))
        )
    });
    html("notes", &|size| {
        let marks = each(size, |at| format!("word<a id=r{at} href='#f{at}'>[{at}]</a> "));
        let notes = each(size, |at| format!("<p><a id=f{at} href='#r{at}'>[{at}]</a> note</p>"));
        format!("<p>{marks}</p>{notes}")
    });
    html("stars", &|size| {
        format!("{}{}", "<p>word* and word† and</p>".repeat(size), "<p>* note</p>".repeat(size))
    });
    html("anchors", &|size| format!("<p>{}word</p>", each(size, |at| format!("<a id=x{at}></a>"))));
    html("brackets", &|size| "[a".repeat(size * 10));
    html("brackets in brackets", &|size| format!("{}{}", "[a".repeat(size), "]".repeat(size)));
    html("curly brackets", &|size| format!("{}{}", "{a".repeat(size * 4), "}".repeat(size * 4)));
    html("headings", &|size| each(size, |at| format!("<h2>Chapter {at}</h2><p>word</p>")));
    html("headings below one", &|size| format!("<h3>Name</h3>{}", "<h4>name</h4>".repeat(size)));
    html("headings and ends", &|size| "<h3>Name</h3><p>The end</p>".repeat(size));
    html("a list of headings", &|size| {
        format!(
            "{}{}",
            each(size, |at| format!("<p>Chapter {at}</p>")),
            each(size, |at| format!("<h2>Chapter {at}</h2><p>word</p>"))
        )
    });
    html("headings before a list of contents", &|size| {
        let list = each(size, |at| format!("<p><a href='#x{at}'>Name {at}</a></p>"));
        format!("{}<h2>CONTENTS</h2>{list}", each(size, |at| format!("<h2>Name {at}</h2>")))
    });
    html("ends of files", &|size| "<p>End of Project Gutenberg's Mill</p>".repeat(size * 4));
    html("a row of cells", &|size| {
        format!("<table><tr>{}</tr></table>", "<td>word</td>".repeat(size))
    });
    html("rows of cells", &|size| {
        format!("<table>{}</table>", "<tr><td>Word</td><td>1</td></tr>".repeat(size))
    });
    html("initials", &|size| format!("<p>{}</p>", "<span class=dropcap>.</span>".repeat(size)));
    html("pictures", &|size| format!("<p>{}he night</p>", "<img alt='' src=t.png>".repeat(size)));
    html("pictures of letters", &|size| {
        "<p><img alt=T>he night</p><p><img alt='' src=t.png>nce upon</p>".repeat(size)
    });
    html("hidden letters", &|size| "<span class=hidden>T</span>".repeat(size));
    html("tags in tags", &|size| {
        format!("<a>{}{}", "<div>".repeat(1_000), "<a></a><b></b>".repeat(size * 10))
    });
    html("tags that cross", &|size| "<b><i>x</b>y</i><b><p>x</b></p>".repeat(size));
    html("line breaks", &|size| format!("<p>{}</p>", "word<br>".repeat(size * 4)));
    html("blank lines", &|size| format!("<pre>{}</pre>", "word\n\n".repeat(size)));
    html("references", &|size| "&amp;&lt;&#65;".repeat(size * 4));
    html("classes", &|size| format!("<p class='{}'>word</p>", "dropcap ".repeat(size * 4)));
    html("styles", &|size| format!("<p style='{}'>word</p>", "color: red;".repeat(size * 4)));
    html("a title", &|size| format!("<title>{}</title>", "The Mill, or The River; ".repeat(size)));
    html("notes of the transcriber", &|size| {
        "<div><p class=tnote>Transcriber's Note</p></div><p>word</p>".repeat(size)
    });
    scales("authors", "page.html", |size| {
        format!(
            "<div id=pg-header>{}</div>{}",
            each(size, |at| format!("<p>Author: A{at}</p>")),
            page(String::new())
        )
    });
    scales("facts of a plain text", "page.txt", |size| {
        format!("{}\n{}", "title: The Mill\n".repeat(size), "word\n\n".repeat(size))
    });
    scales("lines of a plain text", "page.txt", |size| {
        format!("{}\n{STORY}", "CHAPTER I\n\nword\nword\n\n".repeat(size))
    });
}

#[test]
fn names_that_an_archive_lacks_cost_no_more_than_others() {
    let page = format!("<html><body><h2>I</h2><p>{}</p></body></html>", STORY.repeat(3));
    grows("style sheets that are not there", "b.epub", 2_300, |size| {
        let sheets = each(size, |at| format!("<item href='no{at}.css' media-type='text/css'/>"));
        let package = format!(
            "<package><manifest>{sheets}<item id='a' href='a.xhtml' \
             media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/></spine></package>"
        );
        let names: Vec<String> = (0..size).map(|at| format!("a/picture/é{at}.jpg")).collect();
        let mut files = vec![("b.opf", package.as_str()), ("a.xhtml", &page)];
        files.extend(names.iter().map(|name| (name.as_str(), "")));
        epub(&files)
    });
}
