//! Where the words of a text are.

/// The stretches of a text that are words or marks.
pub(crate) struct Runs<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let byte = *bytes.get(start)?;
            if byte.is_ascii() {
                self.at += 1;
                if byte.is_ascii_alphanumeric() {
                    self.run();
                    return Some((start, self.at));
                }
                // Python's white space has the four separators that Rust's lacks.
                if !(byte.is_ascii_whitespace() || matches!(byte, b'_' | 0x0B | 0x1C..=0x1F)) {
                    return Some((start, self.at));
                }
                continue;
            }
            let c = self.text[start..].chars().next().expect("a byte is left");
            self.at += c.len_utf8();
            if c.is_alphanumeric() {
                self.run();
                return Some((start, self.at));
            }
            if !c.is_whitespace() {
                return Some((start, self.at));
            }
        }
    }
}

impl Runs<'_> {
    /// Goes on to the end of a run of letters and digits.
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                self.at += 1;
            } else if byte.is_ascii() {
                return;
            } else {
                let c = self.text[self.at..].chars().next().expect("a byte is left");
                if !c.is_alphanumeric() {
                    return;
                }
                self.at += c.len_utf8();
            }
        }
    }
}
