//! Options searched in one book, without understanding.

use std::collections::BTreeMap;

use storymill_metrics::{
    bm25::{Cut, Index, Parameters},
    shortcut::{GramCounts, Grams, credit, first_ends, pieces},
};

use super::sample::Sampled;

/// Symbols of the beginning of a book that options are compared with: about a scene.
const OPENING: usize = 3_000;
/// Words of a passage; the next one begins half-way.
const PASSAGE: usize = 60;
/// An option counts as found if all of its sentences are; where none is, none of the above is taken.
const ALL: f64 = 0.999;
/// The same for BM25, whose score of a sentence in a longer passage is below that of the sentence itself.
const BM25_ALL: f64 = 0.62;

/// What the searches earn for a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Searched {
    pub(super) opening: f64,
    pub(super) strings: f64,
    pub(super) bm25: f64,
}

/// A sentence of an option, and where it is found.
struct Piece {
    /// Where it first ends in the book, in bytes.
    end: Option<usize>,
    /// Ends of passages and BM25 scores, relative to that of the sentence itself, each higher than all before.
    scores: Vec<(usize, f64)>,
}

/// Answers questions of a book by searching. Each sentence is searched once in the whole book, however many
/// questions have it and however long their contexts are.
pub(super) fn search(text: &str, questions: &[&Sampled]) -> Vec<Searched> {
    let (book, ends) = folded(text, questions.iter().map(|question| question.context_symbols));
    let options: Vec<Vec<String>> = questions
        .iter()
        .map(|question| {
            (0..question.options.len()).map(|at| fold(question.looked_at(at))).collect()
        })
        .collect();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for piece in options.iter().flatten().flat_map(|option| pieces(option)) {
        let next = known.len();
        known.entry(piece).or_insert(next);
    }
    let mut ordered: Vec<&str> = vec![""; known.len()];
    known.iter().for_each(|(piece, at)| ordered[*at] = piece);
    let found = first_ends(&book, &ordered);
    let passages = Passages::of(&book);
    let found: Vec<Piece> = ordered
        .iter()
        .zip(found)
        .map(|(piece, end)| Piece { end, scores: passages.scores(piece) })
        .collect();
    let mut openings: BTreeMap<usize, GramCounts> = BTreeMap::new();
    let answer = |(question, options): (&&Sampled, &Vec<String>)| {
        let end = ends[&question.context_symbols];
        let opening = opening(&book[..end]);
        let opening = &*openings
            .entry(opening.len())
            .or_insert_with(|| GramCounts::of(Grams::Characters, opening));
        let earned = |none: Option<f64>, score: &dyn Fn(&str) -> f64| {
            let score = |(at, option): (usize, &String)| match question.none {
                Some(of) if of == at => none,
                _ => Some(score(option)),
            };
            let scores: Vec<_> = options.iter().enumerate().map(score).collect();
            credit(&scores, question.right)
        };
        let share = |option: &str, of: &dyn Fn(&Piece) -> f64| {
            let (mut sum, mut whole) = (0.0, 0.0);
            for piece in pieces(option) {
                let length = f64::from(u32::try_from(piece.len()).unwrap_or(u32::MAX));
                sum += length * of(&found[known[piece]]);
                whole += length;
            }
            if whole > 0.0 { sum / whole } else { 0.0 }
        };
        let stands = |piece: &Piece| f64::from(u8::from(piece.end.is_some_and(|at| at <= end)));
        let likeness = |piece: &Piece| {
            let within = piece.scores.partition_point(|(at, _)| *at <= end);
            within.checked_sub(1).map_or(0.0, |last| piece.scores[last].1)
        };
        Searched {
            opening: earned(None, &|option| {
                GramCounts::of(Grams::Characters, option).cosine(opening)
            }),
            strings: earned(Some(ALL), &|option| share(option, &stands)),
            bm25: earned(Some(BM25_ALL), &|option| share(option, &likeness)),
        }
    };
    questions.iter().zip(&options).map(answer).collect()
}

