//! The stretch of a book that all options of a question are most like, and the option that is nearest to it.
//!
//! Where every option tells of one scene, whoever finds the scene knows nothing yet. This finds it as a search would, and
//! then looks whether the words of the scene give the right option away.

use std::collections::BTreeMap;

use storymill_metrics::shortcut::{mark, pieces};

use super::book::{PASSAGE, Passages, mean};

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
    book: &'b str,
    /// Where each stretch begins and ends.
    ends: Vec<(usize, usize)>,
    texts: Vec<Sought<'b>>,
}

/// A text that is looked for.
struct Sought<'b> {
    sentences: Vec<&'b str>,
    /// Pairs and triples of words within sentences, hashed.
    runs: Vec<u64>,
    /// How much it is like each stretch.
    likeness: Vec<f64>,
}

impl<'b> Scenes<'b> {
    pub(super) fn of(book: &'b str, texts: &'b [String]) -> Self {
        let stretches = Passages::of(book, STRETCH);
        // One begins where the last but one ends.
        let start = |at: usize| at.checked_sub(2).map_or(0, |before| stretches.ends[before]);
        let ends = (0..stretches.ends.len()).map(|at| (start(at), stretches.ends[at])).collect();
        let sought = |text: &'b String| {
            let sentences = pieces(text);
            Sought {
                runs: sentences.iter().flat_map(|sentence| runs(sentence)).collect(),
                sentences,
                likeness: stretches
                    .index
                    .as_ref()
                    .map(|index| index.scores(text))
                    .unwrap_or_default(),
            }
        };
        Self { book, ends, texts: texts.iter().map(sought).collect() }
    }

    /// Finds the stretch, of those that begin before `end`, that some texts are most like together, and says how near each
    /// of them is to what was read of it. So for every question; what has to be known of a stretch is worked out once.
    pub(super) fn search(
        &self,
        asked: &[(Vec<usize>, usize)],
    ) -> Vec<BTreeMap<usize, InScene<f64>>> {
        let mut by_stretch: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (at, (options, end)) in asked.iter().enumerate() {
            by_stretch.entry(self.stretch(options, *end)).or_default().push(at);
        }
        let mut found = vec![BTreeMap::new(); asked.len()];
        for ((start, end), questions) in by_stretch {
            let stretch = &self.book[start..end];
            let passages = Passages::of(stretch, PASSAGE);
            let mut runs = runs(stretch);
            runs.sort_unstable();
            let mut known: BTreeMap<usize, InScene<f64>> = BTreeMap::new();
            for at in questions {
                for option in &asked[at].0 {
                    let near = || self.texts[*option].near(&passages, &runs);
                    found[at].insert(*option, *known.entry(*option).or_insert_with(near));
                }
            }
        }
        found
    }

    /// Where the stretch begins, and where it or what was read of it ends.
    fn stretch(&self, options: &[usize], end: usize) -> (usize, usize) {
        let together = |at: usize| -> f64 {
            options.iter().filter_map(|option| self.texts[*option].likeness.get(at)).sum()
        };
        let read = self.ends.partition_point(|(start, _)| *start < end);
        let scores = (0..read).map(|at| (at, together(at)));
        let found = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
        found.map_or((0, 0), |(at, _)| (self.ends[at].0, self.ends[at].1.min(end)))
    }
}

impl Sought<'_> {
    /// How near it is to a stretch in passages, whose runs are in order.
    fn near(&self, passages: &Passages, runs: &[u64]) -> InScene<f64> {
        let sentence = |piece: &&str| {
            let length = f64::from(u32::try_from(piece.len()).unwrap_or(u32::MAX));
            (length, passages.rising(piece).last().map_or(0.0, |(_, score)| *score))
        };
        let there = |run: &u64| f64::from(u8::from(runs.binary_search(run).is_ok()));
        let own = self.runs.iter().map(|run| (1.0, there(run)));
        InScene { bm25: mean(self.sentences.iter().map(sentence)), ngrams: mean(own) }
    }
}

/// Hashes of every two and three words that stand side by side, in small letters and without marks.
fn runs(text: &str) -> Vec<u64> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = text.split(' ').map(bare).filter(|word| !word.is_empty());
    let words: Vec<[u8; 8]> = words.map(|word| mark(word.as_bytes()).to_le_bytes()).collect();
    let of = |length: usize| words.windows(length).map(|run| mark(run.as_flattened()));
    of(2).chain(of(3)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_is_found_and_the_nearest_option_in_it() {
        let filler = |word: &str| format!("{word} grass grew by the river. ").repeat(130);
        let scene = "Anne gave the letter to Ben. Ben burned it in the stove at night. ";
        let book = format!("{}{scene}{}", filler("Long"), filler("Short"));
        let texts =
            ["Anne gave the letter to Ben in the end.", "Ben gave the letter to Anne in the end."];
        let texts = texts.map(str::to_owned);
        let scenes = Scenes::of(&book, &texts);
        let all = scenes.search(&[(vec![0, 1], book.len()), (vec![1], 300), (vec![0, 1], 300)]);
        let [found, _, early] = &all[..] else { panic!("three questions") };
        assert!(found[&0].ngrams > found[&1].ngrams, "{found:?}");
        assert!((found[&0].bm25 - found[&1].bm25).abs() < 1e-12 && found[&0].bm25 > 0.3);
        // Nothing of it was read yet.
        assert!(early[&0].ngrams < 0.2 && early[&0].bm25 < 0.2, "{early:?}");
        assert_eq!(all[1], [(1, early[&1])].into());
    }

    #[test]
    fn an_empty_book_has_no_stretch() {
        let texts = ["Anne gave the letter to Ben.".to_owned()];
        assert_eq!(Scenes::of("", &texts).search(&[(vec![0], 0)])[0][&0].ngrams.to_bits(), 0);
    }
}
