//! A second reading of a page, which shares nothing with the first: the tree that a browser would build.
//!
//! Every letter of the tree is in the book or in a cut; every letter of the book is in the tree; headings of the tree
//! are chapters. Where the two readings differ one of them is wrong, and a person sees which.

use scraper::{ElementRef, Html, Node};
use storymill_core::{ByteSpan, Fault, FaultKind};

use crate::{Cleaned, Doubt, difference::Difference};

/// Letters that must match until two texts count as one again.
const AGAIN: usize = 24;

/// Letters that one of two texts may have more than the other at a place.
const LONGEST_GAP: usize = 4_000;

/// Letters of a difference that are shown.
const WORDS: usize = 40;

/// A line of more letters is no heading.
const LONGEST_LINE: usize = 90;

/// With a summary of the chapter it has no more.
const LONGEST_SUMMARY: usize = 600;

/// What a second reading finds otherwise.
///
/// # Errors
///
/// The page is no HTML.
pub fn second_reading(cleaned: &Cleaned) -> Result<Vec<Difference>, Fault> {
    if !cleaned.is_html {
        let message = "a second reading is made of HTML pages only: this one has no tree";
        return Err(Fault::new(FaultKind::Input, message));
    }
    let tree = Html::parse_document(&cleaned.page.text);
    let pieces = pieces(cleaned);
    let mut found = Vec::new();
    let mut tell = |page: ByteSpan, what: &'static str, letters: &[char]| {
        found.push(Difference { page, what, words: letters.iter().take(WORDS).collect() });
    };
    let all: Vec<char> = pieces.iter().flat_map(|piece| piece.letters.iter().copied()).collect();
    let places = aligned(&shown(&tree), &all, |at, more, letters| {
        tell(page_of(&pieces, at), if more { "lost" } else { "made-up" }, letters);
    });
    let kept: Vec<&Piece> = pieces.iter().filter(|piece| piece.kept).collect();
    let of_page: Vec<char> = kept.iter().flat_map(|piece| piece.letters.iter().copied()).collect();
    let of_book: Vec<char> =
        cleaned.paragraphs.iter().flat_map(|one| letters(&one.text).collect::<Vec<_>>()).collect();
    aligned(&of_book, &of_page, |at, more, letters| {
        // The letter of a picture is put back before its word.
        if !more || letters.len() > 1 {
            let page = page_of(kept.iter().copied(), at);
            tell(page, if more { "not-of-page" } else { "in-no-paragraph" }, letters);
        }
    });
    headings(cleaned, &tree, &pieces, &places, &mut found);
    found.sort_by_key(|one| (one.page.start, one.page.end, one.what));
    found.dedup_by(|next, one| next.page == one.page && next.what == one.what);
    Ok(found)
}

/// A stretch of the page that was kept or cut, and the letters that it shows.
struct Piece {
    page: ByteSpan,
    kept: bool,
    letters: Vec<char>,
}

