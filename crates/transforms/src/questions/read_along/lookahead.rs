//! Lookahead: the wrong options are true retellings of scenes that come later.

use storymill_core::{Stop, Stream};

use super::{
    drawn::{Drawn, SHOWN, some_is_right, too_alike},
    pool::Pool,
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
    drawn.draw_decoys(far, draw, |scene| pool.truths[scene].as_ref().map(|truth| truth.told))?;
    Ok(Some(drawn))
}
