//! From the bytes of a page to text: which encoding, by which rule, and what was repaired.
//!
//! The rules in order: byte order mark, UTF-16 without one, XML declaration, `<meta>`, a UTF-8 test,
//! detection. A declaration that the bytes contradict does not count. The text that comes out is the *decoded
//! page*, into which all spans point: its line ends are `\n`, it is in Unicode form NFC, and its
//! quotes and dashes are as printed.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use storymill_core::Reason;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::wide::Wide;

/// How far into a page a declaration is looked for.
const HEAD: usize = 8 * 1024;

/// A text has fewer than one control sign, or byte that cannot be read, in so many symbols.
const NO_TEXT: usize = 50;

/// A decoded page.
#[derive(Debug)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// The encoding it was read in: `UTF-8`, `windows-1252`.
    pub encoding: &'static str,
    /// The rule that decided: `bom`, `utf-16`, `xml`, `meta`, `utf-8`, `detected`.
    pub rule: &'static str,
}

/// Decodes a page.
///
/// ```
/// let page = storymill_sources::encoding::decode(b"<meta charset=latin1>\x93Caf\xe9\x94");
/// assert_eq!(page.text, "<meta charset=latin1>\u{201c}Caf\u{e9}\u{201d}");
/// assert_eq!((page.encoding, page.rule), ("windows-1252", "meta"));
/// ```
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some(wide) = Wide::of(bytes) {
        let text = composed(unix_lines(Cow::Owned(wide.text())));
        return Decoded { text, encoding: wide.encoding.name(), rule: wide.rule };
    }
    let (encoding, rule) = choose(bytes);
    let text = if encoding == UTF_8 {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(mostly_utf8(bytes)),
        }
    } else {
        encoding.decode(bytes).0
    };
    let text = once_encoded(text);
    let text = unix_lines(text);
    let text = composed(text);
    Decoded { text, encoding: encoding.name(), rule }
}

/// Fails by name where bytes are no text in any encoding.
pub(crate) fn check_bytes(bytes: &[u8], place: &str) -> Result<(), Reason> {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) if Wide::of(bytes).is_none() => {
            let detail = format!("a NUL byte at byte {at}{place}: this is not text");
            Err(Reason::new("binary", detail))
        }
        _ => Ok(()),
    }
}

impl Decoded {
    /// Fails by name where what was decoded is no text after all.
    pub(crate) fn check(&self, place: &str) -> Result<(), Reason> {
        let (mut all, mut bad) = (0_usize, 0_usize);
        for c in self.text.chars() {
            all += 1;
            bad += usize::from(is_no_text(c));
        }
        if bad * NO_TEXT > all {
            let detail =
                format!("{bad} of {all} symbols{place} are not text, read as {}", self.encoding);
            return Err(Reason::new("binary", detail));
        }
        Ok(())
    }
}

/// Signs that no text has, but for a stray one. Ctrl-Z ended the texts of one old system.
fn is_no_text(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\u{b}' | '\u{c}' | '\u{1a}')
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fffd}'..='\u{ffff}')
}