/// White space as single spaces.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A book with white space as single spaces, and the length in bytes of what was its first so many symbols.
fn folded(text: &str, wanted: impl Iterator<Item = u32>) -> (String, BTreeMap<u32, usize>) {
    let mut ends: BTreeMap<u32, usize> = wanted.map(|symbols| (symbols, usize::MAX)).collect();
    let mut book = String::with_capacity(text.len());
    {
        let mut waiting = ends.iter_mut().peekable();
        let mut symbols = 0;
        for symbol in text.chars() {
            while let Some((_, end)) = waiting.next_if(|(at, _)| **at <= symbols) {
                *end = book.len();
            }
            symbols += 1;
            if !symbol.is_whitespace() {
                book.push(symbol);
            } else if !book.ends_with(' ') {
                book.push(' ');
            }
        }
    }
    ends.values_mut().filter(|end| **end == usize::MAX).for_each(|end| *end = book.len());
    (book, ends)
}

fn opening(read: &str) -> &str {
    read.char_indices().nth(OPENING).map_or(read, |(end, _)| &read[..end])
}

/// A book cut into passages that overlap, so that no sentence is cut everywhere.
struct Passages {
    index: Option<Index>,
    ends: Vec<usize>,
}

impl Passages {
    fn of(book: &str) -> Self {
        let mut words: Vec<(usize, usize)> = Vec::new();
        let mut from = 0;
        for word in book.split(' ') {
            words.push((from, from + word.len()));
            from += word.len() + 1;
        }
        let starts = (0..words.len()).step_by(PASSAGE / 2);
        let spans: Vec<(usize, usize)> = starts
            .map(|first| (words[first].0, words[(first + PASSAGE).min(words.len()) - 1].1))
            .collect();
        let texts = spans.iter().map(|(from, to)| &book[*from..*to]);
        let index = Index::new(texts, Cut::HanPairs, Parameters::default()).ok();
        Self { index, ends: spans.into_iter().map(|(_, end)| end).collect() }
    }

    /// Ends and scores of the passages that beat all before them.
    fn scores(&self, piece: &str) -> Vec<(usize, f64)> {
        let Some(index) = &self.index else { return Vec::new() };
        let itself = index.score_of_itself(piece);
        let mut best = 0.0;
        let scores = index.scores(piece);
        let rising = scores.iter().zip(&self.ends).filter_map(|(score, end)| {
            let score = (score / itself).min(1.0);
            (score > best).then(|| {
                best = score;
                (*end, score)
            })
        });
        rising.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: [&str; 3], right: usize, context_symbols: u32) -> Sampled {
        let options = options.into_iter().map(Box::from).collect();
        Sampled { book: 0, options, right, none: Some(2), context_symbols, context_words: 0 }
    }

    #[test]
    fn what_was_read_is_found_and_what_comes_is_not() {
        let text = "The miller shut the old gate\n\nat night. Rain fell over the mill. \
                    A letter came for the ferryman in the spring. He burned it unread.";
        let read = u32::try_from(text.find(" A letter").unwrap()).unwrap();
        let (past, future) = (
            "The miller shut the old gate at night.",
            "A letter came for the ferryman in the spring.",
        );
        let none = "None of the above.";
        let asked = [
            question([past, future, none], 0, read),
            question(["The miller sold his gate.", future, none], 2, read),
            question([past, future, none], 0, u32::try_from(text.len()).unwrap()),
        ];
        let earned = search(text, &asked.iter().collect::<Vec<_>>());
        let strings: Vec<_> = earned.iter().map(|one| one.strings).collect();
        // At the end both were read.
        assert_eq!(strings, [1.0, 1.0, 0.5]);
        assert_eq!(search("", &[&asked[0]])[0].strings, 0.0);
    }

    #[test]
    fn symbols_are_counted_before_spaces_are_folded() {
        let (book, ends) = folded("é  b\n\nc", [0, 1, 3, 4, 7, 99].into_iter());
        assert_eq!(book, "é b c");
        assert_eq!(ends.into_values().collect::<Vec<_>>(), [0, 2, 3, 4, 6, 6]);
    }
}
