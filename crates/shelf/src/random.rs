//! Random bits from the system. Names, secrets and salts must not follow from a seed.

use std::fmt::Write;

use rand::{TryRng, rngs::SysRng};
use storymill_core::{Fault, FaultKind};

pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| {
        Fault::new(FaultKind::Internal, "the system gives no random bits").because(error)
    })?;
    Ok(bytes)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A canary that no other family of datasets has.
pub fn canary() -> Result<String, Fault> {
    Ok(format!("storymill-canary-{}", hex(&bytes::<16>()?)))
}
