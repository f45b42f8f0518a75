//! Letters: something sealed to others in one file, written from front to back. A shelf is kept, a letter is
//! sent.

use std::io::{self, Read, Seek, SeekFrom, Write};

use age::{
    DecryptError, Decryptor, Encryptor,
    stream::{StreamReader, StreamWriter},
};
use storymill_core::{Fault, FaultKind};

use crate::{Key, Recipient};

/// A letter being written. It can be read only once [`finish`](Self::finish) has returned.
#[expect(missing_debug_implementations, reason = "private text goes through it")]
pub struct Sealing<W: Write>(StreamWriter<W>);

impl<W: Write> Sealing<W> {
    /// Begins a letter to these recipients.
    ///
    /// ```
    /// use std::io::{Read, Write};
    /// use storymill_shelf::{Key, letter};
    /// let key = Key::mint();
    /// let mut letter = letter::Sealing::to(&[key.recipient()], Vec::new()).unwrap();
    /// letter.write_all(b"Ishmael cannot swim.").unwrap();
    /// let sealed = letter.finish().unwrap();
    /// let mut text = String::new();
    /// letter::open(&sealed[..], &key).unwrap().read_to_string(&mut text).unwrap();
    /// assert_eq!(text, "Ishmael cannot swim.");
    /// ```
    pub fn to(recipients: &[Recipient], out: W) -> Result<Self, Fault> {
        let to = recipients.iter().map(|recipient| recipient.sealing() as &dyn age::Recipient);
        let sealer = Encryptor::with_recipients(to).map_err(|_| {
            Fault::new(
                FaultKind::Input,
                "a sealed file needs a reader: name at least one public key",
            )
        })?;
        sealer
            .wrap_output(out)
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
pub struct Letter<R: Read>(StreamReader<R>);

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
    let opened = Decryptor::new(sealed)
        .and_then(|letter| letter.decrypt(std::iter::once(key.opening() as &dyn age::Identity)));
    opened.map(Letter).map_err(|error| match error {
        DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed => {
            Fault::new(FaultKind::Input, "this key does not open the sealed file").hint(
                "it was sealed to others; `storymill shelf key` prints the public key to give them",
            )
        }
        _ => Fault::new(FaultKind::Input, "the sealed file is damaged or cut off"),
    })
}

/// Whether a file begins as a sealed one does.
pub fn is_sealed(bytes: &[u8]) -> bool {
    crate::is_protected(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(text: &[u8], key: &Key) -> Vec<u8> {
        let mut letter = Sealing::to(&[key.recipient()], Vec::new()).unwrap();
        letter.write_all(text).unwrap();
        letter.finish().unwrap()
    }

    fn read(sealed: &[u8], key: &Key) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        let mut letter = open(sealed, key).map_err(|fault| fault.message)?;
        letter.read_to_end(&mut text).map_err(|_| "damaged".to_owned())?;
        Ok(text)
    }

    #[test]
    fn a_letter_is_whole_or_none() {
        let (key, text) = (Key::mint(), b"Ishmael cannot swim. ".repeat(9_000));
        let letter = sealed(&text, &key);
        assert!(is_sealed(&letter) && !is_sealed(&text));
        assert_eq!(read(&letter, &key).unwrap(), text);
        let mut part = open(io::Cursor::new(&letter), &key).unwrap();
        part.seek(SeekFrom::Start(21 * 7_777 + 8)).unwrap();
        let mut word = [0; 6];
        part.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"cannot");
        assert!(read(&letter, &Key::mint()).unwrap_err().contains("does not open"));
        for end in (0..letter.len()).step_by(997).chain([letter.len() - 1]) {
            assert!(read(&letter[..end], &key).is_err(), "cut at {end}");
        }
        for at in (0..letter.len()).step_by(1_999) {
            let mut other = letter.clone();
            other[at] ^= 1;
            assert!(read(&other, &key).is_err(), "changed at {at}");
        }
    }
}
