//! Predictions and records as LV-Eval keeps them: files that are named like their set and level.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use storymill_core::{Fault, FaultKind};
use storymill_metrics::score::lveval::{self, Item, Prediction};

use super::super::{refused, text};

/// The predictions of these files and of the files in these folders, with the files' paths.
pub(super) fn predictions(given: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Prediction>), Fault> {
    let mut paths = Vec::new();
    for path in given {
        if path.is_dir() {
            let before = paths.len();
            walk(path, &mut paths)?;
            if paths.len() == before {
                return Err(
                    Fault::new(FaultKind::Input, "no `*.jsonl` files in this folder").at(path)
                );
            }
        } else {
            paths.push(path.clone());
        }
    }
    let mut all = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let read = lveval::predictions(&text(path)?, at, &name(path));
        all.extend(read.map_err(|error| refused(path, error))?);
    }
    Ok((paths, all))
}

/// What was asked, as the predictions themselves say it.
pub(super) fn own_items(
    paths: &[PathBuf],
    predictions: &mut [Prediction],
) -> Result<Vec<Item>, Fault> {
    let item = |said: &mut Prediction| {
        said.item().map_err(|error| {
            refused(&paths[said.file], error).hint(
                "predictions without `answers` want the contexts that they are of: `--dataset`",
            )
        })
    };
    predictions.iter_mut().map(item).collect()
}

/// Whether a path leads to records, and not to a published folder.
pub(super) fn are_records(path: &Path) -> bool {
    path.is_file() || (path.is_dir() && !path.join("manifest.json").exists())
}

/// The questions of a file of records or of all in a folder. Their contexts are long: one line is in
/// memory at a time.
pub(super) fn records(dataset: &Path) -> Result<Vec<Item>, Fault> {
    let mut paths = Vec::new();
    if dataset.is_file() {
        paths.push(dataset.to_owned());
    } else {
        walk(dataset, &mut paths)?;
    }
    let mut items = Vec::new();
    for path in &paths {
        let unread = |error| Fault::io("cannot read", path, error).input();
        let file = BufReader::new(storymill_disk::open(path).map_err(unread)?);
        for (line, at) in file.lines().zip(1..) {
            let line = line.map_err(unread)?;
            if !line.trim().is_empty() {
                let item = lveval::record(&line, at, &name(path));
                items.push(item.map_err(|error| refused(path, error))?);
            }
        }
    }
    if items.is_empty() {
        let message = "neither a published folder nor records of LV-Eval (`*.jsonl`)";
        return Err(Fault::new(FaultKind::Input, message).at(dataset));
    }
    Ok(items)
}

/// The `*.jsonl` files in a folder and below it, by name.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let unread = |error| Fault::io("cannot read the folder", folder, error).input();
    let entries = std::fs::read_dir(folder).map_err(unread)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>().map_err(unread)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
