//! Books of one split that would be read in another: partners that are drawn without a look at the splits.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Fault, Partners, Parts, Record, UnitId, few};
use storymill_pipeline::{Finished, Step, Workflow};

use crate::{events::Notice, words::plural};

/// So many books are named.
const SHOWN: usize = 5;

/// The corpus stages on partners that do not read the corpus stage by which the dataset is split.
fn blind(workflow: &Workflow) -> Option<(&str, Vec<&Step>)> {
    let split = workflow.publish.split.as_deref()?;
    let steps = workflow.steps.iter().filter(|step| step.record() == Partners::NAME);
    let blind: Vec<_> =
        steps.filter(|step| !step.edges().iter().any(|edge| edge.step == split)).collect();
    (!blind.is_empty()).then_some((split, blind))
}

/// What to say, before anything is built or paid for, of partners that may be of any split.
pub(crate) fn foretell(workflow: &Workflow) -> Vec<Notice> {
    let Some((split, blind)) = blind(workflow) else { return Vec::new() };
    let notice = |step: &&Step| {
        let (name, kind) = (&step.name, step.kind());
        let notice = Notice::warning(format!(
            "`{name}` does not read `{split}`: books that are held out for `test` may stand as decoys in `train`, and their scenes are read there"
        ));
        notice.hint(format!("write `splits = \"{split}\"` under `[stage.{name}.{kind}]`"))
    };
    blind.iter().map(notice).collect()
}

/// What to say of books that do stand in another split.
pub(crate) fn strangers(
    workflow: &Workflow,
    run: &Finished<'_>,
    splits: &BTreeMap<UnitId, String>,
) -> Result<Vec<Notice>, Fault> {
    let Some((_, blind)) = blind(workflow) else { return Ok(Vec::new()) };
    let mut notices = Vec::new();
    for step in blind {
        let mut strangers: BTreeMap<(&str, &str), BTreeSet<UnitId>> = BTreeMap::new();
        for part in &run.outcome.parts[&step.name] {
            for row in (run as &dyn Parts).rows::<Partners>(part)?.iter() {
                let Some(own) = splits.get(&row.unit) else { continue };
                for other in &row.places {
                    let theirs = splits.get(other).filter(|theirs| *theirs != own);
                    let Some(theirs) = theirs else { continue };
                    let between = (theirs.as_str(), own.as_str());
                    strangers.entry(between).or_default().insert(other.clone());
                }
            }
        }
        for ((theirs, own), books) in strangers {
            let count = plural(books.len() as u64, "book");
            let are = if books.len() == 1 { "is a decoy" } else { "are decoys" };
            notices.push(Notice::warning(format!(
                "`{}`: {count} of `{theirs}` {are} for books of `{own}`: {}",
                step.name,
                few(&books, SHOWN)
            )));
        }
    }
    Ok(notices)
}
