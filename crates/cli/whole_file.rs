//! Files that are there whole or not at all, and may be read by whom the folder lets read.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use storymill_core::{Disk as _, Fault, FaultKind};
use storymill_disk::{RealDisk, most};

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

/// The same for files that are made again and again, such as a revealed pair: takes the place of such a file alone, never of a key
/// or of an earlier statement.
pub(crate) fn put_alike(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let form = |bytes: &[u8]| match serde_json::from_slice::<serde_json::Map<_, _>>(bytes) {
        Ok(all) => (all.keys().cloned().collect(), all.get("number").cloned(), Vec::new()),
        Err(_) => (Vec::new(), None, bytes.iter().take(9).copied().collect()),
    };
    match storymill_disk::read(path, most::TABLE) {
        Ok(there) if form(&there) == form(bytes) => put(path, bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => put(path, bytes),
        _ => {
            let message = "there is another file of this name, and it was left as it is";
            let hint = "name another file, and run the same command again";
            Err(Fault::new(FaultKind::Input, message).at(path).hint(hint))
        }
    }
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
    fn a_file_takes_the_place_of_its_like_alone() {
        let home = tempfile::tempdir().unwrap();
        let there = |text: &str| {
            let path = home.path().join("there");
            std::fs::write(&path, text).unwrap();
            path
        };
        let old = r#"{"number": 1, "root": "a"}"#;
        let cases = [
            (old, r#"{"root": "b", "number": 1}"#, true),
            (old, r#"{"number": 2, "root": "a"}"#, false),
            (old, r#"{"number": 1, "pair": "a"}"#, false),
            ("AGE-SECRET-KEY-1", old, false),
            ("<!doctype html>a", "<!doctype html>b", true),
            ("age-encryption", "<!doctype html>b", false),
        ];
        for (old, new, replaced) in cases {
            let path = there(old);
            assert_eq!(put_alike(&path, new.as_bytes()).is_ok(), replaced, "{old} {new}");
            let now = if replaced { new } else { old };
            assert_eq!(std::fs::read_to_string(path).unwrap(), now);
        }
    }

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
