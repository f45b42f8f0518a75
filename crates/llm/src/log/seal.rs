//! Sealing: segments whose writers are done become packs and files of notes.
//!
//! The folder's lock is held. Packs are in place before a segment goes, so a kill in between
//! leaves answers twice and loses none.
//!
//! On a store of objects nobody can be kept out, and nobody has to be: a segment there is whole from the first, a pack is
//! read back before anything is removed, and only what stands in it is. So two machines that seal at the same time keep some answers
//! twice, which the next sealing ends. Who wants an answer from a file that has gone looks where it stands now.

use std::{
    io,
    path::{Path, PathBuf},
};

use storymill_core::{Digest, Disk, Fault, Held};

use super::{
    file::{self, FIRST, Role},
    frame::{Frame, Kind},
    gather,
    pack::{self, MAX_PACK, Packer},
    record,
    walk::walk,
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
/// The same on a store of objects, where each segment is a request for whoever opens the log.
pub(crate) const MANY_OBJECTS: usize = 64;
/// Packs smaller than this are put together once there are [`MANY`].
const SMALL_PACK: u64 = 8 << 20;
/// So many bytes are sorted at a time.
const BATCH: usize = 80 << 20;

/// Seals the segments that no living writer holds. How many it sealed.
pub(crate) fn stale(disk: &dyn Disk, folder: &Path, when: When) -> Result<usize, Fault> {
    let objects = disk.has_objects(folder);
    if !objects {
        tidy(disk, folder)?;
    }
    let many = if objects { MANY_OBJECTS } else { MANY };
    let files = gather::files(disk, folder)?;
    if objects && files.iter().filter(|path| file::is_segment_name(path)).count() < many {
        return Ok(0);
    }
    let mut found: Vec<(PathBuf, Box<dyn Held>, u64)> = Vec::new();
    let mut small: Vec<(PathBuf, u64)> = Vec::new();
    for path in files {
        let at = |error| Fault::io("cannot seal a segment of the answers", &path, error);
        // What has gone, another machine has sealed.
        let Some(size) = disk.len(&path).map_err(at)? else { continue };
        match file::role(&path) {
            Some(Role::Segment) => {
                if !file::is_segment_name(&path) {
                    continue;
                }
                match file::try_lock(disk, &path) {
                    Ok(Some(lock)) => found.push((path, lock, size)),
                    Ok(None) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(at(error)),
                }
            }
            Some(Role::Pack) if size < SMALL_PACK => small.push((path, size)),
            _ => {}
        }
    }
    let bytes: u64 = found.iter().map(|(_, _, size)| size).sum();
    if when == When::Many && found.len() < many && bytes < LARGE as u64 {
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
        if file::is_scratch_name(&name) {
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

/// Rewrites some files as packs and notes, then removes them. What is damaged stays as it is, until
/// somebody decides about the loss ([`set_aside`]); so does what another version wrote.
fn seal(disk: &dyn Disk, folder: &Path, paths: &[PathBuf]) -> Result<(), Fault> {
    let contents = read(disk, paths)?;
    let mut frames = Vec::new();
    let mut sealed = Vec::new();
    for (path, role, bytes) in &contents {
        let walked = walk(*role, bytes);
        if !walked.is_damaged() {
            frames.extend(walked.frames);
            sealed.push(*path);
        }
    }
    let written = rewrite(disk, folder, frames)?;
    for path in sealed.into_iter().filter(|path| !written.contains(path)) {
        match disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Fault::io("cannot remove a sealed segment", path, error));
            }
            _ => {}
        }
    }
    disk.sync_dir(folder).map_err(|error| Fault::io("cannot sync the answers", folder, error))
}

/// Takes what is sound out of damaged files into packs and notes, and sets the files aside under
/// another name. What it set aside: the names before and now.
pub(crate) fn set_aside(
    disk: &dyn Disk,
    folder: &Path,
    paths: &[PathBuf],
) -> Result<Vec<(PathBuf, PathBuf)>, Fault> {
    let mut aside = Vec::new();
    for (path, role, bytes) in &read(disk, paths)? {
        let at = |error| Fault::io("cannot set a damaged file aside", *path, error);
        let now = path.with_extension("damaged");
        disk.put(&now, &folder.join(file::scratch_name()), bytes).map_err(at)?;
        // Where nothing but its index was damaged, what is written has its name.
        if !rewrite(disk, folder, walk(*role, bytes).frames)?.contains(*path) {
            disk.remove(path).map_err(at)?;
        }
        aside.push(((*path).clone(), now));
    }
    disk.sync_dir(folder).map_err(|error| Fault::io("cannot sync the answers", folder, error))?;
    Ok(aside)
}

/// A file of the log, what it is, and its bytes.
type ReadFile<'p> = (&'p PathBuf, Role, Vec<u8>);

/// Those of some files that are still there.
fn read<'p>(disk: &dyn Disk, paths: &'p [PathBuf]) -> Result<Vec<ReadFile<'p>>, Fault> {
    let mut found = Vec::new();
    for (path, role) in paths.iter().filter_map(|path| Some((path, file::role(path)?))) {
        match disk.read(path) {
            Ok(bytes) => found.push((path, role, bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Fault::io("cannot read a segment of the answers", path, error));
            }
        }
    }
    Ok(found)
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
    // Of two copies the one that says what its digest says: whoever reads takes that one too.
    answers.dedup_by(|next, kept| {
        let is_copy = order(next) == order(kept);
        if is_copy && next.bytes != kept.bytes && record::answer(kept).is_none() {
            *kept = *next;
        }
        is_copy
    });
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

#[cfg(test)]
mod tests {
    use std::{fs, sync::Arc};

    use storymill_core::{Answer, RequestKey};
    use storymill_disk::RealDisk;

    use crate::{AnswerLog, log::frame};

    #[test]
    fn of_two_copies_the_sound_one_is_sealed() {
        let answer = Answer { text: "Two.".to_owned(), finish_reason: "stop".to_owned() };
        let (key, tag) = (super::Digest::of(b"key"), answer.digest());
        let sound = &postcard::to_stdvec(&answer).unwrap()[..];
        let bent = &b"\x04Ten."[..];
        for bodies in [[bent, sound], [sound, bent]] {
            let mut bytes = super::Role::Segment.magic().to_vec();
            for body in bodies {
                frame::write(&mut bytes, super::Kind::Answer, key.as_bytes(), &tag, body).unwrap();
            }
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("1-0123456789abcdef.log"), &bytes).unwrap();
            for seals in [true, false] {
                let log = AnswerLog::open(folder.path(), &[], Arc::new(RealDisk)).unwrap();
                assert_eq!(log.get(&RequestKey(key)).unwrap(), Some(answer.clone()));
                assert!(!seals || log.seal().unwrap() == 1);
            }
        }
    }
}
