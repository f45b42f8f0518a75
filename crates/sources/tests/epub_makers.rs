//! EPUBs laid out as publishers and converters lay them out, made by hand: what each says of its documents, and
//! what it leaves behind.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
    path::Path,
};

use storymill_sources::{Cleaned, clean};
use zip::{ZipWriter, write::SimpleFileOptions};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

/// A book: what its package says, its guide, other files, its documents in reading order. A document's name may
/// end in `!` where readers do not come past it.
struct Made<'m> {
    metadata: &'m str,
    guide: &'m str,
    files: &'m [(&'m str, &'m str)],
    documents: &'m [(&'m str, &'m str)],
}

impl Made<'_> {
    fn clean(&self) -> Cleaned {
        let (mut items, mut order) = (String::new(), String::new());
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, text: &str| {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        };
        for (at, (name, text)) in self.documents.iter().enumerate() {
            let (name, linear) = name.strip_suffix('!').map_or((*name, "yes"), |name| (name, "no"));
            let href = name.replace(' ', "%20");
            // Some archives have the name as it stands in links.
            let name = if at % 2 == 1 { href.as_str() } else { name };
            write!(items, r#"<item id="d{at}" href="{href}" media-type="application/xhtml+xml"/>"#)
                .unwrap();
            write!(order, r#"<itemref idref="d{at}" linear="{linear}"/>"#).unwrap();
            let text = text.replace("STORY", &format!("<p>{STORY}</p>"));
            let body =
                if text.starts_with("<body") { text } else { format!("<body>{text}</body>") };
            add(
                &format!("OEBPS/{name}"),
                &format!(
                    r#"<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>{body}</html>"#
                ),
            );
        }
        for (at, (name, text)) in self.files.iter().enumerate() {
            let is_sheet = Path::new(name).extension().is_some_and(|kind| kind == "css");
            let kind = if is_sheet { "text/css" } else { "application/x-dtbncx+xml" };
            write!(items, r#"<item id="f{at}" href="{name}" media-type="{kind}"/>"#).unwrap();
            add(&format!("OEBPS/{name}"), text);
        }
        add(
            "META-INF/container.xml",
            r#"<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>"#,
        );
        add(
            "OEBPS/content.opf",
            &format!(
                r#"<package xmlns:dc="d" xmlns:opf="o"><metadata>{}</metadata><manifest>{items}</manifest><spine>{order}</spine>
            <guide>{}</guide></package>"#,
                self.metadata, self.guide
            ),
        );
        clean(&zip.finish().unwrap().into_inner(), "book.epub").unwrap()
    }
}

/// The lines of a book, and what it says of itself.
#[track_caller]
fn check(made: &Made<'_>, lines: &[&str], says: &str) {
    let cleaned = made.clean();
    let found = cleaned.lines().replace(STORY, "STORY");
    assert_eq!(found.lines().collect::<Vec<_>>(), lines);
    assert_eq!(format!("{} | {}", cleaned.says.title, cleaned.says.authors.join("; ")), says);
}

#[test]
fn a_publisher_says_what_its_documents_are() {
    let made = Made {
        metadata: r##"<dc:title id="title">The Mill</dc:title><meta property="title-type" refines="#title">main</meta>
            <dc:title id="fulltitle">The Mill: A Tale</dc:title><dc:creator id="author">Ann Writer</dc:creator>
            <meta property="role" refines="#author" scheme="marc:relators">aut</meta>
            <dc:creator id="t">Ben Other</dc:creator><meta property="role" refines="#t">trl</meta>"##,
        guide: "",
        files: &[],
        documents: &[
            (
                "titlepage.xhtml",
                "<body epub:type='frontmatter'><section epub:type='titlepage'><h1>The Mill</h1><p>By Ann Writer</p></section></body>",
            ),
            (
                "imprint.xhtml",
                "<body epub:type='frontmatter'><section epub:type='imprint'><h2>Imprint</h2><p>This ebook is the product of many hours of hard work by volunteers, and builds on the hard work of others.</p></section></body>",
            ),
            (
                "foreword.xhtml",
                "<body epub:type='frontmatter'><section epub:type='foreword'><h2>To Begin With</h2>STORY</section></body>",
            ),
            (
                "chapter-1.xhtml",
                "<body epub:type='bodymatter z3998:fiction'><section epub:type='chapter'><hgroup><h2 epub:type='ordinal z3998:roman'>I</h2><p epub:type='title'>The River</p></hgroup>STORYSTORY<p>It had one wheel.<a href='endnotes.xhtml#note-1' epub:type='noteref'>1</a></p>STORY</section></body>",
            ),
            (
                "chapter-2.xhtml",
                "<body epub:type='bodymatter z3998:fiction'><section epub:type='chapter'><hgroup><h2 epub:type='ordinal z3998:roman'>II</h2><p epub:type='title'>The Flood</p></hgroup>STORYSTORYSTORY</section></body>",
            ),
            (
                "endnotes.xhtml",
                "<body epub:type='backmatter'><section epub:type='endnotes'><h2>Endnotes</h2><ol><li id='note-1' epub:type='endnote'><p>Of oak. <a href='chapter-1.xhtml#noteref-1'>↩</a></p></li></ol></section></body>",
            ),
            (
                "colophon.xhtml",
                "<body epub:type='backmatter'><section epub:type='colophon'><p>The Mill was published in 1901 by Ann Writer, and this edition was made for readers who like mills.</p></section></body>",
            ),
        ],
    };
    let expected = [
        "# I The River",
        "STORY",
        "STORY",
        "It had one wheel.",
        "STORY",
        "# II The Flood",
        "STORY",
        "STORY",
        "STORY",
    ];
    check(&made, &expected, "The Mill | Ann Writer");
}

#[test]
fn a_library_wraps_header_and_licence() {
    let made = Made {
        metadata: r#"<dc:title>The Mill</dc:title><dc:creator opf:file-as="Writer, Ann" opf:role="aut">Ann Writer</dc:creator>
            <dc:creator opf:role="ill">Ben Other</dc:creator>"#,
        guide: r#"<reference type="cover" title="Cover" href="wrap0000.xhtml"/>"#,
        files: &[],
        documents: &[
            ("wrap0000.xhtml!", "<div><p>Cover by somebody</p></div>"),
            (
                "0_1-h.htm.xhtml",
                "<section class='pg-boilerplate pgheader' id='pg-header'><h2>The Project Gutenberg eBook of The Mill</h2><div id='pg-machine-header'><p><strong>Title</strong>: The Mill</p></div><div id='pg-start-separator'>*** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***</div></section><h1>The Mill</h1><p>by Ann Writer</p><h2>Contents</h2><p><a href='0_1-h.htm.xhtml#c1' class='pginternal'>Chapter I</a></p><h2 id='c1'>CHAPTER I</h2>STORYSTORYSTORY",
            ),
            ("1_1-h.htm.xhtml", "<h2>CHAPTER II</h2>STORYSTORY"),
            (
                "2_1-h.htm.xhtml",
                "<section class='pg-boilerplate pgheader' id='pg-footer'><div>*** END OF THE PROJECT GUTENBERG EBOOK THE MILL ***</div><p>Updated editions will replace the previous one.</p></section>",
            ),
        ],
    };
    check(
        &made,
        &["# CHAPTER I", "STORY", "STORY", "STORY", "# CHAPTER II", "STORY", "STORY"],
        "The Mill | Ann Writer",
    );
}

#[test]
fn a_converter_renames_classes_and_splits_anywhere() {
    let ncx = "<ncx><navMap><navPoint><navLabel><text>“Come in,” said the miller. Old song.</text></navLabel><content src='s 2.html#t2'/></navPoint>\
        <navPoint><navLabel><text>CHAPTER III</text></navLabel><content src='s5.html'/></navPoint>\
        <navPoint><navLabel><text>7 CHAPTER II</text></navLabel><content src='s3.html'/></navPoint></navMap></ncx>";
    let made = Made {
        metadata: "<dc:title>The Project Gutenberg E-text of The Mill, by Ann Writer</dc:title><dc:creator>Unknown</dc:creator>",
        guide: "",
        files: &[
            (
                "style.css",
                "@namespace h \"http://www.w3.org/1999/xhtml\";\n.calibre3 {\n  display: none\n}\n.calibre4 {\n  text-align: center\n}",
            ),
            ("toc.ncx", ncx),
        ],
        documents: &[
            ("titlepage.xhtml", "<div><svg><image href='c.jpg'/></svg></div>"),
            (
                "s0.html",
                "<pre class='calibre1'>The Project Gutenberg EBook of The Mill\n\nTitle: The Mill\n       or The River\n\nAuthor: Ann Writer\n\n*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n</pre>",
            ),
            ("s1.html", "<h1 class='calibre2'>The Mill</h1><h2 class='calibre5'>CHAPTER I</h2>"),
            (
                "s 2.html",
                "<p class='noin1' id='t2'>“Come in,” said the miller.</p>STORYSTORY<p class='calibre3'>Never shown.</p><p class='illo-caption4'>The wheel</p>STORY",
            ),
            ("s3.html", "<div class='chapter1'><span class='pagenum1'>7</span></div>"),
            (
                "s4.html",
                "<h2 class='calibre5'>CHAPTER II</h2>STORYSTORY<h2 class='calibre5'>CHAPTER III</h2>",
            ),
            ("s5.html", "STORY<p class='calibre4'>THE END</p>"),
        ],
    };
    let expected = [
        "# CHAPTER I",
        "“Come in,” said the miller.",
        "STORY",
        "STORY",
        "STORY",
        "# CHAPTER II",
        "STORY",
        "STORY",
        "# CHAPTER III",
        "STORY",
    ];
    check(&made, &expected, "The Mill; or The River | Ann Writer");
}

#[test]
fn a_converter_wraps_sections_in_what_their_headings_say() {
    let made = Made {
        metadata: "<dc:title>The Mill</dc:title><dc:creator>Ann Writer</dc:creator>",
        guide: "<reference type='toc' title='x' href='nav.xhtml'/>",
        files: &[],
        documents: &[
            (
                "title_page.xhtml",
                "<section epub:type='titlepage' class='titlepage'><h1 class='title'>The Mill</h1></section>",
            ),
            (
                "nav.xhtml",
                "<div id='toc'><h1>The Mill</h1><ol class='toc'><li><a href='ch001.xhtml#c1'>CHAPTER I</a></li></ol></div>",
            ),
            (
                "ch001.xhtml",
                "<body epub:type='bodymatter'><section id='the-mill' class='level1' align='center'><h1>The Mill</h1>\
                <section id='contents' class='level2 toc'><h2>CONTENTS</h2><p><a href='#c1'>I</a></p>\
                <section id='c1' class='level3 section' style='text-align: center'><h3>CHAPTER I</h3>STORYSTORYSTORY</section>\
                <section id='c2' class='level3'><h3>CHAPTER II</h3>STORYSTORY</section></section></section></body>",
            ),
        ],
    };
    check(
        &made,
        &["# CHAPTER I", "STORY", "STORY", "STORY", "# CHAPTER II", "STORY", "STORY"],
        "The Mill | Ann Writer",
    );
}

#[test]
fn a_book_that_is_all_front_matter_is_a_book() {
    let made = Made {
        metadata: "<dc:title>The Mill</dc:title>",
        guide: "",
        files: &[],
        documents: &[
            ("a.xhtml", "<body epub:type='frontmatter'><h2>CHAPTER I</h2>STORYSTORYSTORY</body>"),
            ("b.xhtml!", "<body><h2>CHAPTER II</h2>STORYSTORY</body>"),
        ],
    };
    check(
        &made,
        &["# CHAPTER I", "STORY", "STORY", "STORY", "# CHAPTER II", "STORY", "STORY"],
        "The Mill | ",
    );
}

#[test]
fn what_is_said_of_a_place_cuts_no_whole_document() {
    let told = |chapters: &[&str]| {
        let one = |name: &&str| {
            format!("<section><h2 id='{name}'>CHAPTER {name}</h2>{}</section>", "STORY".repeat(9))
        };
        chapters.iter().map(one).collect::<String>()
    };
    let list = "<ol><li><a href='#I'>Chapter I</a></li><li><a href='#II'>Chapter II</a></li></ol>";
    let guide = |href: &str, kind: &str| format!("<reference type='{kind}' href='{href}'/>");
    let rest = told(&["II", "III", "IV"]);
    for (what, guide, first) in [
        ("a place", guide("a.xhtml#c", "toc"), format!("<h2 id='c'>Contents</h2>{list}")),
        ("a list first", String::new(), format!("<nav epub:type='toc'>{list}</nav>")),
        ("a dedication first", String::new(), "<div epub:type='dedication'>To A.</div>".to_owned()),
        ("a list that is none", guide("a.xhtml", "toc"), String::new()),
        ("a long title page", guide("a.xhtml", "title-page"), "STORY".repeat(40)),
    ] {
        for documents in [
            &[first.clone() + &told(&["I"]), rest.clone()][..],
            &[first.clone() + &told(&["I"]) + &rest],
        ] {
            let documents: Vec<_> = ["a.xhtml", "b.xhtml"]
                .into_iter()
                .zip(documents.iter().map(String::as_str))
                .collect();
            let made = Made {
                metadata: "<dc:title>The Mill</dc:title>",
                guide: &guide,
                files: &[],
                documents: &documents,
            };
            let lines = made.clean().lines();
            let stories = lines.matches(STORY).count();
            assert!(stories >= 36 && lines.contains("# CHAPTER I\n"), "{what}: {lines}");
            assert!(!lines.contains("Chapter I\n"), "{what}: {lines}");
        }
    }
}
