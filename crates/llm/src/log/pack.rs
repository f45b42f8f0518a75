//! Packs: answers sorted by key, with an index at the end. A sealed part of the local log, a file
//! in a repository and an object in a store are all the same thing.
//!
//! Behind the frames stands one index row for each (key 32, first bytes of the digest 8, offset
//! 4, length 4), then 64 bytes: offset and number of the rows, their BLAKE3, and a magic word.
//! A pack is named by its own digest, so a changed pack shows.

use std::{
    io,
    path::{Path, PathBuf},
};

use storymill_core::{Digest, Disk, Fault, FaultKind};

use super::{
    file::{self, FIRST, LogFile},
    frame::Frame,
    index::{Entry, short_tag},
};

/// The most bytes of one pack: what common hosts of repositories take in one file.
pub(crate) const MAX_PACK: usize = 90_000_000;

const ROW: usize = 48;
const FOOT: usize = 64;
const MAGIC: &[u8; 16] = b"storymill index\n";

/// Writes frames, given in order, into as many packs as their size asks for.
pub(crate) struct Packer<'a> {
    disk: &'a dyn Disk,
    folder: &'a Path,
    max: usize,
    bytes: Vec<u8>,
    rows: Vec<u8>,
    /// What was written.
    pub(crate) files: Vec<PathBuf>,
    /// Bytes written.
    pub(crate) size: u64,
}

impl<'a> Packer<'a> {
    pub(crate) fn new(disk: &'a dyn Disk, folder: &'a Path, max: usize) -> Self {
        Self {
            disk,
            folder,
            max,
            bytes: file::PACK.to_vec(),
            rows: Vec::new(),
            files: Vec::new(),
            size: 0,
        }
    }

