//! Options searched in one book, without understanding.

use std::{borrow::Cow, collections::BTreeMap, ops::Range, rc::Rc};

use storymill_metrics::{
    bm25::{Cut, Parameters, Postings, Vocabulary},
    shortcut::{GramCounts, Grams, Map, Spread, credit, first_ends, pieces},
};

use super::{
    known::Known,
    placed::{self, Names},
    sample::Sampled,
    scene::{InScene, Scenes},
};

/// Symbols of the beginning of a book that options are compared with: about a scene.
const OPENING: usize = 3_000;
/// Words of a passage; the next one begins half-way.
pub(super) const PASSAGE: usize = 60;
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
    /// What it earns to answer by places that were found as strings or by BM25, and by how often names stand; none where
    /// nothing is asked of places, or of names.
    pub(super) strings_place: Option<f64>,
    pub(super) bm25_place: Option<f64>,
    pub(super) count: Option<f64>,
    /// What is found in the stretch that the options tell of.
    pub(super) scene: InScene<Best>,
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

/// A question with the characters of its options, which were counted before.
pub(super) struct Options<'q> {
    pub(super) question: &'q Sampled,
    pub(super) characters: Vec<&'q GramCounts>,
}

/// Searches the options of questions in their book. Each option, each sentence and each run of words is searched once in
/// the whole book, however many questions have it and however long their contexts are.
pub(super) fn search(text: &str, all: &[&Options<'_>]) -> Vec<Searched> {
    let questions: Vec<&Sampled> = all.iter().map(|one| one.question).collect();
    let (text, ends) = folded(text, questions.iter().map(|question| question.context_symbols));
    let mut words = Vocabulary::new(Cut::HanPairs);
    let book = Book::of(&text, &mut words);
    let mut known = Known::default();
    let asked: Vec<Vec<usize>> = questions
        .iter()
        .map(|question| known.places((0..question.options.len()).map(|at| question.looked_at(at))))
        .collect();
    let given: Vec<Vec<usize>> = questions
        .iter()
        .map(|question| known.places(question.given.iter().map(|text| &**text)))
        .collect();
    let texts: Vec<String> = known.texts.iter().map(|text| fold(text)).collect();
    let mut read = vec![0; texts.len()];
    for (at, question) in questions.iter().enumerate() {
        for text in asked[at].iter().chain(&given[at]) {
            read[*text] = ends[&question.context_symbols].max(read[*text]);
        }
    }
    let sentences = Sentences::of(&texts, read, &mut words);
    let options = options_in(&book, &sentences);
    let names = Names::of(&text, &questions);
    let mut counts = vec![None; texts.len()];
    for (all, texts) in all.iter().zip(&asked) {
        texts.iter().zip(&all.characters).for_each(|(text, of)| counts[*text] = Some(*of));
    }
    let mut openings =
        Openings { book: &text, counts, spread: Spread::default(), known: BTreeMap::new() };
    let sought = |(question, asked): (&&Sampled, &Vec<usize>)| {
        let options = asked.iter().enumerate().filter(|(at, _)| question.none != Some(*at));
        (options.map(|(_, option)| *option).collect(), ends[&question.context_symbols])
    };
    let in_scenes: Vec<_> = questions.iter().zip(&asked).map(sought).collect();
    let in_scenes = Scenes::of(&book, &sentences).search(&in_scenes);
    let answer = |at: usize| {
        let (question, asked, given) = (questions[at], &asked[at], &given[at]);
        let (scene, end) = (&in_scenes[at], ends[&question.context_symbols]);
        let likeness = openings.likeness(end);
        let best = |score: &dyn Fn(usize) -> f64| {
            let score = |(at, option): (usize, &usize)| {
                (question.none != Some(at)).then(|| even(score(*option)))
            };
            let scores: Vec<_> = asked.iter().enumerate().map(score).collect();
            Best {
                score: scores.iter().flatten().copied().fold(0.0, f64::max),
                credit: credit(&scores, question.right),
                none: question.none.map(|none| f64::from(u8::from(none == question.right))),
            }
        };
        let placed = |place: fn(&Found, usize) -> Option<usize>| {
            let of = |texts: &[usize]| -> Vec<Option<usize>> {
                texts.iter().map(|text| place(&options[*text], end)).collect()
            };
            let order = question.order.filter(|order| !order.is_of_names())?;
            Some(order.earned(question, &of(asked), &of(given)))
        };
        let named = question.order.filter(|order| order.is_of_names()).map(|order| {
            let all = question.options.iter();
            let places: Vec<_> = all.map(|name| names.place(order, name, end)).collect();
            order.earned(question, &places, &[])
        });
        Searched {
            strings_place: placed(Found::strings_place).or(named),
            bm25_place: placed(Found::bm25_place),
            count: named.map(|_| names.most(question, end)),
            scene: InScene {
                bm25: best(&|option| scene[&option].bm25),
                ngrams: best(&|option| scene[&option].ngrams),
            },
            opening: best(&|option| likeness[option]).credit,
            strings: best(&|option| options[option].strings(end)),
            bm25: best(&|option| options[option].bm25(end)),
        }
    };
    (0..questions.len()).map(answer).collect()
}

/// What a book says of one text of an option.
struct Found {
    /// Where its runs of words first end, in order, as far as they stand in the book.
    stands: Vec<usize>,
    runs: usize,
    /// The length of each sentence, with the passages that are ever more like it.
    sentences: Vec<(f64, Rising)>,
}

/// Ends and scores of the passages that beat all before them.
type Rising = Rc<[(usize, f64)]>;

impl Found {
    /// The share of runs that stand in what was read.
    #[expect(clippy::cast_precision_loss, reason = "words of a page")]
    fn strings(&self, end: usize) -> f64 {
        let read = self.stands.partition_point(|stands| *stands <= end);
        if self.runs == 0 { 0.0 } else { read as f64 / self.runs as f64 }
    }

    /// Where it stands: in the middle of the runs that do.
    fn strings_place(&self, end: usize) -> Option<usize> {
        let read = self.stands.partition_point(|stands| *stands <= end);
        self.stands.get(read.checked_sub(1)? / 2).copied()
    }

    /// Where the sentence stands that is found best.
    fn bm25_place(&self, end: usize) -> Option<usize> {
        placed::best(self.sentences.iter().filter_map(|(length, scores)| {
            let within = scores.partition_point(|(at, _)| *at <= end);
            let (place, score) = scores[within.checked_sub(1)?];
            Some((length * score, place))
        }))
    }

    /// Sentences by their length, each by the passage most like it among those that were read.
    fn bm25(&self, end: usize) -> f64 {
        mean(self.sentences.iter().map(|(length, scores)| {
            let within = scores.partition_point(|(at, _)| *at <= end);
            (*length, within.checked_sub(1).map_or(0.0, |last| scores[last].1))
        }))
    }
}

/// A book with white space as single spaces, whose words are numbers.
pub(super) struct Book<'b> {
    pub(super) text: &'b str,
    /// Where each word between spaces begins, and the first of its numbers; one more stands behind the last.
    words: Vec<(usize, usize)>,
    numbers: Vec<u32>,
}

