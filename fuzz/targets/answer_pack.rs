//! A pack of answers, as somebody else may hand it on.
#![no_main]

use std::{path::PathBuf, sync::LazyLock};

use storymill_fuzz::{logs, scratch};

static FOLDER: LazyLock<PathBuf> = LazyLock::new(scratch);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| logs::open(&FOLDER, "fuzzed.pack", bytes));
