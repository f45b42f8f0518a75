//! The tagger `perceptron`: one layer over a small table that comes inside the binary.
//!
//! It needs no model file and reads some million words a second; the whole-book decision repairs
//! most of what it misses. How the table is made: `cargo xtask train-perceptron`.

mod features;
mod signs;

use std::{num::NonZeroU32, ops::Range};

use storymill_core::{Digest, Fault, FaultKind};
use storymill_metrics::shortcut::Map;

use self::features::Book;
use crate::{
    decision::Weights,
    tagger::{NameTagger, Odds, Window},
    words::{Case, Words},
};

/// The weights in the table are in these parts of one.
const SCALE: f32 = 100.0;

/// The weights of a feature for each label.
type Row = [i16; 5];

/// A table that was read.
#[derive(Debug)]
pub struct Perceptron {
    rows: Map<Box<str>, Row>,
    digest: Digest,
}

impl Perceptron {
    /// The table that comes with the crate.
    pub fn table() -> &'static str {
        static TABLE: &str = storymill_data::text("models/perceptron/perceptron.tsv");
        TABLE
    }

    /// The tagger with the table that comes with the crate.
    pub fn new() -> Self {
        Self::parse(Self::table()).expect("the table of this crate is sound")
    }

    /// Reads a table: a feature and its five weights a line, tabs between.
    pub fn parse(table: &str) -> Result<Self, Fault> {
        let mut rows = Map::default();
        for (at, line) in table.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let feature = cells.next().unwrap_or_default();
            let weights: Vec<i16> = cells.map_while(|cell| cell.parse().ok()).collect();
            let Ok(row) = Row::try_from(weights) else {
                let message =
                    format!("line {} of the table is not a feature and five numbers", at + 1);
                return Err(Fault::new(FaultKind::Input, message));
            };
            rows.insert(feature.into(), row);
        }
        Ok(Self {
            rows,
            digest: Digest::of_parts("storymill 2026 perceptron v1", [table.as_bytes()]),
        })
    }

    /// The odds of some words of a book, one after another.
    pub(crate) fn propose(
        &self,
        words: &Words<'_>,
        places: impl Iterator<Item = usize>,
    ) -> Vec<Odds> {
        let book = Book::new(words);
        let mut forms: Map<(u32, Case), [i32; 5]> = Map::default();
        let mut text = String::new();
        let mut previous = 0;
        let mut odds = Vec::with_capacity(words.len());
        for at in places {
            let word = words.all()[at];
            if word.case == Case::Low {
                if !book.holds(at) {
                    previous = 0;
                }
                odds.push(Odds::NONE);
                continue;
            }
            if word.breaks {
                previous = 0;
            }
            let mut sums = *forms.entry((word.low, word.case)).or_insert_with(|| {
                let mut sums = [0; 5];
                book.of_form(word.low, word.case, |feature| self.add(&mut sums, feature));
                sums
            });
            book.of_place(at, previous, &mut text, |feature| self.add(&mut sums, feature));
            let one = Odds::from_scores(scores(sums, previous));
            previous = one.label();
            odds.push(one);
        }
        odds
    }

    fn add(&self, sums: &mut [i32; 5], feature: &str) {
        if let Some(row) = self.rows.get(feature) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i32::from(*weight));
        }
    }
}

impl Default for Perceptron {
    fn default() -> Self {
        Self::new()
    }
}

impl NameTagger for Perceptron {
    fn name(&self) -> &'static str {
        "perceptron"
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    /// Its table was chosen by F1, and boldness costs it more than it finds.
    fn weights(&self) -> Weights {
        Weights { bold: 0.0, ..Weights::default() }
    }

    /// The whole book at once: it costs less than to cut it.
    fn windows(&self, words: &Words<'_>, _: &[Range<usize>]) -> Vec<Window> {
        vec![Window { stretches: std::iter::once(0..words.len()).collect(), input: Vec::new() }]
    }

    fn read(&self, words: &Words<'_>, window: &Window) -> Result<Vec<Odds>, Fault> {
        Ok(self.propose(words, window.words()))
    }

    fn tag_by(&self, words: &Words<'_>, _: Option<NonZeroU32>) -> Result<Vec<Odds>, Fault> {
        Ok(self.propose(words, 0..words.len()))
    }
}

/// Sums of weights as scores; what goes on with a name must have one to go on with.
#[expect(clippy::cast_precision_loss, reason = "sums of some dozen small weights")]
fn scores(sums: [i32; 5], previous: u8) -> [f32; 5] {
    let mut scores = sums.map(|sum| sum as f32 / SCALE);
    if !matches!(previous, 1 | 2) {
        scores[2] = f32::NEG_INFINITY;
    }
    if !matches!(previous, 3 | 4) {
        scores[4] = f32::NEG_INFINITY;
    }
    scores
}

/// What the table is made from: every capitalised word of a text with its features, those that
/// hang on the label before apart.
#[derive(Debug)]
pub struct Lesson {
    /// Which word it is.
    pub at: usize,
    /// Whether the label of the last capitalised word is the label before.
    pub follows: bool,
    /// Its features, for each of the five labels before.
    pub features: [Vec<String>; 5],
}

/// The lessons of a text.
pub fn lessons(words: &Words<'_>) -> Vec<Lesson> {
    let book = Book::new(words);
    let mut follows = false;
    let mut lessons = Vec::new();
    for (at, word) in words.all().iter().enumerate() {
        if word.case == Case::Low {
            follows &= book.holds(at);
            continue;
        }
        let features = [0, 1, 2, 3, 4].map(|previous| {
            let mut features = Vec::new();
            book.of_form(word.low, word.case, |feature| features.push(feature.to_owned()));
            book.of_place(at, previous, &mut String::new(), |feature| {
                features.push(feature.to_owned());
            });
            features
        });
        lessons.push(Lesson { at, follows: follows && !word.breaks, features });
        follows = true;
    }
    lessons
}
