//! First letters of chapters, in all the ways in which pages print them.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_sources::{Cleaned, clean};

/// A story in which each word stands often, so that the book knows its own words.
const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who kept it \
    ground out one story for every sack of grain. The old man said that she was there. It was long ago, and \
    the night was dark. He said that the old mill was his, and she said that it was hers. In the night she \
    was there again, and the old man said so. A mill is a mill. I had a mill, I said. That was all.";

fn page(body: &str) -> Cleaned {
    let body = body.replace("STORY", STORY);
    let page = format!("<h2>Chapter I</h2>{body}<h2>Chapter II</h2><p>{STORY}</p><p>{STORY}</p>");
    clean(page.as_bytes(), "page.html").unwrap()
}

/// The first words of the first chapter.
#[track_caller]
fn check(body: &str, expect: &str) {
    let cleaned = page(body);
    let lines = cleaned.lines();
    let first = lines.lines().nth(1).unwrap();
    assert!(first.starts_with(expect), "{body}\ngives: {first}\nnot:   {expect}");
    assert_eq!(cleaned.lost_letters, [], "{body}");
}

/// A chapter whose first word lacks a letter that nothing tells.
#[track_caller]
fn lost(body: &str, expect: &str) {
    let cleaned = page(body);
    let lines = cleaned.lines();
    let first = lines.lines().nth(1).unwrap();
    assert!(first.starts_with(expect), "{body}\ngives: {first}");
    assert_eq!(cleaned.lost_letters.len(), 1, "{body}");
    let book = cleaned.book("mill".parse().unwrap(), None);
    assert!(book.flags.iter().any(|flag| flag == "first-letters-lost"), "{:?}", book.flags);
}

#[test]
fn a_line_end_before_a_picture_parts_no_word() {
    check(
        "<p>\n<img src=o.png alt=O>n the wall a cat sat. One n, two. On it went. STORY</p>",
        "On the wall",
    );
    check("<p>\n<img src=i.png alt=I> on the wall. I on it. STORY</p>", "I on the wall");
}

#[test]
fn large_letters_apart_from_their_words() {
    check("<p>\n<big><b>T</b></big>\nhe night was dark. STORY</p>", "The night was");
    check("<p><font size=7>O</font> nce upon a time. STORY</p>", "Once upon");
    check("<p><font size=7>A</font> mill is a mill. STORY</p>", "A mill is");
    check("<p><b>I</b> said so. STORY</p>", "I said");
}

#[test]
fn a_letter_in_a_long_description() {
    let alt = "Headpiece: two willows, a mill, a heron and a man who rows, with the letter T cut into the wheel of the mill";
    check(
        &format!("<p><img src=i_04.png alt='{alt}'>he night was dark. STORY</p>"),
        "The night was",
    );
}

#[test]
fn letters_in_elements_of_their_own() {
    for class in [
        "dropcap",
        "drop-cap",
        "drop",
        "cap",
        "capital",
        "initial",
        "illo-cap",
        "letra",
        "firstletter",
        "versal",
        "lettrine",
        "dropcap2",
        "x",
    ] {
        check(
            &format!("<p><span class='{class}'>T</span>he night was dark. STORY</p>"),
            "The night was",
        );
        check(
            &format!("<p><span class='{class}'>T</span>HE night was dark. STORY</p>"),
            "THE night was",
        );
        check(&format!("<p class='{class}'>The night was dark. STORY</p>"), "The night was");
    }
    check("<p><span class=dropcap>T</span> he night was dark. STORY</p>", "The night was");
    check("<p><big>T</big>HE night was dark. STORY</p>", "THE night was");
    check("<div class=dropcap>T</div><p>he night was dark. STORY</p>", "The night was");
    check("<p><span class=dropcap>A</span> mill is a mill. STORY</p>", "A mill is");
    check("<p><span class=dropcap>“I</span>t was dark. STORY</p>", "“It was");
}

