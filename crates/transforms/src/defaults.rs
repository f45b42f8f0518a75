//! Defaults of options that are numbers, and those that many stages share.

use storymill_core::Encoding;

pub(crate) fn count<const N: u32>() -> u32 {
    N
}

pub(crate) fn thousandths<const N: u16>() -> u16 {
    N
}

pub(crate) fn small<const N: u8>() -> u8 {
    N
}

pub(crate) fn yes() -> bool {
    true
}

/// The model's name in the workflow.
pub(crate) fn model() -> String {
    "default".into()
}

/// How often a model is asked until its answer will do.
pub(crate) fn tries() -> u32 {
    10
}

/// What lengths are counted in.
pub(crate) fn encoding() -> Encoding {
    Encoding::O200kBase
}

/// The lengths of long contexts, in words.
pub(crate) fn levels() -> Vec<u32> {
    vec![16_000, 32_000, 64_000, 128_000, 256_000]
}
