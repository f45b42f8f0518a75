//! A book as it is read, scene by scene: how long any stretch of scenes is, and how far back one
//! lies.

use std::ops::Range;

use storymill_core::{Demand, Encoding, Length, Scene, Tokens};

/// The scenes of a book in order, with sums that make the length of any stretch of them cheap.
pub(crate) struct Reading<'s> {
    scenes: &'s [Scene],
    words: Sums,
    tokens: Vec<(Encoding, Sums)>,
}

/// Sums over scenes. A stretch may be less (or more) than its parts, where a border cuts something
/// in two: `seams` says what joining a scene to the one before adds.
struct Sums {
    upto: Vec<i64>,
    seams: Vec<i64>,
}

impl Sums {
    fn new(parts: impl Iterator<Item = (i64, i64)>) -> Self {
        let (mut upto, mut seams, mut sum) = (vec![0], Vec::new(), 0);
        for (count, seam) in parts {
            sum += count + seam;
            upto.push(sum);
            seams.push(seam);
        }
        Self { upto, seams }
    }

    fn of(&self, scenes: &Range<usize>) -> u32 {
        if scenes.is_empty() {
            return 0;
        }
        let sum = self.upto[scenes.end] - self.upto[scenes.start] - self.seams[scenes.start];
        u32::try_from(sum).expect("no stretch of a book has a negative length or 2^32 words")
    }
}

impl<'s> Reading<'s> {
    /// The scenes of one book, all of them and in order.
    pub(crate) fn new(scenes: &'s [Scene]) -> Self {
        let cut = |at: usize| {
            // A word that a border cuts was counted on both sides.
            at > 0
                && scenes[at - 1].text.ends_with(|c: char| !c.is_whitespace())
                && scenes[at].text.starts_with(|c: char| !c.is_whitespace())
        };
        let words = (0..scenes.len()).map(|at| (i64::from(scenes[at].words), -i64::from(cut(at))));
        let encodings = scenes.first().map_or(&[][..], |scene| &scene.tokens);
        let tokens = (0..encodings.len()).map(|place| {
            let parts = scenes.iter().map(|scene| {
                let tokens = scene.tokens[place];
                (i64::from(tokens.count), i64::from(tokens.seam))
            });
            (encodings[place].encoding, Sums::new(parts))
        });
        Self { scenes, words: Sums::new(words), tokens: tokens.collect() }
    }

    /// How long neighbouring scenes are together.
    pub(crate) fn length(&self, scenes: Range<usize>) -> Length {
        let tokens = self.tokens.iter();
        Length {
            scenes: u32::try_from(scenes.len()).unwrap_or(u32::MAX),
            words: self.words.of(&scenes),
            symbols: self.symbols(&scenes),
            tokens: tokens
                .map(|(encoding, sums)| Tokens { encoding: *encoding, count: sums.of(&scenes) })
                .collect(),
        }
    }

    /// How far back some scenes lie when all before `read` were read.
    pub(crate) fn demand(&self, evidence: &Range<usize>, read: usize) -> Demand {
        Demand {
            to_start: self.length(evidence.start..read),
            to_end_symbols: self.symbols(&(evidence.end..read)),
        }
    }

    fn symbols(&self, scenes: &Range<usize>) -> u32 {
        match self.scenes.get(scenes.clone()) {
            Some([first, .., last]) => last.span.end.symbol - first.span.start.symbol,
            Some([one]) => one.span.symbols(),
            _ => 0,
        }
    }
}
