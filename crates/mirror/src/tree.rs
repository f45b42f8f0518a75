//! A copy of a mirror on this machine.

use std::{
    fs,
    path::{Component, Path},
};

use storymill_core::{BookId, Fault};
use storymill_sources::unpack::LARGEST;

use crate::{fetch::Found, journal::Marks, layout::Candidate, page};

/// Finds a book's page, the best first.
pub(crate) fn find(id: &BookId, top: &Path, candidates: &[Candidate]) -> Result<Found, Fault> {
    let most = LARGEST;
    let mut why = "the copy has no file for it".to_owned();
    for candidate in candidates {
        let path = top.join(&candidate.path);
        let Ok(meta) = fs::metadata(&path) else { continue };
        if !meta.is_file() {
            continue;
        }
        if meta.len() > most as u64 {
            why = format!("{}: it is larger than {} MB", candidate.path, most / 1024 / 1024);
            continue;
        }
        let bytes =
            fs::read(&path).map_err(|error| Fault::io("cannot read the page", &path, error))?;
        match page::page(id, &candidate.path, bytes, most) {
            Ok(page) => {
                return Ok(Found::Page {
                    page,
                    from: candidate.path.clone(),
                    marks: Marks::default(),
                });
            }
            Err(reason) => why = format!("{}: {reason}", candidate.path),
        }
    }
    Ok(Found::Missing { why, passing: false })
}

/// Whether a path leads nowhere but down.
pub(crate) fn is_below(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
