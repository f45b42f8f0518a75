//! The original's rules, as its generator has them (NarrativeXL; verified on its output).
//!
//! Decoys may be the true scene's own distortions or two of one scene; a question with a scene whose
//! retelling failed is dropped only after it was drawn; lookahead decoys begin right behind the
//! last scene read.

use storymill_core::{Stop, Stream};

use super::{
    Decoys,
    drawn::{Drawn, SHOWN, Told, some_is_right},
    pool::Pool,
};

/// Draws a question of lookahead or scene distortion by the original's rules; none where its type is not asked.
pub(super) fn draw<'r>(
    of: Decoys,
    pool: &'r Pool<'_>,
    t: usize,
    draw: &mut Stream,
) -> Result<Option<Drawn<'r>>, Stop> {
    let mut from: Vec<Option<Told<'r>>> = if of == Decoys::Lookahead {
        let later = pool.truths[t + 1..].iter();
        later.map(|truth| truth.as_ref().map(|truth| truth.told)).collect()
    } else {
        // Every text counts, so a scene with more of them is drawn more often.
        pool.lies[..=t].iter().flatten().map(|lie| Some(lie.told)).collect()
    };
    let some = some_is_right(draw);
    let wanted = if some { SHOWN - 1 } else { SHOWN };
    if from.len() < wanted {
        return Ok(None);
    }
    let failed = || Stop::left_out("failed-summary", "one of the scenes drawn has no retelling");
    let truth = if some {
        let scene = draw.index(t + 1).expect("a scene was read");
        Some(pool.truths[scene].as_ref().ok_or_else(failed)?.told)
    } else {
        None
    };
    let mut decoys = Vec::with_capacity(wanted);
    while decoys.len() < wanted {
        let at = draw.index(from.len()).expect("there are as many as wanted");
        decoys.push(from.swap_remove(at).ok_or_else(failed)?);
    }
    Ok(Some(Drawn { truth, decoys }))
}