impl<'b> Book<'b> {
    pub(super) fn of(text: &'b str, known: &mut Vocabulary) -> Self {
        let (mut words, mut numbers, mut from) = (Vec::new(), Vec::new(), 0);
        for word in text.split(' ') {
            words.push((from, numbers.len()));
            known.each(word, |number| numbers.push(number));
            from += word.len() + 1;
        }
        words.push((from, numbers.len()));
        Self { text, words, numbers }
    }

    /// How many words between spaces there are.
    pub(super) fn len(&self) -> usize {
        self.words.len() - 1
    }

    /// Where so many words end.
    pub(super) fn end(&self, words: usize) -> usize {
        self.words[words].0.saturating_sub(1)
    }

    /// How many words end at a place or before it.
    pub(super) fn words_to(&self, end: usize) -> usize {
        self.words[1..].partition_point(|(next, _)| *next <= end + 1)
    }
}

/// The sentences of the texts that are looked for, each once.
pub(super) struct Sentences<'t> {
    /// Those of each text.
    pub(super) of: Vec<Vec<usize>>,
    pub(super) texts: Vec<&'t str>,
    /// Their words by number.
    pub(super) words: Vec<Vec<u32>>,
    /// How far the book was read at most by who is asked about each text.
    pub(super) read: Vec<usize>,
}

