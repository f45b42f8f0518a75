//! Opening a log: the index of every pack is read, every segment is walked.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Disk, Fault};

use super::{
    file::{self, LogFile, Role},
    frame::Kind,
    index::{Entry, Index, short_tag},
    pack,
    walk::{Walk, walk},
};

/// What was found when a log was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// Packs, here and in the folders given beside.
    pub packs: usize,
    /// Segments: runs that have not been sealed, or that are still at work.
    pub segments: usize,
    /// Bytes behind the last whole record of a segment: what a killed writer left.
    pub torn_bytes: u64,
    /// Bytes that are damaged elsewhere. `answers verify` says where.
    pub damaged_bytes: u64,
    /// Files that are damaged, as far as opening a log tells.
    pub damaged_files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

pub(crate) struct Gathered {
    pub(crate) index: Index,
    pub(crate) files: Vec<Arc<LogFile>>,
    pub(crate) opened: Opened,
}

/// The files of a folder that belong to a log, or a single pack.
pub(crate) fn files(disk: &dyn Disk, place: &Path) -> Result<Vec<PathBuf>, Fault> {
    if file::role(place) == Some(Role::Pack) {
        return Ok(vec![place.to_owned()]);
    }
    let names = disk
        .list(place)
        .map_err(|error| Fault::io("cannot list the folder of the answers", place, error))?;
    let hidden = |name: &String| name.starts_with('.');
    let paths = names.into_iter().filter(|name| !hidden(name)).map(|name| place.join(name));
    Ok(paths.filter(|path| file::role(path).is_some()).collect())
}

/// Reads what is there.
pub(crate) fn gather(disk: &dyn Disk, places: &[&Path]) -> Result<Gathered, Fault> {
    // Another process may seal a segment between the listing and the opening.
    for _ in 0..8 {
        if let Some(gathered) = gather_once(disk, places)? {
            return Ok(gathered);
        }
    }
    let place = places.first().copied().unwrap_or(Path::new("."));
    let lost = io::Error::new(io::ErrorKind::NotFound, "a file vanished while it was opened");
    Err(Fault::io("cannot open the answer log", place, lost))
}

fn gather_once(disk: &dyn Disk, places: &[&Path]) -> Result<Option<Gathered>, Fault> {
    let (mut entries, mut opened) = (Vec::new(), Opened::default());
    let mut files: Vec<Arc<LogFile>> = Vec::new();
    for place in places {
        for path in self::files(disk, place)? {
            let role = file::role(&path);
            if role == Some(Role::Notes) {
                continue;
            }
            let number = u32::try_from(files.len()).unwrap_or(u32::MAX);
            match one(disk, &path, role == Some(Role::Pack), number, &mut entries, &mut opened) {
                Ok(file) => files.push(Arc::new(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => {
                    return Err(Fault::io("cannot read a file of the answers", &path, error));
                }
            }
        }
    }
    Ok(Some(Gathered { index: Index::new(entries), files, opened }))
}

fn one(
    disk: &dyn Disk,
    path: &Path,
    is_pack: bool,
    number: u32,
    entries: &mut Vec<Entry>,
    opened: &mut Opened,
) -> io::Result<LogFile> {
    let open = LogFile::open(disk, path)?;
    let size = disk.len(path)?.ok_or(io::ErrorKind::NotFound)?;
    opened.bytes += size;
    if is_pack {
        opened.packs += 1;
        if let Some(rows) = pack::rows(&open, size, number)? {
            entries.extend(rows);
            return Ok(open);
        }
        // Its index is damaged; its frames speak for themselves.
    } else {
        opened.segments += 1;
    }
    let bytes = disk.read(path)?;
    let walked = walk(if is_pack { Role::Pack } else { Role::Segment }, &bytes);
    opened.damaged_bytes += walked.damaged;
    opened.damaged_files += usize::from(walked.is_damaged());
    opened.torn_bytes += walked.torn;
    enter(&walked, number, entries);
    Ok(open)
}

/// Where the answers of a file stand that was walked.
pub(super) fn enter(walked: &Walk<'_>, number: u32, entries: &mut Vec<Entry>) {
    for frame in walked.frames.iter().filter(|frame| frame.kind == Kind::Answer) {
        let (Ok(at), Ok(length)) = (u32::try_from(frame.start), u32::try_from(frame.bytes.len()))
        else {
            break;
        };
        let tag = short_tag(&frame.tag());
        entries.push(Entry { key: frame.key(), tag, file: number, at, length });
    }
}
