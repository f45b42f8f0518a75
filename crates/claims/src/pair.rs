//! A claim pair: a true and a false claim about the same event of a book (NoCha, section 2).

use std::fmt;

use serde::{Deserialize, Serialize};
use storymill_core::{BookId, Demand, Form, Length, Place, Question, Recipe, Span};

use crate::mistake::Mistake;

/// How much of a book must be read to judge a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One or two sentences.
    Sentence,
    /// A passage.
    Passage,
    /// What is spread over the book.
    Global,
}

impl Scope {
    /// Every scope, the smallest first.
    pub const ALL: [Self; 3] = [Self::Sentence, Self::Passage, Self::Global];

    /// Its name: `passage`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Passage => "passage",
            Self::Global => "global",
        }
    }

    /// The scope of this name.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// Which claim of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// The true claim.
    True,
    /// The false claim.
    False,
}

impl Half {
    /// Both, the true one first.
    pub const BOTH: [Self; 2] = [Self::True, Self::False];

    /// `true` or `false`.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
        }
    }

    /// The half of a truth value.
    pub fn of(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A half-open stretch of a book's text, in symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// The first symbol.
    pub start: u32,
    /// The first symbol that is no longer in it.
    pub end: u32,
}

/// A pair of claims. Its fields are the columns of a set's file, so a row reads the same as CSV,
/// as a line of JSON and here; see `docs/claims.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Stable id, unique in its set: `gatsby/0298`. Blank only before [`crate::import::merge`].
    #[serde(default)]
    pub id: String,
    /// The book's id in the set.
    pub book: String,
    /// The story of a collection that it is about, by its name among the book's facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub story: Option<String>,
    /// The true claim.
    pub true_claim: String,
    /// The false claim.
    pub false_claim: String,
    /// Why the false claim is false.
    #[serde(default)]
    pub explanation: String,
    /// How much must be read to judge the true claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub true_scope: Option<Scope>,
    /// How much must be read to judge the false claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_scope: Option<Scope>,
    /// Where the book decides the true claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub true_evidence: Vec<Stretch>,
    /// Where the book decides the false claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub false_evidence: Vec<Stretch>,
    /// Who wrote the claims, by a pseudonym.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_by: Option<String>,
    /// Whether a model wrote or proposed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_written: Option<bool>,
    /// Whether this volume alone decides them, where the book is one of a series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub this_volume_alone: Option<bool>,
    /// Whether the writer has read the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer_has_read: Option<bool>,
    /// Whether the writer agreed to their use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<bool>,
    /// The day the book came out: `2024-05-21`, or its month or year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_on: Option<String>,
    /// The version of the set that first had the pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_in: Option<String>,
    /// The day after which the pair shall no longer be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retire_after: Option<String>,
    /// What the file that it was imported from called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
}

impl Pair {
    /// The text of one claim.
    pub fn claim(&self, half: Half) -> &str {
        match half {
            Half::True => &self.true_claim,
            Half::False => &self.false_claim,
        }
    }

    /// The evidence of one claim.
    pub fn evidence(&self, half: Half) -> &[Stretch] {
        match half {
            Half::True => &self.true_evidence,
            Half::False => &self.false_evidence,
        }
    }

    /// The scope of one claim.
    pub fn scope_of(&self, half: Half) -> Option<Scope> {
        match half {
            Half::True => self.true_scope,
            Half::False => self.false_scope,
        }
    }

    /// The text of one claim, to be written anew.
    pub(crate) fn claim_mut(&mut self, half: Half) -> &mut String {
        match half {
            Half::True => &mut self.true_claim,
            Half::False => &mut self.false_claim,
        }
    }

    /// The evidence of one claim, to be marked anew.
    pub(crate) fn evidence_mut(&mut self, half: Half) -> &mut Vec<Stretch> {
        match half {
            Half::True => &mut self.true_evidence,
            Half::False => &mut self.false_evidence,
        }
    }

    /// The scope of one claim, to be set anew.
    pub(crate) fn scope_mut(&mut self, half: Half) -> &mut Option<Scope> {
        match half {
            Half::True => &mut self.true_scope,
            Half::False => &mut self.false_scope,
        }
    }

    /// One claim as a question, asked when the whole book is read, which has so many symbols.
    ///
    /// # Errors
    ///
    /// Its book has no id.
    pub fn question(&self, half: Half, symbols: u32) -> Result<Question, Mistake> {
        let of: BookId = self.book.parse().map_err(|_| {
            Mistake::new("the name of its book is not an id of a book").pair(&self.id)
        })?;
        // Claims tell symbols; where they lie in bytes the book's text says.
        let place = |symbol| Place { byte: 0, symbol };
        let evidence = self.evidence(half).iter();
        let evidence: Vec<Span> =
            evidence.map(|one| Span { start: place(one.start), end: place(one.end) }).collect();
        let back = |from: Option<u32>| symbols.saturating_sub(from.unwrap_or(0));
        let whole = |symbols| Length { symbols, ..Length::default() };
        Ok(Question {
            id: format!("{}/{half}", self.id),
            of,
            kind: "claim".to_owned(),
            task: "Is this claim about the book true or false?".to_owned(),
            form: Form::Verdict {
                claim: self.claim(half).to_owned(),
                pair: self.id.clone(),
                holds: half == Half::True,
            },
            about: Vec::new(),
            demands: Vec::new(),
            demand: Demand {
                to_start: whole(back(evidence.iter().map(|span| span.start.symbol).min())),
                to_end_symbols: back(evidence.iter().map(|span| span.end.symbol).max()),
            },
            evidence,
            context: Recipe::Read(whole(symbols)),
            made_by: None,
        })
    }

