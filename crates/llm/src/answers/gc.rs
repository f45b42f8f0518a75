//! Sweeping a log: what no lock needs goes.

use std::{collections::BTreeSet, path::Path};

use serde::Serialize;
use storymill_core::{Disk, Fault, FaultKind, RequestKey};

use crate::log::{self, Role, frame::Kind, seal, walk::walk};

/// What a sweep removed, or would remove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Swept {
    /// Answers kept.
    pub kept: u64,
    /// Answers removed.
    pub removed: u64,
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes after; as before, if nothing was written.
    pub bytes_after: u64,
}

/// Removes every answer, with its note, whose key is not among those to keep. With `dry`,
/// nothing is written: the counts alone are told. Answers cost money, so ask first.
///
/// # Errors
///
/// If another run is writing into the log (kind `Again`).
pub fn gc(
    folder: &Path,
    disk: &dyn Disk,
    keep: &BTreeSet<RequestKey>,
    dry: bool,
) -> Result<Swept, Fault> {
    let mut swept = Swept::default();
    if log::files(disk, folder)?.is_empty() {
        return Ok(swept);
    }
    let _lock = log::lock_folder(disk, folder)?;
    let paths = log::files(disk, folder)?;
    let mut locks = Vec::new();
    for path in paths.iter().filter(|path| log::role(path) == Some(Role::Segment)) {
        let lock = log::try_lock(disk, path)
            .map_err(|error| Fault::io("cannot lock a segment of the answers", path, error))?;
        locks.push(lock.ok_or_else(|| {
            Fault::new(FaultKind::Again, "another run is writing into the answer log").at(path)
        })?);
    }
    // One file at a time: a log may be larger than memory.
    for path in &paths {
        let bytes = disk
            .read(path)
            .map_err(|error| Fault::io("cannot read a file of the answers", path, error))?;
        swept.bytes_before += bytes.len() as u64;
        let walked = log::role(path).map(|role| walk(role, &bytes)).unwrap_or_default();
        // Of a damaged file nobody knows all that was in it: it stays until that is decided.
        let stays = walked.is_damaged();
        let mut frames = walked.frames;
        let all = frames.len();
        let answers = |frames: &[log::frame::Frame<'_>]| {
            frames.iter().filter(|frame| frame.kind == Kind::Answer).count() as u64
        };
        let before = answers(&frames);
        frames.retain(|frame| keep.contains(&RequestKey(frame.key().into())));
        swept.kept += answers(&frames);
        swept.removed += before - answers(&frames);
        if dry || frames.len() == all || stays {
            swept.bytes_after += bytes.len() as u64;
            continue;
        }
        let written = seal::rewrite(disk, folder, frames)?;
        for path in &written {
            let size = disk.len(path).ok().flatten();
            swept.bytes_after += size.unwrap_or(0);
        }
        if !written.contains(path) {
            disk.remove(path)
                .map_err(|error| Fault::io("cannot remove swept answers", path, error))?;
        }
    }
    disk.sync_dir(folder).map_err(|error| Fault::io("cannot sync the answers", folder, error))?;
    Ok(swept)
}
