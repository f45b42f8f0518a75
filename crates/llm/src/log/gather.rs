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

impl Opened {
    fn add(&mut self, other: Self) {
        let Self { packs, segments, torn_bytes, damaged_bytes, damaged_files, bytes } = other;
        self.packs += packs;
        self.segments += segments;
        self.torn_bytes += torn_bytes;
        self.damaged_bytes += damaged_bytes;
        self.damaged_files += damaged_files;
        self.bytes += bytes;
    }
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

/// How many objects are read at a time: most of the time is waiting.
const AT_ONCE: usize = 16;

/// A file of a log, opened: where its answers stand, and what was found.
type One = (LogFile, Vec<Entry>, Opened);

fn gather_once(disk: &dyn Disk, places: &[&Path]) -> Result<Option<Gathered>, Fault> {
    let (mut entries, mut opened) = (Vec::new(), Opened::default());
    let mut files: Vec<Arc<LogFile>> = Vec::new();
    for place in places {
        let mut paths = self::files(disk, place)?;
        paths.retain(|path| file::role(path) != Some(Role::Notes));
        let numbered: Vec<(PathBuf, u32)> = paths
            .into_iter()
            .zip(files.len()..)
            .map(|(path, number)| (path, u32::try_from(number).unwrap_or(u32::MAX)))
            .collect();
        let workers = if disk.has_objects(place) { AT_ONCE } else { 1 };
        for ((path, _), found) in numbered.iter().zip(all(disk, &numbered, workers)) {
            match found {
                Ok((file, own, found)) => {
                    files.push(Arc::new(file));
                    entries.extend(own);
                    opened.add(found);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => {
                    return Err(Fault::io("cannot read a file of the answers", path, error));
                }
            }
        }
    }
    Ok(Some(Gathered { index: Index::new(entries), files, opened }))
}

/// Opens files, in their order.
fn all(disk: &dyn Disk, paths: &[(PathBuf, u32)], workers: usize) -> Vec<io::Result<One>> {
    if workers == 1 || paths.len() < 2 {
        return paths.iter().map(|(path, number)| one(disk, path, *number)).collect();
    }
    let share = paths.len().div_ceil(workers);
    std::thread::scope(|scope| {
        let open = |paths: &'_ [(PathBuf, u32)]| all(disk, paths, 1);
        let each: Vec<_> =
            paths.chunks(share).map(|paths| scope.spawn(move || open(paths))).collect();
        let panicked = || vec![Err(io::Error::other("a thread that reads answers has ended"))];
        each.into_iter().flat_map(|one| one.join().unwrap_or_else(|_| panicked())).collect()
    })
}

fn one(disk: &dyn Disk, path: &Path, number: u32) -> io::Result<One> {
    let (mut entries, mut opened) = (Vec::new(), Opened::default());
    let open = LogFile::open(disk, path)?;
    let is_pack = file::role(path) == Some(Role::Pack);
    if is_pack {
        let size = disk.len(path)?.ok_or(io::ErrorKind::NotFound)?;
        opened.packs += 1;
        opened.bytes += size;
        if let Some(rows) = pack::rows(&open, size, number)? {
            return Ok((open, rows, opened));
        }
        // Its index is damaged; its frames speak for themselves.
    } else {
        opened.segments += 1;
    }
    let bytes = disk.read(path)?;
    if !is_pack {
        opened.bytes += bytes.len() as u64;
    }
    let walked = walk(if is_pack { Role::Pack } else { Role::Segment }, &bytes);
    opened.damaged_bytes += walked.damaged;
    opened.damaged_files += usize::from(walked.is_damaged());
    opened.torn_bytes += walked.torn;
    enter(&walked, number, &mut entries);
    Ok((open, entries, opened))
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
