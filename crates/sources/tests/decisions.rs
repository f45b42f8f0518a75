//! What people decide of the matter around a story, and what needs no decision.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_core::{Decisions, Reviews};
use storymill_sources::{Cleaned, clean, clean_decided};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

fn told(paragraphs: usize) -> String {
    format!("<p>{STORY}</p>").repeat(paragraphs)
}

/// A book of five titled chapters between two sections, each of which says that it is a section.
fn titled(front: &str, back: &str) -> String {
    let section = |title: &str, says: &str| match title {
        "" => String::new(),
        title => format!("<h2>{title}</h2><p>{says}</p>{}", told(30)),
    };
    let chapters = ["The Miller Comes Home", "A Night Outside", "The Stranger", "Winter", "Bread"];
    let chapters = chapters.map(|title| format!("<h2>{title}</h2>{}", told(40)));
    format!(
        "<h1>The Mill</h1><p>by A. Writer</p>{}{}{}",
        section(front, "The front section."),
        chapters.concat(),
        section(back, "The back section.")
    )
}

/// The page as people decide its only doubt.
#[track_caller]
fn decided(page: &str, code: &str, choice: &str) -> Cleaned {
    let book = "mill".parse().unwrap();
    let reviews = clean(page.as_bytes(), "page.html").unwrap().reviews(&book);
    let codes: Vec<_> = reviews.iter().map(|review| &*review.code).collect();
    assert_eq!(codes, [code]);
    let line = format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", reviews[0].id());
    let decisions = Decisions::parse([(String::new(), &*line)]).unwrap();
    clean_decided(page.as_bytes(), "page.html", &book, &mut Reviews::new(&decisions)).unwrap()
}

#[test]
fn people_decide_whether_a_line_is_a_heading() {
    let chapter = |title: &str| format!("<h2>{title}</h2>{}", told(6));
    let page = ["I", "II", "THE STRANGER’S TALE", "III"].map(chapter).concat();
    for (choice, expect) in [("heading", 4), ("text", 3)] {
        let lines = decided(&page, "heading", choice).lines();
        assert!(lines.contains("THE STRANGER’S TALE"));
        assert_eq!(lines.lines().filter(|line| line.starts_with("# ")).count(), expect, "{choice}");
    }
}

#[test]
fn what_belongs_to_an_edition_is_no_story_among_stories() {
    for title in [
        "THE AUTHOR'S PREFACE",
        "THE EDITOR'S PREFACE",
        "THE TRANSLATOR’S NOTE",
        "BIOGRAPHICAL SKETCH OF THE AUTHOR",
        "LIFE OF THE AUTHOR",
        "INTRODUCTION TO THE SECOND EDITION",
    ] {
        let cleaned = clean(titled(title, "").as_bytes(), "page.html").unwrap();
        assert!(!cleaned.lines().contains("The front section."), "{title}");
    }
    for title in [
        "NOTES ON THE TEXT",
        "TEXTUAL NOTES",
        "VOCABULARY OF RARE WORDS",
        "CORRECTIONS TO THE FIRST EDITION",
    ] {
        let cleaned = clean(titled("", title).as_bytes(), "page.html").unwrap();
        assert!(!cleaned.lines().contains("The back section."), "{title}");
    }
}

#[test]
fn who_decides_on_a_cut_reads_all_of_it() {
    let reviews =
        |page: &str| clean(page.as_bytes(), "page.html").unwrap().reviews(&"mill".parse().unwrap());
    let page = titled("LIFE OF THE AUTHOR", "");
    let review = reviews(&page).remove(0);
    assert_eq!((&*review.code, &*review.default), ("long-cut", "cut"));
    assert!(review.text.contains("The front section.") && review.excerpt.len() < 300);
    assert_eq!(review.text.matches(STORY).count(), 30);
    // Of much, beginning and end, and how much is between.
    let more = format!("<p>The front section.</p>{}<p>It ends.</p>", told(120));
    let page = page.replacen("<p>The front section.</p>", &more, 1);
    let review = reviews(&page).remove(0);
    assert!(review.text.len() < 30_000, "{}", review.text);
    assert!(review.text.contains("letters and blanks between are not shown"), "{}", review.text);
    assert!(review.text.ends_with(STORY), "{}", review.text);
    // What is kept stands in the book.
    assert_eq!(reviews(&titled("A Note in Blue", ""))[0].text, "");
}

#[test]
fn a_first_or_last_section_that_only_its_length_makes_a_story_is_a_doubt() {
    let (front, back) = ("A Note in Blue", "Notes and Coins");
    let page = titled(front, "");
    assert!(decided(&page, "preface", "keep").lines().contains("The front section."));
    let cut = decided(&page, "preface", "cut").lines();
    assert!(!cut.contains("The front section.") && cut.starts_with("# The Miller Comes Home"));
    let page = titled("", back);
    assert!(decided(&page, "back-matter", "keep").lines().contains("The back section."));
    let cut = decided(&page, "back-matter", "cut").lines();
    assert!(!cut.contains("The back section.") && !cut.contains(back));
    // Among the others nobody asks.
    let page = titled("", "").replace("The Stranger", front).replace("Winter", back);
    assert!(clean(page.as_bytes(), "page.html").unwrap().doubts.is_empty());
}

#[test]
fn who_keeps_a_long_cut_does_not_keep_the_makers_lines() {
    let page = format!(
        "<p>*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***</p>\
        <p>Produced by David Writer and the Distributed Proofreaders at http://www.pgdp.net</p>\
        <h1>The Mill</h1><p>by A. Writer</p><p>[Illustration: The mill by night]</p>\
        <h2>PREFACE</h2>{}<h2>CHAPTER I</h2>{}",
        told(20),
        told(100)
    );
    let cleaned = decided(&page, "long-cut", "keep").lines();
    assert_eq!(cleaned.matches(STORY).count(), 120);
    for gone in ["Produced by", "The mill by night"] {
        assert!(!cleaned.contains(gone), "{gone}");
    }
}

#[test]
fn a_doubt_says_where_it_stands_in_the_book() {
    let id: storymill_core::BookId = "mill".parse().unwrap();
    let doubts = [("A Note in Blue", "", "preface"), ("", "Notes and Coins", "back-matter")];
    for (front, back, code) in doubts {
        let page = titled(front, back);
        let cleaned = clean(page.as_bytes(), "page.html").unwrap();
        for choice in ["keep", "cut"] {
            let reviews = cleaned.reviews(&id);
            let Some(review) = reviews.iter().find(|review| review.code == code) else {
                panic!("{code}: {reviews:?}");
            };
            let cleaned = decided(&page, code, choice);
            let book = cleaned.book(id.clone(), None);
            let review =
                cleaned.reviews(&id).into_iter().find(|one| one.id() == review.id()).unwrap();
            let passage = &review.passages[0];
            let span = passage.span;
            let text = &book.text[span.bytes()];
            assert_eq!(storymill_core::SymbolIndex::new(&book.text).span(span.bytes()), span);
            let words = |text: &str| text.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
            match choice {
                "keep" => {
                    assert_eq!(words(text), words(&review.excerpt));
                    assert!(text.ends_with("to his door."), "{text}");
                }
                _ => assert_eq!(text, ""),
            }
        }
    }
}
