//! Units that are made of files: their digests, and what the files look like without being read.

use std::{fs, path::Path, time::UNIX_EPOCH};

use storymill_core::{Digest, Fault, FaultKind, Known, Reason, SourceUnit, Stamp, Stop, UnitId};

/// A unit of some files and of what a catalog says of it. `read` takes the digest over their bytes, where an
/// earlier listing does not tell it.
pub(crate) fn unit(
    unit: UnitId,
    files: &[&Path],
    row: &str,
    known: &Known,
    read: impl FnOnce() -> (Digest, Option<Reason>),
) -> SourceUnit {
    let stamp = stamp(files, row);
    let found = stamp.as_ref().and_then(|stamp| known.digest(&unit, stamp));
    let (digest, spoiled) = found.map_or_else(read, |digest| (digest, None));
    let path = files.first().map(|path| path.to_path_buf()).unwrap_or_default();
    SourceUnit { unit, path, digest, spoiled, stamp }
}

/// The stamp of files, if the system tells when they changed. On Unix it holds more than the time that
/// a copying program may set back: the time of the last change of any kind, and which file it is.
fn stamp(files: &[&Path], row: &str) -> Option<Stamp> {
    let (mut looks, mut changed) = (row.to_owned(), 0);
    for path in files {
        let meta = fs::metadata(path).ok()?;
        let time = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let name = path.file_name()?.to_string_lossy();
        looks += &format!("\0{name}\0{}\0{}", meta.len(), time.as_nanos());
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            looks += &format!("\0{}\0{}.{}", meta.ino(), meta.ctime(), meta.ctime_nsec());
            changed = changed.max(u64::try_from(meta.ctime()).unwrap_or_default());
        }
        changed = changed.max(time.as_secs());
    }
    Some(Stamp { digest: Digest::of(looks.as_bytes()), changed })
}

/// Checks what is read of a unit against what was listed.
pub(crate) fn unchanged(unit: &SourceUnit, digest: Digest, what: &str) -> Result<(), Stop> {
    if digest == unit.digest {
        return Ok(());
    }
    let message = format!("{what} changed while the build ran");
    let fault = Fault::new(FaultKind::Input, message).at(&unit.path);
    Err(fault.hint("run the same command again: what is done is kept").into())
}
