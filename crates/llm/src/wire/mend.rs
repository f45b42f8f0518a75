//! Responses whose text is not quite text: bytes that are not UTF-8, and halves of surrogate pairs, which JSON can write
//! and no text can hold. Somebody has paid for them, so they are read with U+FFFD in the place of each.

use std::borrow::Cow;

/// The length of an escape: `\ud83d`.
const ESCAPE: usize = 6;

/// A body as text; none if it is that already.
pub(crate) fn mended(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let bytes = text.as_bytes();
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == b'\\')) {
        at += next;
        match unit(bytes, at) {
            Some(0xd800..=0xdbff) if matches!(unit(bytes, at + ESCAPE), Some(0xdc00..=0xdfff)) => {
                at += 2 * ESCAPE;
            }
            Some(0xd800..=0xdfff) => {
                out += &text[done..at];
                out += "\\ufffd";
                at += ESCAPE;
                done = at;
            }
            Some(_) => at += ESCAPE,
            // Another escape: what follows the backslash begins none.
            None => at += 2,
        }
    }
    if done == 0 && matches!(text, Cow::Borrowed(_)) {
        return None;
    }
    Some(out + &text[done..])
}

/// The number that an escape at a place stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let digits = digits.iter().map(|digit| char::from(*digit).to_digit(16));
    digits.reduce(|a, b| Some(a? * 16 + b?))?.and_then(|unit| u16::try_from(unit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_replaced_and_nothing_else() {
        for same in
            [r#"{"a":"b"}"#, r#""\ud83d\ude00 \u00e9 \\ud800 \n""#, "", "\\", "\\u12", "é\\é"]
        {
            assert_eq!(mended(same.as_bytes()), None, "{same}");
        }
        for (bent, text) in [
            (&br#""a \ud83d b""#[..], "a \u{fffd} b"),
            (br#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (br#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (b"\"caf\xe9 \\\\\"", "caf\u{fffd} \\"),
            (b"\"\xed\xa0\xbd\"", "\u{fffd}\u{fffd}\u{fffd}"),
        ] {
            let mended = mended(bent).unwrap();
            assert_eq!(serde_json::from_str::<String>(&mended).unwrap(), text, "{mended}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_string_of_json_can_be_read(inside in "([a-zé]|\\\\u[0-9a-fA-F]{4}|\\\\[n\"])*") {
            let body = format!("\"{inside}\"");
            let body = mended(body.as_bytes()).unwrap_or(body);
            proptest::prop_assert!(serde_json::from_str::<String>(&body).is_ok(), "{}", body);
        }
    }
}
