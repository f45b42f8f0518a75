//! Headings that stand in one paragraph with the text below them, and numbers of chapters that break.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;
use storymill_core::{Decisions, Reviews};
use storymill_sources::{clean, clean_decided};

const STORY: &str = "The lamp had gone out, and Anna Reed stood by the window with her hand upon the latch. “You may tell \
    him so,” said Peter Holm, and he looked at her as if she had struck him. Nobody in the house had slept.";

const ROMAN: [&str; 6] = ["I", "II", "III", "IV", "V", "VI"];
const WORDS: [&str; 6] = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"];
const TITLES: [&str; 6] =
    ["The Latch", "A Broken Cart", "Four O’Clock", "The Shelf", "Peter Goes", "Rain"];

/// Paragraphs that follow the first of a chapter.
fn rest() -> String {
    format!("<p>“Is that all?” cried Anna Reed. “Then I shall go.”</p><p>{STORY} {STORY}</p>")
}

/// A page of chapters, each with its heading and first text as they are set.
fn page(chapters: usize, set: impl Fn(usize) -> String) -> String {
    let all: String = (0..chapters).map(|at| set(at) + &rest()).collect();
    format!("<h1>The House of Reeds</h1><p class=center>by A. Rower</p>{all}")
}

fn heads(page: &str, name: &str) -> (Vec<String>, String) {
    let lines = clean(page.as_bytes(), name).unwrap().lines();
    let (heads, text): (Vec<_>, Vec<_>) = lines.lines().partition(|line| line.starts_with("# "));
    let heads = heads.iter().map(|line| line.trim_start_matches("# ").to_owned()).collect();
    (heads, text.join("\n"))
}

fn codes(page: &str) -> Vec<String> {
    let reviews = clean(page.as_bytes(), "page.html").unwrap().reviews(&"mill".parse().unwrap());
    reviews.into_iter().map(|review| review.code.to_string()).collect()
}

/// How a heading may stand in the paragraph of its text: `N` is its number, `T` its title, `C` the title in capitals.
const RUN_IN: [(&str, &str); 14] = [
    ("CHAPTER N.<br>", "CHAPTER N."),
    ("CHAPTER N.<br>C.<br>", "CHAPTER N. C."),
    ("Chapter N<br>T<br>", "Chapter N T"),
    ("<b>CHAPTER N.</b> ", "CHAPTER N."),
    ("<b>CHAPTER N. C.</b> ", "CHAPTER N. C."),
    ("<i>Chapter N.</i> ", "Chapter N."),
    ("<span class=sc>Chapter N.</span> ", "Chapter N."),
    ("CHAPTER N. ", "CHAPTER N."),
    ("CHAPTER N.—", "CHAPTER N.—"),
    ("CHAPTER N. C.—", "CHAPTER N. C.—"),
    ("Chapter N. T. ", "Chapter N. T."),
    ("<b>N.</b> ", "N."),
    ("<b>N. T.</b> ", "N. T."),
    ("N.<br>", "N."),
];

fn filled(form: &str, at: usize) -> String {
    // Capital letters of the forms stand for nothing else.
    let parts = form.split_inclusive(|c: char| !c.is_alphabetic()).map(|part| {
        let end = part.trim_end_matches(|c: char| !c.is_alphabetic()).len();
        let word = match &part[..end] {
            "N" => ROMAN[at].to_owned(),
            "T" => TITLES[at].to_owned(),
            "C" => TITLES[at].to_uppercase(),
            word => word.to_owned(),
        };
        word + &part[end..]
    });
    parts.collect()
}

proptest! {
    /// Law: a heading inside a paragraph is one in each of its forms, and no letter of the text is lost or moved.
    #[test]
    fn headings_come_out_of_paragraphs(form in 0..RUN_IN.len(), chapters in 3..6_usize, above in any::<bool>()) {
        let (set, expect) = RUN_IN[form];
        // A line break behind the text of the chapter before.
        let above = if above && set.ends_with("<br>") { format!("{STORY}<br>") } else { String::new() };
        let page = page(chapters, |at| {
            let above = if at > 0 { &*above } else { "" };
            format!("<p>{above}{}{STORY}</p>", filled(set, at))
        });
        let (heads, text) = heads(&page, "page.html");
        let expect: Vec<String> = (0..chapters).map(|at| filled(expect, at)).collect();
        prop_assert_eq!(heads, expect);
        prop_assert!(text.starts_with(STORY), "{:.80}", text);
        prop_assert_eq!(text.matches("The lamp had gone out").count(), page.matches("The lamp had gone out").count());
        // A number alone on a plain line says little.
        prop_assert!(set == "N.<br>" || codes(&page).is_empty());
    }
}

