//! Two answers under one key. On one machine the log settles that by itself; where many machines write, two of them
//! have worked on the same thing, and what was made of the one answer does not fit the other.

use std::path::Path;

use storymill_core::{Answer, Digest, Disk, Fault, FaultKind, RequestKey, plural};

use super::{
    AnswerLog, Role,
    file::{self, LogFile},
    frame::{Frame, Kind},
    gather,
    index::Entry,
    read, record, seal,
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
        let hint = format!(
            "nothing was asked; `storymill answers keep {} DIGEST --answers {}` keeps the one of that digest and removes the other",
            key.0,
            self.folder.display()
        );
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
/// removed. Nobody else may be writing into the log.
///
/// # Errors
///
/// No answer, or more than one, has that name; or a file cannot be read or written.
pub fn keep(folder: &Path, disk: &dyn Disk, key: &str, digest: &str) -> Result<u64, Fault> {
    let named = |frame: &Frame<'_>| {
        frame.kind == Kind::Answer && Digest::from(frame.key()).to_string().starts_with(key)
    };
    let is_kept = |frame: &Frame<'_>| frame.tag().to_string().starts_with(digest);
    let mut files = Vec::new();
    let mut all: Vec<([u8; 32], Digest)> = Vec::new();
    for path in gather::files(disk, folder)? {
        let Some(role) = file::role(&path).filter(|role| *role != Role::Notes) else { continue };
        let bytes = disk
            .read(&path)
            .map_err(|error| Fault::io("cannot read a file of the answers", &path, error))?;
        let walked = walk(role, &bytes);
        let before = all.len();
        all.extend(walked.frames.iter().filter(|f| named(f)).map(|f| (f.key(), f.tag())));
        if all.len() > before {
            files.push((path, role, bytes));
        }
    }
    all.sort();
    all.dedup();
    let one_key = all.first().is_some_and(|first| all.iter().all(|one| one.0 == first.0));
    let kept = all.iter().filter(|one| one.1.to_string().starts_with(digest)).count();
    if !one_key || kept != 1 {
        let found = if one_key { plural(kept as u64, "answer") } else { "not one key".to_owned() };
        let message = format!("the key and the digest name {found}; they must name 1 answer");
        return Err(Fault::new(FaultKind::Input, message).at(folder));
    }
    let mut removed = 0;
    for (path, role, bytes) in files {
        let at = |error| Fault::io("cannot write a file of the answers", &path, error);
        let mut frames = walk(role, &bytes).frames;
        let before = frames.len();
        frames.retain(|frame| !named(frame) || is_kept(frame));
        if frames.len() == before {
            continue;
        }
        removed += (before - frames.len()) as u64;
        if role == Role::Segment {
            let mut rest = file::SEGMENT.to_vec();
            for frame in &frames {
                rest.extend_from_slice(frame.bytes);
            }
            disk.put(&path, &folder.join(file::scratch_name()), &rest).map_err(at)?;
        } else if !seal::rewrite(disk, folder, frames)?.contains(&path) {
            disk.remove(&path).map_err(at)?;
        }
    }
    Ok(removed)
}
