//! Sealed files as `age` has them: the only room that names its crate. Other programs open them too.

use std::{
    fmt,
    io::{self, Read, Seek, SeekFrom, Write},
    str::FromStr,
};

use age::{
    DecryptError, Decryptor, Encryptor, scrypt,
    secrecy::{ExposeSecret, SecretString},
    stream::{StreamReader, StreamWriter},
    x25519,
};
use storymill_core::Fault;

use crate::Private;

/// Fails in a build that cannot seal.
#[expect(clippy::unnecessary_wraps, reason = "as in a build that cannot")]
pub(crate) fn built() -> Result<(), Fault> {
    Ok(())
}

/// Why something sealed cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The key is none of those it was sealed to.
    OtherKey,
    /// It is not what was sealed.
    Damaged,
}

impl From<DecryptError> for Closed {
    fn from(error: DecryptError) -> Self {
        match error {
            DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed => Self::OtherKey,
            _ => Self::Damaged,
        }
    }
}

/// What was sealed, or why it cannot be read.
pub(crate) type Unsealed = Result<Private<Vec<u8>>, Closed>;

/// A public key, `age1...`.
#[derive(Clone)]
pub(crate) struct Public(x25519::Recipient);

impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Public {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.parse().map(Self).map_err(drop)
    }
}

/// A secret key, `AGE-SECRET-KEY-1...`.
#[derive(Clone)]
pub(crate) struct Secret(x25519::Identity);

impl Secret {
    /// A new key.
    #[expect(clippy::unnecessary_wraps, reason = "as in a build that cannot")]
    pub(crate) fn mint() -> Result<Self, Fault> {
        Ok(Self(x25519::Identity::generate()))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    pub(crate) fn text(&self) -> Private<String> {
        Private::new(self.0.to_string().expose_secret().to_owned())
    }

    pub(crate) fn public(&self) -> Public {
        Public(self.0.to_public())
    }
}

/// Something that is being sealed. It can be read only once [`finish`](Self::finish) has returned.
pub(crate) struct Sealer<W: Write>(StreamWriter<W>);

impl<W: Write> Sealer<W> {
    /// Begins to seal to these keys; nothing where there are none.
    pub(crate) fn to<'k>(
        keys: impl Iterator<Item = &'k Public>,
        out: W,
    ) -> Option<io::Result<Self>> {
        let keys: Vec<_> = keys.map(|key| &key.0 as &dyn age::Recipient).collect();
        let sealer = Encryptor::with_recipients(keys.into_iter()).ok()?;
        Some(sealer.wrap_output(out).map(Self))
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Something sealed that is being read. What is damaged or cut off is an error, at the latest where it should end.
pub(crate) struct Opened<R: Read>(StreamReader<R>);

impl<R: Read> Opened<R> {
    pub(crate) fn with(sealed: R, key: &Secret) -> Result<Self, Closed> {
        let decryptor = Decryptor::new(sealed)?;
        Ok(Self(decryptor.decrypt(std::iter::once(&key.0 as &dyn age::Identity))?))
    }
}

impl<R: Read> Read for Opened<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl<R: Read + Seek> Seek for Opened<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
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
    let sealer = Encryptor::with_recipients(std::iter::once(&recipient as &dyn age::Recipient));
    let mut writer = sealer.map_err(io::Error::other)?.wrap_output(Vec::new())?;
    writer.write_all(bytes)?;
    writer.finish()
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
    let identity = scrypt::Identity::new(secret);
    let opened = decryptor.decrypt(std::iter::once(&identity as &dyn age::Identity));
    Ok(Some(opened.map_err(Closed::from).and_then(|reader| all(reader, sealed.len()))))
}

/// All that is sealed. `room` is at least what comes out: a buffer that grew would leave copies behind.
pub(crate) fn all(mut reader: impl Read, room: usize) -> Unsealed {
    let mut bytes = Private::new(Vec::with_capacity(room));
    reader.read_to_end(bytes.expose_mut()).map_err(|_| Closed::Damaged)?;
    Ok(bytes)
}
