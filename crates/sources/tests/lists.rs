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

/// How often a page still says something below its headings and in them.
fn count(page: &str, words: &str) -> usize {
    clean(page.as_bytes(), "page.html").unwrap().lines().matches(words).count()
}

#[test]
fn headings_that_come_again_are_no_list() {
    let text = format!("<p>{STORY}</p>").repeat(4);
    let volume = |lines: fn(usize) -> String| {
        let letters = (1..=12).map(lines).map(|lines| lines + &text);
        format!("<h1>The Mill</h1>{}", letters.collect::<String>())
    };
    let counted = volume(|at| {
        format!("<h3>LETTER {at}</h3><h4>MR. HARROW, TO HIS SISTER</h4><h4>SUNDAY NIGHT</h4>")
    });
    let named = volume(|at| {
        format!("<h3>LETTER {at}</h3><h4>MISS HOWE</h4><h4>IN CONTINUATION</h4><h4>SUNDAY</h4>")
    });
    let omnibus = volume(|at| format!("<h3>CHAPTER {at}</h3><h4>Water</h4><h4>Stone</h4>"));
    let omnibus = omnibus.replace("<h1>The Mill</h1>", "<h1>The Mill</h1><h2>PART ONE</h2>");
    for (page, words) in [
        (counted.repeat(3), &["LETTER", "HARROW", "SUNDAY"][..]),
        (named, &["LETTER", "MISS HOWE", "IN CONTINUATION", "SUNDAY"]),
        (omnibus.repeat(3), &["CHAPTER", "Water", "Stone"]),
    ] {
        for words in words {
            assert_eq!(count(&page, words), page.matches(words).count(), "{words}");
        }
    }
}

#[test]
fn mottos_that_are_titles_of_later_chapters_are_no_list() {
    let text = format!("<p>{STORY}</p>").repeat(6);
    let mottos = "<p class=center>The Road</p><p class=center>The Mill</p>";
    let chapters = (1..=4).map(|at| format!("<h2>CHAPTER {at}</h2>{mottos}{text}"));
    let page = format!(
        "<h1>The Mill</h1>{}<h2>The Road</h2>{text}<h2>The Mill</h2>{text}",
        chapters.collect::<String>()
    );
    assert_eq!((count(&page, "CHAPTER"), count(&page, STORY)), (4, 36));
}

#[test]
fn a_list_right_above_the_first_chapter_goes_to_its_last_line() {
    let list = (1..=12).map(|at| format!("<h3>LETTER {at}</h3>"));
    let volume = (1..=12).map(|at| format!("<h3>LETTER {at}</h3><p>{STORY}</p><p>{STORY}</p>"));
    let volume = list.chain(volume).collect::<String>();
    let volume = format!("<h2>VOLUME</h2>{volume}");
    let page = format!("<h1>The Mill</h1>{}", volume.repeat(2));
    assert_eq!(count(&page, "LETTER"), 24);
    // What follows the list's last line is no chapter.
    let page = page.replace(
        "<h3>LETTER 12</h3><h3>",
        &format!("<h3>LETTER 12</h3><p class=center>{STORY}</p><h3>"),
    );
    assert_eq!(count(&page, "LETTER"), 24);
}

#[test]
fn what_people_say_is_no_line_of_a_list() {
    let places = ["Paris", "Rome", "Vienna", "Home"];
    let said = places.map(|place| format!("<p>“{place}.”</p>")).concat();
    let text = format!("<p>{STORY}</p>").repeat(6);
    let chapters = places.map(|place| format!("<h2>{}</h2>{text}", place.to_uppercase()));
    let page = format!("<h2>CHAPTER I</h2>{text}{said}{text}{}", chapters.concat());
    assert_eq!(count(&page, "“"), 4);
    // But a list of titles in quotation marks is a list, where no paragraphs stand around it.
    let quoted = chapters.concat().replace("<h2>", "<h2>“").replace("</h2>", "”</h2>");
    let quoted = format!("<h1>PLACES</h1>{said}<h2>CHAPTER I</h2>{text}{quoted}");
    assert_eq!(count(&quoted, "“Paris.”"), 0);
}

#[test]
fn long_lists_of_sentences_go() {
    let entry = "and how the miller, who had been told of it by the farmer, went down to the river in the \
        morning, where the stranger was waiting for him beside the bridge";
    let text = format!("<p>{STORY}</p>").repeat(8);
    let forms = [
        "<p><a href='#cN'>CHAPTER N. In which LISTED ENTRY.</a></p>",
        "<p class=toc><a href='#cN'>CHAPTER N. In which LISTED ENTRY.</a></p>",
        "<li><a href='#cN'>CHAPTER N. In which LISTED ENTRY.</a></li>",
        "<p>N. In which LISTED ENTRY.</p>",
        "<tr><td><a href='#cN'>N</a></td><td>In which LISTED ENTRY.</td><td>12</td></tr>",
    ];
    for form in forms {
        let list: String =
            (1..=80).map(|at| form.replace("ENTRY", entry).replace('N', &at.to_string())).collect();
        let chapters = (1..=80).map(|at| format!("<h2 id=c{at}>CHAPTER {at}.</h2>{text}"));
        let page = format!(
            "<h1>The Mill</h1><p>by A. Writer</p><h2>CONTENTS</h2>{list}{}",
            chapters.collect::<String>()
        );
        assert_eq!((count(&page, "LISTED"), count(&page, "CHAPTER")), (0, 80), "{form}");
    }
}
