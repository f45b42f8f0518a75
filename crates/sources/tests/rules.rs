//! One small page for each rule of cleaning: what stays, line by line.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "rules/long_cuts.rs"]
mod long_cuts;

use storymill_core::{Decisions, Reviews};
use storymill_sources::{Why, clean, clean_decided};

/// Enough story to be a book.
const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

#[track_caller]
fn check(page: &str, expect: &[&str]) {
    let page = page.replace("STORY", STORY);
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let lines = cleaned.lines().replace(STORY, "STORY");
    assert_eq!(lines.lines().collect::<Vec<_>>(), expect);
}

#[track_caller]
fn cuts(page: &str, expect: &[(Why, &str)]) {
    let page = page.replace("STORY", STORY);
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let cuts: Vec<_> = cleaned.cuts.iter().map(|cut| (cut.why, cut.text.as_str())).collect();
    assert_eq!(cuts, expect);
}

#[test]
fn inner_tags_leave_words_whole() {
    check(
        "<h2>I</h2><p>un<i>believ</i>able <span>T</span>he go<!-- x -->ing STORY",
        &["# I", "unbelievable The going STORY"],
    );
}

#[test]
fn page_numbers_inside_words_and_paragraphs() {
    let page = "<h2>Chapter I</h2><p>STORY The won<span class=pagenum><a id=Page_2>[2]</a></span>der \
        grew. [Pg 3] It went {4} on.</p>";
    check(page, &["# Chapter I", "STORY The wonder grew. It went on."]);
    let cut = [(Why::PageNumber, "[2]"), (Why::PageNumber, "[Pg 3]"), (Why::PageNumber, "{4}")];
    cuts(page, &cut);
}

#[test]
fn a_picture_parts_no_sentence() {
    let figure = "<div class=figcenter><img alt='' src=i_041.jpg></div>";
    let page = |between: &str| {
        format!(
            "<h2>I</h2><p>STORY He spoke of his</p>{between}<p class=nind>being gone. STORY</p>"
        )
    };
    check(&page(figure), &["# I", "STORY He spoke of his being gone. STORY"]);
    check(&page(""), &["# I", "STORY He spoke of his", "being gone. STORY"]);
    let page = format!("<h2>I</h2><p>STORY</p>{figure}<p>being gone. STORY</p>");
    check(&page, &["# I", "STORY", "being gone. STORY"]);
}

#[test]
fn the_first_story_of_a_plain_collection_keeps_its_title() {
    let lines = |page: &str| {
        let page = page.replace("STORY", STORY);
        let cleaned = clean(page.as_bytes(), "page.txt").unwrap();
        cleaned.lines().replace(STORY, "STORY")
    };
    let head = "title: Tales\nauthor: A. Writer\n\n\n\n";
    let contents = "CONTENTS\n\nI. THE MILL\n\nII. THE WELL\n\nIII. THE INN\n\n\n\n";
    let under = |heading: &str| format!("{heading}\n\n\n{}\n\n", "STORY\n\n".repeat(4));
    let told = |heading: &str| format!("# {heading}\n{}", "STORY\n".repeat(4));
    let sections = under("I.") + &under("II.");
    let others = under("II. THE WELL") + &under("III. THE INN");
    for front in [head, contents, ""] {
        let page = format!("{front}I. THE MILL\n\n\n{sections}{others}");
        let kept = [told("I."), told("II."), told("II. THE WELL"), told("III. THE INN")].concat();
        assert_eq!(lines(&page), format!("# I. THE MILL\n{kept}"), "{page}");
    }
    // What stands above numbers alone is a list of what they are called.
    let page = [head, contents, &sections, &under("III.")].concat();
    assert_eq!(lines(&page), [told("I."), told("II."), told("III.")].concat());
}

#[test]
fn underscores_for_italics_go() {
    check(
        "<h2>I</h2><p>It was the word _coat_. STORY</p>",
        &["# I", "It was the word coat. STORY"],
    );
}

#[test]
fn headings_have_one_blank() {
    check(
        "<h2>CHAPTER I<br><br>HARKER’S JOURNAL</h2><p>STORY</p>",
        &["# CHAPTER I HARKER’S JOURNAL", "STORY"],
    );
}