#[test]
fn letters_that_alternative_texts_say() {
    for alt in [
        "T",
        "t",
        "T.",
        "[Illustration: T]",
        "Drop cap T",
        "Drop-cap: T",
        "Decorative letter T",
        "Illuminated capital 'T'",
        "A decorated initial T",
        "T (initial)",
    ] {
        for frame in [
            "<p><img src=x.png alt=\"ALT\">he night was dark. STORY</p>",
            "<p><img src=x.png alt='' title=\"ALT\">HE night was dark. STORY</p>",
            "<div class=figleft><img src=x.png alt=\"ALT\"></div><p>he night was dark. STORY</p>",
            "<div class=cap><img src=x.png alt=\"ALT\"></div>\n<p>HE night was dark. STORY</p>",
            "<p><span class=figleft><a href=big.png><img src=x.png alt=\"ALT\"></a></span>he night was dark. STORY</p>",
            "<p><span class=pagenum>[12]</span><img src=x.png alt=\"ALT\">he night was dark. STORY</p>",
            "<p class=pagenum>[12]</p><p><img src=x.png alt=\"ALT\">\nHE night was dark. STORY</p>",
        ] {
            let body = frame.replace("ALT", alt);
            let cleaned = page(&body);
            let lines = cleaned.lines();
            let first = lines.lines().nth(1).unwrap().to_lowercase();
            assert!(first.starts_with("the night was"), "{body}\ngives: {first}");
        }
    }
}

#[test]
fn a_letter_that_the_text_has_too_is_not_doubled() {
    for body in [
        "<div><img class=drop-cap src=i_001.png alt=T></div><p class=drop-cap><span>The</span> night was dark. STORY</p>",
        "<div class=figleft><img alt=T></div><p>THE night was dark. STORY</p>",
        "<p><img alt='Drop cap T'>The night was dark. STORY</p>",
        "<p><img alt=''><span class=hidden>T</span>The night was dark. STORY</p>",
        "<div><img class=dropcap src=t.png alt=''></div><p>THE night was dark. STORY</p>",
    ] {
        let first = page(body).lines().lines().nth(1).unwrap().to_lowercase();
        assert!(first.starts_with("the night was"), "{body}\ngives: {first}");
    }
    check("<div class=figleft><img alt=A></div><p>A mill is a mill. STORY</p>", "A mill is");
    check("<div class=figleft><img alt=L></div><p>lewellyn was there. STORY</p>", "Llewellyn was");
    check("<div class=figleft><img alt=L></div><p>Llewellyn was there. STORY</p>", "Llewellyn was");
}

#[test]
fn letters_that_are_words() {
    check("<p><img alt=I> had a mill. STORY</p>", "I had a");
    check("<p><img alt=I>\nT was long ago. STORY</p>", "IT was");
    check("<div class=figleft><img alt=A></div><p>mill is a mill. STORY</p>", "A mill is");
    check("<div class=figleft><img alt=A></div><p>ND the night was dark. STORY</p>", "AND the");
    check("<p><img alt=A>ND the night was dark. STORY</p>", "AND the");
    check("<p><img alt=I>’ve a mill. STORY</p>", "I’ve a");
}

#[test]
fn hidden_letters_stand_for_their_pictures() {
    for hide in
        ["class=hidden", "class=invisible", "style='display:none'", "style='visibility: hidden'"]
    {
        check(
            &format!("<p><img src=x.png alt=''><span {hide}>T</span>HE night was dark. STORY</p>"),
            "THE night",
        );
        check(
            &format!(
                "<div><img src=x.png alt=''></div><p><span {hide}>T</span>he night was dark. STORY</p>"
            ),
            "The night",
        );
    }
}

#[test]
fn letters_that_only_the_book_can_tell() {
    // `nce` stands nowhere else, and `once` does.
    check("<p><img src=i_007.png alt=''>nce upon a time. STORY</p>", "Once upon");
    check("<p><img src=i_007.png alt=''>NCE upon a time. STORY</p>", "ONCE upon");
    // The name of the file chooses among what fits.
    check("<p><img src=images/t.png alt=''>HE said so. STORY</p>", "THE said");
    check("<div><img src=images/drop_s.png alt=''></div><p>HE was there. STORY</p>", "SHE was");
    // The words that follow choose.
    check(
        "<div class=dropcap><img src=i_007.png alt=''></div><p>HE night was dark. STORY</p>",
        "THE night",
    );
    // A file may be named as it likes: what follows is whole.
    check("<div><img src=images/t.png alt='A mill'></div><p>He said so. STORY</p>", "He said");
    check("<div><img src=images/i_007.png alt=''></div><p>HE said that. STORY</p>", "HE said");
}

#[test]
fn letters_that_nothing_tells_are_reported() {
    lost(
        "<div class=dropcap><img src=i_007.png alt=''></div><p>HE swam away. STORY</p>",
        "HE swam",
    );
    lost("<p><img class=dropcap src=i_007.png alt=''>xq went away. STORY</p>", "xq went");
}

