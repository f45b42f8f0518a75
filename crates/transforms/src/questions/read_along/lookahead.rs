//! Lookahead: the wrong options are true retellings of scenes that come later, mostly of those that come soon.
//!
//! Were all later scenes drawn alike, a scene would be a decoy the more often the later it comes, and the true
//! option, which comes first, would be the one that is hardly ever wrong in other questions of the book. The nearest
//! scene is drawn most, the second a quarter as often, the third a ninth: so scenes of all parts of a book but the
//! first are decoys about equally often, and far ones are still drawn.

use storymill_core::{Stop, Stream};

use super::{
    drawn::{Drawn, SHOWN, Told, draw_spares, nearest, some_is_right, too_alike},
    pool::Pool,
    spares::Shown,
};

/// Draws a question after scene `t` with decoys from beyond the `gap` scenes behind it; none where
/// too few come later.
pub(super) fn draw<'r>(
    pool: &'r Pool<'_>,
    t: usize,
    gap: u32,
    draw: &mut Stream,
) -> Result<Option<Drawn<'r>>, Stop> {
    let later = pool.truths.get(t + 1 + gap as usize..).unwrap_or_default();
    let later = later.iter().flatten();
    let read: Vec<_> = pool.truths[..=t].iter().flatten().collect();
    if later.clone().count() < SHOWN || read.is_empty() {
        return Ok(None);
    }
    let far: Vec<_> = later.filter(|truth| truth.is_far(t)).map(|truth| truth.told.scene).collect();
    if far.len() < SHOWN {
        return Err(too_alike());
    }
    let truth = some_is_right(draw).then(|| draw.choose(&read).expect("a retelling was read").told);
    let mut drawn = Drawn { truth, decoys: Vec::new() };
    drawn.draw_decoys(nearest(far), draw, |scene| pool.told(scene))?;
    Ok(Some(drawn))
}

/// Draws more decoys for a question after scene `t`.
pub(super) fn spares<'r>(
    pool: &'r Pool<'_>,
    (t, gap): (usize, u32),
    (count, shown): (usize, &Shown<'_>),
    draw: &mut Stream,
) -> Vec<Told<'r>> {
    let later = pool.truths.get(t + 1 + gap as usize..).unwrap_or_default().iter().flatten();
    let far = later.filter(|truth| truth.is_far(t)).map(|truth| truth.told.scene);
    let from = nearest(far.filter(|scene| !shown.scenes.contains(scene)).collect());
    draw_spares(from, (count, &shown.texts), draw, |scene| pool.told(scene))
}