#[test]
fn a_chapter_without_a_tag_is_found_between_its_neighbours() {
    let page = page(4, |at| match at {
        2 => format!("<p>CHAPTER III. {STORY}</p>"),
        at => format!("<h2>CHAPTER {}.</h2><p>{STORY}</p>", ROMAN[at]),
    });
    let (heads, text) = heads(&page, "page.html");
    assert_eq!(heads, ["CHAPTER I.", "CHAPTER II.", "CHAPTER III.", "CHAPTER IV."]);
    assert!(!text.contains("CHAPTER"));
}

#[test]
fn a_heading_on_the_last_line_of_a_paragraph_s_source_is_one() {
    let page = page(4, |at| {
        let head = |at: usize| format!("CHAPTER {}", ROMAN[at]);
        let above = if at == 0 { format!("<p>{}</p>", head(0)) } else { String::new() };
        let below = if at < 3 { format!("\n{}", head(at + 1)) } else { String::new() };
        format!("{above}<p>{STORY}</p><p>{STORY}{below}</p>")
    });
    // The paragraphs that follow belong to the next chapter.
    assert_eq!(
        heads(&page, "page.html").0,
        ["CHAPTER I", "CHAPTER II", "CHAPTER III", "CHAPTER IV"]
    );
}

#[test]
fn a_heading_right_above_typed_text_is_one() {
    let chapter = |at: usize| format!("CHAPTER {}\n{STORY}\n\n{STORY}\n", WORDS[at]);
    let chapters: String = (0..4).map(chapter).collect();
    let (heads, text) = heads(&chapters, "page.txt");
    assert_eq!(heads, ["CHAPTER ONE", "CHAPTER TWO", "CHAPTER THREE", "CHAPTER FOUR"]);
    assert_eq!(text.lines().count(), 8);
}

#[test]
fn arguments_numbered_paragraphs_and_speech_of_chapters_stay() {
    // What a chapter holds is a part of its heading.
    let argued = page(4, |at| {
        format!(
            "<p>CHAPTER {}. In which a lamp goes out—A letter—Peter Holm is struck.</p><p>{STORY}</p>",
            ROMAN[at]
        )
    });
    assert!(heads(&argued, "page.html").0.iter().all(|head| head.ends_with("struck.")));
    // Numbered sentences are a list.
    let rules: Vec<String> =
        (0..6).map(|at| format!("<p><b>{}.</b> {STORY}</p>", at + 1)).collect();
    let rules = rules.concat();
    let page = page(3, |at| {
        let rules = if at == 1 { &*rules } else { "" };
        format!("<h2>CHAPTER {}</h2><p>{STORY}</p>{rules}", ROMAN[at])
    });
    assert_eq!(heads(&page, "page.html").0, ["CHAPTER I", "CHAPTER II", "CHAPTER III"]);
    // A sentence may begin so.
    let said = page.replace("“Is that all?”", "Chapter IV of the book was gone. “Is that all?”");
    assert_eq!(heads(&said, "page.html").0, ["CHAPTER I", "CHAPTER II", "CHAPTER III"]);
}

#[test]
fn a_single_number_in_a_paragraph_is_a_doubt_that_people_decide() {
    let page = page(1, |_| format!("<p>Chapter I. {STORY}</p>"));
    let page = page.replace("<p>Chapter I.", "<p>Chapter VII.");
    let book = "mill".parse().unwrap();
    let reviews = clean(page.as_bytes(), "page.html").unwrap().reviews(&book);
    let review = reviews.iter().find(|review| &*review.code == "run-in").unwrap();
    for (choice, expect) in [("heading", 1), ("text", 0)] {
        let line = format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", review.id());
        let decisions = Decisions::parse([(String::new(), &*line)]).unwrap();
        let cleaned =
            clean_decided(page.as_bytes(), "page.html", &book, &mut Reviews::new(&decisions));
        let lines = cleaned.unwrap().lines();
        assert_eq!(lines.lines().filter(|line| line.starts_with("# ")).count(), expect, "{lines}");
    }
}

#[test]
fn numbers_that_break_are_a_doubt() {
    let numbered = |numbers: &[usize]| {
        page(numbers.len(), |at| format!("<h2>CHAPTER {}</h2><p>{STORY}</p>", numbers[at]))
    };
    for whole in [&[1, 2, 3, 4][..], &[1, 2, 3, 1, 2, 3]] {
        assert!(codes(&numbered(whole)).is_empty(), "{whole:?}");
    }
    let glued = numbered(&[1, 2, 3, 4]).replace("CHAPTER 3", "CHAPTER3");
    assert!(codes(&glued).is_empty());
    for broken in [&[1, 2, 4, 5][..], &[1, 2, 2, 3], &[6, 7, 8], &[1, 2, 3, 2, 3]] {
        let codes = codes(&numbered(broken));
        assert!(codes.contains(&"chapter-numbers".to_owned()), "{broken:?}: {codes:?}");
    }
}
