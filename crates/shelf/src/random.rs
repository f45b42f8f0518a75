//! Random bits from the system. Names, secrets and salts must not follow from a seed.

use std::fmt::Write;

use rand::{TryRng, rngs::SysRng};
use storymill_core::{Fault, FaultKind};

use crate::Private;

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

/// The bytes that hexadecimal digits stand for, if there are just so many.
pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (mut bytes, text) = ([0; N], text.as_bytes());
    if text.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.chunks(2)) {
        let digits = std::str::from_utf8(pair).ok().filter(|pair| !pair.contains('+'))?;
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(bytes)
}

/// An id that nobody guesses: 32 digits.
pub fn id() -> Result<String, Fault> {
    Ok(hex(&bytes::<16>()?))
}

/// A passphrase that nobody guesses and everybody can type: 20 letters and digits in groups of four, 100 random bits. `i`,
/// `l`, `o` and `u` are not among them (Crockford's base 32).
pub fn passphrase() -> Result<Private<String>, Fault> {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut text = Private::new(String::with_capacity(24));
    for (at, byte) in bytes::<20>()?.iter().enumerate() {
        if at > 0 && at % 4 == 0 {
            text.expose_mut().push('-');
        }
        text.expose_mut().push(char::from(LETTERS[usize::from(byte % 32)]));
    }
    Ok(text)
}

/// A canary that no other family of datasets has.
pub fn canary() -> Result<String, Fault> {
    Ok(format!("storymill-canary-{}", hex(&bytes::<16>()?)))
}
