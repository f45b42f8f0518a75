//! Files that are there whole or not at all, and may be read by whom the folder lets read.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use storymill_core::{Disk as _, Fault};
use storymill_disk::RealDisk;

/// Writes a file, and its folder where there is none.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder(path);
    std::fs::create_dir_all(&folder)?;
    let mut scratch = OsString::from(".");
    scratch.push(path.file_name().unwrap_or_default());
    scratch.push(format!(".{}.part", std::process::id()));
    RealDisk.put(path, &folder.join(scratch), bytes)
}

/// The same for whoever has nothing to add to what went wrong.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    write(path, bytes).map_err(|error| Fault::io("cannot write", path, error))
}

/// The folder that a path lies in.
pub(crate) fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn others_may_read_it_as_any_file() {
        let home = tempfile::tempdir().unwrap();
        let (whole, plain) = (home.path().join("new/a.html"), home.path().join("plain"));
        write(&whole, b"a").unwrap();
        write(&whole, b"ab").unwrap();
        std::fs::write(&plain, "ab").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&whole), mode(&plain));
        assert_eq!(std::fs::read(&whole).unwrap(), b"ab");
        assert_eq!(std::fs::read_dir(home.path().join("new")).unwrap().count(), 1);
    }
}
