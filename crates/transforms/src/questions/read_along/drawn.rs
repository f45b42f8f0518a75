//! What is drawn for a question: texts, each about a scene.

use storymill_core::{BookId, NewName, Stop, Stream};

/// Options before the last one, which is none of the above.
pub(super) const SHOWN: usize = 5;

/// A text about a scene, and the retelling it is taken from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<'r> {
    /// The book of the scene.
    pub(super) book: &'r BookId,
    pub(super) scene: usize,
    pub(super) text: &'r str,
    pub(super) from: &'r str,
    /// The names that were exchanged in it.
    pub(super) names: &'r [NewName],
}

/// The texts of a question: four decoys and what is true, or five decoys.
pub(super) struct Drawn<'r> {
    pub(super) truth: Option<Told<'r>>,
    pub(super) decoys: Vec<Told<'r>>,
}

impl<'r> Drawn<'r> {
    fn has(&self, text: &str) -> bool {
        self.truth.iter().chain(&self.decoys).any(|told| told.text == text)
    }

    fn wanted(&self) -> usize {
        if self.truth.is_some() { SHOWN - 1 } else { SHOWN }
    }

    /// Draws decoys from some scenes, one from each at most: the scene first, by its weight, then the text.
    pub(super) fn draw_decoys<S, T: IntoIterator<Item = Told<'r>>>(
        &mut self,
        mut from: Vec<(u32, S)>,
        draw: &mut Stream,
        texts: impl Fn(S) -> T,
    ) -> Result<(), Stop> {
        while self.decoys.len() < self.wanted() {
            let at = weighed(&from, draw).ok_or_else(too_alike)?;
            let (_, scene) = from.swap_remove(at);
            // Two scenes that are told in the same words are one option.
            let fresh: Vec<_> = texts(scene).into_iter().filter(|t| !self.has(t.text)).collect();
            self.decoys.extend(draw.choose(&fresh));
        }
        Ok(())
    }
}

/// Draws so many texts, or as many as there are, from some scenes, one from each: none of those that are `shown` already.
pub(super) fn draw_spares<'r, S, T: IntoIterator<Item = Told<'r>>>(
    mut from: Vec<(u32, S)>,
    (count, shown): (usize, &[&str]),
    draw: &mut Stream,
    texts: impl Fn(S) -> T,
) -> Vec<Told<'r>> {
    let mut drawn: Vec<Told<'r>> = Vec::new();
    while drawn.len() < count
        && let Some(at) = weighed(&from, draw)
    {
        let (_, scene) = from.swap_remove(at);
        let had = |text: &str| shown.contains(&text) || drawn.iter().any(|told| told.text == text);
        let fresh: Vec<_> = texts(scene).into_iter().filter(|told| !had(told.text)).collect();
        drawn.extend(draw.choose(&fresh));
    }
    drawn
}

/// Scenes, the nearest first, with weights: it is drawn most, the second a quarter as often, the third a ninth.
pub(super) fn nearest<T>(scenes: Vec<T>) -> Vec<(u32, T)> {
    let weights = (1..).map(|rank: u32| (NEAREST / rank.saturating_mul(rank)).max(1));
    weights.zip(scenes).collect()
}

/// Places, the latest first, with weights: the second is drawn half as often as the first, the third a third. So as much is
/// asked of twice as far back as of half as far, and each part of a book stands in about as many questions.
pub(super) fn recent<T>(places: impl IntoIterator<Item = T>) -> Vec<(u32, T)> {
    let weights = (1..).map(|rank: u32| (NEAREST / rank).max(1));
    weights.zip(places).collect()
}

/// The weight of the nearest scene.
const NEAREST: u32 = 1_000_000;

/// One that is drawn by weight; none if there are none.
pub(super) fn draw_one<T: Copy>(from: &[(u32, T)], draw: &mut Stream) -> Option<T> {
    weighed(from, draw).map(|at| from[at].1)
}

/// The place of an item that is drawn by weight; none if nothing has any.
fn weighed<S>(from: &[(u32, S)], draw: &mut Stream) -> Option<usize> {
    let sum: u32 = from.iter().map(|(weight, _)| weight).sum();
    let mut left = (sum > 0).then(|| draw.below(sum))?;
    from.iter().position(|(weight, _)| {
        let here = left < *weight;
        left = left.saturating_sub(*weight);
        here
    })
}

/// Why a question is left out whose decoys come too near to what was read.
pub(super) fn too_alike() -> Stop {
    Stop::left_out("ambiguous", "too few retellings differ enough from what was read")
}

/// Whether a scene is right, and not none of the above: five times in six.
pub(super) fn some_is_right(draw: &mut Stream) -> bool {
    draw.below(6) != 0
}
