//! Options searched in one book, without understanding.

use std::collections::{BTreeMap, HashMap};

use storymill_metrics::{
    bm25::{Cut, Index, Parameters},
    shortcut::{GramCounts, Grams, credit, first_ends, pieces},
};

use super::sample::Sampled;

/// Symbols of the beginning of a book that options are compared with: about a scene.
const OPENING: usize = 3_000;
/// Words of a passage; the next one begins half-way.
const PASSAGE: usize = 60;
/// Words of a run that is searched as a string. Shorter ones stand in any book, and of longer ones too few are left
/// where a retelling writes a name for a pronoun.
const RUN: usize = 5;

/// What the searches find for a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Searched {
    /// What it earns to take the option most like the opening.
    pub(super) opening: f64,
    pub(super) strings: Best,
    pub(super) bm25: Best,
}

/// The best of the options, none of the above aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Best {
    /// Its score, from 0 to 1.
    pub(super) score: f64,
    /// What it earns to take it.
    pub(super) credit: f64,
    /// What it earns to take none of the above; none where that is no option.
    pub(super) none: Option<f64>,
}

impl Best {
    /// What is earned where none of the above is taken for scores below a bar.
    pub(super) fn earned(self, bar: f64) -> f64 {
        self.none.filter(|_| self.score < bar).unwrap_or(self.credit)
    }
}

/// Searches the options of questions in their book. Each run of words and each sentence is searched once in the whole
/// book, however many questions have it and however long their contexts are.
pub(super) fn search(text: &str, questions: &[&Sampled]) -> Vec<Searched> {
    let (book, ends) = folded(text, questions.iter().map(|question| question.context_symbols));
    let options: Vec<Vec<String>> = questions
        .iter()
        .map(|question| {
            (0..question.options.len()).map(|at| fold(question.looked_at(at))).collect()
        })
        .collect();
    let sentences = Known::of(options.iter().flatten().flat_map(|option| pieces(option)));
    let runs = Known::of(sentences.texts.iter().flat_map(|sentence| runs_of(sentence)));
    let stands = first_ends(&book, &runs.texts);
    let passages = Passages::of(&book);
    let likeness: Vec<_> = sentences.texts.iter().map(|piece| passages.scores(piece)).collect();
    let mut openings: BTreeMap<usize, GramCounts> = BTreeMap::new();
    let answer = |(question, options): (&&Sampled, &Vec<String>)| {
        let end = ends[&question.context_symbols];
        let opening = opening(&book[..end]);
        let opening = &*openings
            .entry(opening.len())
            .or_insert_with(|| GramCounts::of(Grams::Characters, opening));
        let best = |score: &dyn Fn(&str) -> f64| {
            let score =
                |(at, option): (usize, &String)| (question.none != Some(at)).then(|| score(option));
            let scores: Vec<_> = options.iter().enumerate().map(score).collect();
            Best {
                score: scores.iter().flatten().copied().fold(0.0, f64::max),
                credit: credit(&scores, question.right),
                none: question.none.map(|none| f64::from(u8::from(none == question.right))),
            }
        };
        // The share of runs that stand in what was read.
        let strings = |option: &str| {
            let all = pieces(option).into_iter().flat_map(runs_of).map(|run| stands[runs.at(run)]);
            mean(all.map(|at| (1.0, f64::from(u8::from(at.is_some_and(|at| at <= end))))))
        };
        // Sentences by their length, each by the passage most like it among those that were read.
        let bm25 = |option: &str| {
            mean(pieces(option).into_iter().map(|piece| {
                let scores = &likeness[sentences.at(piece)];
                let within = scores.partition_point(|(at, _)| *at <= end);
                let score = within.checked_sub(1).map_or(0.0, |last| scores[last].1);
                (f64::from(u32::try_from(piece.len()).unwrap_or(u32::MAX)), score)
            }))
        };
        Searched {
            opening: best(&|option| GramCounts::of(Grams::Characters, option).cosine(opening))
                .credit,
            strings: best(&strings),
            bm25: best(&bm25),
        }
    };
    questions.iter().zip(&options).map(answer).collect()
}

/// Texts, each once, and their places.
struct Known<'t> {
    texts: Vec<&'t str>,
    places: HashMap<&'t str, usize>,
}

impl<'t> Known<'t> {
    fn of(all: impl Iterator<Item = &'t str>) -> Self {
        let mut known = Self { texts: Vec::new(), places: HashMap::new() };
        for text in all {
            if !known.places.contains_key(text) {
                known.places.insert(text, known.texts.len());
                known.texts.push(text);
            }
        }
        known
    }

    fn at(&self, text: &str) -> usize {
        self.places[text]
    }
}

/// Every so many words of a sentence that stand side by side; all of it, if it has no more.
fn runs_of(sentence: &str) -> Vec<&str> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(sentence.match_indices(' ').map(|(at, _)| at + 1)).collect();
    let Some(last) = starts.len().checked_sub(RUN) else { return vec![sentence] };
    let end = |at: usize| starts.get(at + RUN).map_or(sentence.len(), |next| next - 1);
    (0..=last).map(|at| &sentence[starts[at]..end(at)]).collect()
}

/// The mean of values by their weights; 0 of nothing.
fn mean(all: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (whole, sum) = all
        .fold((0.0, 0.0), |(whole, sum), (weight, value)| (whole + weight, sum + weight * value));
    if whole > 0.0 { sum / whole } else { 0.0 }
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
        for (symbols, symbol) in (0_u32..).zip(text.chars()) {
            while let Some((_, end)) = waiting.next_if(|(at, _)| **at <= symbols) {
                *end = book.len();
            }
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
        Sampled {
            mark: 0,
            book: 0,
            options,
            right,
            none: Some(2),
            context_symbols,
            context_words: 0,
            demand_symbols: 0,
            demand_words: 0,
        }
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
        let strings: Vec<_> = earned.iter().map(|one| one.strings.earned(0.5)).collect();
        // At the end both were read.
        assert!(
            strings
                .iter()
                .zip([1.0, 1.0, 0.5])
                .all(|(one, two): (&f64, f64)| (one - two).abs() < 1e-12)
        );
        assert!(search("", &[&asked[0]])[0].strings.score.abs() < 1e-12);
    }

    #[test]
    fn runs_are_whole_words() {
        assert_eq!(runs_of("a b c d e f"), ["a b c d e", "b c d e f"]);
        assert_eq!(runs_of("a b"), ["a b"]);
    }

    #[test]
    fn symbols_are_counted_before_spaces_are_folded() {
        let (book, ends) = folded("é  b\n\nc", [0, 1, 3, 4, 7, 99].into_iter());
        assert_eq!(book, "é b c");
        assert_eq!(ends.into_values().collect::<Vec<_>>(), [0, 2, 3, 4, 6, 6]);
    }
}
