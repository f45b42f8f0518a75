//! Sealed files in a build without the feature `age`: nothing is sealed or opened, and the reason is given.

use std::{convert::Infallible, fmt, io, str::FromStr};

use storymill_core::Fault;

use crate::{Private, letter::Unsealed};

/// Fails: this build cannot seal.
pub(crate) fn built() -> Result<(), Fault> {
    Err(Fault::left_out("private sets"))
}

/// A public key: there is none.
#[derive(Clone)]
pub(crate) struct Public(Infallible);

impl fmt::Display for Public {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl FromStr for Public {
    type Err = fmt::Error;

    fn from_str(_: &str) -> Result<Self, fmt::Error> {
        Err(fmt::Error)
    }
}

/// A secret key: there is none.
#[derive(Clone)]
pub(crate) struct Secret(Infallible);

impl Secret {
    pub(crate) fn to_public(&self) -> Public {
        match self.0 {}
    }
}

impl FromStr for Secret {
    type Err = fmt::Error;

    fn from_str(_: &str) -> Result<Self, fmt::Error> {
        Err(fmt::Error)
    }
}

pub(crate) fn mint() -> Result<Secret, Fault> {
    Err(Fault::left_out("private sets"))
}

pub(crate) fn text(key: &Secret) -> Private<String> {
    match key.0 {}
}

pub(crate) fn seal<'k>(_: &[u8], _: impl Iterator<Item = &'k Public>) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn open(_: &[u8], key: &Secret) -> Unsealed {
    match key.0 {}
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