    /// Adds a frame; its key is greater than the one before, or its digest is.
    pub(crate) fn push(&mut self, frame: &Frame<'_>) -> Result<(), Fault> {
        let then = self.bytes.len() + self.rows.len() + frame.bytes.len() + ROW + FOOT;
        if then > self.max && !self.rows.is_empty() {
            self.flush()?;
        }
        let number = |value: usize| {
            u32::try_from(value)
                .map_err(|_| Fault::new(FaultKind::Internal, "a pack of answers grew past 4 GiB"))
        };
        let (at, length) = (number(self.bytes.len())?, number(frame.bytes.len())?);
        row(&mut self.rows, frame, at, length);
        self.bytes.extend_from_slice(frame.bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let (at, count) = (self.bytes.len() as u64, (self.rows.len() / ROW) as u64);
        let digest = Digest::of(&self.rows);
        self.bytes.append(&mut self.rows);
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(digest.as_bytes());
        self.bytes.extend_from_slice(MAGIC);
        self.size += self.bytes.len() as u64;
        let bytes = std::mem::replace(&mut self.bytes, file::PACK.to_vec());
        self.files.push(put_named(self.disk, self.folder, &bytes, "pack")?);
        Ok(())
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> Result<(Vec<PathBuf>, u64), Fault> {
        self.flush()?;
        Ok((self.files, self.size))
    }
}

fn row(rows: &mut Vec<u8>, frame: &Frame<'_>, at: u32, length: u32) {
    rows.extend_from_slice(&frame.key());
    rows.extend_from_slice(&short_tag(&frame.tag()).to_be_bytes());
    rows.extend_from_slice(&at.to_le_bytes());
    rows.extend_from_slice(&length.to_le_bytes());
}

/// The index row that a frame of a pack should have.
pub(crate) fn push_row(rows: &mut Vec<u8>, frame: &Frame<'_>) {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    row(rows, frame, number(frame.start), number(frame.bytes.len()));
}

/// Where the frames of a pack end, by its last bytes.
pub(crate) fn frames_end(bytes: &[u8]) -> Option<usize> {
    let foot = bytes.len().checked_sub(FOOT)?;
    let mut start = [0; 8];
    start.copy_from_slice(&bytes[foot..foot + 8]);
    usize::try_from(u64::from_le_bytes(start)).ok().filter(|start| *start <= foot)
}

/// Whether the index of a pack is made of these rows, and of nothing else.
pub(crate) fn index_is(bytes: &[u8], rows: &[u8]) -> bool {
    let Some(start) = frames_end(bytes) else { return false };
    let foot = &bytes[bytes.len() - FOOT..];
    let count = ((rows.len() / ROW) as u64).to_le_bytes();
    bytes[start..bytes.len() - FOOT] == *rows
        && foot[8..16] == count
        && foot[16..48] == *Digest::of(rows).as_bytes()
        && foot[48..] == *MAGIC
}

/// The name of a file of these bytes, without its extension.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()[..32].to_owned()
}

/// Writes a file that is named by its own digest.
pub(crate) fn put_named(
    disk: &dyn Disk,
    folder: &Path,
    bytes: &[u8],
    extension: &str,
) -> Result<PathBuf, Fault> {
    let path = folder.join(format!("{}.{extension}", name_of(bytes)));
    let scratch = folder.join(file::scratch_name());
    disk.put(&path, &scratch, bytes).map_err(|error| {
        let _ = disk.remove(&scratch);
        Fault::io("cannot write a pack of answers", &path, error)
    })?;
    // Whoever writes a pack may remove what it is made of: then a store has to hold it.
    if disk.has_objects(folder) {
        let held = disk.read(&path);
        let held = held.map_err(|error| Fault::io("cannot read a new pack", &path, error))?;
        if held != bytes {
            let message = "the store holds other bytes than were written into it";
            return Err(Fault::new(FaultKind::Store, message).at(path));
        }
    }
    Ok(path)
}

/// The index of a pack; none if the pack is damaged there, so that its frames must be walked.
pub(crate) fn rows(pack: &LogFile, size: u64, number: u32) -> io::Result<Option<Vec<Entry>>> {
    if size < (FIRST + FOOT) as u64 {
        return Ok(None);
    }
    if pack.read(0, FIRST)? != file::PACK {
        return Ok(None);
    }
    let foot = pack.read(size - FOOT as u64, FOOT)?;
    let Some((start, length)) = place(&foot, size) else { return Ok(None) };
    Ok(sound_rows(&foot, start, &pack.read(start, length)?, number))
}

/// The same from the bytes of a pack, with where the rows begin.
pub(crate) fn rows_of(bytes: &[u8]) -> Option<(usize, Vec<Entry>)> {
    let foot = &bytes[bytes.len().checked_sub(FOOT)?..];
    let (start, length) = place(foot, bytes.len() as u64)?;
    let at = usize::try_from(start).ok()?;
    Some((at, sound_rows(foot, start, &bytes[at..at + length], 0)?))
}

/// Where the rows of a damaged pack begin, if its last bytes may still say so.
pub(crate) fn index_at(bytes: &[u8]) -> Option<usize> {
    frames_end(bytes).filter(|start| *start >= FIRST && rows_from(bytes, *start).is_some())
}

/// How many rows an index has that begins here and fills the rest of a pack.
pub(crate) fn rows_from(bytes: &[u8], start: usize) -> Option<usize> {
    let rows = bytes.len().checked_sub(FOOT + start)?;
    rows.is_multiple_of(ROW).then_some(rows / ROW)
}

/// Where the rows of a pack of some size are, by its foot.
fn place(foot: &[u8], size: u64) -> Option<(u64, usize)> {
    let word = |at: usize| Some(u64::from_le_bytes(foot.get(at..at + 8)?.try_into().ok()?));
    let (start, count) = (word(0)?, word(8)?);
    let length = count.checked_mul(ROW as u64)?;
    let end = start.checked_add(length)?;
    let fits = end.checked_add(FOOT as u64) == Some(size) && start >= FIRST as u64;
    (fits && &foot[48..] == MAGIC).then_some(())?;
    Some((start, usize::try_from(length).ok()?))
}

/// The rows, if they have their digest and stay among the frames.
fn sound_rows(foot: &[u8], start: u64, rows: &[u8], number: u32) -> Option<Vec<Entry>> {
    (Digest::of(rows).as_bytes()[..] == foot[16..48]).then_some(())?;
    let entries: Vec<Entry> = rows.chunks_exact(ROW).map(|row| entry(row, number)).collect();
    let inside = |entry: &Entry| u64::from(entry.at) + u64::from(entry.length) <= start;
    entries.iter().all(inside).then_some(entries)
}

fn entry(row: &[u8], file: u32) -> Entry {
    let (mut key, mut tag, mut at, mut length) = ([0; 32], [0; 8], [0; 4], [0; 4]);
    key.copy_from_slice(&row[..32]);
    tag.copy_from_slice(&row[32..40]);
    at.copy_from_slice(&row[40..44]);
    length.copy_from_slice(&row[44..48]);
    Entry {
        key,
        tag: u64::from_be_bytes(tag),
        file,
        at: u32::from_le_bytes(at),
        length: u32::from_le_bytes(length),
    }
}