#[test]
fn note_marks_that_became_kana_go() {
    let text =
        "他們說從前有一個村子沒有人住山上的雨下了三天三夜河水漫過了石橋牛站在岸邊怎麼也不肯走";
    let paragraph = |mark: &str| format!("<p>{text}{mark}，{text}，{text}，{text}。</p>");
    let page = |marks: [&str; 5]| format!("<h2>一</h2>{}", marks.map(paragraph).concat());
    let kept = |page: &str| {
        let lines = clean(page.as_bytes(), "page.html").unwrap().lines();
        lines.chars().filter(|c| "くぐけゝことば".contains(*c)).collect::<String>()
    };
    assert_eq!(kept(&page(["く", "ぐ", "け", "ゝ", "こ"])), "");
    assert_eq!(kept(&page(["く", "", "", "", "こ"])), "くこ");
    assert_eq!(kept(&page(["く", "ぐ", "け", "ゝ", "ことば"])), "くぐけゝことば");
}

#[test]
fn initials_join_their_words() {
    check(
        "<h2>I</h2><p><span class=dropcap>T</span> hat night. STORY</p>",
        &["# I", "That night. STORY"],
    );
    check("<h2>I</h2><p><span class=dropcap>A</span> night. STORY</p>", &["# I", "A night. STORY"]);
    check(
        "<h2>I</h2><p><img alt='M' src=m.png>R. GREY came. STORY</p>",
        &["# I", "MR. GREY came. STORY"],
    );
    check(
        "<h2>I</h2><div class=figleft><img alt='M'></div><p>r. Grey came. STORY</p>",
        &["# I", "Mr. Grey came. STORY"],
    );
    check(
        "<h2>I</h2><p><img alt='A mill by a river'>Grey came. STORY</p>",
        &["# I", "Grey came. STORY"],
    );
}

#[test]
fn markers_of_all_ages() {
    for (start, end) in [
        (
            "<pre>\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n</pre>",
            "<p>End of Project Gutenberg's X, by Y</p><pre>\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n\nmore\n</pre>",
        ),
        (
            "<p>***START OF THE PROJECT GUTENBERG EBOOK X***</p>",
            "<p>***END OF THE PROJECT GUTENBERG EBOOK X***</p><p>licence</p>",
        ),
        (
            "<p>*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*</p>",
            "<p>End of The Project Gutenberg Etext of X</p>",
        ),
        (
            "<section id=pg-header><p>The Project Gutenberg eBook of X</p></section>",
            "<section id=pg-footer><p>licence</p></section>",
        ),
        ("", ""),
    ] {
        check(&format!("{start}<h2>CHAPTER I</h2><p>STORY</p>{end}"), &["# CHAPTER I", "STORY"]);
    }
}

#[test]
fn a_marker_behind_a_line_break_ends_the_paragraph() {
    check(
        "<h2>I</h2><p>STORY<br>End of the Project Gutenberg EBook of X, by Y</p>",
        &["# I", "STORY"],
    );
}

#[test]
fn front_matter_goes() {
    check(
        "<h1>THE MILL</h1><h3>by</h3><h3>A. Writer</h3><p class=center>TO MY WIFE</p><h2>CONTENTS</h2>\
         <p><a href='#c1'>Chapter I</a><br><a href='#c2'>Chapter II</a></p><h2>PREFACE</h2><p>STORY</p>\
         <h2 id=c1>CHAPTER I</h2><h3>The River</h3><p>STORY</p><h2 id=c2>CHAPTER II</h2><p>STORY</p>",
        &["# CHAPTER I The River", "STORY", "# CHAPTER II", "STORY"],
    );
}

#[test]
fn back_matter_goes() {
    check(
        "<h2>CHAPTER I</h2><p>STORY</p><h2>CHAPTER II</h2><p>STORY</p><p>STORY</p><p>THE END</p><h2>NEW BOOKS</h2><p>Cloth, 12mo</p>",
        &["# CHAPTER I", "STORY", "# CHAPTER II", "STORY", "STORY"],
    );
}

