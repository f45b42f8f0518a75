//! A catalog of books. It is written and read again the same.
#![no_main]

use storymill_sources::catalog::{Catalog, csv};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(catalog) = Catalog::parse(bytes) else { return };
    let written = csv(catalog.rows()).expect("rows become CSV");
    let again = Catalog::parse(&written).expect("a catalog that was written is read");
    assert_eq!(again.rows().len(), catalog.rows().len());
    let rewritten = csv(again.rows()).expect("rows become CSV");
    assert_eq!(String::from_utf8_lossy(&rewritten), String::from_utf8_lossy(&written));
});
