//! Since: a true retelling of a scene that was read stands in the question. Which of the options has been told since? The
//! wrong ones are true retellings of scenes that came before.
//!
//! Both sides are drawn as lookahead decoys are, near scenes most: so a scene is right and wrong about equally often
//! wherever in the book it lies. Without none of the above, the option that comes last would be right whatever stands in
//! the question.

use storymill_core::{QuestionType, Stop, Stream};

use super::{
    drawn::{Drawn, SHOWN, draw_one, nearest, recent, some_is_right, too_alike},
    pool::Pool,
    posed::Posed,
};

const TASK: &str = "The scene below is told in what you have read so far. Which of the options is told \
                    after it, up to where you have read? Choose the last one if all of them are told before it.";

/// A question after scene `t`; none where too little lies before and behind every scene.
pub(super) fn pose<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    apart: usize,
    draw: &mut Stream,
) -> Result<Option<Posed<'r>>, Stop> {
    let read = pool.truths[..=t].iter().flatten();
    let all: Vec<usize> = read.clone().map(|truth| truth.told.scene).collect();
    if middle(&all, apart).is_empty() {
        return Ok(None);
    }
    let far: Vec<usize> =
        read.filter(|truth| truth.is_far(t)).map(|truth| truth.told.scene).collect();
    let middle = middle(&far, apart);
    let scene = draw_one(&recent(middle.into_iter().rev()), draw).ok_or_else(too_alike)?;
    let behind = far.iter().copied().filter(|one| *one > scene + apart).collect();
    let before = far.iter().rev().copied().filter(|one| one + apart < scene).collect();
    let truth = some_is_right(draw).then(|| draw_one(&nearest(behind), draw)).flatten();
    let mut drawn = Drawn { truth: truth.and_then(|truth| pool.told(truth)), decoys: Vec::new() };
    drawn.draw_decoys(nearest(before), draw, |scene| pool.told(scene))?;
    let mut posed = drawn.posed(QuestionType::Since, TASK, draw);
    posed.given.extend(pool.told(scene));
    // Who remembers all from that scene on is sure that none is told there, too.
    posed.needed.push(scene);
    Ok(Some(posed))
}

/// The scenes with five before them and one behind them, each more than `apart` scenes away.
fn middle(scenes: &[usize], apart: usize) -> Vec<usize> {
    let Some(last) = scenes.last() else { return Vec::new() };
    let before = |scene: usize| scenes.iter().filter(|one| **one + apart < scene).count();
    let fits = |scene: &usize| before(*scene) >= SHOWN && *last > scene + apart;
    scenes.iter().copied().filter(fits).collect()
}