#[test]
fn pictures_between_halves_of_a_paragraph_add_nothing() {
    let halves = "<p>STORY The miller went to the</p><div class=figcenter><img src=l.png alt=''></div><p>one mill he had. STORY</p>";
    let cleaned = page(halves);
    assert!(cleaned.lines().contains("went to the one mill he had."), "{}", cleaned.lines());
    let mill = "<p>STORY</p><div class=figcenter><img src=a.png alt='A mill by night'></div><p>The mill was old. STORY</p>";
    assert!(page(mill).lines().contains("\nThe mill was old."));
}

#[test]
fn a_plan_that_is_named_by_a_letter_adds_none() {
    for letter in ["A", "B", "D", "I", "o"] {
        for (before, behind) in [
            ("STORY", "The zebra came home."),
            ("They walked slowly to the", "zebra which came home."),
            ("STORY", "“Zebra,” he said."),
            ("STORY", "1805 was a zebra year."),
            ("STORY", "ZEBRAS came home."),
        ] {
            let body = format!(
                "<p>{before}</p><div class=figcenter><img src=plan.jpg alt={letter}></div><p>{behind} STORY</p>"
            );
            let lines = page(&body).lines();
            // What goes on in the middle of a sentence is of the paragraph before.
            let goes_on = lines.contains(&format!("to the {behind}"));
            assert!(lines.contains(&format!("\n{behind}")) || goes_on, "{letter}: {lines}");
        }
    }
    // Where a class says that it is one, it is one.
    check("<div class=dropcap><img src=plan.jpg alt=“></div><p>The mill. STORY</p>", "The mill");
    check("<div class=dropcap><img src=plan.jpg alt=I></div><p>’ve a mill. STORY</p>", "I’ve a");
}

#[test]
fn letters_in_brackets_stay() {
    check("<p>[Illustration: T]he night was dark. STORY</p>", "The night was");
    check("<p>[Illustration: Drop cap T]HE night was dark. STORY</p>", "THE night was");
    check("<p>[Illustration: The mill] The night was dark. STORY</p>", "The night was");
}

#[test]
fn a_class_alone_cuts_no_prose() {
    for class in [
        "cap",
        "caption",
        "captions",
        "caption2",
        "illustration",
        "image",
        "plate",
        "img",
        "figcenter",
        "sidenote",
        "pb",
        "newpage",
        "pagebreak",
        "pagenum",
        "folio",
        "ns",
        "ln",
        "linenum",
        "citation",
    ] {
        for tag in ["p", "div"] {
            let body = format!(
                "<{tag} class='{class}'>The night was dark. {STORY}{STORY}</{tag}><p>STORY</p>"
            );
            check(&body, "The night was dark.");
        }
        check(
            &format!("<div class='{class}'><p>The night was dark. {STORY}</p><p>STORY</p></div>"),
            "The night was dark.",
        );
        let inner = format!(
            "<p>A mill. <span class='{class}'>The night was dark. {STORY}{STORY}</span></p>"
        );
        assert!(page(&inner).lines().contains("The night was dark."), "{inner}");
    }
}

#[test]
fn headings_in_frames_that_begin_pages_stay() {
    for class in ["pb", "newpage", "pagebreak"] {
        let page = format!(
            "<div class={class}><h2>I</h2><p>{STORY}</p></div><div class={class}><h2>II</h2><p>{STORY}</p></div>"
        );
        let cleaned = clean(page.as_bytes(), "page.html").unwrap();
        let heads: Vec<_> = cleaned
            .paragraphs
            .iter()
            .filter(|p| p.level.is_some())
            .map(|p| p.text.as_str())
            .collect();
        assert_eq!(heads, ["I", "II"], "{class}");
    }
}

#[test]
fn captions_go_by_class_and_picture() {
    for body in [
        "<p>STORY</p><div class=figcenter><img src=m.png><p class=caption>The mill by night</p></div><p>STORY</p>",
        "<p>STORY</p><p class=caption>The mill by night</p><p>STORY</p>",
        "<p>STORY</p><div class=plate><img src=m.png><p>“The mill,” said the old man, “was mine before it was his, and it was his before the night came when she went away; and what was said by the river that night nobody knows but I.”</p></div><p>STORY</p>",
    ] {
        let lines = page(body).lines();
        assert_eq!(lines.lines().skip(1).take(2).collect::<Vec<_>>(), [STORY, STORY], "{body}");
    }
}
