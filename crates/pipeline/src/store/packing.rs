//! How parts and indexes are packed: zstd, with a packer for each thread, since making one costs more than packing a
//! small part with it.

use std::{
    cell::RefCell,
    io::{self, Read},
};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::get_frame_content_size,
};

/// How hard zstd tries. Parts are written once and soon read again: level 1 takes half the time of level 3 over
/// novels, for 13 % more bytes. The levels below 1 save no time before they leave nearly all bytes as they are.
const LEVEL: i32 = 1;

thread_local! {
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Packs some bytes; the same bytes are packed alike whatever was packed before.
pub(super) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    PACKER.with_borrow_mut(|packer| {
        let packer = match packer {
            Some(packer) => packer,
            none => none.insert(Compressor::new(LEVEL)?),
        };
        packer.compress(bytes)
    })
}

/// Unpacks what was packed, if it takes no more than so many bytes.
pub(super) fn unpack(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let length = get_frame_content_size(packed).ok().flatten();
    let Some(length) = length.and_then(|length| usize::try_from(length).ok()) else {
        // It does not say how long it is: not written by us.
        let mut bytes = Vec::new();
        let mut unpacked = zstd::stream::Decoder::new(packed)?.take(most as u64 + 1);
        unpacked.read_to_end(&mut bytes)?;
        return if bytes.len() > most { Err(too_long()) } else { Ok(bytes) };
    };
    if length > most {
        return Err(too_long());
    }
    UNPACKER.with_borrow_mut(|unpacker| {
        let unpacker = match unpacker {
            Some(unpacker) => unpacker,
            none => none.insert(Decompressor::new()?),
        };
        unpacker.decompress(packed, length)
    })
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it unpacks to more than is allowed")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    const MOST: usize = 4096;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            first in proptest::collection::vec(0_u8..4, 0..MOST),
            bytes in proptest::collection::vec(0_u8..4, 0..MOST),
        ) {
            pack(&first).unwrap();
            let packed = pack(&bytes).unwrap();
            prop_assert_eq!(&packed, &zstd::bulk::compress(&bytes, LEVEL).unwrap());
            prop_assert_eq!(unpack(&packed, MOST).unwrap(), &bytes[..]);
            // Nothing that came before counts.
            prop_assert_eq!(unpack(&pack(&first).unwrap(), MOST).unwrap(), first);
            if !bytes.is_empty() {
                prop_assert!(unpack(&packed, bytes.len() - 1).is_err());
            }
        }

        #[test]
        fn other_writers_are_read_too(bytes in proptest::collection::vec(0_u8..4, 0..MOST)) {
            let mut streamed = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
            streamed.write_all(&bytes).unwrap();
            let streamed = streamed.finish().unwrap();
            prop_assert_eq!(unpack(&streamed, MOST).unwrap(), &bytes[..]);
            if !bytes.is_empty() {
                prop_assert!(unpack(&streamed, bytes.len() - 1).is_err());
            }
        }

        #[test]
        fn no_bytes_make_it_panic(
            noise in proptest::collection::vec(any::<u8>(), 0..200),
            at in 0..200_usize,
            bit in 0..8_u32,
        ) {
            let _ = unpack(&noise, MOST);
            let mut packed = pack(&noise).unwrap();
            let at = at % packed.len();
            packed[at] ^= 1 << bit;
            let _ = unpack(&packed, MOST);
        }
    }
}
