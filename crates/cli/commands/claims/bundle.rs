//! Bundles of requests for others to run: a folder in clear, or a sealed file; and their answers.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use serde_json::json;
use storymill_claims::{answers::Head, request::Bundle};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{Key, Private, Recipient, letter};

use super::{bytes, folder::replace};
use crate::{args::shelf::KeyFile, exit::Failure, secrets};

/// A bundle that is whole, and that the key opens if it is sealed.
pub(super) struct Opened {
    path: PathBuf,
    pub(super) about: Bundle,
    /// The key of whoever asks, if the bundle is sealed.
    pub(super) key: Option<Key>,
}

/// The lines of requests, of either kind.
type Lines = Box<dyn Iterator<Item = Result<Private<Vec<u8>>, Fault>>>;

impl Opened {
    /// Opens a bundle, and reads all of it once: what is damaged is found before anything is asked.
    pub(super) fn open(path: &Path, key: &KeyFile) -> Result<Self, Failure> {
        let (about, key) = if path.is_dir() {
            let file = path.join("bundle.json");
            (about(&bytes(&file)?, &file)?, None)
        } else {
            secrets::guard()?;
            let mut start = [0; 32];
            let read =
                File::open(path).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
            let read = read.map_err(|error| Fault::io("cannot read", path, error).input())?;
            if !letter::is_sealed(&start[..read]) {
                let message = "this is no bundle: neither a folder nor a sealed file";
                return Err(Fault::new(FaultKind::Input, message).at(path).into());
            }
            let key = secrets::key(key)?;
            let mut first = Private::new(Vec::new());
            let mut sealed = sealed(path, &key)?;
            sealed.read_until(b'\n', first.expose_mut()).map_err(|_| cut_off(path))?;
            (about(first.expose(), path)?, Some(key))
        };
        if about.format != 1 {
            let message = "a bundle of a form that this version does not know";
            return Err(Fault::new(FaultKind::Input, message).at(path).into());
        }
        let opened = Self { path: path.to_owned(), about, key };
        let (mut hasher, mut count) = (blake3::Hasher::new(), 0);
        for line in opened.lines()? {
            hasher.update(line?.expose()).update(b"\n");
            count += 1;
        }
        let digest = Digest::from(*hasher.finalize().as_bytes());
        if (count, digest) != (opened.about.requests, opened.about.digest) {
            let message = "the requests are not those that the bundle tells of";
            return Err(Fault::new(FaultKind::Input, message).at(path).into());
        }
        Ok(opened)
    }

    /// The requests, line by line.
    pub(super) fn lines(&self) -> Result<Lines, Fault> {
        let (mut reader, path): (Box<dyn BufRead>, PathBuf) = match &self.key {
            None => {
                let path = self.path.join("requests.jsonl");
                let file = File::open(&path)
                    .map_err(|error| Fault::io("cannot read", &path, error).input())?;
                (Box::new(BufReader::new(file)), path)
            }
            Some(key) => {
                let mut reader = sealed(&self.path, key)?;
                reader.skip_until(b'\n').map_err(|_| cut_off(&self.path))?;
                (Box::new(reader), self.path.clone())
            }
        };
        let next = move || {
            let mut line = Private::new(Vec::new());
            match reader.read_until(b'\n', line.expose_mut()) {
                Ok(0) => None,
                Ok(_) => {
                    if line.expose().ends_with(b"\n") {
                        line.expose_mut().pop();
                    }
                    Some(Ok(line))
                }
                Err(_) => Some(Err(cut_off(&path))),
            }
        };
        Ok(Box::new(std::iter::from_fn(next).fuse()))
    }
}

fn sealed(path: &Path, key: &Key) -> Result<BufReader<letter::Letter<BufReader<File>>>, Fault> {
    let file = File::open(path).map_err(|error| Fault::io("cannot read", path, error).input())?;
    let letter = letter::open(BufReader::new(file), key).map_err(|fault| fault.at(path))?;
    Ok(BufReader::with_capacity(1 << 16, letter))
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
