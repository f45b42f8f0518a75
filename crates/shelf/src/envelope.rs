//! Sealed files as `age` has them: the only room that names its crate. Other programs open them too.

use std::io::{self, Read, Write};

pub(crate) use age::x25519::{Identity as Secret, Recipient as Public};
use age::{
    DecryptError, Decryptor, Encryptor, scrypt,
    secrecy::{ExposeSecret, SecretString},
};
use storymill_core::Fault;

use crate::{
    Private,
    letter::{Closed, Unsealed},
};

/// Fails in a build that cannot seal.
#[expect(clippy::unnecessary_wraps, reason = "as in a build that cannot")]
pub(crate) fn built() -> Result<(), Fault> {
    Ok(())
}

impl From<DecryptError> for Closed {
    fn from(error: DecryptError) -> Self {
        match error {
            DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed => Self::OtherKey,
            _ => Self::Damaged,
        }
    }
}

/// A new secret key.
#[expect(clippy::unnecessary_wraps, reason = "as in a build that cannot")]
pub(crate) fn mint() -> Result<Secret, Fault> {
    Ok(Secret::generate())
}

/// A secret key as one line, `AGE-SECRET-KEY-1...`.
pub(crate) fn text(key: &Secret) -> Private<String> {
    Private::new(key.to_string().expose_secret().to_owned())
}

/// Seals bytes to these keys.
pub(crate) fn seal<'k>(
    bytes: &[u8],
    keys: impl Iterator<Item = &'k Public>,
) -> io::Result<Vec<u8>> {
    let keys: Vec<_> = keys.map(|key| key as &dyn age::Recipient).collect();
    sealed(bytes, keys.into_iter())
}

/// What was sealed to a key.
pub(crate) fn open(sealed: &[u8], key: &Secret) -> Unsealed {
    opened(Decryptor::new(sealed)?, sealed.len(), key)
}

/// Puts bytes under a passphrase, as `age -p` does. `work` is the power of two of scrypt's work; without one it takes a
/// second on this machine.
pub(crate) fn protect(
    bytes: &[u8],
    passphrase: &Private<String>,
    work: Option<u8>,
) -> io::Result<Vec<u8>> {
    let mut recipient = scrypt::Recipient::new(SecretString::from(passphrase.expose().clone()));
    if let Some(work) = work {
        recipient.set_work_factor(work);
    }
    sealed(bytes, std::iter::once(&recipient as &dyn age::Recipient))
}

/// Reads what is under a passphrase, which is asked for only where there is need of it; nothing where something else
/// is sealed there.
pub(crate) fn unprotect(
    sealed: &[u8],
    passphrase: impl FnOnce() -> Result<Private<String>, Fault>,
) -> Result<Option<Unsealed>, Fault> {
    let Some(decryptor) = Decryptor::new(sealed).ok().filter(Decryptor::is_scrypt) else {
        return Ok(None);
    };
    let secret = SecretString::from(passphrase()?.expose().clone());
    Ok(Some(opened(decryptor, sealed.len(), &scrypt::Identity::new(secret))))
}

fn sealed<'k>(
    bytes: &[u8],
    keys: impl Iterator<Item = &'k dyn age::Recipient>,
) -> io::Result<Vec<u8>> {
    let room = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 512);
    let sealer = Encryptor::with_recipients(keys).map_err(io::Error::other)?;
    let mut writer = sealer.wrap_output(room)?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// All that is sealed. `room` is at least what comes out: a buffer that grew would leave copies behind.
fn opened(decryptor: Decryptor<&[u8]>, room: usize, key: &dyn age::Identity) -> Unsealed {
    let mut bytes = Private::new(Vec::with_capacity(room));
    let mut reader = decryptor.decrypt(std::iter::once(key))?;
    reader.read_to_end(bytes.expose_mut()).map_err(|_| Closed::Damaged)?;
    Ok(bytes)
}
