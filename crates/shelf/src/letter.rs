//! Letters: something sealed to others in one file, written from front to back. A shelf is kept, a letter is
//! sent.

use std::io::{self, Read, Seek, SeekFrom, Write};

use storymill_core::{Fault, FaultKind};

use crate::{
    Key, Private, Recipient,
    envelope::{self, Closed, Opened, Sealer},
};

/// A letter being written. It can be read only once [`finish`](Self::finish) has returned.
#[expect(missing_debug_implementations, reason = "private text goes through it")]
pub struct Sealing<W: Write>(Sealer<W>);

impl<W: Write> Sealing<W> {
    /// Begins a letter to these recipients.
    ///
    /// ```
    /// # #[cfg(feature = "age")] {
    /// use std::io::{Read, Write};
    /// use storymill_shelf::{Key, letter};
    /// let key = Key::mint().unwrap();
    /// let mut letter = letter::Sealing::to(&[key.recipient()], Vec::new()).unwrap();
    /// letter.write_all(b"Ishmael cannot swim.").unwrap();
    /// let sealed = letter.finish().unwrap();
    /// let mut text = String::new();
    /// letter::open(&sealed[..], &key).unwrap().read_to_string(&mut text).unwrap();
    /// assert_eq!(text, "Ishmael cannot swim.");
    /// # }
    /// ```
    pub fn to(recipients: &[Recipient], out: W) -> Result<Self, Fault> {
        let sealer =
            Sealer::to(recipients.iter().map(Recipient::sealing), out).ok_or_else(|| {
                Fault::new(
                    FaultKind::Input,
                    "a sealed file needs a reader: name at least one public key",
                )
            })?;
        sealer
            .map(Self)
            .map_err(|error| Fault::new(FaultKind::Io, "cannot begin a sealed file").because(error))
    }

    /// Ends the letter, and gives back where it went.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A letter being read.
#[expect(missing_debug_implementations, reason = "private text goes through it")]
pub struct Letter<R: Read>(Opened<R>);

impl<R: Read> Read for Letter<R> {
    /// A letter that is damaged or cut off is an error, at the latest where it should end.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

/// Where a letter is read from, by what stands in it.
impl<R: Read + Seek> Seek for Letter<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Opens a letter.
///
/// # Errors
///
/// It is none, it is damaged, or it was sealed to others. Messages repeat nothing of it.
pub fn open<R: Read>(sealed: R, key: &Key) -> Result<Letter<R>, Fault> {
    Opened::with(sealed, key.opening()).map(Letter).map_err(|closed| match closed {
        Closed::OtherKey => Fault::new(FaultKind::Input, "this key does not open the sealed file")
            .hint(
                "it was sealed to others; `storymill shelf init --key-only` prints the public key to give them",
            ),
        Closed::Damaged => Fault::new(FaultKind::Input, "the sealed file is damaged or cut off"),
    })
}

/// Seals something under a passphrase, as `age -p` does, for somebody who has no key. `work` is the power of two of the
/// work that whoever opens it has (scrypt): 16 takes 64 MiB and half a second in a browser. It is small, so that old
/// machines open it; the passphrase has to be one that nobody guesses ([`passphrase`](crate::passphrase)).
///
/// # Errors
///
/// This build seals nothing, or the system gives no random bits.
pub fn under(bytes: &[u8], passphrase: &Private<String>, work: u8) -> Result<Vec<u8>, Fault> {
    envelope::built()?;
    envelope::protect(bytes, passphrase, Some(work))
        .map_err(|_| Fault::new(FaultKind::Internal, "a packet cannot be sealed"))
}

/// Whether a file begins as a sealed one does.
pub fn is_sealed(bytes: &[u8]) -> bool {
    crate::is_protected(bytes)
}
