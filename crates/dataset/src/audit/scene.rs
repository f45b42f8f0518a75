//! The stretch of a book that all options of a question are most like, and the option that is nearest to it.
//!
//! Where every option tells of one scene, whoever finds the scene knows nothing yet. This finds it as a search would, and
//! then looks whether the words of the scene give the right option away.

use std::{collections::BTreeMap, ops::Range};

use storymill_metrics::shortcut::mark;

use super::book::{Book, PASSAGE, Passages, Sentences, mean};

/// Words of a stretch: about a scene. The next one begins half-way.
const STRETCH: usize = 500;

/// What is found within a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InScene<T> {
    /// By BM25, sentence by sentence.
    pub(super) bm25: T,
    /// By pairs and triples of words.
    pub(super) ngrams: T,
}

/// A book in stretches, with the texts that are looked for.
pub(super) struct Scenes<'b> {
    book: &'b Book<'b>,
    sentences: &'b Sentences<'b>,
    /// The book's words in small letters and without marks, hashed, and how many of them stand before each word between spaces.
    bare: Vec<Bare>,
    before: Vec<usize>,
    /// Pairs and triples of words of each sentence, hashed.
    runs: Vec<Vec<u64>>,
    /// How much each text is like each stretch.
    likeness: Vec<Vec<f64>>,
}

type Bare = [u8; 8];

impl<'b> Scenes<'b> {
    pub(super) fn of(book: &'b Book<'b>, sentences: &'b Sentences<'b>) -> Self {
        let stretches = Passages::of(book, 0..book.len(), STRETCH);
        let like = |(of, read): (&Vec<usize>, &usize)| {
            let words = of.iter().flat_map(|sentence| &sentences.words[*sentence]);
            let begun = book.words_to(*read).div_ceil(STRETCH / 2);
            stretches.scores(&words.copied().collect::<Vec<_>>(), begun)
        };
        let likeness = sentences.of.iter().zip(&sentences.read).map(like).collect();
        let (mut all, mut before) = (Vec::new(), Vec::new());
        for word in book.text.split(' ') {
            before.push(all.len());
            all.extend(bare(word));
        }
        before.push(all.len());
        let runs = |text: &&str| runs(&text.split(' ').filter_map(bare).collect::<Vec<_>>());
        let runs = sentences.texts.iter().map(runs).collect();
        Self { book, sentences, bare: all, before, runs, likeness }
    }

    /// Finds the stretch, of those that begin before `end`, that some texts are most like together, and says how near each
    /// of them is to what was read of it. So for every question; what has to be known of a stretch is worked out once.
    pub(super) fn search(
        &self,
        asked: &[(Vec<usize>, usize)],
    ) -> Vec<BTreeMap<usize, InScene<f64>>> {
        let mut by_stretch: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (at, (options, end)) in asked.iter().enumerate() {
            let Range { start, end } = self.stretch(options, *end);
            by_stretch.entry((start, end)).or_default().push(at);
        }
        let mut found = vec![BTreeMap::new(); asked.len()];
        for ((start, end), questions) in by_stretch {
            let passages = Passages::of(self.book, start..end, PASSAGE);
            let mut runs = runs(&self.bare[self.before[start]..self.before[end]]);
            runs.sort_unstable();
            let mut known: BTreeMap<usize, InScene<f64>> = BTreeMap::new();
            for at in questions {
                for option in &asked[at].0 {
                    let near = || self.near(*option, &passages, &runs);
                    found[at].insert(*option, *known.entry(*option).or_insert_with(near));
                }
            }
        }
        found
    }

    /// The words of the stretch, as far as they were read.
    fn stretch(&self, options: &[usize], end: usize) -> Range<usize> {
        let together = |at: usize| -> f64 {
            options.iter().filter_map(|option| self.likeness[*option].get(at)).sum()
        };
        let words = self.book.words_to(end);
        let scores = (0..words.div_ceil(STRETCH / 2)).map(|at| (at, together(at)));
        let found = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let start = found.map_or(0, |(at, _)| at * (STRETCH / 2));
        start..(start + STRETCH).min(words)
    }

    /// How near a text is to a stretch in passages, whose runs are in order.
    fn near(&self, text: usize, passages: &Passages, runs: &[u64]) -> InScene<f64> {
        let of = &self.sentences.of[text];
        let sentence =
            |at: &usize| (self.sentences.length(*at), passages.best(&self.sentences.words[*at]));
        let there = |run: &u64| f64::from(u8::from(runs.binary_search(run).is_ok()));
        let own = of.iter().flat_map(|at| &self.runs[*at]).map(|run| (1.0, there(run)));
        InScene { bm25: mean(of.iter().map(sentence)), ngrams: mean(own) }
    }
}

/// A word in small letters and without marks, hashed; none where nothing is left.
fn bare(word: &str) -> Option<Bare> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let small = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    let mark = if small { mark(word.as_bytes()) } else { mark(word.to_lowercase().as_bytes()) };
    (!word.is_empty()).then(|| mark.to_le_bytes())
}

/// Hashes of every two and three words that stand side by side.
fn runs(words: &[Bare]) -> Vec<u64> {
    let of = |length: usize| words.windows(length).map(|run| mark(run.as_flattened()));
    of(2).chain(of(3)).collect()
}

#[cfg(test)]
mod tests {
    use storymill_metrics::bm25::{Cut, Vocabulary};

    use super::*;

    #[test]
    fn the_stretch_is_found_and_the_nearest_option_in_it() {
        let filler = |word: &str| format!("{word} grass grew by the river. ").repeat(130);
        let scene = "Anne gave the letter to Ben. Ben burned it in the stove at night. ";
        let text = format!("{}{scene}{}", filler("Long"), filler("Short"));
        let texts =
            ["Anne gave the letter to Ben in the end.", "Ben gave the letter to Anne in the end."];
        let (texts, mut words) = (texts.map(str::to_owned), Vocabulary::new(Cut::HanPairs));
        let (book, sentences) =
            (Book::of(&text, &mut words), Sentences::of(&texts, vec![text.len(); 2], &mut words));
        let scenes = Scenes::of(&book, &sentences);
        let all = scenes.search(&[(vec![0, 1], text.len()), (vec![1], 300), (vec![0, 1], 300)]);
        let [found, _, early] = &all[..] else { panic!("three questions") };
        assert!(found[&0].ngrams > found[&1].ngrams, "{found:?}");
        assert!((found[&0].bm25 - found[&1].bm25).abs() < 1e-12 && found[&0].bm25 > 0.3);
        // Nothing of it was read yet.
        assert!(early[&0].ngrams < 0.2 && early[&0].bm25 < 0.2, "{early:?}");
        assert_eq!(all[1], [(1, early[&1])].into());
    }

    #[test]
    fn an_empty_book_has_no_stretch() {
        let mut words = Vocabulary::new(Cut::HanPairs);
        let texts = ["Anne gave the letter to Ben.".to_owned()];
        let (book, sentences) =
            (Book::of("", &mut words), Sentences::of(&texts, vec![0], &mut words));
        assert_eq!(
            Scenes::of(&book, &sentences).search(&[(vec![0], 0)])[0][&0].ngrams.to_bits(),
            0
        );
    }
}
