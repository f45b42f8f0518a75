//! The last screen of a run of some steps, and of one that was to publish and could not: what is missing.

use std::{collections::BTreeMap, io::Write};

use storymill_pipeline::Missing;

use super::{Summary, seconds};
use crate::{args, next::Next, table::plural};

/// How many units are named of each step that is missing.
const NAMED: usize = 5;

impl Summary<'_> {
    pub(super) fn job(&self, out: &mut impl Write, args: &args::Build) -> std::io::Result<()> {
        let missing = &self.built.outcome.missing;
        let next = Next::of_build(args);
        let shard = args.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default();
        let Some(steps) = &args.step else {
            writeln!(out, "\nnothing is published: not every step is done")?;
            lines(missing, out)?;
            writeln!(out, "exit code 14: something is still to be made")?;
            return writeln!(out, "next: `{}`", next.command("plan", ""));
        };
        if missing.is_empty() {
            return writeln!(out, "\n`{steps}`{shard}: done in {}", seconds(self.took));
        }
        writeln!(out, "\n`{steps}`{shard}: nothing was made, because it reads what is not there")?;
        lines(missing, out)?;
        writeln!(out, "exit code 14: other jobs come first")?;
        let plan = next.command("plan", "--steps");
        writeln!(out, "next: `{plan}`, which lists the jobs in order")
    }
}

/// Step by step how many units are missing, and the first of them.
fn lines(missing: &[Missing], out: &mut impl Write) -> std::io::Result<()> {
    let mut steps: BTreeMap<&str, Vec<&Missing>> = BTreeMap::new();
    for one in missing {
        steps.entry(&one.step).or_default().push(one);
    }
    for (step, missing) in steps {
        let units: Vec<String> =
            missing.iter().filter_map(|one| one.unit.as_ref()).map(ToString::to_string).collect();
        if units.is_empty() {
            writeln!(out, "  missing: `{step}` has not ruled")?;
            continue;
        }
        let more = if units.len() > NAMED { ", ..." } else { "" };
        let named = units[..units.len().min(NAMED)].join(", ");
        let count = plural(units.len() as u64, "unit");
        writeln!(out, "  missing: `{step}` of {count}: {named}{more}")?;
    }
    Ok(())
}
