//! What every tagger offers, and what it says of a word.

use std::{num::NonZeroU32, ops::Range};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault};

use crate::{decision::Weights, reading::Reading, words::Words};

/// The share that is all of it: odds are in 60,000ths, since records hold no floats.
pub const WHOLE: u16 = 60_000;

/// How likely a word is each of five things, in 60,000ths; they add up to about one whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odds {
    /// It is in no name.
    pub none: u16,
    /// It begins a person's name.
    pub person: u16,
    /// It goes on with a person's name.
    pub person_on: u16,
    /// It begins a place's name.
    pub place: u16,
    /// It goes on with a place's name.
    pub place_on: u16,
}

impl Odds {
    /// In no name, for certain.
    pub const NONE: Self = Self { none: WHOLE, person: 0, person_on: 0, place: 0, place_on: 0 };

    /// Odds from the five scores of a classifier.
    pub(crate) fn from_scores(scores: [f32; 5]) -> Self {
        let most = scores.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let raised = scores.map(|score| libm::expf(score - most));
        let sum: f32 = raised.into_iter().sum();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of 60,000"
        )]
        let [none, person, person_on, place, place_on] =
            raised.map(|one| (one / sum * f32::from(WHOLE)).round() as u16);
        Self { none, person, person_on, place, place_on }
    }

    /// The label that is likeliest, as a number: none, person, person on, place, place on.
    pub fn label(&self) -> u8 {
        let odds = [self.none, self.person, self.person_on, self.place, self.place_on];
        // The last of equals, as the worked examples have it.
        (0..5).max_by_key(|at| odds[usize::from(*at)]).unwrap_or(0)
    }
}

/// Finds words that are in names.
///
/// A tagger cuts a book into windows, each of which it reads by itself: what it says of a window is one answer,
/// to be kept under the tagger's digest and the window's text, since inference is not the same to
/// the last bit on every machine. A window is fixed by the book and the sentences that are read.
pub trait NameTagger {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// The digest of everything that its answers depend on beside the text.
    fn digest(&self) -> Digest;

    /// How what it says is weighed over a whole book.
    fn weights(&self) -> Weights {
        Weights::default()
    }

    /// What it must look at to read these sentences, in order.
    fn windows(&self, words: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window>;

    /// The odds of each word of a window, in the window's order.
    fn read(&self, words: &Words<'_>, window: &Window) -> Result<Vec<Odds>, Fault>;

    /// The odds of every word of a book, of which all sentences are read that may hold a name.
    fn tag(&self, words: &Words<'_>) -> Result<Vec<Odds>, Fault> {
        self.tag_by(words, None)
    }

    /// The odds of every word of a book, of which so many occurrences of a form are read (see [`Reading`]).
    fn tag_by(
        &self,
        words: &Words<'_>,
        occurrences: Option<NonZeroU32>,
    ) -> Result<Vec<Odds>, Fault> {
        let mut reading = Reading::new(words, occurrences);
        while let Some(sentences) = reading.round() {
            for window in self.windows(words, &sentences) {
                reading.note(&window, self.read(words, &window)?);
            }
        }
        Ok(reading.odds())
    }
}

/// Words that are read together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Stretches of words, in order.
    pub stretches: Vec<Range<usize>>,
    /// What the tagger needs to know of them, in its own terms.
    pub(crate) input: Vec<Piece>,
}

impl Window {
    /// All words of the window, in order.
    pub fn words(&self) -> impl Iterator<Item = usize> + '_ {
        self.stretches.iter().cloned().flatten()
    }
}

/// One piece of a word as a model reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its number in the vocabulary.
    pub(crate) id: i32,
    /// The channel of its word.
    pub(crate) channel: u8,
    /// Whether its word begins with it.
    pub(crate) first: bool,
}
