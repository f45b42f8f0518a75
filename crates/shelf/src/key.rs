//! Keys of maintainers: a secret one in a file of their own, a public one by which others seal.

use std::{fmt, str::FromStr};

use storymill_core::{Fault, FaultKind};

use crate::{
    Private, Signer,
    envelope::{self, Public, Secret},
    sign::Signing,
};

/// The public key of somebody: `age1...`, by which others seal; after a `+` the one that signatures are checked with,
/// where it is known.
#[derive(Clone)]
pub struct Recipient {
    sealing: Public,
    signer: Option<Signer>,
}

impl Recipient {
    pub(crate) fn sealing(&self) -> &Public {
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

    /// Both keys as one text, `age1...+SIGNER`; what `storymill shelf init --key-only` prints.
    pub fn whole(&self) -> String {
        self.signer.map_or_else(|| self.to_string(), |signer| format!("{self}+{signer}"))
    }
}

impl FromStr for Recipient {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        envelope::built()?;
        let text = text.trim();
        let (sealing, signer) = text.split_once('+').map_or((text, None), |(a, b)| (a, Some(b)));
        let sealing = sealing.parse().map_err(|_| {
            Fault::new(FaultKind::Input, "not a public key, or not all of one: it is `age1` with 58 letters and digits, and may go on with `+`")
                .hint("`storymill shelf init --key-only` prints the public key of a key file")
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
    opening: Secret,
    signing: Signing,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([key])")
    }
}

impl Key {
    /// A new key.
    ///
    /// # Errors
    ///
    /// This build has no private sets (the feature `age`).
    pub fn mint() -> Result<Self, Fault> {
        envelope::mint().map(Self::of)
    }

    fn of(opening: Secret) -> Self {
        let signing = Signing::of(envelope::text(&opening).expose());
        Self { opening, signing }
    }

    /// The public key that belongs to it.
    pub fn recipient(&self) -> Recipient {
        let signer = Some(self.signing.signer());
        Recipient { sealing: self.opening.to_public(), signer }
    }

    pub(crate) fn opening(&self) -> &Secret {
        &self.opening
    }

    pub(crate) fn signing(&self) -> &Signing {
        &self.signing
    }

    /// The secret key as one line, `AGE-SECRET-KEY-1...`.
    pub fn secret(&self) -> Private<String> {
        envelope::text(&self.opening)
    }

    /// The text of a key file, as `age-keygen` writes it; under a passphrase if one is given, as
    /// `age -p` seals it.
    pub fn to_file(&self, passphrase: Option<&Private<String>>) -> Result<Private<Vec<u8>>, Fault> {
        let text = Private::new(format!(
            "# public key: {}\n{}\n",
            self.recipient(),
            self.secret().expose()
        ));
        let Some(passphrase) = passphrase else {
            return Ok(Private::new(text.expose().clone().into_bytes()));
        };
        envelope::protect(text.expose().as_bytes(), passphrase, None)
            .map(Private::new)
            .map_err(|_| Fault::new(FaultKind::Internal, "a key file cannot be sealed"))
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
        envelope::built()?;
        if !is_protected(bytes) {
            return Self::parse(bytes);
        }
        let text = envelope::unprotect(bytes, passphrase)?.ok_or_else(no_key)?.map_err(|_| {
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
    Fault::new(FaultKind::Input, "the file holds no key of age").hint(
        "`storymill shelf init --key-only --key FILE` makes one; a key of `age-keygen` serves too",
    )
}
