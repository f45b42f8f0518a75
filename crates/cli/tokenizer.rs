//! What `--tokenizer` names: an encoding, a file, or nothing, where every symbol is a token.

#[cfg(feature = "tokens")]
use std::path::Path;

use storymill_core::{Encoding, Fault, FaultKind, nearest};
use storymill_disk::most;

/// The encoding that was meant by a word which is neither an encoding nor a file, else all that there are.
pub(crate) fn meant(named: &str) -> String {
    let known = Encoding::ALL.map(|encoding| encoding.to_string());
    match nearest(named, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("encodings are {}; a file is a `tokenizer.json`", known.join(", ")),
    }
}

/// What cuts a context into tokens.
pub(crate) enum Tokens {
    Symbols,
    #[cfg(feature = "tokens")]
    Told(storymill_transforms::Tokenizer),
}

impl Tokens {
    #[cfg(feature = "tokens")]
    pub(crate) fn of(named: Option<&str>) -> Result<Self, Fault> {
        use storymill_transforms::Tokenizer;

        let Some(named) = named else { return Ok(Self::Symbols) };
        if let Ok(encoding) = named.parse::<Encoding>() {
            return Ok(Self::Told(Tokenizer::of(encoding)));
        }
        let path = Path::new(named);
        let bytes = storymill_disk::read(path, most::TABLE).map_err(|error| {
            Fault::io("there is no such encoding, and the file cannot be read", path, error)
                .input()
                .hint(meant(named))
        })?;
        let read = Tokenizer::of_json(&bytes).map_err(|error| {
            Fault::new(FaultKind::Input, format!("cannot read the tokenizer: {error}")).at(path)
        })?;
        Ok(Self::Told(read))
    }

    #[cfg(not(feature = "tokens"))]
    pub(crate) fn of(named: Option<&str>) -> Result<Self, Fault> {
        if named.is_none() {
            return Ok(Self::Symbols);
        }
        let message = "this storymill was built without the feature `tokens`";
        Err(Fault::new(FaultKind::Input, message).hint("install it with `--features tokens`"))
    }

    /// Where each token of a text ends, in bytes.
    pub(crate) fn ends(&self, text: &str) -> Result<Vec<usize>, String> {
        match self {
            Self::Symbols => Ok(text.char_indices().map(|(at, c)| at + c.len_utf8()).collect()),
            #[cfg(feature = "tokens")]
            Self::Told(told) => told.ends(text),
        }
    }
}
