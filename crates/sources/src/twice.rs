//! Text that was encoded twice: UTF-8 that somebody took for another encoding and encoded again.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use aho_corasick::AhoCorasick;
use encoding_rs::{MACINTOSH, WINDOWS_1252};

use crate::{
    dos::{CP437, CP850},
    readings::Reading,
};

/// A text may have gone wrong in this way so many times.
const TIMES: usize = 3;

/// What it was taken for.
const TAKEN_FOR: [Reading; 4] = [
    Reading::Web(WINDOWS_1252),
    Reading::Web(MACINTOSH),
    Reading::Table("IBM850", CP850),
    Reading::Table("IBM437", CP437),
];

/// How the first bytes of accented letters and of quotes look then.
static TRACES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let traces = ["Ã", "Â", "â€", "â\u{80}", "Ð", "√", "¬", "‚Ä", "├", "┬", "ÔÇ", "ΓÇ"];
    AhoCorasick::new(traces).expect("short words")
});

/// Undoes UTF-8 that was taken for another encoding and encoded again; none where it was not.
///
/// Only where most of the page's symbols outside ASCII are such: a book may speak of `Ã©`.
pub(crate) fn once_encoded(text: &str) -> Option<String> {
    let mut once: Option<String> = None;
    for _ in 0..TIMES {
        let text = once.as_deref().unwrap_or(text);
        if !TRACES.is_match(text) {
            break;
        }
        let Some(mended) = TAKEN_FOR.iter().find_map(|taken| mended(text, &bytes_of(*taken)))
        else {
            break;
        };
        once = Some(mended);
    }
    once
}

/// The text with the runs read again, if most can be.
fn mended(text: &str, bytes: &HashMap<char, u8>) -> Option<String> {
    let (mut good, mut bad) = (0_usize, 0_usize);
    let mut mended = String::with_capacity(text.len());
    for run in runs(text) {
        let once = if run.is_ascii() { None } else { reread(run, bytes) };
        match &once {
            Some(_) => good += 1,
            None => bad += usize::from(!run.is_ascii()),
        }
        mended.push_str(&once.map_or(Cow::Borrowed(run), Cow::Owned));
    }
    (good >= 3 && good >= bad * 4).then_some(mended)
}

/// Parts a text into stretches inside and outside ASCII.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ascii = rest.bytes().next()?.is_ascii();
        let end = rest.bytes().position(|byte| byte.is_ascii() != ascii).unwrap_or(rest.len());
        let (run, next) = rest.split_at(end);
        rest = next;
        Some(run)
    })
}

/// The bytes of symbols beyond ASCII. Where windows-1252 has no symbol, Latin-1 has a control sign.
fn bytes_of(taken: Reading) -> HashMap<char, u8> {
    let latin = (taken == TAKEN_FOR[0]).then_some(0x80..=0x9f).into_iter().flatten();
    let latin = latin.map(|byte: u8| (char::from(byte), byte));
    let own =
        (0x80..=0xff).filter_map(|byte: u8| Some((taken.text(&[byte]).chars().next()?, byte)));
    latin.chain(own).collect()
}

/// A run's symbols as bytes, read as UTF-8, if they all can be.
fn reread(run: &str, bytes: &HashMap<char, u8>) -> Option<String> {
    String::from_utf8(run.chars().map(|c| bytes.get(&c).copied()).collect::<Option<_>>()?).ok()
}
