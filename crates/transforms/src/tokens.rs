//! How many tokens scenes have, alone and joined.
//!
//! A text's tokens are not the sum of its pieces' tokens: a token may reach over the border. What
//! joining changes depends on a few words on either side, so it is worked out once for each border
//! ([`SceneTokens::seam`]), and the tokens of any stretch of scenes are then a sum.

use storymill_core::{Encoding, SceneTokens};

/// Whether this build can count tokens.
const CAN_COUNT: bool = cfg!(feature = "tokens");

/// What is wrong with an option `tokens`.
pub(crate) fn faults(encodings: &[Encoding]) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    if !encodings.is_empty() && !CAN_COUNT {
        faults.push(("tokens", refusal()));
    }
    let twice = |at: usize| encodings[..at].contains(&encodings[at]);
    if let Some(at) = (0..encodings.len()).find(|at| twice(*at)) {
        faults.push(("tokens", format!("names {} twice", encodings[at])));
    }
    faults
}

/// What a workflow that wants tokens is told if this build cannot count them.
fn refusal() -> String {
    "this storymill was built without the feature `tokens`: install it with `--features tokens`"
        .to_owned()
}

/// How many tokens a text has in an encoding; none if this build cannot count them.
#[cfg(feature = "tokens")]
pub fn tokens(text: &str, encoding: Encoding) -> Option<u64> {
    Some(encoder(encoding).count_ordinary(text) as u64)
}

/// How many tokens a text has in an encoding; none if this build cannot count them.
#[cfg(not(feature = "tokens"))]
pub fn tokens(_: &str, _: Encoding) -> Option<u64> {
    None
}

/// The tokens of each of some neighbouring scenes, in each encoding.
#[cfg(feature = "tokens")]
pub(crate) fn count(texts: &[&str], encodings: &[Encoding]) -> Vec<Vec<SceneTokens>> {
    let mut rows: Vec<Vec<SceneTokens>> = vec![Vec::new(); texts.len()];
    for &encoding in encodings {
        let encode = encoder(encoding);
        let tokens = |text: &str| u32::try_from(encode.count_ordinary(text)).unwrap_or(u32::MAX);
        let mut before = "";
        for (row, text) in rows.iter_mut().zip(texts) {
            row.push(SceneTokens {
                encoding,
                count: tokens(text),
                seam: seam(before, text, tokens),
            });
            before = text;
        }
    }
    rows
}

#[cfg(not(feature = "tokens"))]
pub(crate) fn count(texts: &[&str], _: &[Encoding]) -> Vec<Vec<SceneTokens>> {
    vec![Vec::new(); texts.len()]
}

#[cfg(feature = "tokens")]
fn encoder(encoding: Encoding) -> &'static tiktoken_rs::CoreBPE {
    match encoding {
        Encoding::R50kBase => tiktoken_rs::r50k_base_singleton(),
        Encoding::P50kBase => tiktoken_rs::p50k_base_singleton(),
        Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        Encoding::O200kBase => tiktoken_rs::o200k_base_singleton(),
    }
}

/// What joining two texts adds to the sum of their tokens, or takes away.
#[cfg(feature = "tokens")]
fn seam(before: &str, text: &str, tokens: impl Fn(&str) -> u32) -> i32 {
    if before.is_empty() || text.is_empty() {
        return 0;
    }
    let (tail, head) = (&before[safe_before_end(before)..], &text[..safe_after_start(text)]);
    let joined = i64::from(tokens(&[tail, head].concat()));
    let apart = i64::from(tokens(tail)) + i64::from(tokens(head));
    i32::try_from(joined - apart).expect("a few words have few tokens")
}

/// How many bytes on either side of a border are looked at, at least.
#[cfg(feature = "tokens")]
const NEAR: usize = 64;

/// A place well before the end of a text where a token surely begins: a blank between two letters.
/// The start of the text, if there is none.
#[cfg(feature = "tokens")]
fn safe_before_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let last = bytes.len().saturating_sub(NEAR);
    (1..last).rev().find(|at| is_safe(bytes, *at)).unwrap_or(0)
}

/// A place well behind the start of a text where a token surely begins; the end, if there is none.
#[cfg(feature = "tokens")]
fn safe_after_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    (NEAR..bytes.len().saturating_sub(1)).find(|at| is_safe(bytes, *at)).unwrap_or(bytes.len())
}

/// Every encoding here takes a blank and the letters behind it as the beginning of a piece.
#[cfg(feature = "tokens")]
fn is_safe(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b' ' && bytes[at - 1].is_ascii_alphabetic() && bytes[at + 1].is_ascii_alphabetic()
}

#[cfg(all(test, feature = "tokens"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stretch(rows: &[Vec<SceneTokens>], encoding: usize) -> i64 {
        let counts: i64 = rows.iter().map(|row| i64::from(row[encoding].count)).sum();
        counts + rows.iter().skip(1).map(|row| i64::from(row[encoding].seam)).sum::<i64>()
    }

    #[test]
    fn counts_are_those_of_the_encodings() {
        // Figures that the encodings' makers print in their cookbook.
        for (text, expected) in [
            ("antidisestablishmentarianism", [5, 5, 6, 6]),
            ("2 + 2 = 4", [5, 5, 7, 7]),
            ("お誕生日おめでとう", [14, 14, 9, 8]),
        ] {
            let rows = count(&[text], &Encoding::ALL);
            let counts: Vec<_> = rows[0].iter().map(|tokens| tokens.count).collect();
            assert_eq!(counts, expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn stretches_have_the_tokens_of_the_joined_text(
            texts in prop::collection::vec("([A-Za-z']{1,12}[ .,\n]{1,2}|[0-9]{1,5} |é ){30,60}", 2..5),
            cut in any::<prop::sample::Index>(),
        ) {
            // A border may fall inside a word.
            let whole = texts.concat();
            let mut at = cut.index(whole.len());
            while !whole.is_char_boundary(at) { at -= 1 }
            let (one, two) = whole.split_at(at);
            let encodings = Encoding::ALL;
            if at > 300 && whole.len() - at > 300 {
                let rows = count(&[one, two], &encodings);
                for (place, encoding) in encodings.into_iter().enumerate() {
                    let joined = encoder(encoding).count_ordinary(&whole);
                    prop_assert_eq!(stretch(&rows, place), i64::try_from(joined).unwrap());
                }
            }
            let parts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let rows = count(&parts, &encodings);
            for from in 0..parts.len() {
                let joined = encoder(Encoding::O200kBase).count_ordinary(&parts[from..].concat());
                prop_assert_eq!(stretch(&rows[from..], 3), i64::try_from(joined).unwrap());
            }
        }
    }
}
