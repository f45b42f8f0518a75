//! The unit of lengths in a report: one for all, so that nothing is compared across units.

use serde::Serialize;
use storymill_core::{Encoding, Length};

use crate::collect::Question;

/// What lengths are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Tokens of this encoding.
    Tokens(Encoding),
    /// Words, split on whitespace: no encoding was counted for all questions.
    Words,
    /// Unicode scalar values: there are no words either.
    Symbols,
}

impl Unit {
    /// The best unit that is there for all questions: tokens of the newest encoding, else words, else symbols.
    pub(crate) fn of(questions: &[Question]) -> Self {
        let asked = || questions.iter().filter(|question| question.demand.symbols > 0);
        let counted = |encoding: &Encoding| {
            asked().next().is_some() && asked().all(|one| tokens(&one.demand, *encoding).is_some())
        };
        if let Some(encoding) = Encoding::ALL.into_iter().rev().find(counted) {
            return Self::Tokens(encoding);
        }
        if asked().all(|question| question.demand.words > 0) { Self::Words } else { Self::Symbols }
    }

    /// How long that is; none where nobody counted, or where nothing is measured.
    pub(crate) fn count(self, length: &Length) -> Option<u32> {
        let count = match self {
            Self::Tokens(encoding) => tokens(length, encoding)?,
            Self::Words => length.words,
            Self::Symbols => length.symbols,
        };
        (count > 0 || length.symbols > 0).then_some(count)
    }

    /// Its name for people: `tokens`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens(_) => "tokens",
            Self::Words => "words",
            Self::Symbols => "symbols",
        }
    }

    /// Its name with the encoding: `tokens (o200k_base)`.
    pub fn whole_name(self) -> String {
        match self {
            Self::Tokens(encoding) => format!("tokens ({encoding})"),
            Self::Words => "words (split on whitespace)".to_owned(),
            Self::Symbols => "symbols (Unicode scalar values)".to_owned(),
        }
    }
}

fn tokens(length: &Length, encoding: Encoding) -> Option<u32> {
    length.tokens.iter().find(|tokens| tokens.encoding == encoding).map(|tokens| tokens.count)
}
