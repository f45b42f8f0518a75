//! Books of one split that would be read in another: partners that are drawn without a look at the splits.

use std::collections::BTreeMap;

use storymill_core::{Fault, Partners, Parts, Record, UnitId};
use storymill_pipeline::{Finished, Step, Workflow};

use crate::{report, table::plural};

/// So many books are named.
const SHOWN: usize = 5;

/// The rulings on partners that do not read the ruling by which the dataset is split.
fn blind(workflow: &Workflow) -> Option<(&str, Vec<&Step>)> {
    let split = workflow.publish.split.as_deref()?;
    let steps = workflow.steps.iter().filter(|step| step.record() == Partners::NAME);
    let blind: Vec<_> =
        steps.filter(|step| !step.edges().iter().any(|edge| edge.step == split)).collect();
    (!blind.is_empty()).then_some((split, blind))
}

/// Warns, before anything is built or paid for, that partners may be of any split.
pub(crate) fn warn_of_partners(workflow: &Workflow) {
    let Some((split, blind)) = blind(workflow) else { return };
    for step in blind {
        let (name, kind) = (&step.name, step.kind());
        report::warn(&format!(
            "`{name}` does not read `{split}`: books that are held out for `test` may stand as decoys in `train`, and their scenes are read there"
        ));
        report::hint(&format!("write `splits = \"{split}\"` under `[stage.{name}.{kind}]`"));
    }
}

/// Tells which books do stand in another split.
pub(crate) fn warn_of_strangers(
    workflow: &Workflow,
    run: &Finished<'_>,
    splits: &BTreeMap<UnitId, String>,
) -> Result<(), Fault> {
    let Some((_, blind)) = blind(workflow) else { return Ok(()) };
    for step in blind {
        let mut strangers: BTreeMap<(&str, &str), BTreeMap<UnitId, u64>> = BTreeMap::new();
        for part in &run.outcome.parts[&step.name] {
            for row in (run as &dyn Parts).rows::<Partners>(part)?.iter() {
                let Some(own) = splits.get(&row.unit) else { continue };
                let mut places = row.places.clone();
                places.sort();
                places.dedup();
                for other in places {
                    let Some(theirs) = splits.get(&other).filter(|theirs| *theirs != own) else {
                        continue;
                    };
                    let pair = (theirs.as_str(), own.as_str());
                    *strangers.entry(pair).or_default().entry(other).or_default() += 1;
                }
            }
        }
        for ((theirs, own), books) in strangers {
            let named: Vec<_> = books.keys().take(SHOWN).map(ToString::to_string).collect();
            let more = books.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let count = plural(books.len() as u64, "book");
            let are = if books.len() == 1 { "is a decoy" } else { "are decoys" };
            report::warn(&format!(
                "`{}`: {count} of `{theirs}` {are} for books of `{own}`: {}{more}",
                step.name,
                named.join(", ")
            ));
        }
    }
    Ok(())
}
