//! Which retellings come too near to that of another scene, so that they would be no clear decoys
//! once that scene is read.
//!
//! Nearness is BM25 over the retellings of the book's scenes, with the text as the question,
//! relative to how near the text is to the retelling of its own scene: a thousand per mille is as
//! near as that. A text from another book has no scene here; it is held against itself. Rare words
//! are weighed over the whole book, so that how near two texts are does not depend on when somebody
//! asks, nor on which other books there are.

use storymill_metrics::{
    Undefined,
    bm25::{Cut, Index, Parameters},
};

use super::{drawn::Told, pool::Pool};

/// The retellings of a book's scenes, which other texts are held against.
pub(super) struct Nearness<'r> {
    read: Vec<Told<'r>>,
    index: Index,
    near_pm: u16,
}

impl<'r> Nearness<'r> {
    pub(super) fn new(pool: &Pool<'r>, near_pm: u16) -> Result<Self, Undefined> {
        let read: Vec<_> = pool.truths.iter().flatten().map(|truth| truth.told).collect();
        let index =
            Index::new(read.iter().map(|told| told.text), Cut::Words, Parameters::default())?;
        Ok(Self { read, index, near_pm })
    }

    /// The first scene, other than the text's own, whose retelling the text comes too near to. A text of
    /// another book has none of its own.
    pub(super) fn first(&self, text: &str, own: Option<usize>) -> Option<usize> {
        let other = |told: &&Told<'_>| Some(told.scene) != own;
        let same = self.read.iter().filter(other).find(|told| told.text == text);
        let same = same.map(|told| told.scene);
        if self.near_pm == 0 {
            return same;
        }
        let scores = self.index.scores(text);
        let best = match own {
            Some(scene) => scores[self.read.iter().position(|told| told.scene == scene)?],
            None => self.index.score_of_itself(text),
        };
        let bar = best * f64::from(self.near_pm) / 1000.0;
        let near =
            |(told, score): &(&Told<'_>, &f64)| other(told) && **score > 0.0 && **score >= bar;
        let first = self.read.iter().zip(&scores).find(near).map(|(told, _)| told.scene);
        first.into_iter().chain(same).min()
    }
}

/// Notes for every text of a pool the first other scene whose retelling it comes too near to.
pub(super) fn mark(pool: &mut Pool<'_>, nearness: &Nearness<'_>) {
    let near = |told: &Told<'_>| nearness.first(told.text, Some(told.scene));
    for truth in pool.truths.iter_mut().flatten() {
        truth.near = near(&truth.told);
    }
    for lie in pool.lies.iter_mut().flatten() {
        lie.near = near(&lie.told);
    }
}
