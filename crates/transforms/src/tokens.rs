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
    let encoder = encoder(encoding);
    Some(parts(text).map(|part| encoder.count(part) as u64).sum())
}

/// How many bytes a part has at least: the encoder looks at all that follows a wide blank, so that a book of many at once
/// would take it seconds.
#[cfg(feature = "tokens")]
const PART: usize = 1 << 12;

/// Parts of a text that have no token in common with another.
#[cfg(feature = "tokens")]
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let cut = (PART..rest.len().saturating_sub(1)).find(|at| is_safe(rest, *at));
        let (part, behind) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}

/// How many tokens a text has in an encoding; none if this build cannot count them.
#[cfg(not(feature = "tokens"))]
pub fn tokens(_: &str, _: Encoding) -> Option<u64> {
    None
}

/// What cuts a text into tokens: an encoding of OpenAI's, or, with the feature `tokenizers`, a file
/// `tokenizer.json` as models on the Hugging Face hub have it.
#[cfg(feature = "tokens")]
#[derive(Debug)]
pub struct Tokenizer(Cuts);

#[cfg(feature = "tokens")]
enum Cuts {
    Encoding(Encoding),
    #[cfg(feature = "tokenizers")]
    File(Box<tokenizers::Tokenizer>),
}

#[cfg(feature = "tokens")]
impl std::fmt::Debug for Cuts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Encoding(encoding) => write!(f, "{encoding}"),
            #[cfg(feature = "tokenizers")]
            Self::File(_) => f.write_str("a tokenizer.json"),
        }
    }
}

#[cfg(feature = "tokens")]
impl Tokenizer {
    /// That of an encoding.
    pub fn of(encoding: Encoding) -> Self {
        Self(Cuts::Encoding(encoding))
    }

    /// That of a file `tokenizer.json`; or why it is none.
    #[cfg(not(feature = "tokenizers"))]
    pub fn of_json(_: &[u8]) -> Result<Self, String> {
        Err("this storymill reads no such files: install it with `--features tokenizers`"
            .to_owned())
    }

    /// That of a file `tokenizer.json`; or why it is none.
    #[cfg(feature = "tokenizers")]
    pub fn of_json(bytes: &[u8]) -> Result<Self, String> {
        let mut read =
            tokenizers::Tokenizer::from_bytes(bytes).map_err(|error| error.to_string())?;
        // What a model is shown at most is the caller's affair, not the file's.
        read.with_truncation(None).map_err(|error| error.to_string())?;
        read.with_padding(None);
        Ok(Self(Cuts::File(Box::new(read))))
    }

    /// Where each token of a text ends, in bytes, ascending. A token may end inside a character.
    /// Blanks that no token has count to the one behind them. Marks that a model puts around a text are no
    /// tokens of it.
    pub fn ends(&self, text: &str) -> Result<Vec<usize>, String> {
        match &self.0 {
            Cuts::Encoding(encoding) => {
                let encoder = encoder(*encoding);
                let mut end = 0;
                let tokens = parts(text).flat_map(|part| encoder.encode(part));
                Ok(tokens
                    .map(|token| {
                        end += encoder.decode(&[token]).len();
                        end
                    })
                    .collect())
            }
            #[cfg(feature = "tokenizers")]
            Cuts::File(read) => {
                let encoding = read.encode(text, false).map_err(|error| error.to_string())?;
                let mut ends: Vec<usize> = encoding.get_offsets().iter().map(|at| at.1).collect();
                // Several tokens of one character end where it ends.
                let mut last = 0;
                for end in &mut ends {
                    last = last.max(*end);
                    *end = last;
                }
                Ok(ends)
            }
        }
    }
}

