//! Cuts that are large for their page.

use super::*;

/// A preface of so many paragraphs, then a hundred of story.
fn prefaced(paragraphs: usize) -> String {
    let told = |times: usize| format!("<p>{STORY}</p>").repeat(times);
    format!(
        "<h2>PREFACE</h2><p>I have milled for years.</p>{}<h2>CHAPTER I</h2>{}",
        told(paragraphs),
        told(100)
    )
}

#[track_caller]
fn decided(page: &str, choice: Option<&str>) -> storymill_sources::Cleaned {
    let book = "mill".parse().unwrap();
    let reviews = clean(page.as_bytes(), "page.html").unwrap().reviews(&book);
    let line = choice.map(|choice| {
        assert_eq!((&*reviews[0].code, &reviews[0].default[..]), ("long-cut", "cut"));
        format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", reviews[0].id())
    });
    let decisions =
        Decisions::parse(line.iter().map(|line| (String::new(), line.as_str()))).unwrap();
    clean_decided(page.as_bytes(), "page.html", &book, &mut Reviews::new(&decisions)).unwrap()
}

#[test]
fn a_long_cut_is_a_review_item_and_a_longer_one_needs_a_decision() {
    let cleaned = decided(&prefaced(2), None);
    assert!(cleaned.doubts.is_empty());
    let cleaned = decided(&prefaced(10), None);
    assert_eq!((cleaned.doubts[0].code, cleaned.doubts[0].kept), ("long-cut", false));
    assert!((80..100).contains(&cleaned.doubts[0].cut_pm), "{}", cleaned.doubts[0].cut_pm);
    assert_eq!(cleaned.check_cuts(), Ok(()));
    // More than a fifth of the page: only people can say that this is right.
    let cleaned = decided(&prefaced(40), None);
    assert_eq!(cleaned.check_cuts().unwrap_err().code, "cut-too-much");
    assert_eq!(cleaned.check(50), Ok(()));
    let cleaned = decided(&prefaced(40), Some("cut"));
    assert_eq!(cleaned.check_cuts(), Ok(()));
    assert!(!cleaned.lines().contains("I have milled"));
    let cleaned = decided(&prefaced(40), Some("keep"));
    assert_eq!(cleaned.check_cuts(), Ok(()));
    assert!(cleaned.lines().contains("I have milled"));
    assert_eq!(cleaned.kept_pm, 1000);
}

#[test]
fn every_cut_counts_against_all_that_a_page_shows() {
    let notes = "<div class=footnote><p>[1] Of wood, as all mills were before that year.</p></div>"
        .repeat(20);
    let licence =
        "<p>Whoever copies this etext of Project Gutenberg copies these lines.</p>".repeat(40);
    let page = format!(
        "<h2>I</h2>{}{notes}<p>*** END OF THIS PROJECT GUTENBERG EBOOK ***</p>{licence}",
        format!("<p>{STORY}</p>").repeat(60)
    );
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let cut: usize = cleaned.cuts.iter().map(|cut| letters(&cut.text)).sum();
    let kept = letters(&cleaned.lines());
    assert_eq!(usize::from(cleaned.kept_pm), kept * 1000 / (kept + cut));
    assert_eq!(cleaned.check(50), Ok(()), "the licence does not make it a worse book");
}
