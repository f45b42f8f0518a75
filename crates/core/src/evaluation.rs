//! What models answer when they are put to the questions of a dataset, and what their answers are worth.

use std::{fmt, ops::Range, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Demand, Item, Length, Question, UnitId, record};

/// One unit of a published dataset as it is put to a model: a book, or a mixed context, with its questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exam {
    /// The book or the set.
    pub of: UnitId,
    /// Title; blank where the dataset does not say.
    pub title: String,
    /// Author, or whatever is kept together in a resampling: books of one author are not independent.
    pub author: String,
    /// `en` or `zh`; blank where the dataset does not say.
    pub language: String,
    /// The text that contexts are taken from: the whole book as its questions were made from it, or the mixed context.
    pub text: String,
    /// Where its scenes end, in symbols of the text; empty where the dataset has no scenes of it.
    pub scenes: Vec<u32>,
    /// True retellings of scenes in reading order, for the setting `summaries`.
    pub retellings: Vec<ToldSoFar>,
    /// The questions in reading order.
    pub questions: Vec<ExamQuestion>,
}

record!(Exam, "exam", 6);

/// A retelling, and up to where in the text it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldSoFar {
    /// The first symbol behind what it tells of.
    pub end_symbol: u32,
    /// Its text.
    pub text: String,
}

/// A question of an exam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamQuestion {
    /// The config that it is published in. An id may stand in several.
    pub config: String,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// Notes on its book: `pg19`.
    pub flags: Vec<String>,
    /// The models that wrote the retellings which it is made of, as the dataset tells them.
    pub written_by: Vec<String>,
    /// What reports break results down by: `genre=historical`.
    pub facets: Vec<Facet>,
    /// The story of a collection that it is about, in symbols of the text; none if it is about all of it.
    pub story: Option<Range<u32>>,
    /// What is asked.
    pub question: Question,
}

/// What a report breaks results down by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Facet {
    /// What by: `genre`, `scope`, `year`.
    pub by: String,
    /// Which of them: `historical`.
    pub value: String,
}

impl Facet {
    /// A facet.
    pub fn new(by: &str, value: impl Into<String>) -> Self {
        Self { by: by.to_owned(), value: value.into() }
    }

    /// As one word: `genre=historical`.
    pub fn name(&self) -> String {
        format!("{}={}", self.by, self.value)
    }

    /// The facet of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        name.split_once('=').map(|(by, value)| Self::new(by, value))
    }
}

impl Item for ExamQuestion {
    fn item_id(&self) -> String {
        format!("{}/{}", self.config, self.question.id)
    }
}

/// What a model is shown of what a question is asked of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    /// The context as published.
    Full,
    /// Nothing: what can be answered without the book.
    Nothing,
    /// Title and author alone: what is known by heart.
    Title,
    /// Only the scenes that hold the evidence.
    Evidence,
    /// The last so many tokens of the context.
    Recent(u32),
    /// So many excerpts that BM25 finds.
    Retrieved(u32),
    /// True retellings of what was read, in place of it.
    Summaries,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("full"),
            Self::Nothing => f.write_str("none"),
            Self::Title => f.write_str("title"),
            Self::Evidence => f.write_str("evidence"),
            Self::Recent(tokens) => write!(f, "recent-{tokens}"),
            Self::Retrieved(excerpts) => write!(f, "retrieved-{excerpts}"),
            Self::Summaries => f.write_str("summaries"),
        }
    }
}

/// A text that names no setting.
#[derive(Debug, thiserror::Error)]
#[error(
    "no setting of this name; known: full, none, title, evidence, recent-N (tokens), retrieved-K (excerpts), summaries"
)]
pub struct NoSetting;

impl FromStr for Setting {
    type Err = NoSetting;

    fn from_str(name: &str) -> Result<Self, NoSetting> {
        let number = |digits: &str| digits.parse().ok().filter(|number| *number > 0);
        Ok(match name {
            "full" => Self::Full,
            "none" => Self::Nothing,
            "title" => Self::Title,
            "evidence" => Self::Evidence,
            "summaries" => Self::Summaries,
            _ => match (name.strip_prefix("recent-"), name.strip_prefix("retrieved-")) {
                (Some(tokens), _) => Self::Recent(number(tokens).ok_or(NoSetting)?),
                (_, Some(excerpts)) => Self::Retrieved(number(excerpts).ok_or(NoSetting)?),
                _ => return Err(NoSetting),
            },
        })
    }
}

