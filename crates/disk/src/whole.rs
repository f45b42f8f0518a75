//! Files that people name, read whole: never past a limit, and only plain files.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

use storymill_core::Disk;

const MB: u64 = 1 << 20;

/// The most bytes that are read of each kind of file (docs/robustness.md has the table).
pub mod most {
    use super::MB;

    /// A key.
    pub const KEY: u64 = MB;
    /// A workflow, a file of models, a cast.
    pub const WORKFLOW: u64 = 4 * MB;
    /// Catalogs of many thousand books, packed or not.
    pub const CATALOG: u64 = 1024 * MB;
    /// A book as it lies in a folder: a page, a packed page, an EPUB with its pictures.
    pub const BOOK: u64 = 512 * MB;
    /// Tables and lines that people or other programs wrote: catalogs, claims, labels, votes, answers, decisions, statements.
    pub const TABLE: u64 = 256 * MB;
    /// A manifest, a lock, a change log.
    pub const RECORD: u64 = 256 * MB;
    /// A model, its vocabulary, a file that a step names.
    pub const MODEL: u64 = 2048 * MB;
}

/// The whole content of a plain file. What is no file (a pipe, a device, a socket) is never opened, since it may have no end, and
/// of a file larger than `most` bytes nothing is read.
///
/// # Errors
///
/// What is there is no plain file (`InvalidInput`), is larger (`FileTooLarge`), or cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    // It may grow while it is read.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// The same from any disk, which is asked for the length first.
///
/// # Errors
///
/// As of [`read`], or the disk's.
pub fn read_from(disk: &dyn Disk, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match disk.len(path)? {
        Some(length) if length > most => Err(too_large(most)),
        _ => disk.read(path),
    }
}

/// The same of a text.
///
/// # Errors
///
/// As of [`read`], and where the bytes are no UTF-8 (`InvalidData`).
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

/// Opens a plain file, to be read piece by piece.
///
/// # Errors
///
/// As of [`read`].
pub fn open(path: &Path) -> io::Result<File> {
    let meta = std::fs::metadata(path)?;
    if meta.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if !meta.is_file() {
        let what = "it is not a plain file (a pipe, a device or a socket); write what it gives to a file first";
        return Err(io::Error::new(ErrorKind::InvalidInput, what));
    }
    File::open(path)
}

fn too_large(most: u64) -> io::Error {
    let what = format!("it is larger than {} MB, more than such a file has", most / MB);
    io::Error::new(ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
mod tests {
    use std::{fs, io::ErrorKind};

    use super::{open, read, read_text};

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"abc").unwrap();
        assert_eq!(read(&path, 3).unwrap(), b"abc");
        assert_eq!(read(&path, 2).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_text(&path, 3).unwrap(), "abc");
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 3).unwrap_err().kind(), ErrorKind::InvalidData);
        // A sparse file takes no room, and nothing of it is read.
        fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path(), 9).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("b"), 9).unwrap_err().kind(), ErrorKind::NotFound);
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            // Whoever opened it would wait here.
            assert_eq!(open(&pipe).unwrap_err().kind(), ErrorKind::InvalidInput);
            assert_eq!(read(&pipe, 9).unwrap_err().kind(), ErrorKind::InvalidInput);
        }
    }
}
