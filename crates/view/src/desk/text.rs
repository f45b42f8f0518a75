//! A passage of a book with some words around it: to be read, or to select evidence in.

use serde::Serialize;
use storymill_core::{ReviewPassage, Span};
use storymill_text::{Language, sentence::sentences};

use crate::{
    draw::hides,
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
    pub(super) book: String,
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
    /// What of it is selected where it is not whole.
    parts: Vec<(u32, u32)>,
    runs: Vec<Run>,
}

/// A part of a sentence. Pages count its symbols; where these are not those that it shows, it says how many it has.
#[derive(Clone, Debug, Serialize)]
struct Run {
    text: String,
    symbols: Option<u32>,
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

/// The part of a book that is shown of a passage.
pub(super) struct Shown<'t> {
    /// The passage's place in the item, from 0.
    pub(super) at: usize,
    pub(super) book: &'t str,
    /// What it is called on the page.
    pub(super) name: String,
    /// Where the text begins in the book, in symbols.
    pub(super) from: u32,
    pub(super) text: &'t str,
}

impl Shown<'_> {
    fn passage(&self) -> Passage {
        let (book, name) = (self.book.to_owned(), self.name.clone());
        Passage { at: self.at, book, name, ..Passage::default() }
    }

    /// Whether evidence is selected in it, or it is too long for that.
    pub(super) fn is_selectable(&self) -> bool {
        self.text.chars().count() <= SELECTABLE
    }

    /// Whether a place of a book stands in it.
    pub(super) fn holds(&self, one: &ReviewPassage) -> bool {
        one.book == self.book
            && one.span.start.symbol >= self.from
            && one.span.end.symbol <= self.from + symbols(self.text)
    }

    /// To be read, with what is marked in it. Of what was cut nothing is left to mark: its place is told.
    pub(super) fn read(&self, marked: &[(u32, u32)]) -> Passage {
        let (text, start, mut passage) = (self.text, self.from, self.passage());
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

    /// To select evidence in, with what was selected in it before.
    pub(super) fn selectable(&self, chosen: &[&ReviewPassage]) -> Passage {
        let mut passage = self.passage();
        let chosen = chosen.iter().map(|one| (one.span.start.symbol, one.span.end.symbol));
        let chosen: Vec<(u32, u32)> = chosen.collect();
        let spans = chosen.iter().map(|(from, to)| format!("{}:{from}:{to}", self.at));
        passage.spans = spans.collect::<Vec<_>>().join(" ");
        let mut symbol = self.from;
        for paragraph in self.text.split_inclusive("\n\n") {
            let mut all: Vec<Sentence> = Vec::new();
            // The blank line behind a paragraph is not shown twice.
            let shown = paragraph.trim_end();
            for sentence in sentences(shown, Language::English) {
                let text = sentence.trim_start();
                let start = symbol + symbols(sentence) - symbols(text);
                let end = start + symbols(text.trim_end());
                symbol += symbols(sentence);
                if start == end {
                    continue;
                }
                let is_whole = chosen.iter().any(|one| one.0 <= start && end <= one.1);
                let met = chosen.iter().map(|one| (one.0.max(start), one.1.min(end)));
                let parts = met.filter(|(from, to)| !is_whole && from < to).collect();
                all.push(Sentence { start, end, chosen: is_whole, parts, runs: runs(text) });
            }
            symbol += symbols(paragraph) - symbols(shown);
            if !all.is_empty() {
                passage.sentences.push(all);
            }
        }
        passage
    }
}

/// What forms call a place that was marked.
pub(super) fn named(one: &ReviewPassage) -> String {
    format!("{}:{}:{}", one.span.start.symbol, one.span.end.symbol, one.book)
}

