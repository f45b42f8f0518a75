//! Requests about claims where they lie: in a file, in clear or sealed, or in a shelf. They are read one by one.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{Key, Private, Shelf, letter};
use storymill_sources::{RequestLines, read_request};

/// Requests in a file, one a line.
#[expect(missing_debug_implementations, reason = "it may hold a key")]
pub struct RequestFile {
    path: PathBuf,
    key: Option<Key>,
    /// How many lines of requests there are.
    pub count: usize,
    /// BLAKE3 of these lines.
    pub digest: Digest,
    places: BTreeMap<String, Place>,
}

/// Where a request lies, and a digest of what it says.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    length: usize,
    said: Digest,
}

impl RequestFile {
    /// Reads a file from front to back once; with a key, a sealed one whose first line is no request and is given
    /// beside.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is sealed to others. Messages repeat nothing of it.
    pub fn open(path: PathBuf, key: Option<Key>) -> Result<(Self, Private<Vec<u8>>), Fault> {
        let mut reader = reader(&path, key.as_ref())?;
        let (mut head, mut at) = (Private::new(Vec::new()), 0);
        if key.is_some() {
            (head, at) = next(&mut reader, &path)?;
        }
        let (mut hasher, mut count, mut places) = (blake3::Hasher::new(), 0, BTreeMap::new());
        loop {
            let (line, read) = next(&mut reader, &path)?;
            if read == 0 {
                break;
            }
            hasher.update(line.expose()).update(b"\n");
            count += 1;
            if let Ok(request) = read_request(line.expose()) {
                let place = Place { at, length: line.expose().len(), said: request.said() };
                places.insert(request.id, place);
            }
            at += read;
        }
        let digest = Digest::from(*hasher.finalize().as_bytes());
        Ok((Self { path, key, count, digest, places }, head))
    }

    /// The key that opens it, if it is sealed.
    pub fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    fn place(&self, id: &str) -> Result<Place, Fault> {
        let unknown = || Fault::new(FaultKind::Internal, "the file has no request of this id");
        self.places.get(id).copied().ok_or_else(unknown)
    }
}

impl RequestLines for RequestFile {
    fn is_private(&self) -> bool {
        self.key.is_some()
    }

    fn ids(&self) -> Vec<String> {
        self.places.keys().cloned().collect()
    }

    fn line(&self, id: &str) -> Result<Vec<u8>, Fault> {
        let Place { at, length, .. } = self.place(id)?;
        let mut line = Private::new(vec![0; length]);
        let mut reader = reader(&self.path, self.key.as_ref())?;
        let sought = reader.seek(SeekFrom::Start(at));
        let read = sought.and_then(|_| reader.read_exact(line.expose_mut()));
        read.map_err(|_| cut_off(&self.path))?;
        Ok(line.into_inner())
    }

    fn said(&self, id: &str) -> Result<Digest, Fault> {
        Ok(self.place(id)?.said)
    }
}

/// A file as it is, or what a sealed one holds.
type Reader = BufReader<Box<dyn ReadSeek>>;

trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

fn reader(path: &Path, key: Option<&Key>) -> Result<Reader, Fault> {
    let file = File::open(path).map_err(|error| Fault::io("cannot read", path, error).input())?;
    let inside: Box<dyn ReadSeek> = match key {
        None => Box::new(file),
        Some(key) => {
            Box::new(letter::open(BufReader::new(file), key).map_err(|fault| fault.at(path))?)
        }
    };
    Ok(BufReader::with_capacity(1 << 16, inside))
}

/// The next line without its end, and how many bytes it takes with it: none behind the last.
fn next(reader: &mut Reader, path: &Path) -> Result<(Private<Vec<u8>>, u64), Fault> {
    let mut line = Private::new(Vec::new());
    let read = reader.read_until(b'\n', line.expose_mut()).map_err(|_| cut_off(path))?;
    if line.expose().ends_with(b"\n") {
        line.expose_mut().pop();
    }
    Ok((line, read as u64))
}

fn cut_off(path: &Path) -> Fault {
    Fault::new(FaultKind::Input, "the bundle is damaged or cut off").at(path)
}

/// Requests in a shelf, each a file below one folder.
#[derive(Debug)]
pub struct ShelfRequests {
    /// The shelf.
    pub shelf: Arc<Shelf>,
    /// What the names of the files begin with.
    pub folder: String,
    /// The ids, with which they end.
    pub ids: Vec<String>,
}

impl RequestLines for ShelfRequests {
    fn is_private(&self) -> bool {
        true
    }

    fn ids(&self) -> Vec<String> {
        self.ids.clone()
    }

    fn line(&self, id: &str) -> Result<Vec<u8>, Fault> {
        let kept = self.shelf.read(&format!("{}{id}", self.folder))?;
        let gone = || {
            Fault::new(FaultKind::Input, "a request is not on the shelf any more")
                .at(self.shelf.root())
        };
        Ok(kept.ok_or_else(gone)?.into_inner())
    }
}
