//! Golden tests: StorySumm's labels, their counts, and the table of judges that its authors printed.
//!
//! A small set made by those programs comes with the project (`tests/golden`); the authors' own may lie beside the checkout.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, as it should")]
#![expect(clippy::print_stdout, reason = "says what is skipped")]

#[path = "../../../../tests/golden/sets.rs"]
mod sets;
mod storysumm;

use std::{fs, path::Path};

use serde_json::Value;

/// The contents of a golden file.
#[track_caller]
fn read(set: &Path, file: &str) -> String {
    fs::read_to_string(set.join(file)).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