/// A sentence as a page shows it: in one part, but for words and blanks with letters that are shown by their number, or
/// that browsers read as another one.
fn runs(sentence: &str) -> Vec<Run> {
    let is_odd = |part: &str| part.contains(|letter| letter == '\r' || hides(letter));
    if !is_odd(sentence) {
        return vec![Run { text: sentence.to_owned(), symbols: None }];
    }
    let mut runs: Vec<Run> = Vec::new();
    for part in sentence.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        for part in [word, &part[word.len()..]].into_iter().filter(|part| !part.is_empty()) {
            match runs.last_mut() {
                _ if is_odd(part) => {
                    runs.push(Run { text: part.to_owned(), symbols: Some(symbols(part)) });
                }
                Some(last) if last.symbols.is_none() => last.text += part,
                _ => runs.push(Run { text: part.to_owned(), symbols: None }),
            }
        }
    }
    runs
}

fn symbols(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storymill_core::{Place, Span};

    use super::*;

    fn shown(from: u32, text: &str) -> Shown<'_> {
        Shown { at: 0, book: "mill", name: String::new(), from, text }
    }

    fn place(start: u32, end: u32) -> ReviewPassage {
        let place = |symbol: u32| Place { byte: symbol, symbol };
        let span = Span { start: place(start), end: place(end) };
        ReviewPassage { book: "mill".into(), span, role: "evidence".into() }
    }

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
        let passage = shown(100, "One.\n\nTwo.").read(&[(104, 104)]);
        let all: Vec<&str> = passage.paragraphs.iter().flatten().map(|one| &*one.text).collect();
        assert_eq!(all, ["One.", "what is cut stood here", "Two."]);
    }

    #[test]
    fn a_sentence_that_was_selected_stays_so() {
        let text = "It rained. He left.\n\nShe stayed.";
        let passage = shown(100, text).selectable(&[&place(111, 119)]);
        let chosen: Vec<bool> =
            passage.sentences.iter().flatten().map(|sentence| sentence.chosen).collect();
        assert_eq!(chosen, [false, true, false]);
    }

    #[test]
    fn words_of_a_sentence_that_were_selected_stay_so() {
        let text = "It rained. He left.\n\nShe stayed.";
        let passage = shown(100, text).selectable(&[&place(107, 113)]);
        let parts: Vec<&[(u32, u32)]> =
            passage.sentences.iter().flatten().map(|sentence| &sentence.parts[..]).collect();
        assert_eq!(parts, [&[(107, 110)][..], &[(111, 113)], &[]]);
        assert!(passage.sentences.iter().flatten().all(|sentence| !sentence.chosen));
    }

    #[test]
    fn words_with_hidden_letters_say_how_many_symbols_they_have() {
        let passage = shown(0, "One a\u{202e}b two.\r\nMore").selectable(&[]);
        let runs: Vec<(&str, Option<u32>)> = passage.sentences[0][0]
            .runs
            .iter()
            .map(|run| (run.text.as_str(), run.symbols))
            .collect();
        let odd = ("a\u{202e}b", Some(3));
        assert_eq!(runs[..3], [("One ", None), odd, (" two.", None)], "{runs:?}");
        let all = passage.sentences.iter().flatten().flat_map(|sentence| &sentence.runs);
        let breaks = all.filter(|run| run.symbols.is_some() && run.text.trim().is_empty());
        assert_eq!(breaks.map(|run| run.symbols.unwrap_or(0)).sum::<u32>(), 1, "{passage:?}");
    }

    proptest! {
        /// Every sentence says where it stands, its parts have all that it is, and none but blanks are lost.
        #[test]
        fn sentences_stand_where_they_say(text in "[a-cÄ.? \n\r\u{202e}]{0,80}", start in 0_u32..50) {
            let passage = shown(start, &text).selectable(&[]);
            let mut all = String::new();
            for sentence in passage.sentences.iter().flatten() {
                let shown: String = sentence.runs.iter().map(|run| run.text.as_str()).collect();
                let own = cut(&text, sentence.start - start, sentence.end - start);
                prop_assert_eq!(shown.trim_end(), own);
                for run in &sentence.runs {
                    prop_assert!(run.symbols.is_none_or(|count| count == symbols(&run.text)));
                }
                all += shown.trim_end();
            }
            all.retain(|letter| !letter.is_whitespace());
            let letters: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            prop_assert_eq!(all, letters);
        }
    }
}
