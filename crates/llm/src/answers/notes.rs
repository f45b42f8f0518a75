//! Walking the notes of a log.

use std::{
    collections::HashSet,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use storymill_core::{Digest, Disk, Fault, RequestKey, UnitId};

use crate::log::{
    self, FIRST, Note, Role,
    frame::{Kind, Scan},
    record,
};

/// Reads the notes of a log one after another, each once: of one unit, or of all. Notes are sorted within a
/// file only; those that cannot be read are left out.
pub fn notes(
    folder: &Path,
    disk: &dyn Disk,
    unit: Option<&UnitId>,
    mut each: impl FnMut(RequestKey, Note),
) -> Result<(), Fault> {
    let tag = unit.map(|unit| record::unit_tag(unit.as_str()));
    // A sealing that was cut off, or two at the same time, leave a note in two files.
    let mut told = HashSet::new();
    let mut of = |bytes: &[u8]| {
        let frames = Scan::new(bytes, FIRST).filter(|frame| frame.kind == Kind::Note);
        for frame in frames.filter(|frame| tag.is_none_or(|tag| frame.tag() == tag)) {
            let is_new = told.insert(log::short(&Digest::of(frame.bytes)));
            if let Some(note) = record::note(&frame).filter(|_| is_new) {
                each(RequestKey(frame.key().into()), note);
            }
        }
    };
    let (segments, sealed) = files(folder, disk)?;
    for bytes in &segments {
        of(bytes);
    }
    for path in sealed {
        of(&disk.read(&path).map_err(|error| unread(&path, error))?);
    }
    Ok(())
}

/// The segments of a log, and the names of its files of notes. Segments that are sealed meanwhile would be missed, or be
/// told a second time by the file that has their notes: so all are read, or all are looked for again.
fn files(folder: &Path, disk: &dyn Disk) -> Result<(Vec<Vec<u8>>, Vec<PathBuf>), Fault> {
    let mut gone = None;
    for _ in 0..8 {
        let mut all = log::files(disk, folder)?;
        all.retain(|path| log::role(path) != Some(Role::Pack));
        let (segments, sealed): (Vec<PathBuf>, Vec<PathBuf>) =
            all.into_iter().partition(|path| log::role(path) == Some(Role::Segment));
        let read = |path: &PathBuf| disk.read(path).map_err(|error| (path.clone(), error));
        match segments.iter().map(read).collect() {
            Ok(segments) => return Ok((segments, sealed)),
            Err((path, error)) if error.kind() == ErrorKind::NotFound => gone = Some((path, error)),
            Err((path, error)) => return Err(unread(&path, error)),
        }
    }
    let (path, error) = gone.unwrap_or_else(|| (folder.to_owned(), ErrorKind::NotFound.into()));
    Err(unread(&path, error))
}

fn unread(path: &Path, error: io::Error) -> Fault {
    Fault::io("cannot read the notes of the answers", path, error)
}
