//! The measure of a row: what files, row groups and pages are cut by.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use storymill_core::{Fault, FaultKind};

/// A row's measure: its length in postcard, the form in which parts are stored, and a number drawn
/// from those bytes. They are counted without being kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) bytes: u64,
    mark: u64,
}

impl Measured {
    /// A number that is drawn from the row's bytes alone, any as likely as another.
    pub(crate) fn mark(self) -> u64 {
        self.mark
    }
}

/// Takes the measure of a row, which follows from the row alone.
pub(crate) fn measure<R: Serialize>(row: &R) -> Result<Measured, Fault> {
    let measure = Measure { bytes: 0, hasher: blake3::Hasher::new() };
    postcard::serialize_with_flavor(row, measure)
        .map_err(|error| Fault::new(FaultKind::Internal, "a row cannot be measured").because(error))
}

struct Measure {
    bytes: u64,
    hasher: blake3::Hasher,
}

impl Flavor for Measure {
    type Output = Measured;

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.bytes += bytes.len() as u64;
        self.hasher.update(bytes);
        Ok(())
    }

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.try_extend(&[byte])
    }

    fn finalize(self) -> postcard::Result<Measured> {
        let mut mark = [0; 8];
        self.hasher.finalize_xof().fill(&mut mark);
        Ok(Measured { bytes: self.bytes, mark: u64::from_le_bytes(mark) })
    }
}
