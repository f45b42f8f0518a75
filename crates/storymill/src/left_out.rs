//! What a build has no row of, with the reason, and what models answered to it.

use serde::Serialize;
use storymill_core::{Answer, Digest, Fault, Reason, UnitId};
use storymill_pipeline::judged;

use crate::inventory::{Inventory, LeftOut};

/// What a model answered, and whether that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RawAnswer {
    /// The item it was asked for, or the unit.
    pub item: String,
    /// Which re-ask it was, from 0.
    pub attempt: u32,
    /// Why it was refused; none if it was taken, or if that is not known here.
    pub refused: Option<Reason>,
    /// The answer, every symbol of it.
    pub text: String,
    /// Why it ended, in the server's word: `stop`, `length`.
    pub finish_reason: String,
}

impl Inventory {
    /// Everything that has no row, in the order of steps and units.
    pub fn left_out(&self) -> Vec<LeftOut> {
        let mut all = Vec::new();
        for found in &self.found {
            for (items, on_purpose) in
                [(&found.trace.rejects, false), (&found.trace.left_out, true)]
            {
                all.extend(items.iter().map(|one| LeftOut {
                    step: found.step.clone(),
                    unit: found.unit.clone(),
                    item: one.item.clone(),
                    reason: one.reason.clone(),
                    span: one.span,
                    on_purpose,
                }));
            }
        }
        all.extend(self.stopped.iter().cloned());
        let place = |one: &LeftOut| {
            let step = self.workflow.steps.iter().position(|step| step.name == one.step);
            (step, one.on_purpose)
        };
        all.sort_by_cached_key(|one| (place(one), one.unit.clone()));
        all
    }

    /// What models answered to an item of a step, in the order of asking: found by running the step again on the unit
    /// with the answers that are kept.
    ///
    /// # Errors
    ///
    /// The store or the log cannot be read.
    pub fn answers_to(
        &self,
        step: &str,
        unit: &UnitId,
        item: &str,
    ) -> Result<Vec<RawAnswer>, Fault> {
        let Some(log) = self.log() else { return Ok(Vec::new()) };
        let mut answers = Vec::new();
        for one in judged(&self.workflow, &self.store, self.models.asker(), step, unit)? {
            if !is_about(&one.item, item) {
                continue;
            }
            let Some(answer) = log.get(&one.key)? else { continue };
            answers.push(RawAnswer {
                item: one.item,
                attempt: one.attempt,
                refused: one.refused.map(|refusal| refusal.reason),
                text: answer.text,
                finish_reason: answer.finish_reason,
            });
        }
        Ok(answers)
    }

    /// The answer of a key or digest, if making the unit has read it.
    ///
    /// # Errors
    ///
    /// The log cannot be read.
    pub fn answer(&self, unit: &UnitId, name: &Digest) -> Result<Option<Answer>, Fault> {
        let Some(log) = self.log() else { return Ok(None) };
        let reads = self.found.iter().filter(|found| found.unit == *unit);
        let mut reads = reads.flat_map(|found| &found.trace.reads);
        // Rows name answers by their keys; locks by their own digests.
        let read = reads.find(|(key, own)| key.0 == *name || own == name);
        read.map_or(Ok(None), |(key, _)| log.get(key))
    }
}

/// Whether what was asked for one item tells of another: the same, a part of it, or what it is a part of.
fn is_about(asked: &str, item: &str) -> bool {
    let within = |part: &str, whole: &str| {
        part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(asked, item) || within(item, asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_and_its_parts() {
        for (asked, item, about) in [
            ("84/0001", "84/0001", true),
            ("84/0001", "84/0001/d2", true),
            ("84/0001/d2", "84/0001", true),
            ("84/0001/d2", "84/0001/d3", false),
            ("84/0001", "84/00011", false),
            ("84", "84/0001", true),
        ] {
            assert_eq!(is_about(asked, item), about, "{asked} {item}");
        }
    }
}
