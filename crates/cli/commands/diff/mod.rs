//! `storymill diff`: two versions of a dataset, what changed in them and why.

mod render;
mod side;

use storymill::Comparison;
use storymill_dataset::diff::Verdict;

use crate::{
    args::{
        diff::{self as args, DiffFormat},
        prices,
    },
    exit::{BREAKING, DIFFERS, DONE, Exit, Failure, VERIFY},
};

pub(crate) fn run(args: &args::Diff) -> Result<Exit, Failure> {
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
