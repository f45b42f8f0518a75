//! The digest of a file's bytes, taken while they are written.
//!
//! Bytes move when the writer's library does. The digest of rows, in `rows`, does not.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

/// A writer that counts and digests what goes through it.
pub(crate) struct Hashed<W> {
    inner: W,
    sha256: Sha256,
    bytes: u64,
    failure: Failure,
}

/// The disk's own error, kept aside: the Parquet library passes some on as mere text, and a full
/// disk should be called one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<io::Error>>>);

impl Failure {
    /// The error, if there was one.
    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, error: io::Error) -> io::Error {
        let copy = io::Error::new(error.kind(), error.to_string());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        copy
    }
}

impl<W> Hashed<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, sha256: Sha256::new(), bytes: 0, failure: Failure::default() }
    }

    pub(crate) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    /// What was written to, how many bytes, and their SHA-256.
    pub(crate) fn finish(self) -> (W, u64, String) {
        (self.inner, self.bytes, hex(&self.sha256.finalize()))
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes).map_err(|error| self.failure.keep(error))?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|error| self.failure.keep(error))
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
