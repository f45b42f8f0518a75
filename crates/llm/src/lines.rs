//! Files of lines that somebody hands in: read one by one, within a limit.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
};

use storymill_core::Fault;

/// The longest line. An answer of 8 MB, written with many escapes, fits.
const MAX_LINE: usize = 64 << 20;

/// A line as it stands, with its break; or why it is none.
pub(crate) type Line<'l> = Result<&'l [u8], &'static str>;

/// Reads a file line by line, numbered from 1; blank lines are passed over. `what` says what failed if
/// it cannot be read.
pub(crate) fn each(
    path: &Path,
    what: &str,
    hear: &mut dyn FnMut(u64, Line<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let file = storymill_disk::open(path).map_err(|error| Fault::io(what, path, error).input())?;
    each_of(file, path, what, hear)
}

/// The same of what is read from the file at a path.
pub(crate) fn each_of(
    file: impl Read,
    path: &Path,
    what: &str,
    hear: &mut dyn FnMut(u64, Line<'_>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let failed = |error| Fault::io(what, path, error).input();
    let mut file = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let most = MAX_LINE as u64 + 1;
        if file.by_ref().take(most).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        if line.len() > MAX_LINE {
            return hear(number, Err("the line is longer than 64 MB; the rest is not read"));
        }
        let bare =
            if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
        if !bare.trim_ascii().is_empty() {
            hear(number, Ok(bare))?;
        }
    }
    Ok(())
}
