//! Sealing: bytes to the recipients, and back with a key.

use std::io::{self, Write};

use storymill_core::{Fault, FaultKind};

pub(crate) use crate::envelope::Closed;
use crate::{
    Key, Private, Recipient,
    envelope::{self, Opened, Sealer},
};

/// Seals bytes to all recipients.
pub(crate) fn seal(bytes: &[u8], to: &[Recipient]) -> Result<Vec<u8>, Fault> {
    let room = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 512);
    let sealer = Sealer::to(to.iter().map(Recipient::sealing), room)
        .ok_or_else(|| Fault::new(FaultKind::Internal, "a record was to be sealed to nobody"))?;
    let write = |mut sealer: Sealer<Vec<u8>>| {
        sealer.write_all(bytes)?;
        sealer.finish()
    };
    sealer
        .and_then(write)
        .map_err(|_: io::Error| Fault::new(FaultKind::Internal, "a record cannot be sealed"))
}

/// Opens what was sealed.
pub(crate) fn open(sealed: &[u8], key: &Key) -> Result<Private<Vec<u8>>, Closed> {
    envelope::all(Opened::with(sealed, key.opening())?, sealed.len())
}
