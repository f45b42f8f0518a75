//! A passage of a book with some words around it: to be read, or to select evidence in.

use serde::Serialize;
use storymill_core::Span;
use storymill_text::{Language, sentence::sentences};

use crate::{
    draw::visible,
    marks::{Mark, Piece, paragraphs},
};

/// How many symbols before and behind a passage are shown, at least; whole paragraphs are. Who wants more gets the next.
const AROUND: [usize; 4] = [700, 3_000, 10_000, 25_000];

/// The longest text in which evidence is selected word by word, in symbols.
const SELECTABLE: usize = 60_000;

/// A passage as it is shown.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Passage {
    /// Its place in the item, from 0.
    pub(super) at: usize,
    /// Where it stands: title of the book, role of the passage.
    pub(super) name: String,
    /// To be read.
    pub(super) paragraphs: Vec<Vec<Piece>>,
    /// To select in: sentences of paragraphs.
    pub(super) sentences: Vec<Vec<Sentence>>,
    /// What is selected in it, as forms say it: `0:12:40 0:50:61`.
    pub(super) spans: String,
}

/// A sentence that can be selected.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sentence {
    start: u32,
    end: u32,
    chosen: bool,
    words: Vec<Word>,
}

#[derive(Clone, Debug, Serialize)]
struct Word {
    start: u32,
    end: u32,
    text: String,
    /// The blanks behind it.
    gap: String,
}

/// Whether more of a text can be shown around a passage than at this step.
pub(super) fn is_more_than(step: usize) -> bool {
    step + 1 < AROUND.len()
}

/// The part of a text that is shown around a span, and the symbol it begins with: whole paragraphs, more of them by steps. Only
/// what is near is counted, for books are long.
pub(super) fn around<'t>(text: &'t str, span: &Span, step: usize) -> (u32, &'t str) {
    let around = AROUND[step.min(AROUND.len() - 1)];
    let (start, end) = (border(text, span.start.byte), border(text, span.end.byte));
    let before = text[..start].char_indices().rev().nth(around.saturating_sub(1));
    let behind = text[end..].char_indices().nth(around);
    let first = before.map_or(0, |(at, _)| at);
    let last = behind.map_or(text.len(), |(at, _)| end + at);
    let from = text[..first].rfind("\n\n").map_or(0, |at| at + 2);
    let to = text[last..].find("\n\n").map_or(text.len(), |at| last + at);
    (span.start.symbol.saturating_sub(symbols(&text[from..start])), &text[from..to])
}

/// The nearest border of symbols at or before a byte.
fn border(text: &str, byte: u32) -> usize {
    text.floor_char_boundary(byte as usize)
}

/// A passage to be read, with what is marked in it. Of what was cut nothing is left to mark: its place is told.
pub(super) fn read(
    at: usize,
    name: String,
    start: u32,
    text: &str,
    marked: &[(u32, u32)],
) -> Passage {
    let mut passage = Passage { at, name, ..Passage::default() };
    if let [(place, end)] = marked
        && place == end
    {
        let symbol = place.saturating_sub(start) as usize;
        let byte = text.char_indices().nth(symbol).map_or(text.len(), |(at, _)| at);
        let here = Piece { is: "inserted", text: "what is cut stood here".to_owned() };
        passage.paragraphs = paragraphs(&text[..byte], start, &[]);
        passage.paragraphs.push(vec![here]);
        passage.paragraphs.extend(paragraphs(&text[byte..], *place, &[]));
        return passage;
    }
    let mark = |(start, end): &(u32, u32)| Mark { start: *start, end: *end, is: "evidence" };
    let marks: Vec<Mark> = marked.iter().map(mark).collect();
    passage.paragraphs = paragraphs(text, start, &marks);
    passage
}

