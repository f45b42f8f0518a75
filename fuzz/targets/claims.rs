//! Claim pairs as CSV, JSON lines and JSON. Pairs that were read are written and read again the same.
#![no_main]

use storymill_claims::{
    read::{Format, claims},
    set,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for format in [Format::Csv, Format::Jsonl, Format::Json] {
        let Ok(read) = claims(bytes, format) else { continue };
        let written = set::lines(&read.pairs);
        let again = claims(written.as_bytes(), Format::Jsonl);
        let again = again.unwrap_or_else(|mistakes| panic!("{mistakes:?} in {written}"));
        assert_eq!(again.pairs, read.pairs);
    }
});