/// How the asking of one question ended. Whatever it was, the question stays in the denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// There is an answer.
    Answered,
    /// The model wrote something from which no answer can be read.
    Unparsed,
    /// The model or a filter refused.
    Refused,
    /// What it wrote or thought reached its limit.
    Cut,
    /// The context is longer than the model's window.
    DoesNotFit,
    /// The server gave nothing.
    Failed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] =
        [Self::Answered, Self::Unparsed, Self::Refused, Self::Cut, Self::DoesNotFit, Self::Failed];

    /// Its published name: `does-not-fit`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }

    /// Whether something was answered, right or wrong: not where the context does not fit, a filter stopped it or the server gave
    /// nothing. A pair of claims counts where both were (NoCha, appendix D).
    pub fn was_answered(self) -> bool {
        !matches!(self, Self::DoesNotFit | Self::Refused | Self::Failed)
    }

    /// The status of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// What a model said to one question in one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelAnswer {
    /// The question's id.
    pub question: String,
    /// The config that the question is published in.
    pub config: String,
    /// What it is of.
    pub of: UnitId,
    /// The model, by the name that its provider gives it.
    pub model: String,
    /// What was shown: the name of a [`Setting`].
    pub setting: String,
    /// How it ended.
    pub status: Status,
    /// What the model wrote, whole.
    pub said: String,
    /// The answer that was read from it: position of an option, from 0, as a number; `true` or `false`; words. Blank
    /// if there is none.
    pub answer: String,
    /// What was offered, shown, cut and written, in tokens.
    pub spent: Spent,
}

record!(ModelAnswer, "model-answer", 2);

impl Item for ModelAnswer {
    fn item_id(&self) -> String {
        format!("{}/{}/{}", self.config, self.question, self.setting)
    }
}

/// Tokens of one request, of its context unless said. None where nobody counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens of the context that the setting offers.
    pub offered: Option<u32>,
    /// Tokens of it that were shown.
    pub shown: Option<u32>,
    /// Where it was cut: `front`, `middle`; blank if it was not.
    pub cut: String,
    /// Tokens that were written, thinking apart.
    pub output: Option<u32>,
    /// Tokens of thinking.
    pub thinking: Option<u32>,
    /// How many tokens might be written, thinking among them.
    pub limit: Option<u32>,
    /// The place of its question in the request, from 0. Of the questions of one request all are shown the same text;
    /// what was written is counted for the first.
    pub place: u8,
}

/// What one answer is worth. Everything that a report is made from, so that no report needs the dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// The question's id.
    pub question: String,
    /// The config that the question is published in.
    pub config: String,
    /// What it is of.
    pub of: UnitId,
    /// Title of the book; blank where the dataset does not say.
    pub title: String,
    /// Author, or whatever is kept together in a resampling.
    pub author: String,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// Notes on the book: `pg19`.
    pub flags: Vec<String>,
    /// The models that wrote the retellings which the question is made of.
    pub written_by: Vec<String>,
    /// The model.
    pub model: String,
    /// What was shown: the name of a [`Setting`].
    pub setting: String,
    /// `options`, `free-text` or `verdict`.
    pub form: String,
    /// The kind of question: `lookahead`, `reconstruction`, `long-context`, `claim`.
    pub kind: String,
    /// How it ended.
    pub status: Status,
    /// Whether it is right, for options and verdicts; none for free text.
    pub right: Option<bool>,
    /// Whether none of the above is right.
    pub none_of_the_above: bool,
    /// How many answers there are to choose from; 0 for free text.
    pub choices: u8,
    /// The pair that a claim is one of; blank if it is none.
    pub pair: String,
    /// What reports break results down by.
    pub facets: Vec<Facet>,
    /// What counts for a mean, in millionths: 1,000,000 or 0 where it is right or wrong, else the first measure of its form.
    pub score_ppm: u32,
    /// Each measure of its form, in millionths: `rouge-l`, `copy-rouge-l`, `meteor`, `copy-meteor`, `em`, `f1`, `keyword-f1`;
    /// of claims how often an answer has it: `explained`, `early`, `contradicted`, `quotations`, `verbatim`.
    pub measures: Vec<(String, u32)>,
    /// How far back the answer lies.
    pub demand: Demand,
    /// How long the context is as published.
    pub context: Length,
    /// What was offered, shown, cut and written.
    pub spent: Spent,
}

record!(Grade, "grade", 3);

impl Item for Grade {
    fn item_id(&self) -> String {
        format!("{}/{}/{}", self.config, self.question, self.setting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_are_written() {
        let all = [
            Setting::Full,
            Setting::Nothing,
            Setting::Title,
            Setting::Evidence,
            Setting::Recent(8_000),
            Setting::Retrieved(5),
            Setting::Summaries,
        ];
        for setting in all {
            assert_eq!(setting.to_string().parse::<Setting>().unwrap(), setting);
        }
        for wrong in ["", "recent", "recent-", "recent-0", "retrieved-x", "Full"] {
            assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
        }
    }
}
