//! An EPUB.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| storymill_fuzz::pages::clean(bytes, "1.epub"));
