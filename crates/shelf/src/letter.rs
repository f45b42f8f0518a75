//! Letters: something sealed to others in one file. A shelf is kept, a letter is sent.

use storymill_core::{Fault, FaultKind};

use crate::{Key, Private, Recipient, envelope};

/// Why something sealed cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "age"), expect(dead_code, reason = "nothing is opened in this build"))]
pub(crate) enum Closed {
    /// The key is none of those it was sealed to.
    OtherKey,
    /// It is not what was sealed.
    Damaged,
}

/// What was sealed, or why it cannot be read.
pub(crate) type Unsealed = Result<Private<Vec<u8>>, Closed>;

/// Seals bytes to these recipients.
///
/// ```
/// # #[cfg(feature = "age")] {
/// use storymill_shelf::{Key, letter};
/// let key = Key::mint().unwrap();
/// let sealed = letter::seal(b"Ishmael cannot swim.", &[key.recipient()]).unwrap();
/// assert_eq!(letter::open(&sealed, &key).unwrap().expose(), b"Ishmael cannot swim.");
/// # }
/// ```
pub fn seal(bytes: &[u8], to: &[Recipient]) -> Result<Vec<u8>, Fault> {
    if to.is_empty() {
        let message = "a sealed file needs a reader: name at least one public key";
        return Err(Fault::new(FaultKind::Input, message));
    }
    envelope::seal(bytes, to.iter().map(Recipient::sealing))
        .map_err(|error| Fault::new(FaultKind::Internal, "cannot seal a file").because(error))
}

/// Opens a letter.
///
/// # Errors
///
/// It is none, it is damaged or cut off, or it was sealed to others. Messages repeat nothing of it.
pub fn open(sealed: &[u8], key: &Key) -> Result<Private<Vec<u8>>, Fault> {
    envelope::open(sealed, key.opening()).map_err(|closed| match closed {
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
