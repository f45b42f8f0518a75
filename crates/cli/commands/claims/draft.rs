//! `claims draft`: what a published dataset's retellings offer as claims, for people to look at.

use std::{path::Path, sync::Arc};

use serde_json::{Value, json};
use storymill::{Project, Workspace, redact_fault};
use storymill_claims::{
    draft::{Retelling, proposals},
    set::lines,
};
use storymill_core::{Distortion, Fault, FaultKind, Record, Summary};
use storymill_dataset::{Query, inspect};
use storymill_shelf::{Access, Private};

use super::set_store::{Home, Lies, Sealed};
use crate::{
    args::{Format, claims::ClaimsDraft},
    exit::{DONE, Exit, Failure},
    session::Session,
    table::plural,
    whole_file,
};

/// The first columns of tables of retellings.
const IDS: [&str; 2] = ["distortion_id", "summary_id"];

/// Where the proposals for a private set are kept.
pub(super) const KEPT: &str = "drafts";

pub(super) fn run(args: &ClaimsDraft, session: &Session) -> Result<Exit, Failure> {
    let Some(place) = args.on.place() else {
        let proposals = proposals(&published(args)?);
        whole_file::put(&args.into, lines(&proposals).as_bytes())?;
        return tell(&args.into.display().to_string(), proposals.len(), args.format);
    };
    let home = Home::sealed(Sealed::open(&args.into, &place, Access::Change)?)?;
    let Lies::Shelf(sealed) = &home.lies else { return Ok(DONE) };
    let retellings = {
        let workspace = Workspace::shelf(Arc::clone(&sealed.shelf));
        built(&args.dataset, &session.project(&args.dataset)?.in_workspace(workspace)?)?
    };
    let proposals = proposals(&retellings);
    let text = Private::new(lines(&proposals).into_bytes());
    sealed.put(KEPT, text.expose())?;
    tell(&home.name(), proposals.len(), args.format)
}

fn tell(place: &str, proposals: usize, format: Format) -> Result<Exit, Failure> {
    let count = plural(proposals as u64, "proposal");
    let said = format!("{place}: {count}, for people to take, change or drop");
    super::super::tell(format, &json!({ "place": place, "proposals": proposals }), said)
}

fn none(place: &Path) -> Failure {
    let message = "there are no summaries or distortions here";
    Fault::new(FaultKind::Input, message).at(place).into()
}

/// The retellings of a published folder.
fn published(args: &ClaimsDraft) -> Result<Vec<Retelling>, Failure> {
    // Only tables of retellings are read whole; scenes may be many.
    let mut query = Query { config: args.config.clone(), ..Query::default() };
    let mut configs: Vec<String> = inspect(&args.dataset, &query)?
        .tables
        .into_iter()
        .filter(|table| {
            table.columns.first().is_some_and(|first| IDS.contains(&first.name.as_str()))
        })
        .map(|table| table.config)
        .collect();
    configs.dedup();
    let mut retellings: Vec<Retelling> = Vec::new();
    query.rows = usize::MAX;
    for config in configs {
        query.config = Some(config);
        let tables = inspect(&args.dataset, &query)?.tables;
        let rows = tables.iter().flat_map(|table| &table.sample);
        retellings.extend(rows.filter_map(|row| retelling(&row.values)));
    }
    if retellings.is_empty() { Err(none(&args.dataset)) } else { Ok(retellings) }
}

/// The retellings of a private build.
fn built(workflow: &Path, project: &Project) -> Result<Vec<Retelling>, Failure> {
    let built = project.inventory(None, None)?;
    let mut retellings = Vec::new();
    for found in &built.found {
        let record = project.workflow().step(&found.step).map(storymill_pipeline::Step::record);
        let (Some(record), Some(part)) = (record, &found.part) else { continue };
        if record == Summary::NAME {
            let rows = built.rows::<Summary>(part).map_err(redact_fault)?;
            retellings.extend(rows.iter().map(|row| Retelling {
                id: row.id(),
                book: row.book.to_string(),
                text: row.text.clone(),
                ..Retelling::default()
            }));
        } else if record == Distortion::NAME {
            let rows = built.rows::<Distortion>(part).map_err(redact_fault)?;
            retellings.extend(rows.iter().map(|row| Retelling {
                id: row.id(),
                book: row.book.to_string(),
                edits: row.edits.clone(),
                ..Retelling::default()
            }));
        }
    }
    if retellings.is_empty() { Err(none(workflow)) } else { Ok(retellings) }
}

/// The retelling of a row, if it is one.
fn retelling(values: &[(String, Value)]) -> Option<Retelling> {
    let value =
        |name: &str| values.iter().find(|(column, _)| column == name).map(|(_, value)| value);
    let text = |name: &str| value(name).and_then(Value::as_str).map(str::to_owned);
    let book = text("book_id")?;
    if let Some(id) = text("distortion_id") {
        let edits = serde_json::from_value(value("edits")?.clone()).ok()?;
        return Some(Retelling { id, book, edits, ..Retelling::default() });
    }
    Some(Retelling { id: text("summary_id")?, book, text: text("text")?, ..Retelling::default() })
}