#[test]
fn headings_without_heading_tags() {
    check(
        "<p>CHAPTER I.</p><p>STORY</p><p><b>CHAPTER II.</b></p><p>STORY</p>",
        &["# CHAPTER I.", "STORY", "# CHAPTER II.", "STORY"],
    );
    check(
        "<p class=center>I</p><p>STORY</p><p class=center>II</p><p>STORY</p><p class=center>III</p><p>STORY</p>",
        &["# I", "STORY", "# II", "STORY", "# III", "STORY"],
    );
    check(
        "<h1>CHAPTER I</h1>\nThe River <br>\n<p>STORY</p><h1>CHAPTER II</h1>\nThe Mill <br>\n<p>STORY</p>",
        &["# CHAPTER I The River", "STORY", "# CHAPTER II The Mill", "STORY"],
    );
}

#[test]
fn parts_stand_above_chapters() {
    let page =
        format!("<h2>BOOK I</h2><h2>CHAPTER I</h2><p>{STORY}</p><h2>CHAPTER II</h2><p>{STORY}</p>");
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let book = cleaned.book("mill".parse().unwrap(), None);
    let levels: Vec<_> =
        book.chapters.iter().map(|chapter| (chapter.level, chapter.title.as_str())).collect();
    assert_eq!(levels, [(0, "BOOK I"), (1, "CHAPTER I"), (1, "CHAPTER II")]);
    assert_eq!(book.chapters[0].span.bytes(), 0..book.text.len());
    assert!(book.text[book.chapters[1].span.bytes()].starts_with("CHAPTER I"));
}

#[test]
fn bare_text_is_text() {
    check(
        "<h1>CHAPTER I</h1>\nSTORY <br>\n<p>STORY<br>\n</p>\n\nSTORY\n\nSTORY",
        &["# CHAPTER I", "STORY", "STORY", "STORY", "STORY"],
    );
}

#[test]
fn footnotes_and_their_marks() {
    check(
        "<h2>I</h2><p>STORY A mill<a href='#f1' id=r1>[1]</a> it was.</p><p><a href='#r1' id=f1>[1]</a> Of wood.</p><p>STORY</p>",
        &["# I", "STORY A mill it was.", "STORY"],
    );
    check(
        "<h2>I</h2><p>STORY A mill* it was.</p><pre>\n * Of wood.\n\n It burnt.\n</pre><p>STORY</p>",
        &["# I", "STORY A mill it was.", "STORY"],
    );
    check(
        "<h2>I</h2><p>STORY</p><p>[Footnote 1: Of wood.</p><p>And stone.]</p><p>STORY</p>",
        &["# I", "STORY", "STORY"],
    );
}

#[test]
fn pictures_have_captions_and_stories_have_not() {
    check(
        "<h2>I</h2><p>STORY</p><div class=figcenter><img alt='x'><p>The mill by night</p></div><p>STORY</p>",
        &["# I", "STORY", "STORY"],
    );
    check("<h2>I</h2><p>STORY [Illustration: The mill] STORY</p>", &["# I", "STORY STORY"]);
    for caption in
        ["<p class=cap>The mill by night</p>", "<span class=cap>The mill by night</span>"]
    {
        check(
            &format!(
                "<h2>I</h2><p>STORY</p><div class=figcenter><img alt='x'>{caption}</div><p>STORY</p>"
            ),
            &["# I", "STORY", "STORY"],
        );
    }
}

#[test]
fn verse_keeps_its_lines() {
    let page = format!(
        "<h2>I</h2><p>{STORY}</p><div class=poem><span>The wheel goes round,<br></span><span>The grain is ground.</span></div>"
    );
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let last = cleaned.paragraphs.last().unwrap();
    assert_eq!(last.text, "The wheel goes round,\nThe grain is ground.");
    assert_eq!(last.kind, storymill_core::ParagraphKind::Verse);
}

#[test]
fn thought_breaks() {
    check(
        "<h2>I</h2><p>STORY</p><p>* * * * *</p><p>STORY</p><hr><p>STORY</p><hr><h2>II</h2><p>STORY</p>",
        &["# I", "STORY", "* * *", "STORY", "* * *", "STORY", "# II", "STORY"],
    );
}

