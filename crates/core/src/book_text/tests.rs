//! Pieces of texts: joined they are the book, and each says where it stands.

use proptest::prelude::*;

use super::*;
use crate::{Chapter, PageFacts};

fn book(text: &str, chapters: &[(&str, usize)]) -> Book {
    let place = |byte: usize| Place {
        byte: u32::try_from(byte).unwrap(),
        symbol: u32::try_from(text[..byte].chars().count()).unwrap(),
    };
    let chapter = |(title, start): &(&str, usize)| Chapter {
        title: (*title).to_owned(),
        level: 1,
        span: Span { start: place(*start), end: place(text.len()) },
    };
    Book {
        id: "84".parse().unwrap(),
        title: String::new(),
        authors: Vec::new(),
        language: "en".to_owned(),
        kind: String::new(),
        kind_sure_pm: 0,
        kind_evidence: Vec::new(),
        subjects: Vec::new(),
        locc: Vec::new(),
        bookshelves: Vec::new(),
        rights: String::new(),
        source_url: String::new(),
        page: PageFacts::default(),
        text: text.to_owned(),
        chapters: chapters.iter().map(chapter).collect(),
        paragraphs: Vec::new(),
        flags: Vec::new(),
    }
}

#[track_caller]
fn check(text: &str, chapters: &[(&str, usize)], most: usize, expected: &[(&str, &str)]) {
    let pieces = BookText::cut(&book(text, chapters), most);
    let found: Vec<_> = pieces.iter().map(|one| (one.title.as_str(), one.text.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_book_is_cut_at_its_chapters_and_long_ones_at_borders() {
    check(
        "Ä.\n\nI\n\nOne.\n\nII\n\nTwo.",
        &[("I", 5), ("II", 14)],
        99,
        &[("", "Ä.\n\n"), ("I", "I\n\nOne.\n\n"), ("II", "II\n\nTwo.")],
    );
    // A part and its first chapter begin at once.
    check("I\n\nOne.", &[("Part", 0), ("I", 0)], 99, &[("I", "I\n\nOne.")]);
    check("aaa\n\nbbb\n\nccc", &[], 11, &[("", "aaa\n\nbbb\n\n"), ("", "ccc")]);
    check("aaa\nbbb ccc", &[], 9, &[("", "aaa\n"), ("", "bbb ccc")]);
    check("aaa bbb", &[], 6, &[("", "aaa "), ("", "bbb")]);
    check("aaéé", &[], 3, &[("", "aa"), ("", "é"), ("", "é")]);
    check("", &[], 9, &[]);
}

#[test]
fn pieces_say_where_they_are() {
    let pieces = BookText::of(&book("Ä.\n\nI\n\nOne.", &[("I", 5)]));
    assert_eq!((pieces[1].id().as_str(), pieces[1].chapter), ("84/text/0001", Some(0)));
    assert_eq!((pieces[1].span.start.byte, pieces[1].span.start.symbol), (5, 4));
}

proptest! {
    /// Law: joined, the pieces are the text; each stands where it says, none is longer than the bound.
    #[test]
    fn pieces_are_the_text(
        text in "([aé字] ?|\n|\n\n){0,60}", chapters in prop::collection::vec(0_usize..200, 0..6), most in 4_usize..40,
    ) {
        let mut starts: Vec<_> = chapters.into_iter().map(|at| text.floor_char_boundary(at)).collect();
        starts.sort_unstable();
        let chapters: Vec<_> = starts.iter().map(|start| ("I", *start)).collect();
        let book = book(&text, &chapters);
        let pieces = BookText::cut(&book, most);
        let joined: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        prop_assert_eq!(&joined, &text);
        let mut symbols = 0;
        for (at, piece) in pieces.iter().enumerate() {
            prop_assert!(!piece.text.is_empty() && piece.text.len() <= most);
            prop_assert_eq!(&text[piece.span.bytes()], &piece.text);
            prop_assert_eq!((piece.piece as usize, piece.span.start.symbol), (at, symbols));
            symbols = piece.span.end.symbol;
            // No heading stands inside of a piece.
            let inside = piece.span.start.byte as usize + 1..piece.span.end.byte as usize;
            prop_assert!(!starts.iter().any(|start| inside.contains(start)));
        }
        prop_assert_eq!(symbols as usize, text.chars().count());
    }
}
