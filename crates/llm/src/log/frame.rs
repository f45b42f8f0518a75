//! The frame: one record in a segment, a pack or a file of notes, with its length and checksum.
//!
//! `mark` (4 bytes), length of the payload (4), kind (1), flags (1), checksum (8), payload. The
//! payload is the key (32), a tag (32: of an answer its digest, of a note the digest of its
//! unit) and the body. Key and tag stand in clear, so that an index is built without unpacking
//! anything. Numbers are little-endian.

use std::cell::RefCell;

use storymill_core::Digest;
use zstd::bulk::{Compressor, Decompressor};

/// Begins every frame, so that reading can go on behind a damaged one.
pub(crate) const MARK: [u8; 4] = [0x9e, b's', b'm', 0x1a];
/// Bytes before the payload.
pub(crate) const HEAD: usize = 18;
/// Bytes of key and tag.
const IDS: usize = 64;
/// The longest body, packed or unpacked. An answer is read from at most 8 MB.
pub(crate) const MAX_BODY: usize = 16 << 20;
/// Bodies below this length are not worth packing.
const WORTH_PACKING: usize = 256;

const PACKED: u8 = 1;

/// Higher levels take more time than they save bytes on texts of this length.
const LEVEL: i32 = 1;

thread_local! {
    // Making one costs more than using it.
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A key and its answer.
    Answer = 1,
    /// Where an answer came from: the request, the usage. Never published.
    Note = 2,
}

/// A frame in some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) start: usize,
    /// The whole frame.
    pub(crate) bytes: &'a [u8],
    pub(crate) kind: Kind,
    flags: u8,
}

impl<'a> Frame<'a> {
    /// The frame at an offset, if a whole and sound one begins there.
    pub(crate) fn at(bytes: &'a [u8], start: usize) -> Option<Self> {
        let rest = bytes.get(start..)?;
        let head = rest.get(..HEAD)?;
        if head[..4] != MARK {
            return None;
        }
        let frame = rest.get(..length_at(rest)?)?;
        if head[10..18] != check(&frame[4..10], &frame[HEAD..]) {
            return None;
        }
        let kind = match head[8] {
            1 => Kind::Answer,
            2 => Kind::Note,
            _ => return None,
        };
        Some(Self { start, bytes: frame, kind, flags: head[9] })
    }

    pub(crate) fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        key.copy_from_slice(&self.bytes[HEAD..HEAD + 32]);
        key
    }

    pub(crate) fn tag(&self) -> Digest {
        let mut tag = [0; 32];
        tag.copy_from_slice(&self.bytes[HEAD + 32..HEAD + 64]);
        Digest::from(tag)
    }

    /// The body, unpacked; none if it does not unpack to what it says, within the limit.
    pub(crate) fn body(&self) -> Option<Vec<u8>> {
        let body = &self.bytes[HEAD + IDS..];
        if self.flags & PACKED == 0 {
            return Some(body.to_vec());
        }
        let length = u32::from_le_bytes(body.get(..4)?.try_into().ok()?) as usize;
        if length > MAX_BODY {
            return None;
        }
        let unpacked = UNPACKER.with_borrow_mut(|unpacker| {
            let unpacker = match unpacker {
                Some(unpacker) => unpacker,
                none => none.insert(Decompressor::new().ok()?),
            };
            unpacker.decompress(&body[4..], length).ok()
        })?;
        (unpacked.len() == length).then_some(unpacked)
    }
}

/// How long the frame is that begins with these bytes, by its own word.
pub(crate) fn length_at(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    (IDS..=IDS + MAX_BODY).contains(&length).then_some(HEAD + length)
}

fn check(head: &[u8], payload: &[u8]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(head);
    hasher.update(payload);
    let mut check = [0; 8];
    check.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    check
}

/// A body that is too long for a frame.
#[derive(Debug, thiserror::Error)]
#[error("a record of {0} bytes is too long for the answer log")]
pub(crate) struct TooLong(usize);

/// Appends a frame to some bytes.
pub(crate) fn write(
    out: &mut Vec<u8>,
    kind: Kind,
    key: &[u8; 32],
    tag: &Digest,
    body: &[u8],
) -> Result<(), TooLong> {
    if body.len() > MAX_BODY {
        return Err(TooLong(body.len()));
    }
    let packed = pack(body);
    let start = out.len();
    let length = IDS + packed.as_ref().map_or(body.len(), |packed| packed.len() + 4);
    out.extend_from_slice(&MARK);
    out.extend_from_slice(&u32::try_from(length).map_err(|_| TooLong(length))?.to_le_bytes());
    out.extend_from_slice(&[kind as u8, u8::from(packed.is_some())]);
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(key);
    out.extend_from_slice(tag.as_bytes());
    match packed {
        Some(packed) => {
            out.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
            out.extend_from_slice(&packed);
        }
        None => out.extend_from_slice(body),
    }
    let sum = check(&out[start + 4..start + 10], &out[start + HEAD..]);
    out[start + 10..start + 18].copy_from_slice(&sum);
    Ok(())
}

/// The body packed, if that saves an eighth.
fn pack(body: &[u8]) -> Option<Vec<u8>> {
    if body.len() < WORTH_PACKING {
        return None;
    }
    let packed = PACKER.with_borrow_mut(|packer| {
        let packer = match packer {
            Some(packer) => packer,
            none => none.insert(Compressor::new(LEVEL).ok()?),
        };
        packer.compress(body).ok()
    })?;
    (packed.len() + 4 < body.len() - body.len() / 8).then_some(packed)
}

/// All sound frames of some bytes. What is damaged is stepped over and counted.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bytes that belong to no sound frame and have sound frames behind them: damage.
    pub(crate) damaged: usize,
    /// Bytes behind the last sound frame: a write that was cut off, or a writer still at work.
    pub(crate) torn: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(bytes: &'a [u8], from: usize) -> Self {
        Self { bytes, at: from.min(bytes.len()), damaged: 0, torn: 0 }
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Frame<'a>;

    fn next(&mut self) -> Option<Frame<'a>> {
        let start = self.at;
        let mut at = start;
        while at < self.bytes.len() {
            if let Some(frame) = Frame::at(self.bytes, at) {
                self.damaged += at - start;
                self.at = at + frame.bytes.len();
                return Some(frame);
            }
            let behind = &self.bytes[at + 1..];
            let next = behind.windows(MARK.len()).position(|window| window == MARK);
            at = next.map_or(self.bytes.len(), |next| at + 1 + next);
        }
        self.torn += self.bytes.len() - start;
        self.at = self.bytes.len();
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn frames_are_found_in_any_noise(
            noise in proptest::collection::vec(any::<u8>(), 0..80),
            body in proptest::collection::vec(0_u8..4, 0..2000),
            behind in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            let (key, tag) = ([7; 32], Digest::of(&body));
            let mut bytes = noise.clone();
            write(&mut bytes, Kind::Note, &key, &tag, &body).unwrap();
            let end = bytes.len();
            bytes.extend_from_slice(&behind);
            let mut scan = Scan::new(&bytes, 0);
            let frame = scan.next().unwrap();
            prop_assert_eq!((frame.start, frame.start + frame.bytes.len()), (noise.len(), end));
            prop_assert_eq!((frame.key(), frame.tag(), frame.body()), (key, tag, Some(body)));
            prop_assert!(scan.next().is_none());
            prop_assert_eq!((scan.damaged, scan.torn), (noise.len(), behind.len()));
        }
    }
}