impl<'t> Sentences<'t> {
    pub(super) fn of(texts: &'t [String], read: Vec<usize>, known: &mut Vocabulary) -> Self {
        let mut sentences = Known::default();
        let of = texts.iter().map(|text| sentences.places(pieces(text))).collect();
        let words = |sentence: &&str| {
            let mut words = Vec::new();
            known.each(sentence, |word| words.push(word));
            words
        };
        let words = sentences.texts.iter().map(words).collect();
        Self { of, texts: sentences.texts, words, read }
    }

    /// The length of a sentence.
    pub(super) fn length(&self, sentence: usize) -> f64 {
        f64::from(u32::try_from(self.texts[sentence].len()).unwrap_or(u32::MAX))
    }
}

/// Looks for texts in a book.
fn options_in(book: &Book<'_>, sentences: &Sentences<'_>) -> Vec<Found> {
    let mut runs = Known::default();
    let runs_in: Vec<Vec<usize>> =
        sentences.texts.iter().map(|sentence| runs.places(runs_of(sentence))).collect();
    let stands = first_ends(book.text, &runs.texts);
    let passages = Passages::of(book, 0..book.len(), PASSAGE);
    let mut read = vec![0; sentences.texts.len()];
    for (of, upto) in sentences.of.iter().zip(&sentences.read) {
        for sentence in of {
            read[*sentence] = *upto.max(&read[*sentence]);
        }
    }
    let scored = |(at, words): (usize, &Vec<u32>)| {
        (sentences.length(at), Rising::from(passages.rising(words, read[at])))
    };
    let scored: Vec<_> = sentences.words.iter().enumerate().map(scored).collect();
    let found = |of: &Vec<usize>| {
        let runs = of.iter().flat_map(|sentence| &runs_in[*sentence]);
        let mut known: Vec<usize> = runs.clone().filter_map(|run| stands[*run]).collect();
        known.sort_unstable();
        let sentences = of.iter().map(|sentence| scored[*sentence].clone()).collect();
        Found { stands: known, runs: runs.count(), sentences }
    };
    sentences.of.iter().map(found).collect()
}

/// How alike texts are to the beginning of a book. Where less was read than is compared, that is the beginning.
struct Openings<'b> {
    book: &'b str,
    /// The characters of each text; none of what is no option.
    counts: Vec<Option<&'b GramCounts>>,
    spread: Spread,
    /// By the length of the beginning.
    known: BTreeMap<usize, Rc<[f64]>>,
}

