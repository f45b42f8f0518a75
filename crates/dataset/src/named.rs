//! Questions by their ids, many at once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_core::{Fault, Question};

use crate::{
    asked,
    manifest::Manifest,
    reading::{each_text, open},
    sampling::sample,
    site::Site,
};

/// The questions with these ids in some configs of a published folder, by id. An id that is not there is left out; of
/// several with one id the first is taken.
///
/// # Errors
///
/// There is no dataset, or a file cannot be read.
pub fn questions(
    folder: impl Into<Site>,
    configs: &BTreeSet<String>,
    ids: &BTreeSet<String>,
) -> Result<BTreeMap<String, Question>, Fault> {
    let folder = &folder.into();
    let mut found = BTreeMap::new();
    for file in Manifest::of(folder)?.files.iter().filter(|file| configs.contains(&file.config)) {
        let path = folder.join(&file.path);
        let (rows, at) = positions(&path, ids)?;
        for row in sample([(&path, rows)], &at)? {
            let row = Value::Object(row.values.into_iter().collect());
            if let Some(question) = asked::question(&row).map_err(|fault| fault.at(&path))? {
                found.entry(question.id.clone()).or_insert(question);
            }
        }
    }
    Ok(found)
}

/// How many rows a file has, and where those with these ids stand.
fn positions(path: &Site, ids: &BTreeSet<String>) -> Result<(u64, Vec<u64>), Fault> {
    let reader = open(path)?;
    let schema = reader.schema();
    let (mut at, mut found) = (0, Vec::new());
    let Some(column) = asked::IDS.into_iter().find(|name| schema.index_of(name).is_ok()) else {
        return Ok((at, found));
    };
    each_text(reader, path, column, |id| {
        if ids.contains(id) {
            found.push(at);
        }
        at += 1;
    })?;
    Ok((at, found))
}
