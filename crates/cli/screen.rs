//! Standard output: a terminal gets no letter that turns the direction of text. A file or a pipe gets every byte as it
//! is, since `storymill inspect` writes text that has to stay the same.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

/// Standard output.
pub(crate) fn out() -> Screen<io::StdoutLock<'static>> {
    let stream = io::stdout().lock();
    Screen { is_terminal: stream.is_terminal(), cut: Vec::new(), stream }
}

/// How many columns the terminal has that standard output goes to; none where it goes elsewhere.
pub(crate) fn width() -> Option<usize> {
    let stream = io::stdout();
    if !stream.is_terminal() {
        return None;
    }
    #[cfg(unix)]
    let columns = rustix::termios::tcgetwinsize(&stream).ok().map(|size| usize::from(size.ws_col));
    #[cfg(not(unix))]
    let columns = None;
    // A terminal that does not say how wide it is, is as wide as all of them were.
    Some(columns.filter(|columns| *columns > 0).unwrap_or(80))
}

/// A stream that may be a terminal.
#[derive(Debug)]
pub(crate) struct Screen<W: Write> {
    stream: W,
    is_terminal: bool,
    /// The first bytes of a letter whose other bytes come with the next write.
    cut: Vec<u8>,
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.stream.write(bytes);
        }
        self.cut.extend_from_slice(bytes);
        let whole = whole(&self.cut);
        let text = String::from_utf8_lossy(&self.cut[..whole]);
        let shown: String =
            text.chars().map(|c| if storymill_core::turns(c) { '\u{fffd}' } else { c }).collect();
        self.cut.drain(..whole);
        self.stream.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// How many bytes there are up to a letter that is cut at the end.
fn whole(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

impl<W: Write> Drop for Screen<W> {
    fn drop(&mut self) {
        // A letter that was never completed. Nobody is left to hear of it if that fails.
        let _ = self.stream.write_all(&std::mem::take(&mut self.cut));
    }
}

/// Whether what goes to standard output is coloured.
pub(crate) fn coloured_out() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_terminal: bool, writes: &[&[u8]]) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut screen = Screen { stream: &mut stream, is_terminal, cut: Vec::new() };
        for bytes in writes {
            screen.write_all(bytes).unwrap();
        }
        drop(screen);
        stream
    }

    #[test]
    fn a_terminal_gets_no_letter_that_turns_text() {
        let text = "evil\u{202e}txt.exe \u{1b}[1mbold\u{1b}[0m é";
        let plain = text.replace('\u{202e}', "\u{fffd}");
        assert_eq!(shown(true, &[text.as_bytes()]), plain.as_bytes());
        assert_eq!(shown(false, &[text.as_bytes()]), text.as_bytes());
        // However the writes are cut.
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(shown(true, &bytes), plain.as_bytes());
        assert_eq!(shown(true, &[b"a\xe2"]), b"a\xe2");
        assert_eq!(shown(true, &[b"a\xff", b"b"]), "a\u{fffd}b".as_bytes());
    }
}