fn choose(bytes: &[u8]) -> (&'static Encoding, &'static str) {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return (UTF_8, "bom");
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let declared = xml_label(head)
        .map(|label| (label, "xml"))
        .or_else(|| meta_label(head).map(|label| (label, "meta")))
        .and_then(|(label, rule)| Some((Encoding::for_label(label)?, rule)))
        // A page whose declaration could be read byte by byte is not in UTF-16.
        .map(|(encoding, rule)| {
            (if [UTF_16LE, UTF_16BE].contains(&encoding) { UTF_8 } else { encoding }, rule)
        });
    let test = Utf8Test::of(bytes);
    match declared {
        Some((encoding, rule)) if encoding == UTF_8 && test.is_utf8() => return (UTF_8, rule),
        Some((encoding, _)) if encoding == UTF_8 => {}
        // Latin-1 text is as good as never UTF-8 by chance.
        Some((encoding, _)) if encoding.is_single_byte() && test.long > 0 && test.bad == 0 => {
            return (UTF_8, "utf-8");
        }
        Some((encoding, rule)) => return (encoding, rule),
        None if test.is_utf8() => return (UTF_8, "utf-8"),
        None => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (detector.guess(None, Utf8Detection::Allow), "detected")
}

/// What a reading as UTF-8 meets.
struct Utf8Test {
    /// Symbols of more than one byte; counting stops at the first fault.
    long: usize,
    /// Bytes that fit nowhere.
    bad: usize,
}

impl Utf8Test {
    fn of(bytes: &[u8]) -> Self {
        if std::str::from_utf8(bytes).is_ok() {
            return Self { long: usize::from(!bytes.is_ascii()), bad: 0 };
        }
        let mut test = Self { long: 0, bad: 0 };
        for chunk in bytes.utf8_chunks() {
            test.long += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            test.bad += chunk.invalid().len();
        }
        test
    }

    /// A few stray bytes in a page full of good ones do not change what it is.
    fn is_utf8(&self) -> bool {
        self.bad == 0 || self.bad * 20 < self.long
    }
}

/// Reads UTF-8 in which single bytes are of windows-1252.
fn mostly_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

/// The encoding that an XML declaration names.
fn xml_label(head: &[u8]) -> Option<&[u8]> {
    let head = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = head.iter().position(|byte| *byte == b'>')?;
    value_of(&head[..end], b"encoding")
}

/// The encoding that a `<meta>` names.
fn meta_label(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    while let Some(at) = find(rest, b"<meta") {
        rest = &rest[at + 5..];
        let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len());
        if let Some(label) = value_of(&rest[..end], b"charset") {
            return Some(label);
        }
    }
    None
}

/// The value behind `name=`, quoted or not.
fn value_of<'h>(head: &'h [u8], name: &[u8]) -> Option<&'h [u8]> {
    let at = find(head, name)?;
    let value = head[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?;
    let quotes = |byte: &u8| b"\"' ".contains(byte);
    let from = value.iter().position(|byte| !quotes(byte))?;
    let value = &value[from..];
    let end = value.iter().position(|byte| quotes(byte) || b";/?>".contains(byte));
    Some(&value[..end.unwrap_or(value.len())])
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window.eq_ignore_ascii_case(what))
}

/// Undoes UTF-8 that was once taken for windows-1252 and encoded again.
///
/// Only where most of the page's symbols outside ASCII are such: a book may speak of `Ã©`.
fn once_encoded(text: Cow<'_, str>) -> Cow<'_, str> {
    if !(text.contains('Ã') || text.contains("â€") || text.contains('Â')) {
        return text;
    }
    let (mut good, mut bad) = (0_usize, 0_usize);
    for run in runs(&text) {
        match run {
            Run::Wide(wide) if reread(wide).is_some() => good += 1,
            Run::Wide(_) => bad += 1,
            Run::Ascii(_) => {}
        }
    }
    if good < 3 || good < bad * 4 {
        return text;
    }
    let mut repaired = String::with_capacity(text.len());
    for run in runs(&text) {
        match run {
            Run::Ascii(plain) => repaired.push_str(plain),
            Run::Wide(wide) => match reread(wide) {
                Some(once) => repaired.push_str(&once),
                None => repaired.push_str(wide),
            },
        }
    }
    Cow::Owned(repaired)
}

enum Run<'t> {
    Ascii(&'t str),
    Wide(&'t str),
}

/// Parts a text into stretches inside and outside ASCII.
fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ascii = rest.bytes().next()?.is_ascii();
        let end = rest.bytes().position(|byte| byte.is_ascii() != ascii).unwrap_or(rest.len());
        let (run, next) = rest.split_at(end);
        rest = next;
        Some(if ascii { Run::Ascii(run) } else { Run::Wide(run) })
    })
}

/// A run's symbols as bytes of windows-1252, read as UTF-8, if they all can be.
fn reread(wide: &str) -> Option<String> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(wide);
    if unmappable { None } else { String::from_utf8(bytes.into_owned()).ok() }
}

fn unix_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.as_bytes().contains(&b'\r') {
        // A file whose line ends were made Windows' twice has two returns before each.
        Cow::Owned(text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        text
    }
}

fn composed(text: Cow<'_, str>) -> String {
    // Symbols below U+0300 and the common quotes and dashes are never changed by NFC.
    let suspects =
        text.chars().filter(|c| *c >= '\u{300}' && !('\u{2002}'..='\u{206f}').contains(c));
    if is_nfc_quick(suspects) == IsNormalized::Yes {
        text.into_owned()
    } else {
        text.nfc().collect()
    }
}
