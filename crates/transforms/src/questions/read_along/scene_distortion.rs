//! Scene distortion: the wrong options are false retellings of scenes that were read.

use storymill_core::{Stop, Stream};

use super::{
    drawn::{Drawn, SHOWN, Told, draw_spares, some_is_right, too_alike},
    pool::Pool,
    spares::Shown,
};

/// Draws a question after scene `t`, the true option among its `twins` or a plain summary; none
/// where too few scenes were distorted so far.
pub(super) fn draw<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    twins: bool,
    draw: &mut Stream,
) -> Result<Option<Drawn<'r>>, Stop> {
    let scenes: Vec<_> = (0..=t).filter(|scene| !pool.lies[*scene].is_empty()).collect();
    if scenes.len() < SHOWN {
        return Ok(None);
    }
    let far = |scene: usize| pool.lies[scene].iter().filter(move |lie| lie.is_far(t));
    let mut from: Vec<_> =
        scenes.iter().copied().filter(|scene| far(*scene).next().is_some()).collect();
    if from.len() < SHOWN {
        return Err(too_alike());
    }
    let truth = some_is_right(draw).then(|| {
        let scene = *draw.choose(&scenes).expect("there are five");
        if twins {
            draw.choose(&pool.lies[scene]).expect("it was distorted").twin
        } else {
            pool.truths[scene].as_ref().expect("what is distorted was told").told
        }
    });
    if let Some(truth) = truth {
        from.retain(|scene| *scene != truth.scene);
    }
    let mut drawn = Drawn { truth, decoys: Vec::new() };
    let from = from.into_iter().map(|scene| (1, scene)).collect();
    drawn.draw_decoys(from, draw, |scene| far(scene).map(|lie| lie.told))?;
    Ok(Some(drawn))
}

/// Draws more decoys for a question after scene `t`.
pub(super) fn spares<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    (count, shown): (usize, &Shown<'_>),
    draw: &mut Stream,
) -> Vec<Told<'r>> {
    let far = |scene: usize| pool.lies[scene].iter().filter(move |lie| lie.is_far(t));
    let scenes = (0..=t).filter(|scene| !shown.scenes.contains(scene));
    let from = scenes.filter(|scene| far(*scene).next().is_some()).map(|scene| (1, scene));
    draw_spares(from.collect(), (count, &shown.texts), draw, |scene| far(scene).map(|lie| lie.told))
}