fn pieces(cleaned: &Cleaned) -> Vec<Piece> {
    let cuts = cleaned.cuts.iter().map(|cut| (cut.page, false));
    let mut spans: Vec<_> = cleaned.kept.iter().map(|span| (*span, true)).chain(cuts).collect();
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    let piece = |(page, kept): (ByteSpan, bool)| {
        let text = &cleaned.page.text[page.bytes()];
        let plain = !text.contains(['<', '&']);
        let letters =
            if plain { letters(text).collect() } else { shown(&Html::parse_fragment(text)) };
        Piece { page, kept, letters }
    };
    spans.into_iter().map(piece).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// Content that no reader sees.
const UNSEEN: [&str; 13] = [
    "head", "style", "script", "noscript", "template", "title", "iframe", "noframes", "noembed",
    "svg", "object", "textarea", "select",
];

fn is_unseen(node: &Node) -> bool {
    node.as_element().is_some_and(|element| {
        let style = element.attr("style").unwrap_or("").replace(' ', "");
        UNSEEN.contains(&element.name())
            || element.name() == "math"
            || style.contains("display:none")
    })
}

/// All letters that a tree shows.
fn shown(tree: &Html) -> Vec<char> {
    let texts = tree.root_element().descendants().filter_map(|node| {
        let text = node.value().as_text()?;
        (!node.ancestors().any(|around| is_unseen(around.value()))).then_some(text)
    });
    texts.flat_map(|text| letters(text).collect::<Vec<_>>()).collect()
}

/// For each letter of one text where it stands in the other. What only one of both has is told: where in the other,
/// and its letters.
fn aligned(one: &[char], other: &[char], mut tell: impl FnMut(usize, bool, &[char])) -> Vec<usize> {
    let mut places = Vec::with_capacity(one.len());
    let (mut at, mut own) = (0, 0);
    while at < one.len() || own < other.len() {
        if at < one.len() && one.get(at) == other.get(own) {
            places.push(own);
            (at, own) = (at + 1, own + 1);
            continue;
        }
        let again = |more: usize, less: usize| {
            let both = one.get(at + more..).zip(other.get(own + less..));
            both.is_some_and(|(one, other)| {
                let many = AGAIN.min(one.len()).min(other.len());
                many > 0 && one[..many] == other[..many]
            })
        };
        let (more, less) = (1..LONGEST_GAP)
            .find_map(|gap| {
                [(gap, 0), (0, gap)].into_iter().find(|(more, less)| again(*more, *less))
            })
            .unwrap_or((one.len() - at, other.len() - own));
        if more > 0 {
            tell(own, true, &one[at..at + more]);
        }
        if less > 0 {
            tell(own, false, &other[own..own + less]);
        }
        places.extend(std::iter::repeat_n(own, more));
        (at, own) = (at + more, own + less);
    }
    places
}

/// Where the letter with this number stands in the page.
fn page_of<'p>(pieces: impl IntoIterator<Item = &'p Piece>, number: usize) -> ByteSpan {
    piece_of(pieces, number).map_or(ByteSpan { start: 0, end: 0 }, |piece| piece.page)
}

fn piece_of<'p>(pieces: impl IntoIterator<Item = &'p Piece>, number: usize) -> Option<&'p Piece> {
    let mut behind = 0;
    pieces.into_iter().find(|piece| {
        behind += piece.letters.len();
        behind > number
    })
}

/// A line of the tree: its letters, where they begin among all, what it looks like.
struct Line {
    letters: String,
    from: usize,
    is_heading: bool,
    stands_out: bool,
}

fn folded(text: &str) -> String {
    letters(text).flat_map(char::to_lowercase).collect()
}

/// Headings of the tree against those of the book.
fn headings(
    cleaned: &Cleaned,
    tree: &Html,
    pieces: &[Piece],
    places: &[usize],
    found: &mut Vec<Difference>,
) {
    let lines = lines(tree);
    let heads = cleaned.paragraphs.iter().filter(|one| one.level.is_some());
    let of_book: Vec<(ByteSpan, String)> =
        heads.map(|head| (head.page, folded(&head.text))).collect();
    let noted = |page: ByteSpan| {
        let meets = |doubt: &Doubt| doubt.page.start < page.end && page.start < doubt.page.end;
        cleaned.doubts.iter().any(meets)
    };
    let of_letter: Vec<&Piece> =
        pieces.iter().flat_map(|piece| std::iter::repeat_n(piece, piece.letters.len())).collect();
    // Of each line the piece in which it begins; letters of links and page numbers inside were cut.
    let stood = lines.iter().filter_map(|line| {
        let piece = |at: usize| of_letter.get(*places.get(line.from + at)?).copied();
        let kept = line.letters.chars().enumerate();
        let kept =
            kept.filter_map(|(at, letter)| Some((piece(at).filter(|piece| piece.kept)?, letter)));
        let (pieces, letters): (Vec<&Piece>, String) = kept.unzip();
        Some((pieces.first()?.page, letters, line))
    });
    let stood: Vec<(ByteSpan, String, &Line)> = stood.collect();
    let meets = |one: ByteSpan, other: ByteSpan| one.start < other.end && other.start < one.end;
    for (page, letters, _) in
        stood.iter().filter(|(page, _, line)| line.is_heading && !noted(*page))
    {
        if !of_book.iter().any(|(own, head)| meets(*own, *page) && head.contains(letters)) {
            let words = letters.chars().take(WORDS).collect();
            found.push(Difference { page: *page, what: "no-chapter", words });
        }
    }
    for (page, head) in of_book.iter().filter(|(page, _)| !noted(*page)) {
        // A heading of the book may be several lines of the page, and the other way round.
        let stands = |(own, letters, line): &(ByteSpan, String, &Line)| {
            line.stands_out
                && meets(*own, *page)
                && (head.contains(letters) || letters.contains(head))
        };
        if !stood.iter().any(stands) {
            let words = head.chars().take(WORDS).collect();
            found.push(Difference { page: *page, what: "no-heading", words });
        }
    }
}

