//! Keys of maintainers: a secret one in a file of their own, a public one by which others seal.

use std::{fmt, str::FromStr};

use age::{
    Decryptor, Encryptor,
    secrecy::{ExposeSecret, SecretString},
    x25519,
};
use storymill_core::{Fault, FaultKind};

use crate::{Private, seal};

/// The public key of a maintainer: `age1...`.
#[derive(Clone)]
pub struct Recipient(x25519::Recipient);

impl Recipient {
    pub(crate) fn sealing(&self) -> &x25519::Recipient {
        &self.0
    }
}

impl FromStr for Recipient {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        text.trim().parse().map(Self).map_err(|_| {
            Fault::new(FaultKind::Input, "not a public key of age: it begins with `age1`")
                .hint("`storymill shelf key` prints the public key of a key file")
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Recipient {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Recipient {}

/// The secret key of a maintainer. Its `Debug` shows nothing.
#[derive(Clone)]
pub struct Key(x25519::Identity);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([key])")
    }
}

impl Key {
    /// A new key.
    pub fn mint() -> Self {
        Self(x25519::Identity::generate())
    }

    /// The public key that belongs to it.
    pub fn recipient(&self) -> Recipient {
        Recipient(self.0.to_public())
    }

    pub(crate) fn opening(&self) -> &x25519::Identity {
        &self.0
    }

    /// The text of a key file, as `age-keygen` writes it; under a passphrase if one is given, as
    /// `age -p` seals it.
    pub fn to_file(&self, passphrase: Option<&Private<String>>) -> Result<Private<Vec<u8>>, Fault> {
        let text = Private::new(format!(
            "# public key: {}\n{}\n",
            self.recipient(),
            self.0.to_string().expose_secret()
        ));
        let Some(passphrase) = passphrase else {
            return Ok(Private::new(text.expose().clone().into_bytes()));
        };
        let secret = SecretString::from(passphrase.expose().clone());
        let sealer = Encryptor::with_user_passphrase(secret);
        seal::write(sealer, text.expose().as_bytes()).map(Private::new)
    }

    /// Reads a key file. `passphrase` is asked for only if the file is protected.
    ///
    /// # Errors
    ///
    /// The file holds no key, or the passphrase is another one. Messages repeat nothing of either.
    pub fn from_file(
        bytes: &[u8],
        passphrase: impl FnOnce() -> Result<Private<String>, Fault>,
    ) -> Result<Self, Fault> {
        if !is_protected(bytes) {
            return Self::parse(bytes);
        }
        let decryptor = Decryptor::new(bytes).map_err(|_| no_key())?;
        if !decryptor.is_scrypt() {
            return Err(no_key());
        }
        let passphrase = passphrase()?;
        let identity = age::scrypt::Identity::new(SecretString::from(passphrase.expose().clone()));
        let text = seal::read(decryptor, &identity, bytes.len()).map_err(|_| {
            Fault::new(FaultKind::Input, "the passphrase does not open the key file")
        })?;
        Self::parse(text.expose())
    }

    fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let text = std::str::from_utf8(bytes).map_err(|_| no_key())?;
        let line = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
        line.and_then(|line| line.trim().parse().ok()).map(Self).ok_or_else(no_key)
    }
}

/// Whether a key file is under a passphrase.
pub fn is_protected(bytes: &[u8]) -> bool {
    bytes.starts_with(b"age-encryption.org/")
}

fn no_key() -> Fault {
    Fault::new(FaultKind::Input, "the file holds no key of age")
        .hint("`storymill shelf key --key FILE` makes one; a key of `age-keygen` serves too")
}