/// A passage to select evidence in, with what was selected before.
pub(super) fn selectable(
    at: usize,
    name: String,
    start: u32,
    text: &str,
    chosen: &[(u32, u32)],
) -> Passage {
    let mut passage = Passage { at, name, ..Passage::default() };
    if text.chars().count() > SELECTABLE {
        return read(at, passage.name, start, text, chosen);
    }
    let within = |one: &&(u32, u32)| one.0 >= start && one.1 <= start + symbols(text);
    let spans = chosen.iter().filter(within).map(|(from, to)| format!("{at}:{from}:{to}"));
    passage.spans = spans.collect::<Vec<_>>().join(" ");
    let mut symbol = start;
    for paragraph in text.split_inclusive("\n\n") {
        let mut all: Vec<Sentence> = Vec::new();
        for sentence in sentences(paragraph, Language::English) {
            let words = words(sentence, symbol);
            symbol += symbols(sentence);
            let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
            let (start, end) = (first.start, last.end);
            let chosen = chosen.iter().any(|one| one.0 <= start && end <= one.1);
            all.push(Sentence { start, end, chosen, words });
        }
        if let Some(last) = all.last_mut().and_then(|sentence| sentence.words.last_mut()) {
            // The blank line behind a paragraph is not shown twice.
            last.gap.clear();
            passage.sentences.push(all);
        }
    }
    passage
}

/// The words of a sentence that begins at a symbol, with their signs and the blanks behind them.
fn words(sentence: &str, start: u32) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (symbol, letter) in (start..).zip(sentence.chars()) {
        match words.last_mut() {
            last if letter.is_whitespace() => {
                if let Some(last) = last {
                    last.gap.push(letter);
                }
            }
            Some(last) if last.gap.is_empty() => {
                last.text.push(letter);
                last.end = symbol + 1;
            }
            _ => words.push(Word {
                start: symbol,
                end: symbol + 1,
                text: letter.to_string(),
                gap: String::new(),
            }),
        }
    }
    for word in &mut words {
        word.text = visible(&word.text);
    }
    words
}

fn symbols(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str, start: u32, end: u32) -> String {
        text.chars().skip(start as usize).take((end - start) as usize).collect()
    }

    #[test]
    fn whole_paragraphs_stand_around_a_passage() {
        let far = "far away. ".repeat(100);
        let text = format!("{far}\n\nÜber rain.\n\nIt fell.\n\n{far}\n\nmore");
        let span = |bytes| storymill_core::SymbolIndex::new(&text).span(bytes);
        let start = far.len() + 2;
        let (from, shown) = around(&text, &span(start..start + 5), 0);
        assert_eq!(from, 0);
        assert!(shown.starts_with("far") && shown.ends_with("far away. "), "{shown}");
        let (from, shown) = around(&text, &span(text.len() - 2..text.len()), 0);
        assert!(from > 0 && shown.ends_with("more"), "{from} {shown}");
        assert_eq!(cut(&text, from, from + symbols(shown)), shown);
    }

    #[test]
    fn the_place_of_what_was_cut_is_told() {
        let passage = read(0, String::new(), 100, "One.\n\nTwo.", &[(104, 104)]);
        let all: Vec<&str> = passage.paragraphs.iter().flatten().map(|one| &*one.text).collect();
        assert_eq!(all, ["One.", "what is cut stood here", "Two."]);
    }

    #[test]
    fn a_sentence_that_was_selected_stays_so() {
        let text = "It rained. He left.\n\nShe stayed.";
        let passage = selectable(0, String::new(), 100, text, &[(111, 119)]);
        let chosen: Vec<bool> =
            passage.sentences.iter().flatten().map(|sentence| sentence.chosen).collect();
        assert_eq!(chosen, [false, true, false]);
    }

    proptest! {
        /// Every word says where it stands, and none but blanks are lost.
        #[test]
        fn words_stand_where_they_say(text in "[a-cÄ.? \n]{0,80}", start in 0_u32..50) {
            let passage = selectable(0, String::new(), start, &text, &[]);
            let mut all = String::new();
            for word in passage.sentences.iter().flatten().flat_map(|sentence| &sentence.words) {
                prop_assert_eq!(&word.text, &cut(&text, word.start - start, word.end - start));
                all += &word.text;
            }
            let letters: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            prop_assert_eq!(all, letters);
        }
    }
}
