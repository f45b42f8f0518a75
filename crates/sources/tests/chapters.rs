//! What is a chapter and what is none, on small pages: by numbers, by titles, by what a section speaks of.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_sources::clean;

const STORY: &str = "The lamp had gone out, and Anna Reed stood by the window with her hand upon the latch. “You may tell \
    him so,” said Peter Holm, and he looked at her as if she had struck him. Nobody in the house had slept; the clock \
    struck four, and she heard the carts go by. Anna Reed took the letter from the shelf and gave it to Peter Holm.";

/// A preface of a few sentences.
const PREFACE: &str = "This book was printed for the readers of a county paper, and the author has been asked for an \
    edition in one volume. She has corrected the text of two chapters, and thanks the editor, who read the proofs of the \
    work. If this volume finds readers, the publishers will print another, and the author will write its preface.";

/// The headings of a page in which `{}` stands for paragraphs of a story, with what the text begins and ends with.
fn read(page: &str) -> (Vec<String>, String) {
    let story = [
        format!("<p>{STORY}</p>"),
        "<p>“Is that all?” cried Anna Reed. “Then I shall go.”</p>".to_owned(),
        format!("<p>{STORY} {STORY}</p>"),
        format!("<p>The carts were gone by then. {STORY}</p>"),
    ];
    let page = page.replace("{}", &story.concat());
    let lines = clean(page.as_bytes(), "page.html").unwrap().lines();
    let (heads, text): (Vec<_>, Vec<_>) = lines.lines().partition(|line| line.starts_with("# "));
    let heads = heads.iter().map(|line| line.trim_start_matches("# ").to_owned()).collect();
    (heads, text.join("\n"))
}

#[track_caller]
fn check(page: &str, expect: &[&str]) {
    let (heads, text) = read(page);
    assert_eq!(heads, expect, "{page}");
    assert!(text.starts_with(&STORY[..40]), "begins: {text:.80}");
    assert!(text.ends_with(&STORY[STORY.len() - 40..]), "ends: {}", &text[text.len() - 80..]);
}

/// Chapters that are made of their number, one behind the other.
fn each(chapters: &[&str], heading: impl Fn(usize, &str) -> String) -> String {
    chapters.iter().enumerate().map(|(at, name)| heading(at, name) + "{}").collect()
}

const ROMAN: [&str; 4] = ["I", "II", "III", "IV"];
const WORDS: [&str; 4] = ["One", "Two", "Three", "Four"];
const TITLES: [&str; 4] = ["The Latch", "A Broken Cart", "Four O’Clock", "The Shelf"];

#[test]
fn the_number_of_a_volume_stands_above_its_chapters() {
    let chapters = each(&ROMAN[..2], |_, number| format!("<h2>CHAPTER {number}.</h2>"));
    let volume = "<h1>ANNA REED:</h1><h3>A NOVEL.</h3><h3>VOL. II.</h3><p class=center>London:<br />PRINTED FOR T. HOLM,\
        <br />MILITARY LIBRARY, WHITEHALL.<br />1813.</p>";
    let expect = ["CHAPTER I.", "CHAPTER II.", "VOL. II.", "CHAPTER I.", "CHAPTER II."];
    check(&format!("{chapters}{volume}{chapters}"), &expect);
}

#[test]
fn what_an_edition_needs_is_no_first_chapter() {
    let long = format!("<p>{}</p>", STORY.repeat(6));
    let notes = format!("<h2>GLOSSARY OF PROPER NAMES</h2>{}", "<p>REED.—Of Orrin.</p>".repeat(9));
    let contents = "<h2>CONTENTS</h2><p><a href=#a>I</a></p><p><a href=#b>II</a></p>";
    let chapters = each(&TITLES, |at, title| format!("<h2>{}. {title}</h2>", ROMAN[at]));
    let page = format!("<h1>ANNA</h1>{contents}<h2>THE STORY</h2>{long}{notes}{chapters}");
    check(&page, &["I. The Latch", "II. A Broken Cart", "III. Four O’Clock", "IV. The Shelf"]);
}

