//! Two answers under one key. On one machine the log settles that by itself; where many machines write, two of them
//! have worked on the same thing, and what was made of the one answer does not fit the other.

use std::{
    collections::BTreeSet,
    iter,
    path::{Path, PathBuf},
};

use storymill_core::{Answer, Digest, Disk, Fault, FaultKind, RequestKey, plural};

use super::{
    AnswerLog, Role,
    file::{self, LogFile},
    frame::{Frame, Kind},
    gather,
    index::Entry,
    lock_folder, read, record, seal, try_lock,
    walk::walk,
};

/// How many symbols of an answer are shown.
const SHOWN: usize = 300;

impl AnswerLog {
    /// Refuses a log in which different answers stand under one key, and shows both.
    ///
    /// # Errors
    ///
    /// Of kind `Damage`, if there are such; or a file cannot be read.
    pub fn refuse_conflicts(&self) -> Result<(), Fault> {
        let (pair, count) = {
            let state = self.state();
            let entries = state.index.entries();
            let mut pairs = entries.windows(2).filter(|pair| pair[0].key == pair[1].key);
            let Some(pair) = pairs.next() else { return Ok(()) };
            let file = |entry: &Entry| state.files.get(entry.file as usize).cloned();
            let pair = [(pair[0], file(&pair[0])), (pair[1], file(&pair[1]))];
            (pair, 1 + pairs.count())
        };
        let key = RequestKey(Digest::from(pair[0].0.key));
        let mut shown = String::new();
        for (entry, file) in &pair {
            let Some(file) = file else { continue };
            shown += &format!("\n  {}", said(file, entry)?);
        }
        let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        let message = format!(
            "two machines have asked the same, and different answers stand under the key {} in {}{more}:{shown}",
            key.0.short(),
            self.folder.display()
        );
        let mut hint = format!(
            "nothing was asked; `storymill answers keep {} DIGEST --answers {}",
            key.0,
            self.folder.display()
        );
        for (_, file) in &pair {
            // One that stands in a pack of the workflow's, which nobody writes into.
            let path = file.as_ref().map(|file| &file.path);
            if let Some(pack) = path.filter(|path| path.parent() != Some(&*self.folder)) {
                hint += &format!(" --pack {}", pack.display());
            }
        }
        hint += "` keeps the one of that digest and removes the other";
        Err(Fault::new(FaultKind::Damage, message).hint(hint))
    }
}

/// An answer for people: its digest, where it stands, how it begins.
fn said(file: &LogFile, entry: &Entry) -> Result<String, Fault> {
    let bytes = read(file, entry)?;
    let answer = Frame::at(&bytes, 0).and_then(|frame| record::answer(&frame));
    let Some(Answer { text, .. }) = &answer else { return Err(super::damaged(file)) };
    let digest = answer.as_ref().map_or_else(|| Digest::of(b""), Answer::digest);
    let mut begin: String = text.chars().take(SHOWN).collect();
    if begin.len() < text.len() {
        begin.push_str(" ...");
    }
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!("{} in {name}: {begin:?}", digest.short()))
}

/// Removes the answers under a key that are not the one of a digest, both named by their first digits. How many it
/// removed. The one that stays may stand in one of some packs, which are only read.
///
/// # Errors
///
/// No answer, or more than one, has that name; another one of the key stands in such a pack; another run is writing
/// into the log (kind `Again`); a file is damaged, or cannot be read or written.
pub fn keep(
    folder: &Path,
    packs: &[PathBuf],
    disk: &dyn Disk,
    key: &str,
    digest: &str,
) -> Result<u64, Fault> {
    let named = |frame: &Frame<'_>| {
        frame.kind == Kind::Answer && Digest::from(frame.key()).to_string().starts_with(key)
    };
    let is_kept = |frame: &Frame<'_>| frame.tag().to_string().starts_with(digest);
    let _lock = lock_folder(disk, folder)?;
    let mut files = Vec::new();
    let mut all: BTreeSet<([u8; 32], Digest)> = BTreeSet::new();
    for place in iter::once(folder).chain(packs.iter().map(PathBuf::as_path)) {
        for path in gather::files(disk, place)? {
            let Some(role) = file::role(&path).filter(|role| *role != Role::Notes) else {
                continue;
            };
            let at = |error| Fault::io("cannot read a file of the answers", &path, error);
            let mut lock = None;
            if role == Role::Segment {
                lock = try_lock(disk, &path).map_err(at)?;
                if lock.is_none() {
                    let message = "another run is writing into the answer log";
                    return Err(Fault::new(FaultKind::Again, message).at(&path));
                }
            }
            let bytes = disk.read(&path).map_err(at)?;
            let walked = walk(role, &bytes);
            let found: Vec<_> = walked.frames.iter().filter(|frame| named(frame)).collect();
            all.extend(found.iter().map(|frame| (frame.key(), frame.tag())));
            if found.iter().all(|frame| is_kept(frame)) {
                continue;
            }
            if place == folder {
                files.push((path, role, lock, bytes));
            } else {
                let message =
                    "another answer under this key stands in this pack, which is only read";
                let hint = "keep that one, or take the pack out of the `answers` of the workflow";
                return Err(Fault::new(FaultKind::Input, message).at(path).hint(hint));
            }
        }
    }
    let keys: BTreeSet<[u8; 32]> = all.iter().map(|one| one.0).collect();
    let kept = all.iter().filter(|one| one.1.to_string().starts_with(digest)).count();
    if keys.len() != 1 || kept != 1 {
        let found = if keys.len() > 1 {
            "more than one key".to_owned()
        } else {
            plural(kept as u64, "answer")
        };
        let message = format!("the key and the digest name {found}; they must name 1 answer");
        return Err(Fault::new(FaultKind::Input, message).at(folder));
    }
    let mut removed = 0;
    for (path, role, _lock, bytes) in files {
        let at = |error| Fault::io("cannot write a file of the answers", &path, error);
        let walked = walk(role, &bytes);
        let mut frames = walked.frames.clone();
        frames.retain(|frame| !named(frame) || is_kept(frame));
        if walked.is_damaged() {
            // What else was in it nobody knows; that is decided first.
            let message = "this file of the answers is damaged, and was left as it is";
            let hint = "put it back from a copy, or build with `--ask-again`, which sets it aside";
            return Err(Fault::new(FaultKind::Damage, message).at(path).hint(hint));
        }
        removed += (walked.frames.len() - frames.len()) as u64;
        // Under a name of its own, also what was a segment: others may have this one open.
        if !seal::rewrite(disk, folder, frames)?.contains(&path) {
            disk.remove(&path).map_err(at)?;
        }
    }
    disk.sync_dir(folder).map_err(|error| Fault::io("cannot sync the answers", folder, error))?;
    Ok(removed)
}
