//! Text that was encoded twice: UTF-8 that somebody took for windows-1252 and encoded again.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Undoes UTF-8 that was once taken for windows-1252 and encoded again.
///
/// Only where most of the page's symbols outside ASCII are such: a book may speak of `Ã©`.
pub(crate) fn once_encoded(text: Cow<'_, str>) -> Cow<'_, str> {
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
