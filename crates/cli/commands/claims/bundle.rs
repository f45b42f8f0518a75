//! Bundles of requests for others to run: a folder in clear, or a sealed file; and their answers.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde_json::json;
use storymill_claims::{answers::Head, request::Bundle};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{Key, Private, Recipient, letter};
use storymill_sources::{Requests, read_request};

use super::{bytes, folder::replace};
use crate::{args::shelf::KeyFile, exit::Failure, secrets};

/// A bundle that is whole, and that the key opens if it is sealed.
pub(super) struct Opened {
    /// The file of its requests.
    path: PathBuf,
    pub(super) about: Bundle,
    /// The key of whoever asks, if the bundle is sealed.
    pub(super) key: Option<Key>,
    places: BTreeMap<String, Place>,
}

/// Where a request lies.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    length: usize,
    /// The digest of what it says.
    said: Digest,
}

impl Opened {
    /// Opens a bundle, and reads all of it once: what is damaged is found before anything is asked.
    pub(super) fn open(path: &Path, key: &KeyFile) -> Result<Self, Failure> {
        if path.is_dir() {
            let file = path.join("bundle.json");
            let (about, path) = (about(&bytes(&file)?, &file)?, path.join("requests.jsonl"));
            let reader = reader(&path, None)?;
            return Ok(Self::checked(path, about, None, reader, 0)?);
        }
        secrets::guard()?;
        let mut start = [0; 32];
        let read = File::open(path).and_then(|mut file| file.read(&mut start));
        let read = read.map_err(|error| Fault::io("cannot read", path, error).input())?;
        if !letter::is_sealed(&start[..read]) {
            let message = "this is no bundle: neither a folder nor a sealed file";
            return Err(Fault::new(FaultKind::Input, message).at(path).into());
        }
        let key = secrets::key(key)?;
        let mut reader = reader(path, Some(&key))?;
        let (first, read) = next(&mut reader, path)?;
        let about = about(first.expose(), path)?;
        Ok(Self::checked(path.to_owned(), about, Some(key), reader, read)?)
    }

    /// Reads the requests, which begin so many bytes behind the start.
    fn checked(
        path: PathBuf,
        about: Bundle,
        key: Option<Key>,
        mut reader: Reader,
        begin: usize,
    ) -> Result<Self, Fault> {
        let refuse = |message| Err(Fault::new(FaultKind::Input, message).at(&path));
        if about.format != 1 {
            return refuse("a bundle of a form that this version does not know");
        }
        let (mut hasher, mut count, mut places) = (blake3::Hasher::new(), 0, BTreeMap::new());
        let mut at = begin as u64;
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
            at += read as u64;
        }
        let digest = Digest::from(*hasher.finalize().as_bytes());
        if (count, digest) != (about.requests, about.digest) {
            return refuse("the requests are not those that the bundle tells of");
        }
        if places.len() != count {
            return refuse("a line of the bundle is no request, or two have one id");
        }
        Ok(Self { path, about, key, places })
    }

    fn place(&self, id: &str) -> Result<Place, Fault> {
        let unknown = || Fault::new(FaultKind::Internal, "the bundle has no request of this id");
        self.places.get(id).copied().ok_or_else(unknown)
    }
}

impl Requests for Opened {
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

/// The file of a bundle, as it is or opened.
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
fn next(reader: &mut Reader, path: &Path) -> Result<(Private<Vec<u8>>, usize), Fault> {
    let mut line = Private::new(Vec::new());
    let read = reader.read_until(b'\n', line.expose_mut()).map_err(|_| cut_off(path))?;
    if line.expose().ends_with(b"\n") {
        line.expose_mut().pop();
    }
    Ok((line, read))
}

fn cut_off(path: &Path) -> Fault {
    Fault::new(FaultKind::Input, "the bundle is damaged or cut off").at(path)
}

fn about(bytes: &[u8], path: &Path) -> Result<Bundle, Fault> {
    serde_json::from_slice(bytes)
        .map_err(|_| Fault::new(FaultKind::Input, "the bundle does not say what it is").at(path))
}

/// Writes answers to a bundle where nothing is yet: sealed to its maintainers, or in clear.
pub(super) fn write_answers(
    out: &Path,
    head: &Head,
    rows: &Private<Vec<u8>>,
    about: &Bundle,
    private: bool,
) -> Result<(), Failure> {
    let failed = |error| Fault::io("cannot write", out, error);
    if !private {
        let text = [(json!(head).to_string() + "\n").as_bytes(), rows.expose()].concat();
        return Ok(replace(out, &text)?);
    }
    let to: Vec<Recipient> =
        about.answers_to.iter().map(|text| text.parse()).collect::<Result<_, Fault>>()?;
    let mut letter = letter::Sealing::to(&to, Vec::new())?;
    let written =
        writeln!(letter, "{}", json!(head)).and_then(|()| letter.write_all(rows.expose()));
    let sealed = written.and_then(|()| letter.finish()).map_err(failed)?;
    replace(out, &sealed)?;
    Ok(())
}