    /// The scope of the pair: the larger of its claims'; none unless both are known.
    pub fn scope(&self) -> Option<Scope> {
        Some(self.true_scope?.max(self.false_scope?))
    }
}

/// A story of a collection, and where it stands in the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// Its name, unique in the book.
    pub name: String,
    /// Its first symbol in the book's text.
    pub start: u32,
    /// The first symbol behind it.
    pub end: u32,
}

/// What a set knows of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookFacts {
    /// Its id in the set.
    pub id: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its genre, in the set's own words: `historical`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genre: Option<String>,
    /// The year it came out, or a word for many: `2024`, `classics`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication_year: Option<String>,
    /// The series it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// Words, split on whitespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<u64>,
    /// Tokens of `cl100k_base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// NoCha's length group as a file gave it; what counts where tokens are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_group: Option<String>,
    /// Its stories in order, if it is a collection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stories: Vec<Story>,
}

impl BookFacts {
    /// Facts that hold no more than an id.
    pub fn new(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }

    /// NoCha's length group, by tokens with the paper's borders where they are known.
    pub fn length_group(&self) -> Option<String> {
        let Some(tokens) = self.tokens else { return self.length_group.clone() };
        let group = match tokens {
            0..75_000 => "below 75k",
            75_000..127_000 => "75k-127k",
            127_000..180_000 => "127k-180k",
            _ => "above 180k",
        };
        Some(group.to_owned())
    }
}

/// Whether a text can be the id of a book.
pub fn is_book_id(text: &str) -> bool {
    text.parse::<BookId>().is_ok()
}

/// Whether a text can be the id of a pair: a book's id, or two of them with a slash between.
///
/// ```
/// use storymill_claims::pair::is_pair_id;
/// assert!(is_pair_id("gatsby/0298") && is_pair_id("p1"));
/// assert!(!is_pair_id("a/b/c") && !is_pair_id("He came."));
/// ```
pub fn is_pair_id(text: &str) -> bool {
    let mut parts = text.splitn(2, '/');
    parts.all(is_book_id)
}

/// Whether a text is a version, and no words: a number, and then at most 31 more of `0-9 A-Z a-z . _ + -`; `v` may stand before it.
///
/// ```
/// use storymill_claims::pair::is_version;
/// assert!(is_version("1.0.0") && is_version("v2") && is_version("2024.1-rc1"));
/// assert!(!is_version("Ann paid five.") && !is_version("latest") && !is_version("1.0\u{202e}"));
/// ```
pub fn is_version(text: &str) -> bool {
    let bytes = text.strip_prefix('v').unwrap_or(text).as_bytes();
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"._+-".contains(byte);
    bytes.len() <= 32 && bytes.first().is_some_and(u8::is_ascii_digit) && bytes.iter().all(fits)
}

/// Whether a last day of use has passed, today being a day. A month lasts to its end, and a year.
///
/// ```
/// use storymill_claims::pair::is_past;
/// assert!(is_past("2026-11-27", "2026-11-28") && is_past("2026-10", "2026-11-28"));
/// assert!(!is_past("2026-11-28", "2026-11-28") && !is_past("2026", "2026-11-28"));
/// ```
pub fn is_past(last: &str, today: &str) -> bool {
    today.get(..last.len()).is_some_and(|now| now > last)
}

/// Whether a text is a day, a month or a year: `2024-05-21`, `2024-05`, `2024`.
pub fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |at: usize, digits: usize, range: std::ops::RangeInclusive<u32>| {
        let Some(part) = parts.get(at) else { return true };
        part.len() == digits
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse().is_ok_and(|value| range.contains(&value))
    };
    let Some(Ok(year)) = parts.first().map(|year| year.parse::<u32>()) else { return false };
    let days = match parts.get(1).copied() {
        Some("02")
            if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
        {
            29
        }
        Some("02") => 28,
        Some("04" | "06" | "09" | "11") => 30,
        _ => 31,
    };
    parts.len() <= 3 && number(0, 4, 0..=9999) && number(1, 2, 1..=12) && number(2, 2, 1..=days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, fits) in [
            ("2024-05-21", true),
            ("2024-02-29", true),
            ("2023-02-29", false),
            ("2024", true),
            ("2024-13", false),
            ("24-05-21", false),
            ("2024-5-1", false),
            ("2024-05-21-1", false),
            ("", false),
            ("soon", false),
        ] {
            assert_eq!(is_date(text), fits, "{text}");
        }
    }

    #[test]
    fn the_larger_scope_is_the_pairs() {
        let mut pair = Pair { true_scope: Some(Scope::Passage), ..Pair::default() };
        assert_eq!(pair.scope(), None);
        pair.false_scope = Some(Scope::Sentence);
        assert_eq!(pair.scope(), Some(Scope::Passage));
    }

    #[test]
    fn length_groups_are_the_papers() {
        let group =
            |tokens| BookFacts { tokens: Some(tokens), ..BookFacts::default() }.length_group();
        let groups = [61_689, 129_908, 235_118].map(|tokens| group(tokens).unwrap());
        assert_eq!(groups, ["below 75k", "127k-180k", "above 180k"]);
    }
}
