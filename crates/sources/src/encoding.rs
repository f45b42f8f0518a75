//! From the bytes of a page to text: which encoding, by which rule, and what was repaired.
//!
//! The rules in order: byte order mark, UTF-16 without one, XML declaration, `<meta>`, a UTF-8 test,
//! detection, and the words that come out. A declaration that the bytes contradict does not count. The text that comes out is the *decoded
//! page*, into which all spans point: its line ends are `\n`, it is in Unicode form NFC, and its
//! quotes and dashes are as printed.

#![expect(
    clippy::needless_bitwise_bool,
    reason = "without a jump, many bytes are compared at once"
)]

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use storymill_core::Reason;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub use crate::unsure::Unsure;
use crate::{
    glance,
    readings::{self, Best, Reading},
    twice::once_encoded,
    wide::Wide,
};

/// How far into a page a declaration is looked for.
const HEAD: usize = 8 * 1024;

/// A text has fewer than one control sign, or byte that cannot be read, in so many symbols.
const NO_TEXT: usize = 50;

/// A decoded page.
#[derive(Debug)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// The encoding it was read in: `UTF-8`, `windows-1252`, `macintosh`, `IBM850`.
    pub encoding: &'static str,
    /// The rule that decided: `bom`, `utf-16`, `xml`, `meta`, `utf-8`, `detected`, `words`; `twice` where it was encoded
    /// twice.
    pub rule: &'static str,
    /// Two readings of which none is clearly the better.
    pub unsure: Option<Unsure>,
}

/// Decodes a page.
///
/// ```
/// let page = storymill_sources::encoding::decode(b"<meta charset=latin1>\x93Caf\xe9\x94");
/// assert_eq!(page.text, "<meta charset=latin1>\u{201c}Caf\u{e9}\u{201d}");
/// assert_eq!((page.encoding, page.rule), ("windows-1252", "meta"));
/// ```
pub fn decode(bytes: &[u8]) -> Decoded {
    decode_as(bytes, false)
}

/// The same; where two readings are nearly as good, people may have decided for the second.
pub(crate) fn decode_as(bytes: &[u8], second: bool) -> Decoded {
    if let Some(wide) = Wide::of(bytes) {
        let text = composed(unix_lines(Cow::Owned(wide.text())));
        return Decoded { text, encoding: wide.encoding.name(), rule: wide.rule, unsure: None };
    }
    let utf8 = std::str::from_utf8(bytes);
    let (Best { reading, other }, mut rule) = choose(bytes, utf8.ok());
    let text = if reading == Reading::Web(UTF_8) {
        let text = match utf8 {
            Ok(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
            Err(_) => Cow::Owned(mostly_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))),
        };
        match once_encoded(&text) {
            Some(once) => {
                rule = "twice";
                Cow::Owned(once)
            }
            None => text,
        }
    } else {
        reading.text(bytes)
    };
    let text = composed(unix_lines(text));
    let encoding = reading.name();
    let Some(other) = other else { return Decoded { text, encoding, rule, unsure: None } };
    let others = composed(unix_lines(other.text(bytes)));
    let unsure = Unsure::of([&text, &others], [encoding, other.name()], second);
    let (text, encoding) = if second { (others, other.name()) } else { (text, encoding) };
    Decoded { text, encoding, rule, unsure }
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
        if !may_be_no_text(&self.text) {
            return Ok(());
        }
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

/// Whether a text may have such a sign, by its bytes.
fn may_be_no_text(text: &str) -> bool {
    let control =
        |byte: u8| (byte < b' ') & (byte.wrapping_sub(b'\t') > 3) & (byte != 0x1a) | (byte == 0x7f);
    glance::any(
        text,
        |byte, _| control(byte),
        |byte, next, _| {
            control(byte)
                | (byte == 0xc2) & (next < 0xa0)
                | (byte == 0xee)
                | (byte == 0xef) & ((next < 0xa4) | (next == 0xbf))
        },
    )
}

