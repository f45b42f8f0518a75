//! Which retellings come too near to that of another scene, so that they would be no clear decoys
//! once that scene is read.
//!
//! Nearness is BM25 over the retellings of the book's scenes, with the text as the question,
//! relative to how near the text is to the retelling of its own scene: a thousand per mille is as
//! near as that. Rare words are weighed over the whole book, so that how near two texts are does not
//! depend on when somebody asks.

use storymill_metrics::{
    Undefined,
    bm25::{Cut, Index, Parameters},
};

use super::pool::Pool;

/// Notes for every text of a pool the first other scene whose retelling it comes too near to.
pub(super) fn mark(pool: &mut Pool<'_>, near_pm: u16) -> Result<(), Undefined> {
    let read: Vec<_> = pool.truths.iter().flatten().map(|truth| truth.told).collect();
    if read.is_empty() {
        return Ok(());
    }
    let texts = read.iter().map(|told| told.text);
    let index = Index::new(texts, Cut::Words, Parameters::default())?;
    let near = |text: &str, scene: usize| -> Option<usize> {
        let same = read.iter().find(|told| told.scene != scene && told.text == text);
        let same = same.map(|told| told.scene);
        if near_pm == 0 {
            return same;
        }
        let scores = index.scores(text);
        let own = read.iter().position(|told| told.scene == scene)?;
        let bar = scores[own] * f64::from(near_pm) / 1000.0;
        let near = |at: usize| at != own && scores[at] > 0.0 && scores[at] >= bar;
        let first = (0..read.len()).find(|at| near(*at)).map(|at| read[at].scene);
        first.into_iter().chain(same).min()
    };
    let truths: Vec<_> = read.iter().map(|told| near(told.text, told.scene)).collect();
    for (truth, near) in pool.truths.iter_mut().flatten().zip(truths) {
        truth.near = near;
    }
    for lie in pool.lies.iter_mut().flatten() {
        lie.near = near(lie.told.text, lie.told.scene);
    }
    Ok(())
}
