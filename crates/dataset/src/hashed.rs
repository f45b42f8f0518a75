//! Digests of what is written: of a file's bytes, and of its rows.
//!
//! The two say different things. Bytes move when the writer's library does; rows do not.

use std::io::{self, Write};

use sha2::{Digest as _, Sha256};
use storymill_core::Digest;

/// A writer that counts and digests what goes through it.
pub(crate) struct Hashed<W> {
    inner: W,
    sha256: Sha256,
    bytes: u64,
}

impl<W> Hashed<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, sha256: Sha256::new(), bytes: 0 }
    }

    /// What was written to, how many bytes, and their SHA-256.
    pub(crate) fn finish(self) -> (W, u64, String) {
        (self.inner, self.bytes, hex(&self.sha256.finalize()))
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// SHA-256 in hexadecimal: what `sha256sum` prints.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|half| DIGITS[usize::from(half)])
        .collect()
}

const DIGITS: [char; 16] =
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];

/// The digest of rows: their columns, then each row as canonical JSON, in order.
///
/// It can be taken again from the file alone, whoever wrote it.
pub(crate) struct RowsDigest(blake3::Hasher);

impl RowsDigest {
    /// A digest that begins with the text of the columns.
    pub(crate) fn new(columns: &str) -> Self {
        let mut digest = Self(blake3::Hasher::new_derive_key("storymill 2026 rows v1"));
        digest.add(columns);
        digest
    }

    /// Adds a row as canonical JSON.
    pub(crate) fn add(&mut self, row: &str) {
        self.0.update(&(row.len() as u64).to_le_bytes());
        self.0.update(row.as_bytes());
    }

    pub(crate) fn finish(&self) -> Digest {
        Digest::from(*self.0.finalize().as_bytes())
    }
}
