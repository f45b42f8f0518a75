//! What an audit came to, as values that a report reads from JSON too.

use serde::{Deserialize, Serialize};

/// The format of [`AuditFigures`].
pub const FORMAT: &str = "storymill-audit/1";

/// What can be answered without understanding, set by set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditFigures {
    /// `storymill-audit/1`.
    pub format: String,
    /// The dataset's name.
    pub name: String,
    /// The dataset's version.
    pub version: String,
    /// The digest of all its rows.
    pub digest: String,
    /// The sets, as configs stand in the manifest, then by type.
    pub sets: Vec<AuditedSet>,
}

/// The questions of one config and type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditedSet {
    /// The config.
    pub config: String,
    /// What its wrong options are (`lookahead`), or its kind where there are no types.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many questions there are, of all splits.
    pub questions: u64,
    /// How many of them the measures of [`Measure::is_sampled`] looked at.
    pub sampled: u64,
    /// How many of those were looked for in their books.
    pub searched: u64,
    /// The books that they are asked of.
    pub books: u64,
    /// The groups of books that share no author; books where the folder does not tell authors.
    pub groups: u64,
    /// Whether groups are authors.
    pub by_author: bool,
    /// The share of right answers by chance; none where there are no options.
    pub chance: Option<f64>,
    /// What each measure found.
    pub figures: Vec<Figure>,
    /// How often the right option stands at each place.
    pub positions: Vec<u64>,
    /// How often none of the above is right; none where it is no option.
    pub none_right: Option<u64>,
    /// Questions with two options of the same letters and digits.
    pub equal_options: u64,
    /// Questions whose answer names none of their options: no measure looks at them.
    pub broken: u64,
    /// How far back the evidence begins, by the length of the context.
    pub coverage: Vec<Coverage>,
    /// How many questions are of books with each flag, `pg19` say.
    pub flags: Vec<Flagged>,
}

/// What a measure found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What was measured.
    pub measure: Measure,
    /// The share with its interval; none if it is not defined here.
    pub share: Option<Share>,
    /// Why it is not defined; blank if it is.
    pub undefined: String,
}

/// A share of right answers (of a score, for free text) with its 95 % interval; four digits of each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Over how many questions.
    pub questions: u64,
    /// How the interval was made.
    pub interval: IntervalOf,
}

/// What an interval is made over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalOf {
    /// Groups of authors, drawn again 2,000 times.
    Authors,
    /// Books, drawn again, where there are fewer than five authors.
    Books,
    /// Single questions (Wilson), where there are fewer than five books: too narrow where those of a book are alike.
    Questions,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Always the first option.
    First,
    /// The longest option.
    Longest,
    /// The option whose characters are most like those of the others.
    Style,
    /// The option that has most words and pairs of words in common with the others.
    Centre,
    /// The option that was least often a wrong one elsewhere.
    WrongElsewhere,
    /// What words tell that were right in books of other authors.
    Words,
    /// The same for runs of characters.
    Characters,
    /// Two options that are nearly the same (a cosine of .98 and above): the share of such questions.
    NearEqual,
    /// Free text: what a copy of the given text scores in ROUGE-1.
    #[serde(rename = "copy-rouge-1")]
    CopyRouge1,
    /// The same in ROUGE-L.
    CopyRougeL,
    /// The option whose characters are most like those of the beginning of the book.
    Opening,
    /// The option whose sentences stand in what was read, as strings.
    Strings,
    /// The same by BM25.
    Bm25,
    /// Questions of order, answered by where sentences or names stand as strings.
    StringsPlace,
    /// The same by BM25.
    Bm25Place,
    /// The name that stands most often in what was read.
    Count,
    /// The same by BM25 within the stretch of the book that is most like all options.
    SceneBm25,
    /// Pairs and triples of words of the options within that stretch.
    SceneNgrams,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Self; 18] = [
        Self::First,
        Self::Longest,
        Self::Style,
        Self::Centre,
        Self::WrongElsewhere,
        Self::Words,
        Self::Characters,
        Self::NearEqual,
        Self::CopyRouge1,
        Self::CopyRougeL,
        Self::Opening,
        Self::Strings,
        Self::Bm25,
        Self::StringsPlace,
        Self::Bm25Place,
        Self::Count,
        Self::SceneBm25,
        Self::SceneNgrams,
    ];

    /// The name, as in JSON.
    pub fn name(self) -> &'static str {
        storymill_core::word(&self)
    }

    /// What it does, for a table.
    pub fn about(self) -> &'static str {
        match self {
            Self::First => "the first option",
            Self::Longest => "the longest option",
            Self::Style => "the option nearest in style to the others",
            Self::Centre => "the option with most words in common with the others",
            Self::WrongElsewhere => "the option least often wrong elsewhere",
            Self::Words => "words of the options, learned from other authors",
            Self::Characters => "characters of the options, learned from other authors",
            Self::NearEqual => "questions with two options that are nearly the same",
            Self::CopyRouge1 => "ROUGE-1 of the copied text",
            Self::CopyRougeL => "ROUGE-L of the copied text",
            Self::Opening => "the option nearest in style to the beginning of the book",
            Self::Strings => "sentences of the options searched in the context",
            Self::Bm25 => "sentences of the options searched by BM25",
            Self::StringsPlace => "order by where sentences or names stand in the context",
            Self::Bm25Place => "order by where BM25 finds the sentences",
            Self::Count => "the option whose name stands most often in the context",
            Self::SceneBm25 => "the same in the stretch most like all options",
            Self::SceneNgrams => "pairs and triples of words in the stretch most like all options",
        }
    }

    /// Whether it answers questions without the book.
    pub fn is_without_book(self) -> bool {
        use Measure::{Centre, Characters, First, Longest, Style, Words, WrongElsewhere};
        matches!(self, First | Longest | Style | Centre | WrongElsewhere | Words | Characters)
    }

    /// Whether it finds places and puts them in order, which is what some questions ask.
    pub fn is_place(self) -> bool {
        matches!(self, Self::StringsPlace | Self::Bm25Place)
    }

    /// Whether it searches the book.
    pub fn is_search(self) -> bool {
        matches!(self, Self::Strings | Self::Bm25 | Self::SceneBm25 | Self::SceneNgrams)
    }

    /// Whether it looks at a sample of the questions where there are many.
    pub fn is_sampled(self) -> bool {
        !matches!(self, Self::First | Self::Longest)
    }
}

/// How far back the evidence begins in contexts of about one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Contexts from so many symbols to twice as many.
    pub symbols: u32,
    /// Questions by retention demand, in tenths of the context: the first asks of what was read just now, the last of
    /// the beginning.
    pub tenths: [u64; 10],
}

/// Questions of books with a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flagged {
    /// The flag.
    pub flag: String,
    /// How many questions.
    pub questions: u64,
}

impl AuditedSet {
    /// The share that a measure found, if it is defined.
    pub fn share(&self, measure: Measure) -> Option<Share> {
        self.figures.iter().find(|figure| figure.measure == measure)?.share
    }

    /// The best answer among some measures: of equals the first.
    pub fn best(&self, of: fn(Measure) -> bool) -> Option<(Measure, Share)> {
        let known = self.figures.iter().filter(|figure| of(figure.measure));
        let known = known.filter_map(|figure| Some((figure.measure, figure.share?)));
        known.reduce(|best, next| if next.1.value > best.1.value { next } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_json() {
        for measure in Measure::ALL {
            assert_eq!(serde_json::to_value(measure).unwrap(), measure.name());
        }
    }
}
