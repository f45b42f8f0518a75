//! What contexts are counted and cut in: an encoding, or the tokenizer of a file.

use storymill_core::{Encoding, Fault, FaultKind, Resource};

/// What contexts are counted and cut in. A build without the feature `tokens` counts nothing.
#[derive(Debug)]
pub(super) struct Counting {
    encoding: Encoding,
    #[cfg(feature = "tokens")]
    cuts: crate::tokens::Tokenizer,
    of_file: bool,
}

impl Counting {
    /// That of a file `tokenizer.json` if there is one, else that of the encoding.
    #[cfg(feature = "tokens")]
    pub(super) fn new(encoding: Encoding, file: Option<&Resource>) -> Result<Self, Fault> {
        use crate::tokens::Tokenizer;

        let cuts = match file {
            None => Tokenizer::of(encoding),
            Some(file) => Tokenizer::of_json(file.content()).map_err(|why| {
                let message = format!("cannot read the tokenizer: {why}");
                Fault::new(FaultKind::Input, message).at(file.path())
            })?,
        };
        Ok(Self { encoding, cuts, of_file: file.is_some() })
    }

    #[cfg(not(feature = "tokens"))]
    pub(super) fn new(encoding: Encoding, file: Option<&Resource>) -> Result<Self, Fault> {
        match file {
            None => Ok(Self { encoding, of_file: false }),
            Some(file) => Err(no_tokens().at(file.path())),
        }
    }

    /// How many tokens a text has; none if nobody counts them.
    pub(super) fn count(&self, text: &str) -> Option<u32> {
        let count = if self.of_file {
            self.ends(text)?.len() as u64
        } else {
            crate::tokens::tokens(text, self.encoding)?
        };
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Where each token of a text ends, in bytes; none if nobody counts them.
    #[cfg(feature = "tokens")]
    pub(super) fn ends(&self, text: &str) -> Option<Vec<usize>> {
        self.cuts.ends(text).ok()
    }

    #[cfg(not(feature = "tokens"))]
    #[expect(clippy::unused_self, reason = "the other build has a tokenizer")]
    pub(super) fn ends(&self, _: &str) -> Option<Vec<usize>> {
        None
    }
}

/// How many tokens of an encoding a text has; none if this build counts none.
pub(crate) fn count(text: &str, encoding: Encoding) -> Option<u32> {
    crate::tokens::tokens(text, encoding).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

/// The fault of a window where nobody counts tokens.
pub(crate) fn no_tokens() -> Fault {
    Fault::new(FaultKind::Input, "this storymill counts no tokens, so no window can be kept").hint(
        "build it with the feature `tokens`, or leave `window`, `tokenizer` and `recent-N` out",
    )
}
