//! `storymill diff`: two versions of a dataset, what changed in them and why.

mod render;
mod side;
mod words;

use storymill::Comparison;
use storymill_dataset::diff::{Verdict, write_changes};
use storymill_disk::RealDisk;

use crate::{
    args::{
        diff::{self as args, DiffFormat},
        prices,
    },
    exit::{BREAKING, DIFFERS, DONE, Exit, Failure, VERIFY},
    report,
    table::plural,
};

pub(crate) fn run(args: &args::Diff) -> Result<Exit, Failure> {
    let (old, new) = (side::of(&args.old)?, side::of(&args.new)?);
    let prices = args.prices.as_deref().map(prices).transpose()?.unwrap_or_default();
    let comparison = Comparison::between(&old, &new, args.samples, &prices)?;
    if let Some(out) = &args.rows {
        let Some(rows) = &comparison.rows else {
            let message = "`--rows` needs two published folders: a lock holds no rows";
            return Err(Failure::Usage(message.to_owned()));
        };
        let rows = write_changes(rows, &RealDisk, out)?;
        report::say(format!("{} in {}", plural(rows, "changed row"), out.display()));
    }
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
