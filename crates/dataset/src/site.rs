//! Where a file of a dataset lies: a path, and the disk that it is on. A private dataset lies in a shelf, whose inside is
//! a disk of its own.

use std::{
    fmt,
    io::{self, Read},
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use parquet::{
    errors::{ParquetError, Result},
    file::reader::{ChunkReader, Length},
};
use storymill_core::{Disk, DiskReader};
use storymill_disk::{RealDisk, most, read_from};

/// A file or folder, and the disk that it is on: that of this machine unless another is named.
#[derive(Clone)]
pub struct Site {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl Site {
    /// A path of a disk.
    pub fn on(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> Self {
        Self { disk, path: path.into() }
    }

    /// What lies below it.
    #[must_use]
    pub fn join(&self, below: impl AsRef<Path>) -> Self {
        Self { disk: Arc::clone(&self.disk), path: self.path.join(below) }
    }

    /// The same disk at another path.
    #[must_use]
    pub fn beside(&self, path: impl Into<PathBuf>) -> Self {
        Self::on(Arc::clone(&self.disk), path)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its whole content.
    ///
    /// # Errors
    ///
    /// The disk's.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        read_from(&*self.disk, &self.path, most::RECORD)
    }

    /// Its length in bytes; none if there is no such file.
    pub(crate) fn len(&self) -> io::Result<Option<u64>> {
        self.disk.len(&self.path)
    }

    /// The file, to be read from the middle.
    pub(crate) fn open(&self) -> io::Result<SiteReader> {
        let length = self.len()?.ok_or(io::ErrorKind::NotFound)?;
        Ok(SiteReader { file: self.disk.open(&self.path)?.into(), length })
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.path, f)
    }
}

impl Deref for Site {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl From<&Site> for Site {
    fn from(site: &Site) -> Self {
        site.clone()
    }
}

impl From<&Site> for PathBuf {
    fn from(site: &Site) -> Self {
        site.path.clone()
    }
}

impl From<Site> for PathBuf {
    fn from(site: Site) -> Self {
        site.path
    }
}

impl From<PathBuf> for Site {
    fn from(path: PathBuf) -> Self {
        Self { disk: Arc::new(RealDisk), path }
    }
}

impl From<&Path> for Site {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}

impl From<&PathBuf> for Site {
    fn from(path: &PathBuf) -> Self {
        path.clone().into()
    }
}

impl From<&str> for Site {
    fn from(path: &str) -> Self {
        PathBuf::from(path).into()
    }
}

/// A file that is read from the middle, as the Parquet library asks for it.
#[derive(Clone, Debug)]
pub(crate) struct SiteReader {
    file: Arc<dyn DiskReader>,
    length: u64,
}

/// Bytes that are read at once where nobody says how many are wanted.
const BUFFER: u64 = 8_192;

/// Bytes that are read at once where all of a file is wanted.
const PIECE: u64 = 65_536;

impl SiteReader {
    /// Hands over the whole file, piece by piece.
    pub(crate) fn each_piece(&self, mut f: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut at = 0;
        while at < self.length {
            let length = PIECE.min(self.length - at);
            f(&self.file.read_at(at, usize::try_from(length).unwrap_or(usize::MAX))?)?;
            at += length;
        }
        Ok(())
    }

    /// The whole file, from its beginning.
    pub(crate) fn onward(&self) -> Onward {
        Onward { of: self.clone(), at: 0, read: Vec::new(), given: 0 }
    }
}

impl Length for SiteReader {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SiteReader {
    type T = Onward;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(Onward { at: start, ..self.onward() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let read = self.file.read_at(start, length);
        read.map(Bytes::from).map_err(|error| ParquetError::External(error.into()))
    }
}

/// A file from a place on.
pub(crate) struct Onward {
    of: SiteReader,
    at: u64,
    read: Vec<u8>,
    given: usize,
}

impl Read for Onward {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.read.len() {
            let length = BUFFER.min(self.of.length.saturating_sub(self.at));
            self.read = self.of.file.read_at(self.at, usize::try_from(length).unwrap_or(0))?;
            self.at += length;
            self.given = 0;
        }
        let rest = &self.read[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}