/// The tokens of each of some neighbouring scenes, in each encoding.
#[cfg(feature = "tokens")]
pub(crate) fn count(texts: &[&str], encodings: &[Encoding]) -> Vec<Vec<SceneTokens>> {
    let mut rows: Vec<Vec<SceneTokens>> = vec![Vec::new(); texts.len()];
    for &encoding in encodings {
        let encode = encoder(encoding);
        let tokens = |text: &str| u32::try_from(encode.count(text)).unwrap_or(u32::MAX);
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
fn encoder(encoding: Encoding) -> &'static tiktoken::CoreBpe {
    tiktoken::get_encoding(encoding.name()).expect("this crate asks for the vocabularies of all")
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

/// A place well before the end of a text where a token surely begins: a blank before a letter.
/// The start of the text, if there is none.
#[cfg(feature = "tokens")]
fn safe_before_end(text: &str) -> usize {
    let last = text.len().saturating_sub(NEAR);
    (1..last).rev().find(|at| is_safe(text, *at)).unwrap_or(0)
}

/// A place well behind the start of a text where a token surely begins; the end, if there is none.
#[cfg(feature = "tokens")]
fn safe_after_start(text: &str) -> usize {
    (NEAR..text.len().saturating_sub(1)).find(|at| is_safe(text, *at)).unwrap_or(text.len())
}

/// Every encoding here takes a blank and the letters behind it as the beginning of a piece, and nothing but blanks takes
/// a blank behind itself into its piece. The end of a line ends a piece, unless a blank is beside it or a slash behind it.
#[cfg(feature = "tokens")]
fn is_safe(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let begins_a_word = bytes[at] == b' '
        && bytes[at - 1].is_ascii_graphic()
        && bytes[at + 1].is_ascii_alphabetic();
    // From 0xe4 on a character begins that is no blank.
    let begins_a_line = bytes[at - 1] == b'\n'
        && (bytes[at].is_ascii_alphabetic() || bytes[at] >= 0xe4)
        && !text[..at - 1].ends_with(char::is_whitespace);
    begins_a_word || begins_a_line
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

    #[cfg(feature = "tokenizers")]
    /// A tokenizer of words and single characters, in the form of the hub.
    const FILE: &str = r#"{
        "version": "1.0", "truncation": { "direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0 },
        "padding": null, "added_tokens": [], "normalizer": null, "pre_tokenizer": { "type": "Whitespace" },
        "post_processor": null, "decoder": null,
        "model": { "type": "WordLevel", "vocab": { "[UNK]": 0, "the": 1, "cat": 2 }, "unk_token": "[UNK]" }
    }"#;

    #[cfg(feature = "tokenizers")]
    #[test]
    fn files_of_other_models_are_read() {
        let words = Tokenizer::of_json(FILE.as_bytes()).unwrap();
        assert_eq!(words.ends("the  cat, né").unwrap(), [3, 8, 9, 13]);
        let refused = Tokenizer::of_json(b"{\"version\": 1}").unwrap_err();
        assert!(!refused.is_empty());
    }

    #[test]
    fn tokens_end_where_they_end() {
        for encoding in Encoding::ALL {
            let text = "The cat 誕生日 sat.";
            let ends = Tokenizer::of(encoding).ends(text).unwrap();
            assert_eq!(Some(ends.len() as u64), tokens(text, encoding));
            assert!(ends.is_sorted() && ends.last() == Some(&text.len()));
            // Characters of several tokens are there, so ends fall inside them.
            assert!(ends.iter().any(|end| !text.is_char_boundary(*end)) || ends.len() < 8);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn parts_have_the_tokens_of_the_whole(
            pieces in prop::collection::vec(
                "([A-Za-z'é誕]{1,6}|[0-9]{1,5}|[ \\n\\r\\t\u{a0}\u{3000}]{1,3}|[.,;:!?/\"“”()*_-]{1,3}){0,120}",
                0..40,
            ),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(parts(&text).collect::<String>(), &*text);
            for encoding in Encoding::ALL {
                prop_assert_eq!(tokens(&text, encoding), Some(encoder(encoding).count(&text) as u64), "{} {:?}", encoding, text);
            }
        }

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
                    let joined = encoder(encoding).count(&whole);
                    prop_assert_eq!(stretch(&rows, place), i64::try_from(joined).unwrap());
                }
            }
            let parts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let rows = count(&parts, &encodings);
            for from in 0..parts.len() {
                let joined = encoder(Encoding::O200kBase).count(&parts[from..].concat());
                prop_assert_eq!(stretch(&rows[from..], 3), i64::try_from(joined).unwrap());
            }
        }
    }
}