#[test]
fn notes_of_the_transcriber() {
    check(
        "<h2>I</h2><p>STORY</p><div class=tnote><p>The spelling was kept.</p></div><p>STORY</p>",
        &["# I", "STORY", "STORY"],
    );
    check(
        "<h2>I</h2><p>STORY</p><p>[Transcriber's Note: a word was lost.]</p><p>STORY</p>",
        &["# I", "STORY", "STORY"],
    );
}

#[test]
fn words_of_novels_are_no_boilerplate() {
    let line = "She had an introduction to him, and the contents of the letter, the index of her mind, were a preface to the end.";
    check(
        &format!("<h2>I</h2><p>STORY</p><p>{line}</p><p>STORY</p>"),
        &["# I", "STORY", line, "STORY"],
    );
    check(
        "<h2>I</h2><p>STORY</p><p>\"Title: none,\" he said.</p><p>STORY</p>",
        &["# I", "STORY", "\"Title: none,\" he said.", "STORY"],
    );
}

#[test]
fn lines_that_were_made_paragraphs_are_joined() {
    // Thirty symbols a line, the first of a paragraph two fewer.
    let line = |size: usize| format!("<p>{}</p>", "水".repeat(size));
    let paragraph = format!("{}{}{}", line(28), line(30), line(9));
    let page = format!("<h2>第一回</h2>{}", paragraph.repeat(20));
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let widths: Vec<_> =
        cleaned.paragraphs[1..].iter().map(|paragraph| paragraph.text.chars().count()).collect();
    assert_eq!(widths, [67; 20]);
}

#[test]
fn bad_pages_are_named() {
    let code = |bytes: &[u8]| match clean(bytes, "page.html") {
        Ok(cleaned) => cleaned.check(50).unwrap_err().code,
        Err(reason) => reason.code,
    };
    assert_eq!(code(b""), "empty");
    assert_eq!(code(b" \n"), "empty");
    assert_eq!(code(b"PNG\0\0"), "binary");
    assert_eq!(code(b"<html><body></body></html>"), "no-text");
    assert_eq!(code(b"<p>A mill <a href=\"x"), "cut-off");
    assert_eq!(code(b"<div id=pg-header><p>The Project Gutenberg eBook</p></div>"), "only-licence");
    assert_eq!(code(b"<h2>I</h2><p>A mill.</p>"), "kept-too-little");
    assert_eq!(code(b"\x1f\x8bxx"), "bad-gzip");
    assert_eq!(code("<div>".repeat(5_000).as_bytes()), "nested-too-deep");
    assert_eq!(code(&vec![b'a'; 65 * 1024 * 1024]), "too-large");
}

#[test]
fn a_doubtful_decision_is_a_review_item_with_its_words() {
    let preface = "<h2>How the mill was built</h2><p>Here is how I came to write it down.</p>"
        .to_owned()
        + &"<p>STORY</p>".repeat(3);
    let told = "<p>STORY</p>".repeat(6);
    let page = format!("{preface}<h2>Chapter I</h2>{told}<h2>Chapter II</h2>{told}");
    let page = page.replace("STORY", &STORY.repeat(6));
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let reviews = cleaned.reviews(&"mill".parse().unwrap());
    let told: Vec<_> =
        reviews.iter().map(|r| (r.item.as_str(), &*r.code, r.default.as_str())).collect();
    assert_eq!(told, [("mill", "preface", "keep")]);
    assert!(reviews[0].excerpt.starts_with("Here is how I came"), "{}", reviews[0].excerpt);
    assert!(reviews[0].excerpt.len() <= 244);
    // The same doubt about the same words is the same item.
    let again = clean(page.as_bytes(), "page.html").unwrap().reviews(&"mill".parse().unwrap());
    assert_eq!(again[0].id(), reviews[0].id());
    // What people decide is done; the item stays the same.
    let line = format!("{{\"review\": \"{}\", \"choice\": \"cut\"}}", reviews[0].id());
    let decided = Decisions::parse([(String::new(), line.as_str())]).unwrap();
    let mut desk = Reviews::new(&decided);
    let cut =
        clean_decided(page.as_bytes(), "page.html", &"mill".parse().unwrap(), &mut desk).unwrap();
    assert!(cleaned.lines().contains("how I came to write"), "{}", cleaned.lines());
    assert_eq!(cut.lines().find("# Chapter I"), Some(0), "{}", cut.lines());
    let followed = desk.finish();
    let ids = |all: &[storymill_core::Review]| {
        all.iter().map(storymill_core::Review::id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&followed.items), ids(&reviews));
    assert_eq!(followed.decided, [(reviews[0].id(), "cut".to_owned())]);
}

