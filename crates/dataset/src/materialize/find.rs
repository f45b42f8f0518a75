//! Which tables hold contexts and passages, and their rows.

use serde_json::Value;
use storymill_core::{Context, Fault, FaultKind, did_you_mean};

use super::{Wanted, row::Row};
use crate::{
    manifest::Manifest,
    reading::{each_row, only, open},
    site::Site,
};

/// The columns that a table of contexts is known by.
const KNOWN_BY: [&str; 4] = ["context_id", "passages", "insertions", "heading"];

/// The table of contexts and its files.
pub(super) fn contexts(
    folder: &Site,
    manifest: &Manifest,
    named: Option<&str>,
) -> Result<(String, Vec<Site>), Fault> {
    let mut tables: Vec<(String, Vec<Site>)> = Vec::new();
    for file in &manifest.files {
        let path = folder.join(&file.path);
        match tables.iter_mut().find(|(config, _)| *config == file.config) {
            Some((_, paths)) => paths.push(path),
            None if is_contexts(&path)? => tables.push((file.config.clone(), vec![path])),
            None => {}
        }
    }
    let names: Vec<String> = tables.iter().map(|(name, _)| format!("`{name}`")).collect();
    let mut fitting: Vec<_> = tables
        .into_iter()
        .filter(|(config, _)| named.is_none_or(|named| named == config))
        .collect();
    let fault = |message: String| Err(Fault::new(FaultKind::Input, message).at(folder));
    match (fitting.len(), named) {
        (1, _) => Ok(fitting.remove(0)),
        (_, _) if names.is_empty() => fault("no contexts are published here".to_owned())
            .map_err(|fault: Fault| fault.hint("contexts are made by `mix` or `fact-recall`")),
        (0, Some(named)) => {
            fault(format!("`{named}` is not a table of contexts")).map_err(|fault| {
                let names = names.iter().map(|name| name.trim_matches('`'));
                fault.hint(did_you_mean(named, names).unwrap_or_default())
            })
        }
        _ => fault("there are several tables of contexts".to_owned())
            .map_err(|fault| fault.hint(format!("choose with --config: {}", names.join(", ")))),
    }
}

fn is_contexts(path: &Site) -> Result<bool, Fault> {
    let schema = open(path)?.schema().clone();
    Ok(KNOWN_BY.iter().all(|name| schema.index_of(name).is_ok()))
}

/// Every set and level, in the order of the table.
pub(super) fn groups(files: &[Site]) -> Result<Vec<(String, u32)>, Fault> {
    let mut groups: Vec<(String, u32)> = Vec::new();
    for path in files {
        let reader = open(path)?;
        let reader = only(reader, ["set", "level"]).with_batch_size(8_192);
        each_row(reader, path, |row: Value| {
            let set = row["set"].as_str().unwrap_or_default();
            let level = row["level"].as_u64().and_then(|level| u32::try_from(level).ok());
            let level = level.unwrap_or(0);
            if groups.last().is_none_or(|(last, at)| last != set || *at != level)
                && !groups.iter().any(|(one, at)| one == set && *at == level)
            {
                groups.push((set.to_owned(), level));
            }
            Ok(())
        })?;
    }
    Ok(groups)
}

pub(super) fn nothing(config: &str, wanted: &Wanted<'_>, groups: &[(String, u32)]) -> Fault {
    let level = wanted.level.map(|level| format!(" at {}", Context::level_name(level)));
    let set = wanted.set.as_ref().map(|set| format!(" of `{set}`"));
    let message = format!(
        "`{config}` has no contexts{}{}",
        set.unwrap_or_default(),
        level.unwrap_or_default()
    );
    let known: Vec<String> = groups
        .iter()
        .map(|(set, level)| format!("{set}_{}", Context::level_name(*level)))
        .collect();
    Fault::new(FaultKind::Input, message).hint(format!("it has {}", known.join(", ")))
}

/// The texts of a set's passages, by number.
pub(crate) fn passages(
    folder: &Site,
    manifest: &Manifest,
    set: &str,
) -> Result<Vec<Option<String>>, Fault> {
    let mut texts: Vec<Option<String>> = Vec::new();
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let reader = open(&path)?;
        let schema = reader.schema();
        if ["passage_id", "passage", "text"].iter().any(|name| schema.index_of(name).is_err()) {
            continue;
        }
        each_row(only(reader, ["set", "passage", "text"]), &path, |mut row: Value| {
            let at = row["passage"].as_u64().and_then(|at| usize::try_from(at).ok());
            let Some(at) = at.filter(|_| row["set"] == set) else { return Ok(()) };
            if texts.len() <= at {
                texts.resize(at + 1, None);
            }
            if let Value::String(text) = row["text"].take() {
                texts[at] = Some(text);
            }
            Ok(())
        })?;
    }
    Ok(texts)
}

/// Hands over the rows of one set and level, in order.
pub(super) fn each_of(
    path: &Site,
    set: &str,
    level: u32,
    mut f: impl FnMut(Row) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_row(open(path)?.with_batch_size(64), path, |row: Row| {
        if row.is_of(set, level) { f(row) } else { Ok(()) }
    })
}
