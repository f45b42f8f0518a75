//! Keys of maintainers: a secret one in a file of their own, a public one by which others seal.

use std::{fmt, str::FromStr};

use age::{
    Decryptor, Encryptor,
    secrecy::{ExposeSecret, SecretString},
    x25519,
};
use storymill_core::{Fault, FaultKind};

use crate::{Private, Signer, seal, sign::Signing};

/// The public key of somebody: `age1...`, by which others seal; after a `+` the one that signatures are checked with,
/// where it is known.
#[derive(Clone)]
pub struct Recipient {
    sealing: x25519::Recipient,
    signer: Option<Signer>,
}

impl Recipient {
    pub(crate) fn sealing(&self) -> &x25519::Recipient {
        &self.sealing
    }

    /// The key that signatures are checked with, where it is known.
    pub fn signer(&self) -> Option<Signer> {
        self.signer
    }

    /// The same with a key of signatures, if it has none.
    pub(crate) fn or_signer(mut self, signer: Option<Signer>) -> Self {
        self.signer = self.signer.or(signer);
        self
    }

    /// Both keys as one text, `age1...+SIGNER`; what `storymill shelf key` prints.
    pub fn whole(&self) -> String {
        self.signer.map_or_else(|| self.to_string(), |signer| format!("{self}+{signer}"))
    }
}

impl FromStr for Recipient {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        let (sealing, signer) = text.split_once('+').map_or((text, None), |(a, b)| (a, Some(b)));
        let sealing = sealing.parse().map_err(|_| {
            Fault::new(FaultKind::Input, "not a public key, or not all of one: it is `age1` with 58 letters and digits, and may go on with `+`")
                .hint("`storymill shelf key` prints the public key of a key file")
        })?;
        Ok(Self { sealing, signer: signer.map(str::parse).transpose()? })
    }
}

/// The part by which others seal.
impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sealing.fmt(f)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.whole())
    }
}

/// Whether what is sealed to one is sealed to the other.
impl PartialEq for Recipient {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Recipient {}

/// The secret key of a maintainer. Its `Debug` shows nothing.
#[derive(Clone)]
pub struct Key {
    opening: x25519::Identity,
    signing: Signing,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([key])")
    }
}

impl Key {
    /// A new key.
    pub fn mint() -> Self {
        Self::of(x25519::Identity::generate())
    }

    fn of(opening: x25519::Identity) -> Self {
        let signing = Signing::of(opening.to_string().expose_secret());
        Self { opening, signing }
    }

    /// The public key that belongs to it.
    pub fn recipient(&self) -> Recipient {
        let signer = Some(self.signing.signer());
        Recipient { sealing: self.opening.to_public(), signer }
    }

    pub(crate) fn opening(&self) -> &x25519::Identity {
        &self.opening
    }

    pub(crate) fn signing(&self) -> &Signing {
        &self.signing
    }

    /// The text of a key file, as `age-keygen` writes it; under a passphrase if one is given, as
    /// `age -p` seals it.
    pub fn to_file(&self, passphrase: Option<&Private<String>>) -> Result<Private<Vec<u8>>, Fault> {
        let text = Private::new(format!(
            "# public key: {}\n{}\n",
            self.recipient(),
            self.opening.to_string().expose_secret()
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
        line.and_then(|line| line.trim().parse().ok()).map(Self::of).ok_or_else(no_key)
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