#[test]
fn numbers_run_on_in_all_writings() {
    check(&each(&WORDS, |_, word| format!("<p class=center>{word}</p>")), &WORDS);
    check(
        &each(&TITLES, |at, title| format!("<h2>{}</h2><h3>{title}</h3>", WORDS[at])),
        &["One The Latch", "Two A Broken Cart", "Three Four O’Clock", "Four The Shelf"],
    );
    check(
        &each(&["One", "Two", "Three", "Four"], |_, word| {
            format!("<h2>CHAPTER THIRTY {word}</h2><p class=center>To {word}</p>")
        }),
        &[
            "CHAPTER THIRTY One To One",
            "CHAPTER THIRTY Two To Two",
            "CHAPTER THIRTY Three To Three",
            "CHAPTER THIRTY Four To Four",
        ],
    );
    check(
        &each(&TITLES, |at, title| format!("<p>{}. {title}</p>", ROMAN[at])),
        &["I. The Latch", "II. A Broken Cart", "III. Four O’Clock", "IV. The Shelf"],
    );
    // The blank before a number may be left out.
    check(
        &each(&ROMAN, |at, _| format!("<p>CHAPTER{}.</p>", ["VI", "VII", "8", "IX"][at])),
        &["CHAPTERVI.", "CHAPTERVII.", "CHAPTER8.", "CHAPTERIX."],
    );
    // A page number alone counts up to nothing.
    check("<h2>I</h2>{}<p class=center>212</p>{}<h2>II</h2>{}", &["I", "II"]);
}

#[test]
fn numbers_begin_anew_below_a_higher_heading() {
    let parts = |part: &dyn Fn(usize) -> String, number: &dyn Fn(usize) -> String| -> String {
        (0..4).map(|at| if at % 2 == 0 { part(at / 2) } else { String::new() } + &number(at % 2) + "{}").collect()
    };
    let names = ["ANNA", "PETER"];
    check(
        &parts(&|at| format!("<p class=center>{}</p>", names[at]), &|at| {
            format!("<p class=center>{}</p>", ROMAN[at])
        }),
        &["ANNA", "I", "II", "PETER", "I", "II"],
    );
    check(
        &parts(&|at| format!("<p>VOL. {}.</p>", ROMAN[at]), &|at| {
            format!("<p>{}. {}</p>", ROMAN[at], TITLES[at])
        }),
        &[
            "VOL. I.",
            "I. The Latch",
            "II. A Broken Cart",
            "VOL. II.",
            "I. The Latch",
            "II. A Broken Cart",
        ],
    );
    let lists = |at: usize| {
        format!("<h2>BOOK {}</h2><p>Chapter I. The Lane<br>Chapter II. The Shop</p>", ROMAN[at])
    };
    let chapter =
        |at: usize| format!("<h3>CHAPTER {}. {}</h3>", ROMAN[at], ["The Lane", "The Shop"][at]);
    let book = ["CHAPTER I. The Lane", "CHAPTER II. The Shop"];
    check(&parts(&lists, &chapter), &["BOOK I", book[0], book[1], "BOOK II", book[0], book[1]]);
}

#[test]
fn titles_stand_on_a_second_line() {
    let all: Vec<String> =
        (0..4).map(|at| format!("CHAPTER {}. {}.", ROMAN[at], TITLES[at])).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check(
        &each(&TITLES, |at, title| format!("<h2>CHAPTER {}.</h2><p>{title}.</p>", ROMAN[at])),
        &all,
    );
    check(
        &each(&TITLES, |at, title| {
            format!(
                "<table><tr><td>CHAPTER {}.</td><td align=right>{title}.</td></tr></table>",
                ROMAN[at]
            )
        }),
        &all,
    );
    // What a picture shows and on what page it stands is its caption.
    let picture = |at: usize, title: &str| {
        format!(
            "<h2>{}</h2><div class=figcenter><img alt='' src=a.png></div><p class=center>{title}. Page {at}1</p>",
            ROMAN[at]
        )
    };
    check(&each(&TITLES, picture), &ROMAN);
}

