//! Sealed files in a build without the feature `age`: nothing is sealed or opened, and the reason is given.

use std::{
    convert::Infallible,
    fmt,
    io::{self, Read, Seek, SeekFrom, Write},
    marker::PhantomData,
    str::FromStr,
};

use storymill_core::Fault;

use crate::Private;

/// Fails: this build cannot seal.
pub(crate) fn built() -> Result<(), Fault> {
    Err(Fault::left_out("private sets"))
}

/// Why something sealed cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The key is none of those it was sealed to.
    OtherKey,
    /// It is not what was sealed.
    #[expect(dead_code, reason = "nothing is opened in this build")]
    Damaged,
}

/// What was sealed, or why it cannot be read.
pub(crate) type Unsealed = Result<Private<Vec<u8>>, Closed>;

/// A public key: there is none.
#[derive(Clone)]
pub(crate) struct Public(Infallible);

impl fmt::Display for Public {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl FromStr for Public {
    type Err = ();

    fn from_str(_: &str) -> Result<Self, ()> {
        Err(())
    }
}

/// A secret key: there is none.
#[derive(Clone)]
pub(crate) struct Secret(Infallible);

impl Secret {
    pub(crate) fn mint() -> Result<Self, Fault> {
        Err(Fault::left_out("private sets"))
    }

    pub(crate) fn parse(_: &str) -> Option<Self> {
        None
    }

    pub(crate) fn text(&self) -> Private<String> {
        match self.0 {}
    }

    pub(crate) fn public(&self) -> Public {
        match self.0 {}
    }
}

/// Something that is being sealed: nothing is.
pub(crate) struct Sealer<W>(Infallible, PhantomData<W>);

impl<W: Write> Sealer<W> {
    pub(crate) fn to<'k>(_: impl Iterator<Item = &'k Public>, _: W) -> Option<io::Result<Self>> {
        None
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}

impl<W> Write for Sealer<W> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// Something sealed that is being read: nothing is.
pub(crate) struct Opened<R>(Infallible, PhantomData<R>);

impl<R: Read> Opened<R> {
    pub(crate) fn with(_: R, key: &Secret) -> Result<Self, Closed> {
        match key.0 {}
    }
}

impl<R> Read for Opened<R> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

impl<R> Seek for Opened<R> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        match self.0 {}
    }
}

pub(crate) fn protect(_: &[u8], _: &Private<String>, _: Option<u8>) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[expect(clippy::unnecessary_wraps, reason = "as in a build that can")]
pub(crate) fn unprotect(
    _: &[u8],
    _: impl FnOnce() -> Result<Private<String>, Fault>,
) -> Result<Option<Unsealed>, Fault> {
    Ok(None)
}

pub(crate) fn all(_: impl Read, _: usize) -> Unsealed {
    Err(Closed::OtherKey)
}
