//! The zip archive around an EPUB: entries by name, limits kept, nothing written anywhere.
//!
//! What the directory claims is checked first, what comes out is counted as well, for a directory
//! may lie.

use std::{
    collections::HashMap,
    io::{Cursor, Read},
};

use storymill_core::Reason;
use unicode_normalization::UnicodeNormalization;
use zip::{ZipArchive, result::ZipError};

use crate::unpack::LARGEST;

/// Entries of an archive.
const ENTRIES: usize = 10_000;

/// Bytes of all entries together.
const WHOLE: u64 = 512 * 1024 * 1024;

/// How many times larger than the archive its content may be.
const RATIO: u64 = 100;

/// Below this, content may be as tight as it likes.
const FREE: u64 = 64 * 1024;

/// An open archive.
pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    /// The entries by their names.
    written: HashMap<String, usize>,
    /// The same by what their names mean: some write `a%20b.xhtml` for `a b.xhtml`, or accents as letters of
    /// their own.
    meant: HashMap<String, usize>,
    /// Bytes that may still come out.
    left: u64,
}

impl<'b> Archive<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Reason> {
        let most = WHOLE.min((bytes.len() as u64).saturating_mul(RATIO).max(FREE));
        if let Some(entries) = claimed(bytes).filter(|entries| *entries > ENTRIES) {
            return Err(too_many(entries));
        }
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if zip.len() > ENTRIES {
            return Err(too_many(zip.len()));
        }
        let mut all = 0_u64;
        let (mut written, mut meant) = (HashMap::new(), HashMap::new());
        for at in 0..zip.len() {
            let entry = zip.by_index_raw(at).map_err(|error| broken(&error))?;
            let name = entry.name();
            if let Ok(name) = &name {
                written.entry(name.to_string()).or_insert(at);
                meant.entry(decoded(name).nfc().collect()).or_insert(at);
            }
            if entry.is_symlink() {
                let detail = format!("the entry `{}` is a link", name.unwrap_or_default());
                return Err(Reason::new("archive-link", detail));
            }
            if entry.size() > FREE && entry.size() / RATIO > entry.compressed_size() {
                return Err(too_tight());
            }
            all = all.saturating_add(entry.size());
        }
        if all > most {
            return Err(if all > WHOLE { too_large() } else { too_tight() });
        }
        Ok(Self { zip, written, meant, left: most })
    }

    /// Whether an entry of this name is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.written.contains_key(name)
    }

    /// Reads an entry; nothing where there is none of this name.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Reason> {
        let meant = || self.meant.get(&name.nfc().collect::<String>());
        let Some(at) = self.written.get(name).or_else(meant) else { return Ok(None) };
        let entry = self.zip.by_index(*at).map_err(|error| broken(&error))?;
        let most = self.left.min(LARGEST as u64);
        let mut bytes = Vec::new();
        entry.take(most + 1).read_to_end(&mut bytes).map_err(|error| {
            Reason::new("bad-zip", format!("the entry `{name}` is damaged: {error}"))
        })?;
        let read = bytes.len() as u64;
        if read > most {
            return Err(if most < LARGEST as u64 { too_tight() } else { too_large() });
        }
        self.left -= read;
        Ok(Some(bytes))
    }
}

/// How many entries the end record claims, before anything is made room for.
fn claimed(bytes: &[u8]) -> Option<usize> {
    let tail = &bytes[bytes.len().saturating_sub(66_000)..];
    let at = tail.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let count = tail.get(at + 10..at + 12)?;
    Some(usize::from(u16::from_le_bytes([count[0], count[1]])))
}

fn broken(error: &ZipError) -> Reason {
    if let ZipError::UnsupportedArchive(what) = error
        && what.to_lowercase().contains("password")
    {
        return Reason::new("drm", "the archive is locked with a password");
    }
    Reason::new("bad-zip", format!("the zip archive is damaged: {error}"))
}

fn too_many(entries: usize) -> Reason {
    let detail = format!("the archive has {entries} entries, more than {ENTRIES}");
    Reason::new("too-many-entries", detail)
}

fn too_tight() -> Reason {
    let detail = format!("what the archive holds is more than {RATIO} times larger than it");
    Reason::new("packed-too-tight", detail)
}

fn too_large() -> Reason {
    let detail = format!("the archive holds more than {} MB", WHOLE / 1024 / 1024);
    Reason::new("too-large", detail)
}

/// `a%20b` to `a b`.
pub(super) fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |at: usize| tail.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, hex(0), hex(1)) {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
