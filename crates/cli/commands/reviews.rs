//! `storymill reviews`: decisions that the program took and a person may want to look at.

use std::io::Write;

use serde_json::json;

use crate::{
    args::{self, Format},
    built::BuiltWorkflow,
    exit::{DONE, Exit, Failure},
    table::{plain, plural},
};

pub(crate) fn run(args: &args::Built) -> Result<Exit, Failure> {
    let built = BuiltWorkflow::open(&args.workflow, &args.store, args.answers.as_deref())?;
    let items: Vec<_> = built
        .found
        .iter()
        .flat_map(|found| found.trace.reviews.iter().map(move |review| (found, review)))
        .collect();
    if args.format == Format::Json {
        let rows: Vec<_> = items
            .iter()
            .map(|(found, review)| {
                json!({ "id": review.id(), "step": found.step, "unit": found.unit, "review": review })
            })
            .collect();
        return super::json(&rows);
    }
    let mut out = std::io::stdout().lock();
    if items.is_empty() {
        writeln!(out, "{}: nothing was doubtful", built.workflow.name)?;
        return Ok(DONE);
    }
    for (found, review) in &items {
        let (item, code) = (plain(&review.item), &review.code);
        writeln!(out, "{item}  {code}  ({}, {})", found.step, review.id().short())?;
        let others: Vec<_> =
            review.choices.iter().filter(|choice| **choice != review.default).cloned().collect();
        let (question, default) = (plain(&review.question), plain(&review.default));
        writeln!(out, "  {question} decided: {default}, not {}", plain(&others.join(" or ")))?;
        writeln!(out, "  “{}”\n", plain(&review.excerpt))?;
    }
    writeln!(out, "{}", plural(items.len() as u64, "decision"))?;
    Ok(DONE)
}
