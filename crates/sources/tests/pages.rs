//! The small pages of `pages.md`, one for each class of rules, give what is said there.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fs, path::Path};

use storymill_sources::clean;

#[test]
fn small_pages_give_what_is_said() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages.md");
    let text = fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for part in text.split("```html\n").skip(1) {
        let (page, rest) = part.split_once("```").unwrap();
        let kept = rest.lines().find_map(|line| line.strip_prefix("Kept: ")).unwrap();
        // Lines of code in the sentence are lines of the text.
        let expect: Vec<&str> = kept.split('`').skip(1).step_by(2).collect();
        let cleaned = clean(page.as_bytes(), "page.html").unwrap();
        let lines = cleaned.lines();
        let lines: Vec<&str> = lines.lines().collect();
        if lines != expect {
            wrong.push(format!("{page}gives {lines:?}\nnot   {expect:?}\n"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 9);
}
