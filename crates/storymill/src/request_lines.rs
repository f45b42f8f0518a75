//! Requests about claims where they lie: in a file, in clear or sealed, or in a shelf. They are read one by one.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize};
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
    /// Where the texts of frames stand, by their numbers.
    texts: BTreeMap<usize, (u64, usize)>,
}

/// Where a request lies, and a digest of what it says.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    length: usize,
    /// Whether it is a frame round a text that stands elsewhere.
    framed: bool,
    said: Digest,
}

/// A request whose text many others show too.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_debug_implementations, reason = "it holds a claim")]
pub struct Frame {
    /// The request's id.
    pub id: String,
    /// The number of the text.
    pub text: usize,
    /// The line before the text.
    pub head: String,
    /// The line behind it.
    pub tail: String,
}

impl Frame {
    /// The frame as a line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a plain struct becomes JSON") + "\n"
    }

    fn around(&self, text: &[u8]) -> Vec<u8> {
        [self.head.as_bytes(), text, self.tail.as_bytes()].concat()
    }
}

/// How the line of a bundle begins that holds a text, and one that holds a frame.
const TEXT: &[u8] = b"{\"text\":";
const IS: &[u8] = b",\"is\":\"";
const FRAME: &[u8] = b"{\"frame\":";

/// The number of a text, and where in its line it stands.
fn text_of(line: &[u8]) -> Option<(usize, Range<usize>)> {
    let rest = line.strip_prefix(TEXT)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let begin = TEXT.len() + digits + IS.len();
    let whole = rest[digits..].starts_with(IS) && line.ends_with(b"\"}") && line.len() >= begin + 2;
    whole.then(|| (number, begin..line.len() - 2))
}

fn frame_of(line: &[u8]) -> Option<Frame> {
    serde_json::from_slice(line.strip_prefix(FRAME)?.strip_suffix(b"}")?).ok()
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
        let (mut texts, mut held) = (BTreeMap::new(), BTreeMap::<usize, Private<Vec<u8>>>::new());
        loop {
            let (line, read) = next(&mut reader, &path)?;
            if read == 0 {
                break;
            }
            hasher.update(line.expose()).update(b"\n");
            if let Some((number, range)) = text_of(line.expose()) {
                texts.insert(number, (at + range.start as u64, range.len()));
                held.insert(number, Private::new(line.expose()[range].to_vec()));
                at += read;
                continue;
            }
            count += 1;
            let frame = frame_of(line.expose());
            let whole = frame
                .as_ref()
                .and_then(|frame| Some(frame.around(held.get(&frame.text)?.expose())));
            let whole = whole.map(Private::new);
            if let Ok(request) = read_request(whole.as_ref().unwrap_or(&line).expose()) {
                let (length, framed) = (line.expose().len(), frame.is_some());
                let place = Place { at, length, framed, said: request.said() };
                places.insert(request.id, place);
            }
            at += read;
        }
        let digest = Digest::from(*hasher.finalize().as_bytes());
        Ok((Self { path, key, count, digest, places, texts }, head))
    }

    /// The key that opens it, if it is sealed.
    pub fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    fn bytes(&self, at: u64, length: usize) -> Result<Private<Vec<u8>>, Fault> {
        let mut bytes = Private::new(vec![0; length]);
        let mut reader = reader(&self.path, self.key.as_ref())?;
        let sought = reader.seek(SeekFrom::Start(at));
        let read = sought.and_then(|_| reader.read_exact(bytes.expose_mut()));
        read.map_err(|_| cut_off(&self.path))?;
        Ok(bytes)
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
        let Place { at, length, framed, .. } = self.place(id)?;
        let line = self.bytes(at, length)?;
        if !framed {
            return Ok(line.into_inner());
        }
        let frame = frame_of(line.expose()).ok_or_else(|| cut_off(&self.path))?;
        let (at, length) = *self.texts.get(&frame.text).ok_or_else(|| cut_off(&self.path))?;
        Ok(frame.around(self.bytes(at, length)?.expose()))
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
    let file = storymill_disk::open(path)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
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

/// Requests in a shelf, below one folder: whole ones in `r/ID`, and the others as `frames` round `texts/N`.
#[derive(Debug)]
pub struct ShelfRequests {
    shelf: Arc<Shelf>,
    folder: String,
    ids: Vec<String>,
    frames: OnceLock<Frames>,
}

/// Frames by the ids of their requests. What they say is overwritten in the end.
struct Frames(BTreeMap<String, Frame>);

impl std::fmt::Debug for Frames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Frames")
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        for frame in self.0.values_mut() {
            drop(Private::new(std::mem::take(&mut frame.head)));
            drop(Private::new(std::mem::take(&mut frame.tail)));
        }
    }
}

impl ShelfRequests {
    /// Those with these ids; `folder` is what the names of their files begin with.
    pub fn new(shelf: Arc<Shelf>, folder: String, ids: Vec<String>) -> Self {
        Self { shelf, folder, ids, frames: OnceLock::new() }
    }

    /// The lines of a bundle that holds them all: each text once before the first request that shows it.
    pub fn each_part(&self, mut take: impl FnMut(&[u8]) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut told = BTreeSet::new();
        for id in &self.ids {
            let Some(frame) = self.frames()?.0.get(id) else {
                let whole = Private::new(self.line(id)?);
                take(whole.expose())?;
                continue;
            };
            if told.insert(frame.text) {
                let text = self.text(frame.text)?;
                let mut line = Private::new(Vec::with_capacity(text.expose().len() + 32));
                let number = frame.text.to_string();
                for part in [TEXT, number.as_bytes(), IS, text.expose(), b"\"}"] {
                    line.expose_mut().extend_from_slice(part);
                }
                take(line.expose())?;
            }
            let line = Private::new(frame.line());
            let line = [FRAME, line.expose().trim_end().as_bytes(), b"}"].concat();
            take(Private::new(line).expose())?;
        }
        Ok(())
    }

    fn frames(&self) -> Result<&Frames, Fault> {
        if let Some(frames) = self.frames.get() {
            return Ok(frames);
        }
        let kept = self.shelf.read(&format!("{}frames", self.folder))?;
        let mut frames = Frames(BTreeMap::new());
        if let Some(kept) = kept {
            for line in kept.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let frame: Frame = serde_json::from_slice(line).map_err(|_| {
                    Fault::new(FaultKind::Store, "the requests on the shelf are of another version")
                })?;
                frames.0.insert(frame.id.clone(), frame);
            }
        }
        Ok(self.frames.get_or_init(|| frames))
    }

    fn text(&self, number: usize) -> Result<Private<Vec<u8>>, Fault> {
        self.read(&format!("texts/{number}"))
    }

    fn read(&self, name: &str) -> Result<Private<Vec<u8>>, Fault> {
        let kept = self.shelf.read(&format!("{}{name}", self.folder))?;
        kept.ok_or_else(|| {
            Fault::new(FaultKind::Input, "a request is not on the shelf any more")
                .at(self.shelf.root())
                .hint("`storymill claims requests` makes them anew")
        })
    }
}

impl RequestLines for ShelfRequests {
    fn is_private(&self) -> bool {
        true
    }

    fn ids(&self) -> Vec<String> {
        self.ids.clone()
    }

    fn line(&self, id: &str) -> Result<Vec<u8>, Fault> {
        match self.frames()?.0.get(id) {
            Some(frame) => Ok(frame.around(self.text(frame.text)?.expose())),
            None => Ok(self.read(&format!("r/{id}"))?.into_inner()),
        }
    }
}