/// Elements that a line may fill.
const LINES: [&str; 12] =
    ["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "center", "td", "b", "strong"];

/// A line of no more letters stands out: `IV.`, `第一回`.
const SHORT: usize = 12;

/// The short lines of the tree.
fn lines(tree: &Html) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut count = 0;
    for node in tree.root_element().descendants() {
        if let Node::Text(text) = node.value() {
            let seen = !node.ancestors().any(|around| is_unseen(around.value()));
            count += if seen { letters(text).count() } else { 0 };
        }
        let Some(element) = ElementRef::wrap(node) else { continue };
        if element.value().name() == "pre" {
            let text: String = element.text().collect();
            let mut from = count;
            for text in text.lines() {
                let letters = folded(text);
                let size = letters.chars().count();
                if size > 0 && is_apart(text) {
                    lines.push(Line { letters, from, is_heading: false, stands_out: true });
                }
                from += size;
            }
        } else if LINES.contains(&element.value().name()) {
            let size: usize = element.text().map(|text| letters(text).count()).sum();
            if size > 0 && size <= LONGEST_SUMMARY {
                lines.push(line(element, count, size));
            }
        }
    }
    lines
}

fn line(element: ElementRef<'_>, from: usize, size: usize) -> Line {
    let name = element.value().name();
    let text: String = element.text().collect();
    let is_tag = name.len() == 2 && name.starts_with('h');
    let said = |element: ElementRef<'_>| {
        let value = element.value();
        let all = ["class", "align", "style"].map(|name| value.attr(name).unwrap_or(""));
        all.join(" ").to_lowercase()
    };
    let looks = said(element);
    let around = element
        .ancestors()
        .filter_map(ElementRef::wrap)
        .take(3)
        .any(|around| around.value().name() == "center" || said(around).contains("center"));
    let inner = |one: &ElementRef<'_>| {
        ["b", "strong", "big", "a", "span", "i", "em"].contains(&one.value().name())
            && folded(&one.text().collect::<String>()) == folded(&text)
    };
    let wrapped = element.descendants().filter_map(ElementRef::wrap).any(|one| inner(&one));
    let marked =
        ["center", "head", "chap", "title", "bold"].iter().any(|word| looks.contains(word));
    let set_off = around || wrapped || matches!(name, "b" | "strong");
    let stands_out = is_tag || set_off || marked || is_apart(&text);
    let is_heading = size <= LONGEST_LINE && (is_tag || set_off && counts(&text));
    Line { letters: folded(&text), from, is_heading, stands_out }
}

/// Whether a line stands out by its words: it is short, has no small letters, or begins with a number.
fn is_apart(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    letters(text).count() <= SHORT
        || !text.chars().any(char::is_lowercase)
        || first.is_some_and(is_number)
        || counts(text)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
        || word.bytes().all(|byte| b"IVXLC".contains(&byte.to_ascii_uppercase()))
}

/// `CHAPTER IV.`, `Kapitel 3`: a word for chapters, then a number.
fn counts(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let word = words.next().unwrap_or("").to_lowercase();
    let known = [
        "chapter",
        "chap",
        "chapitre",
        "kapitel",
        "capitulo",
        "capítulo",
        "capitolo",
        "book",
        "part",
    ];
    known.contains(&word.as_str()) && words.next().is_some_and(is_number)
}
