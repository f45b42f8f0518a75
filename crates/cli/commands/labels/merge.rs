//! `labels merge`: gold labels of the votes of several protocols.

use std::io::Write;

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_faithfulness::{
    file::{read, write},
    merge::{NotMerged, Protocols, merge},
};

use super::{text, unread};
use crate::{
    args::{Format, labels::LabelsMerge},
    exit::{DONE, Exit, Failure, REJECTS},
    report,
    table::plural,
    whole_file,
};

pub(super) fn run(args: &LabelsMerge) -> Result<Exit, Failure> {
    let mut files = Vec::new();
    for path in &args.files {
        files.push(read(&text(path)?).map_err(|error| unread(path, error))?);
    }
    let protocols = Protocols { trusted: args.protocols.clone(), reviewed: args.reviewed.clone() };
    let merged = merge(&files, &protocols).map_err(|error| match error {
        NotMerged::Unknown { .. } => {
            Failure::Fault(Fault::new(FaultKind::Input, "cannot merge").because(error))
        }
        error => Failure::Usage(error.to_string()),
    })?;
    let (kept, rejects) = (merged.items.len(), merged.rejects.len());
    let faithful = merged.items.iter().filter(|(_, item)| item.faithful()).count();
    let labels = write(merged.items).map_err(|error| {
        Fault::new(FaultKind::Internal, "cannot write the labels").because(error)
    })?;
    match &args.out {
        Some(path) => whole_file::put(path, labels.as_bytes())?,
        None => crate::screen::out().write_all(labels.as_bytes())?,
    }
    for reject in &merged.rejects {
        report::warn(&format!("`{}`: {}: {}", reject.id, reject.code, reject.what));
    }
    let exit = if rejects > 0 { REJECTS } else { DONE };
    if let (Some(path), Format::Json) = (&args.out, args.format) {
        super::super::json(&json!({
            "retellings": kept, "faithful": faithful, "rejected": rejects, "only_by_review": merged.added,
            "not_reviewed": merged.unreviewed, "file": path,
        }))?;
        return Ok(exit);
    }
    report::say(format!(
        "{} merged, {faithful} faithful; {} only by review, {} not reviewed and not counted",
        plural(kept as u64, "retelling"),
        plural(merged.added as u64, "error"),
        plural(merged.unreviewed as u64, "finding"),
    ));
    Ok(exit)
}