fn choose(bytes: &[u8], utf8: Option<&str>) -> (Best, &'static str) {
    let sure = |encoding| Best { reading: Reading::Web(encoding), other: None };
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return (sure(UTF_8), "bom");
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
    let test = Utf8Test::of(bytes, utf8);
    match declared {
        Some((encoding, rule)) if encoding == UTF_8 && test.is_utf8() => {
            return (sure(UTF_8), rule);
        }
        // Latin-1 text is as good as never UTF-8 by chance.
        Some((encoding, _)) if encoding.is_single_byte() && test.long > 0 && test.bad == 0 => {
            return (sure(UTF_8), "utf-8");
        }
        Some((encoding, rule))
            if encoding != UTF_8 && readings::is_good(Reading::Web(encoding), bytes) =>
        {
            return (sure(encoding), rule);
        }
        None if test.is_utf8() => return (sure(UTF_8), "utf-8"),
        Some(_) | None => {}
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    let declared = declared.filter(|(encoding, _)| *encoding != UTF_8);
    let (first, rule) = declared.unwrap_or((guess, "detected"));
    let best = readings::best(Reading::Web(first), declared.is_some(), Reading::Web(guess), bytes);
    let rule = if best.reading == Reading::Web(first) { rule } else { "words" };
    (best, rule)
}

/// What a reading as UTF-8 meets.
struct Utf8Test {
    /// Symbols of more than one byte; counting stops at the first fault.
    long: usize,
    /// Bytes that fit nowhere.
    bad: usize,
}

impl Utf8Test {
    fn of(bytes: &[u8], utf8: Option<&str>) -> Self {
        if let Some(text) = utf8 {
            return Self { long: usize::from(!text.is_ascii()), bad: 0 };
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

fn unix_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    let Some(first) = text.find('\r') else { return text };
    let mut lines = String::with_capacity(text.len());
    let (mut from, mut at) = (0, first);
    loop {
        lines.push_str(&text[from..at]);
        let behind = text[at..].trim_start_matches('\r');
        let returns = text.len() - at - behind.len();
        // A file whose line ends were made Windows' twice has two returns before each.
        let (ends, behind) = match behind.strip_prefix('\n') {
            Some(behind) => (returns.saturating_sub(2).max(1), behind),
            None => (returns, behind),
        };
        lines.extend(std::iter::repeat_n('\n', ends));
        from = text.len() - behind.len();
        let Some(next) = behind.find('\r') else { break };
        at = from + next;
    }
    lines.push_str(&text[from..]);
    Cow::Owned(lines)
}

fn composed(text: Cow<'_, str>) -> String {
    // Symbols below U+0300 and the common quotes and dashes are never changed by NFC.
    let suspect = |byte: u8, next: u8, third: u8| {
        let common =
            (byte == 0xe2) & ((next == 0x80) & (third >= 0x82) | (next == 0x81) & (third <= 0xaf));
        (byte >= 0xcc) & !common
    };
    if !glance::any(&text, |_, _| false, suspect) {
        return text.into_owned();
    }
    let suspects =
        text.chars().filter(|c| *c >= '\u{300}' && !('\u{2002}'..='\u{206f}').contains(c));
    if is_nfc_quick(suspects) == IsNormalized::Yes {
        text.into_owned()
    } else {
        text.nfc().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Law: line ends become what three replacements one after another make of them.
        #[test]
        fn line_ends_are_those_of_three_passes(text in "(\r|\n|a|é){0,40}") {
            let passes = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(unix_lines(Cow::Borrowed(&text)), passes);
        }

        /// Law: what a glance lets pass is in form NFC, and has no sign that no text has.
        #[test]
        fn a_glance_lets_nothing_pass(text in "([a-z ]{0,30}\\PC{0,2}[\u{1}-\u{2ff}\u{300}-\u{370}\u{2000}-\u{2070}\u{e000}-\u{ffff}]?){0,4}") {
            prop_assert_eq!(composed(Cow::Borrowed(&text)), text.nfc().collect::<String>());
            prop_assert!(may_be_no_text(&text) || !text.chars().any(is_no_text));
        }
    }
}