#[test]
fn what_stands_behind_the_end_is_story_if_people_say_so() {
    let told = format!("<p>{}</p>", STORY.repeat(8)).repeat(12);
    let page = format!(
        "<h2>Chapter I</h2>{told}<h2>Chapter II</h2>{told}<p>THE END</p><p>Years later. {}</p>",
        STORY.repeat(40)
    );
    let clean_as = |choice: Option<&str>| {
        let review = clean(page.as_bytes(), "page.html")
            .unwrap()
            .reviews(&"mill".parse().unwrap())
            .remove(0);
        assert_eq!((&*review.code, &review.default[..]), ("behind-the-end", "cut"));
        let line = choice
            .map(|choice| format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", review.id()));
        let decided =
            Decisions::parse(line.iter().map(|line| (String::new(), line.as_str()))).unwrap();
        let mut desk = Reviews::new(&decided);
        clean_decided(page.as_bytes(), "page.html", &"mill".parse().unwrap(), &mut desk)
            .unwrap()
            .lines()
    };
    assert!(!clean_as(None).contains("Years later"));
    assert_eq!(clean_as(Some("cut")), clean_as(None));
    assert!(clean_as(Some("keep")).contains("Years later"));
}

#[test]
fn credits_take_their_line_and_not_the_book() {
    let told = [STORY; 30].join("<br>");
    let page =
        format!("<p>Transcribed from the 1896 edition by a friend<br>CHAPTER I<br>{told}</p>");
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    assert_eq!(cleaned.paragraphs.len(), 31);
    assert!(cleaned.lines().starts_with("# CHAPTER I\n"), "{}", cleaned.lines());
    assert_eq!(cleaned.cuts.len(), 1);
    assert!(cleaned.kept_pm > 980 && cleaned.kept_pm < 1000, "{}", cleaned.kept_pm);
    // In one paragraph without a line end, their sentence.
    let page = format!("<p>Transcribed from the 1896 edition. {}</p>", STORY.repeat(30));
    check(&page, &[&"STORY".repeat(30)]);
}

#[test]
fn a_short_story_may_have_an_end_and_no_header() {
    let end = "<p>End of the Project Gutenberg EBook of The Mill</p><p>This file should be named 1.txt.</p>\
        <p>Updated editions replace the previous one at www.gutenberg.org</p>";
    check(
        &format!("<h1>The Mill</h1><p>by Ann Writer</p><h2>I</h2><p>STORY</p><p>STORY</p>{end}"),
        &["# I", "STORY", "STORY"],
    );
}

#[test]
fn files_that_a_page_joins_are_all_kept() {
    let licence =
        "<p>Whoever copies this etext of Project Gutenberg copies these lines.</p>".repeat(40);
    let file = |name: &str| {
        format!(
            "<p>*** START OF THIS PROJECT GUTENBERG EBOOK {name} ***</p><h2>{name}</h2>{}\
             <p>End of Project Gutenberg's {name}</p><p>*** END OF THIS PROJECT GUTENBERG EBOOK {name} ***</p>{licence}",
            format!("<p>{STORY}</p>").repeat(60)
        )
    };
    let page = ["CHAPTER I", "CHAPTER II", "CHAPTER III"].map(file).concat();
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    assert_eq!(cleaned.lines().matches(STORY).count(), 180);
    assert!(!cleaned.lines().contains("Gutenberg"));
}

#[test]
fn what_follows_a_note_or_a_picture_stays() {
    let typed = format!("CHAPTER I\n\n{STORY} A mill*\n\n* Of wood.\n\n{STORY}\n\n{STORY}\n");
    let page = format!("<pre>\n{typed}</pre>");
    check(&page, &["# CHAPTER I", "STORY A mill", "STORY", "STORY"]);
    check(
        "<h2>I</h2><p>STORY</p><p>[Illustration: A mill] STORY</p><p>STORY</p>",
        &["# I", "STORY", "STORY", "STORY"],
    );
}