#[test]
fn signs_captions_and_page_heads_are_no_chapters() {
    let inside = |at: usize, what: &str| {
        each(&ROMAN, |chapter, number| {
            let what = if chapter == at || at > 3 { what } else { "" };
            if what.is_empty() {
                format!("<h2>{number}</h2>")
            } else {
                format!("<h2>{number}</h2>{{}}{what}")
            }
        })
    };
    check(&inside(1, "<p>Over the door she read:</p><h2>HOLM AND SON</h2>"), &ROMAN);
    check(&inside(9, "<p><img alt='' src=a.png></p><h2>The cart in the lane</h2>"), &ROMAN);
    check(&format!("<h1>THE LATCH</h1>{}", inside(9, "<h2>The Latch</h2>")), &ROMAN);
    check(&inside(2, "<h2>HOLM’S SIXPENNY SHELF</h2><p>The Cart. 6d.<br>Anna. 6d.</p>"), &ROMAN);
    let (heads, text) = read(&inside(1, "<p>They read the board:</p><h3>HOLM AND SON</h3>"));
    assert!(heads == ROMAN && text.contains("HOLM AND SON"));
    let pages = |at: usize, number: &str| {
        let (one, other) = (at * 2 + 8, at * 2 + 9);
        format!("<h2>{number}</h2>{{}}<p>{one} THE LATCH</p>{{}}<p>THE LATCH {other}</p>")
    };
    let (heads, text) = read(&format!("<h1>THE LATCH</h1>{}", each(&ROMAN, pages)));
    assert!(heads == ROMAN && !text.contains("THE LATCH"), "{text}");
}

#[test]
fn lists_that_are_read_in_the_story_stay() {
    let boards = "<p>The first said:</p><p class=center>A BROKEN CART</p><p>The second said:</p>\
        <p class=center>FOUR O’CLOCK</p><p>And the third:</p><p class=center>THE SHELF</p>";
    let page = each(&TITLES, |at, title| {
        let boards = if at == 0 { format!("{{}}{boards}") } else { String::new() };
        format!("<h2>CHAPTER {}<br>{title}</h2>{boards}", ROMAN[at])
    });
    let (heads, text) = read(&page);
    assert!(heads.len() == 4 && text.contains("FOUR O’CLOCK") && text.contains("And the third:"));
}

#[test]
fn a_section_before_the_first_chapter_is_judged_by_what_it_speaks_of() {
    let book = each(&ROMAN, |_, number| format!("<h2>CHAPTER {number}</h2>"));
    let chapters = ["CHAPTER I", "CHAPTER II", "CHAPTER III", "CHAPTER IV"];
    for title in
        ["PRELUDE", "INTRODUCTION", "BEFORE FOUR O’CLOCK", "PART I", "PROLOGUE IN THE LANE"]
    {
        let all: Vec<&str> = [title].into_iter().chain(chapters).collect();
        check(&format!("<h1>THE LATCH</h1><h2>{title}</h2>{{}}{book}"), &all);
    }
    for title in ["PREFACE", "A WORD BEFORE", "TO THE READER", "INTRODUCTION"] {
        check(&format!("<h1>THE LATCH</h1><h2>{title}</h2><p>{PREFACE}</p>{book}"), &chapters);
    }
    let numbered =
        format!("<h2>PREFACE</h2><h2>I</h2><p>{PREFACE}</p><h2>II</h2><p>{PREFACE}</p>{book}");
    check(&numbered, &chapters);
}

#[test]
fn what_sells_or_corrects_behind_the_story_goes() {
    let book = each(&ROMAN, |_, number| format!("<h2>{number}</h2>"));
    for behind in [
        "<hr><p class=center>Im selben Verlag erschienen:</p><p>Der Karren. Roman. M. 3.—</p><p>Anna. Novelle. M. 2.50</p>",
        "<hr><p class=center>Opere della stessa autrice</p><p>Il carro, romanzo. L. 3,50</p>",
        "<hr><p>“A tale that is told with a sober hand.”—<i>The Holm Post</i>.</p><p>“We liked it.”—<i>Courier</i>.</p>",
        "<hr><p>The obvious errors of the printer have been corrected; the spelling was left as it is.</p>",
        "<hr><p class=center>THE LANE LIBRARY</p><p class=center>1. THE CART. By A. Poole.</p><p class=center>2. ANNA. By R. Marsh.</p>",
    ] {
        check(&format!("{book}{behind}"), &ROMAN);
    }
}

#[test]
fn each_tale_has_its_end() {
    let tales = ["THE BEST OF CARTS", "FAMOUS CLOCKS", "MR. HOLM", "A NEW SHELF"];
    check(
        &each(&tales, |_, tale| format!("<h2>{tale}</h2>")).replace("{}", "{}<h3>THE END</h3>"),
        &tales,
    );
}

