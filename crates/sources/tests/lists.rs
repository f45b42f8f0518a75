//! Tables of contents in all forms: they go, and the headings that they list stay.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fmt::Write;

use storymill_sources::{Why, clean};

const STORY: &str = "Once upon a time there stood a mill beside a slow river, and the miller who \
    kept it ground out one story for every sack of grain that the farmers brought to his door.";

/// Two parts of three chapters, which are counted in words.
const CHAPTERS: [(&str, &str); 6] = [
    ("PART 1", "ONE"),
    ("PART 1", "TWO"),
    ("PART 1", "THREE"),
    ("PART 2", "TWENTY-THREE"),
    ("PART 2", "TWENTY-FOUR"),
    ("PART 2", "TWENTY-FIVE"),
];

/// The book, with a list of its chapters before the first and one before each part.
fn page(
    entry: impl Fn(&str, &str, usize) -> String,
    around: (&str, &str),
    each_part: bool,
) -> String {
    let list = |part: Option<&str>| {
        let mut list = around.0.to_owned();
        for (at, (name, chapter)) in CHAPTERS.iter().enumerate() {
            if part.is_none_or(|part| part == *name) {
                list += &entry(name, chapter, at);
            }
        }
        list + around.1
    };
    let mut page = format!("<h1>THE MILL</h1><p>by A. Writer</p>{}", list(None));
    let mut last = "";
    for (at, (part, chapter)) in CHAPTERS.iter().enumerate() {
        if *part != last {
            write!(page, "<h2>{part}</h2>").unwrap();
            if each_part && at > 0 {
                page += &list(Some(part));
            }
            last = part;
        }
        write!(page, "<h3 id=c{at}>{chapter}</h3>{}", format!("<p>{STORY}</p>").repeat(10))
            .unwrap();
    }
    page
}

#[track_caller]
fn check(page: &str) {
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    let lines = cleaned.lines();
    let others: Vec<_> = lines.lines().filter(|line| *line != STORY).collect();
    let others: Vec<_> = others.iter().map(|line| line.trim_start_matches("# ")).collect();
    let expect =
        ["PART 1", "ONE", "TWO", "THREE", "PART 2", "TWENTY-THREE", "TWENTY-FOUR", "TWENTY-FIVE"];
    assert_eq!(others.join(" "), expect.join(" "), "{page}");
    assert_eq!(lines.lines().filter(|line| *line == STORY).count(), 60, "{page}");
}

#[test]
fn lists_of_chapters_in_all_forms_go() {
    type Entry = fn(&str, &str, usize) -> String;
    let forms: [(Entry, (&str, &str)); 9] = [
        (|p, c, _| format!("<tr><td>{p}, {c}</td></tr>"), ("<table>", "</table>")),
        (|p, c, at| format!("<tr><td>{p}, {c}</td><td>{at}</td></tr>"), ("<table>", "</table>")),
        (
            |p, c, at| format!("<tr><td>{p}, {c}</td><td><a href='#c{at}'>{at}</a></td></tr>"),
            ("<table>", "</table>"),
        ),
        (
            |p, c, at| format!("<tr><td><a id=t{at}></a>{p}, {c}</td></tr>"),
            ("<table class=center>", "</table>"),
        ),
        (
            |p, c, at| format!("<tr><td align=center><b>{p}, {c}</b></td><td>{at}</td></tr>"),
            ("<table>", "</table>"),
        ),
        (|p, c, _| format!("<p class=center>{p}, {c}</p>"), ("", "")),
        (|_, c, at| format!("<p>{c} . . . . {at}</p>"), ("", "")),
        (|p, c, _| format!("{p}, {c}<br>"), ("<p>", "</p>")),
        (|p, c, _| format!("<li>{p}, {c}</li>"), ("<ul>", "</ul>")),
    ];
    for (entry, around) in forms {
        for head in ["", "<h2>CONTENTS</h2>"] {
            for each_part in [false, true] {
                let around = (format!("{head}{}", around.0), around.1);
                check(&page(entry, (&around.0, around.1), each_part));
            }
        }
    }
}

#[test]
fn short_lines_that_no_heading_repeats_stay() {
    let talk = ["“The mill?”", "“The river.”", "“One?”", "“Two.”", "“Three.”", "“Go.”"];
    let talk = talk.map(|line| format!("<p>{line}</p>")).concat();
    let page = format!(
        "<h2>Chapter I</h2><p>{STORY}</p>{talk}<p>{STORY}</p><h2>Chapter II. The River</h2><p>{STORY}</p>"
    );
    let cleaned = clean(page.as_bytes(), "page.html").unwrap();
    assert!(cleaned.cuts.iter().all(|cut| cut.why != Why::Contents), "{:?}", cleaned.cuts);
}
