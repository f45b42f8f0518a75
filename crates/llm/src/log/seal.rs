//! Sealing: segments whose writers are done become packs and files of notes.
//!
//! The folder's lock is held. Packs are in place before a segment goes, so a kill in between
//! leaves answers twice and loses none.

use std::path::{Path, PathBuf};

use storymill_core::{Digest, Disk, Fault, Held};

use super::{
    file::{self, FIRST, Role},
    frame::{Frame, Kind, Scan},
    gather,
    pack::{self, MAX_PACK, Packer},
};

/// When to seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Once several runs have left segments, or one large one.
    Many,
    /// Whatever there is.
    Always,
}

/// How many segments, and how many bytes of them, are worth sealing.
const MANY: usize = 8;
const LARGE: usize = 16 << 20;
/// Packs smaller than this are put together once there are [`MANY`].
const SMALL_PACK: u64 = 8 << 20;
/// So many bytes are sorted at a time.
const BATCH: usize = 80 << 20;

/// Seals the segments that no living writer holds. How many it sealed.
pub(crate) fn stale(disk: &dyn Disk, folder: &Path, when: When) -> Result<usize, Fault> {
    tidy(disk, folder)?;
    let mut found: Vec<(PathBuf, Box<dyn Held>, u64)> = Vec::new();
    let mut small: Vec<(PathBuf, u64)> = Vec::new();
    for path in gather::files(disk, folder)? {
        let at = |error| Fault::io("cannot seal a segment of the answers", &path, error);
        let size = disk.len(&path).map_err(at)?.unwrap_or(0);
        match file::role(&path) {
            Some(Role::Segment) => {
                if let Some(lock) = file::try_lock(disk, &path).map_err(at)? {
                    found.push((path, lock, size));
                }
            }
            Some(Role::Pack) if size < SMALL_PACK => small.push((path, size)),
            _ => {}
        }
    }
    let bytes: u64 = found.iter().map(|(_, _, size)| size).sum();
    if when == When::Many && found.len() < MANY && bytes < LARGE as u64 {
        return Ok(0);
    }
    let sealed = found.len();
    let (paths, locks): (Vec<_>, Vec<_>) =
        found.into_iter().map(|(path, lock, size)| ((path, size), lock)).unzip();
    let mut all = paths;
    if small.len() >= MANY {
        all.extend(small);
    }
    for batch in batches(all) {
        seal(disk, folder, &batch)?;
    }
    drop(locks);
    Ok(sealed)
}

/// Removes what a killed sealer left half-written: only who holds the folder's lock writes such
/// files.
fn tidy(disk: &dyn Disk, folder: &Path) -> Result<(), Fault> {
    let at = |error| Fault::io("cannot tidy the folder of the answers", folder, error);
    for name in disk.list(folder).map_err(at)? {
        if name.starts_with('.') && Path::new(&name).extension().is_some_and(|end| end == "tmp") {
            disk.remove(&folder.join(name)).map_err(at)?;
        }
    }
    Ok(())
}

fn batches(files: Vec<(PathBuf, u64)>) -> Vec<Vec<PathBuf>> {
    let mut batches: Vec<Vec<PathBuf>> = Vec::new();
    let mut room = 0;
    for (path, size) in files {
        if let Some(batch) = batches.last_mut().filter(|_| size <= room) {
            batch.push(path);
        } else {
            batches.push(vec![path]);
            room = BATCH as u64;
        }
        room = room.saturating_sub(size);
    }
    batches
}

/// Rewrites some files as packs and notes, then removes them. What is damaged keeps a copy of its
/// file; what another version wrote is left alone.
fn seal(disk: &dyn Disk, folder: &Path, paths: &[PathBuf]) -> Result<(), Fault> {
    let mut contents: Vec<(&PathBuf, Vec<u8>)> = Vec::new();
    for path in paths {
        let bytes = disk
            .read(path)
            .map_err(|error| Fault::io("cannot read a segment of the answers", path, error))?;
        let ours = bytes.len() < FIRST
            || [file::SEGMENT, file::PACK].iter().any(|magic| bytes[..FIRST] == magic[..]);
        if ours {
            contents.push((path, bytes));
        }
    }
    let mut frames = Vec::new();
    let mut damaged = Vec::new();
    for (path, bytes) in &contents {
        let mut scan = Scan::new(bytes, FIRST);
        frames.extend(scan.by_ref());
        if scan.damaged > 0 {
            damaged.push(*path);
        }
    }
    let written = rewrite(disk, folder, frames)?;
    for (path, _) in &contents {
        if written.contains(path) {
            continue;
        }
        let gone = if damaged.contains(path) {
            disk.rename(path, &path.with_extension("damaged"))
        } else {
            disk.remove(path)
        };
        gone.map_err(|error| Fault::io("cannot remove a sealed segment", *path, error))?;
    }
    disk.sync_dir(folder).map_err(|error| Fault::io("cannot sync the answers", folder, error))
}

/// Writes frames, in any order, as packs and notes. Equal ones are written once.
pub(crate) fn rewrite(
    disk: &dyn Disk,
    folder: &Path,
    frames: Vec<Frame<'_>>,
) -> Result<Vec<PathBuf>, Fault> {
    let (mut answers, mut notes): (Vec<_>, Vec<_>) =
        frames.into_iter().partition(|frame| frame.kind == Kind::Answer);
    let order = |frame: &Frame<'_>| -> ([u8; 32], Digest) { (frame.key(), frame.tag()) };
    answers.sort_by_cached_key(order);
    answers.dedup_by_key(|frame| order(frame));
    let mut packer = Packer::new(disk, folder, MAX_PACK);
    for frame in &answers {
        packer.push(frame)?;
    }
    let (mut written, _) = packer.finish()?;
    notes.sort_by(|a, b| a.bytes.cmp(b.bytes));
    notes.dedup_by(|a, b| a.bytes == b.bytes);
    let mut bytes = file::NOTES.to_vec();
    for note in &notes {
        if bytes.len() + note.bytes.len() > MAX_PACK {
            written.push(pack::put_named(disk, folder, &bytes, "notes")?);
            bytes = file::NOTES.to_vec();
        }
        bytes.extend_from_slice(note.bytes);
    }
    if bytes.len() > FIRST {
        written.push(pack::put_named(disk, folder, &bytes, "notes")?);
    }
    Ok(written)
}