#[test]
fn the_last_of_several_tales_stays_whatever_its_title() {
    let ends = ["", "<p class=center>THE END</p>", "<p>End of the Tale.</p>", "<h4>FINIS</h4>"];
    let lasts = [
        "A Note on Oars",
        "The Best of Lamps",
        "Opinions of the Press",
        "Notes on a Drowning",
        "A Catalogue of Gates",
    ];
    for (at, last) in lasts.into_iter().enumerate() {
        for (of, end) in ends.into_iter().enumerate() {
            let titles = ["The Latch", "A Broken Cart", "The Shelf", last];
            let number = |tale: usize| {
                if (at + of) % 2 == 0 { format!("{}. ", ROMAN[tale]) } else { String::new() }
            };
            let titles: Vec<String> =
                titles.iter().enumerate().map(|(tale, title)| number(tale) + title).collect();
            let tales = titles.iter().map(|title| format!("<h2>{title}</h2>{{}}{end}"));
            check(
                &tales.collect::<String>(),
                &titles.iter().map(String::as_str).collect::<Vec<_>>(),
            );
        }
    }
}

#[test]
fn the_first_of_many_titles_is_no_title_page() {
    let page = ["The Latch", "A Broken Cart", "The Shelf"]
        .map(|title| format!("<h2>{title}</h2><p>It was late.</p>{{}}"));
    let (heads, text) = read(&page.concat());
    assert_eq!(heads, ["The Latch", "A Broken Cart", "The Shelf"]);
    assert!(text.starts_with("It was late."), "{text:.80}");
}

#[test]
fn lines_of_verse_with_anchors_are_no_headings() {
    let verse = "<div class=l id=v1>To my old friend the ferryman I gave</div><div class=l id=v2>The best of all the lamps that ever were</div>\
        <div class=l id=v3>Some words to one who slept beside the wave</div>";
    check(&format!("<h2>I</h2>{{}}{verse}{{}}<h2>II</h2>{{}}"), &["I", "II"]);
}

#[test]
fn title_pages_between_volumes_go_in_other_languages_too() {
    for imprint in [
        "DESSINS PAR J. ROWER<br>BIBLIOTHÈQUE DU QUAI<br>F. HOLM ET Cie, RUE DU PORT",
        "MIT ABBILDUNGEN<br>VERLAG VON F. HOLM, LEIPZIG",
    ] {
        let volume = format!(
            "<h2>A. ROWER<br>THE FERRY</h2><p class=center>{imprint}</p><p class=center>LIST OF LAMPS</p>"
        );
        let page = format!(
            "<h2>CHAPTER I</h2>{{}}<h2>CHAPTER II</h2>{{}}{volume}<h2>CHAPTER III</h2>{{}}<h2>CHAPTER IV</h2>{{}}"
        );
        check(&page, &["CHAPTER I", "CHAPTER II", "CHAPTER III", "CHAPTER IV"]);
    }
}

#[test]
fn what_is_sold_or_mended_behind_the_last_sentence_goes() {
    for behind in [
        "<h2>Other Titles in This Series</h2><ul><li>The Oar</li><li>Nets</li></ul>",
        "<hr><p>Errata: page 5, line 3, for “gaol” read “goal”.</p>",
        "<p class=center>OPINIONS OF “THE OAR”</p><p>“A noble book.”—<i>Quay Herald.</i></p><p>“It is true.”—<i>Mail.</i></p>",
        "<p><i>Now ready, by the same hand:</i></p><p>NETS AND OARS: a tale in two volumes, 21s.</p>",
        "<p>[Note: The cover image was made by the transcriber and is placed in the public domain.]</p>",
    ] {
        check(
            &format!("<h2>I</h2>{{}}<h2>II</h2>{{}}<h2>III</h2>{{}}{behind}"),
            &["I", "II", "III"],
        );
    }
}

#[test]
fn a_conclusion_below_a_number_is_its_title() {
    let page = "<h4>XXII</h4><h4>THE LATCH</h4>{}<h4>XXIII</h4><h4>A BROKEN CART</h4>{}<h4>XXIV</h4><h4>CONCLUSION</h4>{}";
    check(page, &["XXII THE LATCH", "XXIII A BROKEN CART", "XXIV CONCLUSION"]);
}