impl Openings<'_> {
    /// The cosine of each text with the beginning of what was read.
    fn likeness(&mut self, end: usize) -> Rc<[f64]> {
        let opening = opening(&self.book[..end]);
        let likeness = self.known.entry(opening.len()).or_insert_with(|| {
            let opening = GramCounts::of(Grams::Characters, opening);
            let cosines = self.spread.cosines(&opening, self.counts.iter().copied().flatten());
            let mut cosines = cosines.into_iter();
            let all = self.counts.iter();
            all.map(|counts| counts.and_then(|_| cosines.next()).unwrap_or(0.0)).collect()
        });
        Rc::clone(likeness)
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

/// A score without its last digits, by which options of the same words in another order would differ.
fn even(score: f64) -> f64 {
    (score * 1e9).round() / 1e9
}

/// The mean of values by their weights; 0 of nothing.
pub(super) fn mean(all: impl Iterator<Item = (f64, f64)>) -> f64 {
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

/// Words of a book cut into passages that overlap, so that no sentence is cut everywhere.
pub(super) struct Passages {
    /// The numbers of the book's words here; those of the whole book are its own, in order of first sight.
    numbers: Option<Map<u32, u32>>,
    index: Option<Postings>,
    pub(super) ends: Vec<usize>,
}

impl Passages {
    /// Of so many words.
    pub(super) fn of(book: &Book<'_>, range: Range<usize>, words: usize) -> Self {
        let place = |word: usize| book.words[word.min(range.end)].1;
        let first = place(range.start);
        let own = &book.numbers[first..place(range.end)];
        let mut numbers = (range != (0..book.len())).then(Map::default);
        let own: Cow<'_, [u32]> = match &mut numbers {
            None => own.into(),
            Some(numbers) => {
                let number = |number: &u32| {
                    let next = u32::try_from(numbers.len()).expect("no more than words of a book");
                    *numbers.entry(*number).or_insert(next)
                };
                own.iter().map(number).collect()
            }
        };
        // Halves of passages.
        let starts = range.clone().step_by(words / 2);
        let halves =
            starts.clone().map(|at| &own[place(at) - first..place(at + words / 2) - first]);
        let index = Postings::of_overlapping(halves, Parameters::default()).ok();
        let ends = starts.map(|at| book.end((at + words).min(range.end))).collect();
        Self { numbers, index, ends }
    }

    /// How much each of the first so many passages is like a text.
    pub(super) fn scores(&self, text: &[u32], passages: usize) -> Vec<f64> {
        let index = self.index.as_ref();
        index.map(|index| index.scores(&self.own(text), passages)).unwrap_or_default()
    }

    /// Numbers of words as they are here; each that no passage has is another that is too high.
    fn own(&self, text: &[u32]) -> Vec<u32> {
        let Some(numbers) = &self.numbers else { return text.to_vec() };
        let own = |number: &u32| numbers.get(number).copied().unwrap_or(u32::MAX - number);
        text.iter().map(own).collect()
    }

    /// The score of the passage most like a piece, where there are few.
    pub(super) fn best(&self, piece: &[u32]) -> f64 {
        let Some(index) = &self.index else { return 0.0 };
        let piece = self.own(piece);
        let itself = index.score_of_itself(&piece);
        let best = index.scores(&piece, self.ends.len()).into_iter().fold(0.0, f64::max);
        // A piece without words is as near as can be to any passage.
        if itself == 0.0 { 1.0 } else { (best / itself).min(1.0) }
    }

    /// Ends and scores of the passages that beat all before them, in what was read.
    fn rising(&self, piece: &[u32], read: usize) -> Vec<(usize, f64)> {
        let Some(index) = &self.index else { return Vec::new() };
        let piece = self.own(piece);
        let itself = index.score_of_itself(&piece);
        if itself == 0.0 {
            // A piece without words is as near as can be to any passage.
            return self.ends.first().map(|end| (*end, 1.0)).into_iter().collect();
        }
        let passages = self.ends.partition_point(|end| *end <= read);
        // Nothing scores above what the piece itself would.
        let rising = index.rising(&piece, passages, itself).into_iter();
        rising.map(|(at, score)| (self.ends[at], (score / itself).min(1.0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: [&str; 3], right: usize, context_symbols: u32) -> Sampled {
        let options = options.into_iter().map(Box::from).collect();
        Sampled { options, right, none: Some(2), context_symbols, ..Sampled::default() }
    }

    fn searched(text: &str, asked: &[Sampled]) -> Vec<Searched> {
        let none = GramCounts::default();
        let options = |question| Options { question, characters: vec![&none; 3] };
        let all: Vec<Options<'_>> = asked.iter().map(options).collect();
        search(text, &all.iter().collect::<Vec<_>>())
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
        let earned = searched(text, &asked);
        let strings: Vec<_> = earned.iter().map(|one| one.strings.earned(0.5)).collect();
        // At the end both were read.
        assert!(
            strings
                .iter()
                .zip([1.0, 1.0, 0.5])
                .all(|(one, two): (&f64, f64)| (one - two).abs() < 1e-12)
        );
        assert!(searched("", &asked[..1])[0].strings.score.abs() < 1e-12);
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
