//! Sealing: bytes to the recipients, and back with a key.

use std::io::{Read, Write};

use age::{DecryptError, Decryptor, Encryptor, Identity};
use storymill_core::{Fault, FaultKind};

use crate::{Key, Private, Recipient};

/// Why a sealed record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The key is none of those it was sealed to.
    OtherKey,
    /// It is not what was sealed.
    Damaged,
}

/// Seals bytes to all recipients.
pub(crate) fn seal(bytes: &[u8], to: &[Recipient]) -> Result<Vec<u8>, Fault> {
    let to = to.iter().map(|recipient| recipient.sealing() as &dyn age::Recipient);
    let sealer = Encryptor::with_recipients(to)
        .map_err(|_| Fault::new(FaultKind::Internal, "a record was to be sealed to nobody"))?;
    write(sealer, bytes)
}

pub(crate) fn write(sealer: Encryptor, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut sealed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 512);
    let write = || {
        let mut writer = sealer.wrap_output(&mut sealed)?;
        writer.write_all(bytes)?;
        writer.finish().map(drop)
    };
    write().map_err(|_: std::io::Error| {
        Fault::new(FaultKind::Internal, "a record cannot be sealed")
    })?;
    Ok(sealed)
}

/// Opens what was sealed.
pub(crate) fn open(sealed: &[u8], key: &Key) -> Result<Private<Vec<u8>>, Closed> {
    let decryptor = Decryptor::new(sealed).map_err(|error| closed(&error))?;
    read(decryptor, key.opening(), sealed.len())
}

/// Reads what a decryptor opens. `room` is at least what comes out: a buffer that grew would leave
/// copies behind.
pub(crate) fn read(
    decryptor: Decryptor<&[u8]>,
    identity: &dyn Identity,
    room: usize,
) -> Result<Private<Vec<u8>>, Closed> {
    let mut reader =
        decryptor.decrypt(std::iter::once(identity)).map_err(|error| closed(&error))?;
    let mut bytes = Private::new(Vec::with_capacity(room));
    reader.read_to_end(bytes.expose_mut()).map_err(|_| Closed::Damaged)?;
    Ok(bytes)
}

fn closed(error: &DecryptError) -> Closed {
    match error {
        DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed => Closed::OtherKey,
        _ => Closed::Damaged,
    }
}
