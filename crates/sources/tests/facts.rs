//! Title and authors, from headers of every age, from `<title>` and from title pages.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_sources::clean;

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

/// What a page says, as `title | author; author`.
#[track_caller]
fn check(page: &str, expected: &str) {
    let story = format!("<h2>CHAPTER I</h2><p>{STORY}</p><p>{STORY}</p>");
    let page = page.replace("STORY", &story);
    let says = clean(page.as_bytes(), "1.html").unwrap().says;
    assert_eq!(format!("{} | {}", says.title, says.authors.join("; ")), expected, "{page}");
}

#[test]
fn headers_of_every_age() {
    let start = "*** START OF THE PROJECT GUTENBERG EBOOK ***";
    check(
        &format!(
            "<pre>Title: The Mill\n       A Tale of Grain\n\nAuthor: Ann Writer\n\n{start}</pre>STORY"
        ),
        "The Mill: A Tale of Grain | Ann Writer",
    );
    check(
        &format!(
            "<pre>Title: The Mill\n       or, The River\n\nAuthor: Ann Writer\n        Ben Other\n\n{start}</pre>STORY"
        ),
        "The Mill; or, The River | Ann Writer; Ben Other",
    );
    check(
        &format!(
            "<pre>Title: The Mill\n       (to say nothing of the River)\n\nAuthor: Ann Writer (Anna W. Other)\n\n{start}</pre>STORY"
        ),
        "The Mill (to say nothing of the River) | Ann Writer",
    );
    check(
        &format!(
            "<div id='pg-header'><p><strong>Title</strong>: The Mill</p><div><p><strong>Creator</strong>: Ann Writer</p></div><p>{start}</p></div>STORY"
        ),
        "The Mill | Ann Writer",
    );
    check(
        &format!(
            "<p>Title: The Mill <br> Author: Ann Writer and Ben Other Release Date: May, 1994 [Etext #1]</p><p>{start}</p>STORY"
        ),
        "The Mill | Ann Writer; Ben Other",
    );
    check(
        &format!("<p>Title: The Mill</p><p>Author: William and Mary Miller</p><p>{start}</p>STORY"),
        "The Mill | William and Mary Miller",
    );
}

#[test]
fn the_title_page_knows_the_signs_between_words() {
    let header = "<pre>The Project Gutenberg EBook\n\nTitle: The Mill\n       or The River\n\nAuthor: Ann Writer\n\n\
        *** START OF THE PROJECT GUTENBERG EBOOK ***</pre>";
    check(
        &format!(
            "{header}<h1>THE MILL,</h1><h3>or, the River</h3><h3>by</h3><h3>Ann Writer</h3>STORY"
        ),
        "The Mill; or, The River | Ann Writer",
    );
    check(
        &format!(
            "{}<h1>A Mill Of Grain</h1><h2>By Ann Writer</h2>STORY",
            header.replace("The Mill\n       or The River", "Mill of Grain")
        ),
        "A Mill of Grain | Ann Writer",
    );
}

#[test]
fn a_title_may_hold_the_word_of_a_label() {
    let start = "*** START OF THE PROJECT GUTENBERG EBOOK ***";
    for title in ["The Author: A Novel", "Letters to the Editor: A Novel"] {
        check(
            &format!(
                "<pre>Title: {title}\n\nAuthor: Ann Writer\n\nLanguage: English\n\n{start}</pre>STORY"
            ),
            &format!("{title} | Ann Writer"),
        );
    }
}

#[test]
fn a_stray_sign_is_no_line_break() {
    let start = "*** START OF THE PROJECT GUTENBERG EBOOK ***";
    check(&format!("<p>Title: The Mill\u{1}Race</p><p>{start}</p>STORY"), "The Mill Race | ");
    let page = format!("Title: The Mill\u{1}Race\n\nCHAPTER I\n\n{STORY}\n\n{STORY}");
    assert_eq!(clean(page.as_bytes(), "1.txt").unwrap().says.title, "The Mill Race");
}

#[test]
fn pages_without_a_header() {
    check("<pre>THE MILL\nby Ann Conan Writer\n\nLondon, 1901\n</pre>STORY", " | Ann Conan Writer");
    check(
        "<title>The Mill | Project Gutenberg</title><h1>The Mill</h1><h2>by Ann Conan Writer</h2>STORY",
        "The Mill | Ann Conan Writer",
    );
    check(
        "<title>The Adventures of a Mill | Project Gutenberg</title><h1>The Adventures of a Mill</h1><h2>by Ann Writer</h2>STORY",
        "The Adventures of a Mill | Ann Writer",
    );
    check("<title>The Mill, par Anne Écrivain</title>STORY", "The Mill | Anne Écrivain");
    check(
        "<title>The Project Gutenberg eBook of The Mill, by Ann Writer.</title>STORY",
        "The Mill | Ann Writer",
    );
    check(
        "<title>The Mill, by Ann Writer—A Project Gutenberg eBook</title>STORY",
        "The Mill | Ann Writer",
    );
    check("<title>THE MILL, By Ann Writer, Complete</title>STORY", "THE MILL | Ann Writer");
    check("<h1>THE<br>MILL</h1><h3>BY</h3><h2>ANN O’WRITER</h2>STORY", "THE MILL | Ann O’Writer");
    check("<h1>The Mill<br>by<br>Ann Writer</h1>STORY", "The Mill | Ann Writer");
}

#[test]
fn a_notice_above_the_title_is_no_title_page() {
    let notice = "<p>THERE IS AN ILLUSTRATED EDITION OF THIS BOOK</p>";
    check(
        &format!("{notice}<h1>The Mill</h1><h2>by Ann Writer</h2>STORY"),
        "The Mill | Ann Writer",
    );
}

#[test]
fn who_wrote_nothing_is_no_author() {
    check(
        "<h1>The Mill</h1><p>Translated from the French</p><p>by Ben Other</p>STORY",
        "The Mill | ",
    );
    check("<h1>The Mill</h1><p>By the author of “The River”</p>STORY", "The Mill | ");
    check("<h1>The Mill</h1><p>By this time the river was high.</p>STORY", "The Mill | ");
    let header = "<pre>The Project Gutenberg EBook\n\nTitle: The Mill\n\nAuthor:  \n\nTranslator: Ben Other\n\n\
        *** START OF THE PROJECT GUTENBERG EBOOK ***</pre>";
    check(&format!("{header}<h2>BY BEN OTHER</h2>STORY"), "The Mill | ");
}
