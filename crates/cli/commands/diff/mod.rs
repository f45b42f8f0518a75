//! `storymill diff`: two versions of a dataset, what changed in them and why.

mod render;
mod side;

use storymill::{Comparison, Fault, FaultKind};
use storymill_dataset::diff::Verdict;

use super::scores;
use crate::{
    args::{
        diff::{self as args, DiffFormat},
        prices,
    },
    exit::{BREAKING, DIFFERS, DONE, Exit, Failure, VERIFY},
};

pub(crate) fn run(args: &args::Diff) -> Result<Exit, Failure> {
    match (scores::read_matrix(&args.old), scores::read_matrix(&args.new)) {
        (Some(old), Some(new)) => return scores::diff(&old, &new, args.format),
        (None, None) => {}
        (is_old, _) => {
            let other = if is_old.is_some() { &args.new } else { &args.old };
            let message = "this is not a matrix of responses, and the other file is one";
            return Err(Fault::new(FaultKind::Input, message).at(other).into());
        }
    }
    let (old, new) = (side::of(&args.old)?, side::of(&args.new)?);
    let prices = prices(args.prices.as_deref())?;
    let comparison = Comparison::between(&old, &new, &prices)?;
    match args.format {
        DiffFormat::Json => _ = super::json(&comparison)?,
        DiffFormat::Text => render::text(&comparison)?,
        DiffFormat::Markdown => render::markdown(&comparison)?,
    }
    if !comparison.is_sound() {
        return Ok(VERIFY);
    }
    Ok(match comparison.verdict {
        Verdict::Same => DONE,
        Verdict::Differs => DIFFERS,
        Verdict::Unsure | Verdict::Breaking => BREAKING,
    })
}
