//! What models answered to the claims of a set, as `evaluate` keeps it in results.

use std::path::PathBuf;

use serde_json::Value;
use storymill::{Claims, Dataset, Evaluation, SEALED_RESULTS, Site};
use storymill_claims::{pair::Half, read::Response};
use storymill_core::{Disk, Fault};
use storymill_shelf::Mount;

use super::set_store::{Home, Lies, Sealed};
use crate::{exit::Failure, private::inside, report};

/// The answers in some results of a set in a folder; of a set on a shelf those in all results of it there.
pub(super) fn responses(home: &Home, named: &[PathBuf]) -> Result<Vec<Response>, Failure> {
    let all = match &home.lies {
        Lies::Folder { .. } => folders(named)?,
        Lies::Shelf(sealed) => of_shelf(sealed)?,
    };
    let mut responses = Vec::new();
    for (site, workflow) in all {
        let claims = match &home.lies {
            Lies::Folder { path, .. } => Claims::in_folder(path)?,
            Lies::Shelf(sealed) => Claims::on_shelf(&sealed.shelf, &sealed.name)?,
        };
        if !Evaluation::asked(&workflow, claims) {
            report::warn(&format!(
                "the set has changed since `{}` was made: run the same `storymill evaluate` again; what was answered is not asked again",
                site.file_name().unwrap_or_default().to_string_lossy()
            ));
            continue;
        }
        let rows = Dataset::open(&site)?.rows("answers")?;
        responses.extend(rows.iter().filter_map(response));
    }
    Ok(responses)
}

/// Results, and the workflow beside each.
pub(super) type Found = Vec<(Site, String)>;

fn folders(named: &[PathBuf]) -> Result<Found, Fault> {
    let of = |folder: &PathBuf| {
        let workflow = storymill_disk::read_text(
            &folder.with_added_extension("toml"),
            storymill_disk::most::WORKFLOW,
        );
        let workflow = workflow.map_err(|error| {
            Fault::io("cannot read the workflow beside the results", folder, error).input()
        })?;
        Ok((folder.clone().into(), workflow))
    };
    named.iter().map(of).collect()
}

/// The results of a private set.
pub(super) fn of_shelf(sealed: &Sealed) -> Result<Found, Fault> {
    let disk: std::sync::Arc<dyn Disk> =
        std::sync::Arc::new(Mount::new(std::sync::Arc::clone(&sealed.shelf)));
    let folder = inside(SEALED_RESULTS);
    let failed = |error| Fault::io("cannot read from the shelf", &folder, error);
    let mut found = Vec::new();
    for name in disk.list(&folder).map_err(failed)? {
        let Some(results) = name.strip_suffix(".toml") else { continue };
        let text = disk.read(&folder.join(&name)).map_err(failed)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let is_made = disk.len(&folder.join(results).join("manifest.json")).map_err(failed)?;
        if Evaluation::set_of(&text).as_deref() == Some(&sealed.name) && is_made.is_some() {
            let site = Site::on(std::sync::Arc::clone(&disk), folder.join(results));
            found.push((site, text));
        }
    }
    Ok(found)
}

/// A row of answers to a claim: `n01/0003/true`.
fn response(row: &Value) -> Option<Response> {
    let text = |name: &str| row[name].as_str().map(str::to_owned);
    let question = text("question_id")?;
    let (pair, half) = question.rsplit_once('/')?;
    let claim = Half::BOTH.into_iter().find(|one| one.name() == half)?;
    Some(Response {
        system: text("model")?,
        pair: pair.to_owned(),
        claim,
        answer: text("said").filter(|said| !said.trim().is_empty()),
        prompt: text("setting").filter(|setting| setting != "full"),
    })
}
