//! The stretch of a book that all options of a question are most like, and the option that is nearest to it.
//!
//! Where every option tells of one scene, whoever finds the scene knows nothing yet. This finds it as a search would, and
//! then looks whether the words of the scene give the right option away.

use std::collections::{BTreeMap, BTreeSet};

use storymill_metrics::shortcut::pieces;

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
    texts: &'b [String],
    /// How much each text is like each stretch.
    likeness: Vec<Vec<f64>>,
}

impl<'b> Scenes<'b> {
    pub(super) fn of(book: &'b str, texts: &'b [String]) -> Self {
        let stretches = Passages::of(book, STRETCH);
        // One begins where the last but one ends.
        let start = |at: usize| at.checked_sub(2).map_or(0, |before| stretches.ends[before]);
        let ends = (0..stretches.ends.len()).map(|at| (start(at), stretches.ends[at])).collect();
        let likeness = |text: &String| {
            stretches.index.as_ref().map(|index| index.scores(text)).unwrap_or_default()
        };
        Self { book, ends, texts, likeness: texts.iter().map(likeness).collect() }
    }

    /// Finds the stretch, of those that begin before `end`, that some texts are most like together, and says how near each
    /// of them is to what was read of it.
    pub(super) fn search(&self, options: &[usize], end: usize) -> BTreeMap<usize, InScene<f64>> {
        let together = |at: usize| -> f64 {
            options.iter().filter_map(|option| self.likeness[*option].get(at)).sum()
        };
        let read = self.ends.partition_point(|(start, _)| *start < end);
        let scores = (0..read).map(|at| (at, together(at)));
        let found = scores.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let stretch = found.map_or("", |(at, _)| {
            let (start, to) = self.ends[at];
            &self.book[start..to.min(end)]
        });
        let passages = Passages::of(stretch, PASSAGE);
        let runs: BTreeSet<String> = runs(stretch).collect();
        let near = |option: &usize| {
            let text = &self.texts[*option];
            let sentence = |piece: &str| {
                let length = f64::from(u32::try_from(piece.len()).unwrap_or(u32::MAX));
                (length, passages.rising(piece).last().map_or(0.0, |(_, score)| *score))
            };
            let own = pieces(text).into_iter().flat_map(self::runs);
            let own = own.map(|run| (1.0, f64::from(u8::from(runs.contains(&run)))));
            let bm25 = mean(pieces(text).into_iter().map(sentence));
            (*option, InScene { bm25, ngrams: mean(own) })
        };
        options.iter().map(near).collect()
    }
}

/// Two and three words that stand side by side, in small letters and without marks.
fn runs(text: &str) -> impl Iterator<Item = String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words: Vec<String> = text.split(' ').map(bare).filter(|word| !word.is_empty()).collect();
    let of =
        |length: usize| -> Vec<String> { words.windows(length).map(|run| run.join(" ")).collect() };
    of(2).into_iter().chain(of(3))
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
        let found = scenes.search(&[0, 1], book.len());
        assert!(found[&0].ngrams > found[&1].ngrams, "{found:?}");
        assert!((found[&0].bm25 - found[&1].bm25).abs() < 1e-12 && found[&0].bm25 > 0.3);
        // Nothing of it was read yet.
        let found = scenes.search(&[0, 1], 300);
        assert!(found[&0].ngrams < 0.2 && found[&0].bm25 < 0.2, "{found:?}");
    }

    #[test]
    fn an_empty_book_has_no_stretch() {
        let texts = ["Anne gave the letter to Ben.".to_owned()];
        assert_eq!(Scenes::of("", &texts).search(&[0], 0)[&0].ngrams.to_bits(), 0);
    }
}
