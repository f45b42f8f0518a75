//! Windows of the tagger `litner`: what of a book its model is shown.
//!
//! `data/models/litner/README.md` numbers the steps of its input; step 7 is here, steps 8 and 9, which run the
//! model, are in [`crate::onnx`], the others in [`crate::words`], [`crate::counts`] and [`crate::decision`].

use std::ops::Range;

use storymill_core::Fault;
use storymill_metrics::shortcut::Map;

use crate::{
    answers::VOCABULARY,
    counts::Counts,
    pieces::Vocabulary,
    tagger::{Piece, Window},
    words::Words,
};

/// How many pieces a window holds at most, without the two that frame it.
pub(crate) const ROOM: usize = 190;
/// What frames a window, and how many numbers its channel has.
#[cfg(any(feature = "litner", feature = "rust-bert"))]
pub(crate) const FRAME: (i32, i32) = (101, 102);
#[cfg(any(feature = "litner", feature = "rust-bert"))]
pub(crate) const CHANNELS: u8 = 169;

/// Cuts books into windows without the model: to ask for what it says of them.
#[derive(Debug)]
pub struct Cutter(Vocabulary);

impl Cutter {
    /// A cutter with the vocabulary of the models that come with this version.
    pub fn new() -> Self {
        Self(Vocabulary::parse(VOCABULARY).expect("the vocabulary of this crate is sound"))
    }

    /// A cutter with the vocabulary of another model, one piece a line.
    pub fn of(vocabulary: &str) -> Result<Self, Fault> {
        Vocabulary::parse(vocabulary).map(Self)
    }

    /// The windows of sentences of a book, as the tagger with this vocabulary has them.
    pub fn windows(&self, words: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window> {
        windows(&self.0, words, sentences)
    }
}

impl Default for Cutter {
    fn default() -> Self {
        Self::new()
    }
}

/// Sentences in order, as many as fit; a sentence that alone is longer is cut between words.
pub(crate) fn windows(
    vocabulary: &Vocabulary,
    words: &Words<'_>,
    sentences: &[Range<usize>],
) -> Vec<Window> {
    let counts = Counts::new(words);
    let mut known: Map<&str, Vec<i32>> = Map::default();
    let form = |at| if vocabulary.cased() { words.surface(at) } else { words.low(Some(at)) };
    let mut filling = Filling::default();
    for sentence in sentences.iter().cloned() {
        for form in sentence.clone().map(form) {
            known.entry(form).or_insert_with(|| vocabulary.pieces(form));
        }
        let length: usize = sentence.clone().map(|at| known[form(at)].len()).sum();
        if filling.holds() + length > ROOM {
            filling.next();
        }
        for at in sentence {
            filling.add(at, &known[form(at)], counts.channel(&words.all()[at]));
        }
    }
    filling.next();
    filling.full
}

/// Windows in the making.
#[derive(Default)]
struct Filling {
    full: Vec<Window>,
    window: Window,
}

impl Filling {
    fn holds(&self) -> usize {
        self.window.input.len()
    }

    fn next(&mut self) {
        if !self.window.input.is_empty() {
            self.full.push(std::mem::take(&mut self.window));
        }
    }

    fn add(&mut self, at: usize, pieces: &[i32], channel: u8) {
        if self.holds() + pieces.len() > ROOM {
            self.next();
        }
        match self.window.stretches.last_mut() {
            Some(stretch) if stretch.end == at => stretch.end = at + 1,
            _ => self.window.stretches.push(at..at + 1),
        }
        let input =
            pieces.iter().enumerate().map(|(n, id)| Piece { id: *id, channel, first: n == 0 });
        self.window.input.extend(input);
    }
}
