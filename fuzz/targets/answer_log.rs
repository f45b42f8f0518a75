//! A segment of the answer log.
#![no_main]

use std::{path::PathBuf, sync::LazyLock};

use storymill_fuzz::{logs, scratch};

static FOLDER: LazyLock<PathBuf> = LazyLock::new(scratch);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| logs::open(&FOLDER, "1-0123456789abcdef.log", bytes));
