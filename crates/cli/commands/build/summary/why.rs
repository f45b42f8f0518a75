//! What the last screen says of a build that did not go as its user may think: why it has its exit code,
//! and which choice had too little to choose from.

use std::io::Write;

use storymill::End;

use super::Summary;
use crate::table::plural;

impl Summary<'_> {
    /// Says why the exit code is not 0, where it is not.
    pub(super) fn code(&self, out: &mut impl Write) -> std::io::Result<()> {
        let outcome = &self.built.outcome;
        if outcome.lock.is_none() {
            return writeln!(out, "exit code 14: some of it waits for other shards");
        }
        if self.built.end == End::Empty {
            let why = if outcome.rejects.is_empty() && outcome.left_out.is_empty() {
                "the stages made no row; look at their options"
            } else {
                "the reasons above say where the rows went"
            };
            return writeln!(out, "exit code 15: {why}");
        }
        let surprises = self.built.unexpected_rejects();
        if surprises == 0 {
            return Ok(());
        }
        let barren = self.barren();
        if barren.is_empty() {
            let (rejects, all) = (plural(surprises, "reject"), outcome.rejects.len());
            return writeln!(
                out,
                "exit code 5: {rejects} more than expected; `expected_rejects = {all}` under `[publish]` accepts them"
            );
        }
        let so = match self.built.dataset {
            Some(_) => "; the dataset was published without them",
            None => " before anything is published",
        };
        let barren = barren.join(", ");
        writeln!(
            out,
            "exit code 5: nothing came of {barren}, where all was rejected: look at the reasons above{so}"
        )
    }

    /// The stages that rejected all they worked on.
    fn barren(&self) -> Vec<String> {
        let rejected = |step: &str| self.built.outcome.rejects.iter().any(|one| one.step == step);
        let steps =
            self.built.outcome.steps.iter().filter(|step| step.rows == 0 && rejected(&step.name));
        steps.map(|step| format!("`{}`", step.name)).collect()
    }

    /// Says of each choice of questions how many it lacks, and how many share a text.
    pub(super) fn chosen(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Some(lock) = &self.built.outcome.lock else { return Ok(()) };
        for (name, ruled) in &lock.ruled {
            let Some(step) = lock.steps.get(name).filter(|step| step.kind == "choose") else {
                continue;
            };
            let repeats: u64 = ruled.values().filter_map(|chosen| chosen["repeats"].as_u64()).sum();
            if repeats > 0 {
                writeln!(
                    out,
                    "  `{name}` found too few questions without a common text: {} may give each other away; a smaller `size` leaves them out",
                    plural(repeats, "question")
                )?;
            }
            let found = ruled.values().filter_map(|chosen| chosen["all"].as_array());
            let found: usize = found.map(Vec::len).sum();
            let wanted = step.options["size"].as_u64().unwrap_or(0);
            if (found as u64) < wanted {
                writeln!(
                    out,
                    "  `{name}` found only {found} of the {} requested: its splits have no more (at most 130 a book)",
                    plural(wanted, "question")
                )?;
            }
        }
        Ok(())
    }
}
