//! One line of a file of answers, under the names that existing files use.

use serde::Deserialize;
use serde_json::Value;

use super::FileError;

/// A line: a prediction and what it is compared with.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    #[serde(alias = "pred")]
    prediction: Option<String>,
    #[serde(alias = "references", alias = "answer", alias = "answers", alias = "ref")]
    reference: Option<Texts>,
    #[serde(alias = "answer_keywords", alias = "key")]
    keywords: Option<String>,
    #[serde(alias = "lang")]
    language: Option<String>,
    id: Option<Id>,
    cluster: Option<Id>,
    tokens_prediction: Option<Vec<String>>,
    #[serde(alias = "tokens_reference")]
    tokens_answer: Option<Vec<String>>,
    tokens_keywords: Option<Vec<String>>,
}

/// One text or several.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Texts(pub(crate) Vec<String>);

impl TryFrom<Value> for Texts {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let fault = "references are a text or a list of texts";
        match value {
            Value::String(text) => Ok(Self(vec![text])),
            Value::Array(texts) => {
                let text = |value: Value| value.as_str().map(str::to_owned).ok_or(fault);
                texts.into_iter().map(text).collect::<Result<_, _>>().map(Self)
            }
            _ => Err(fault),
        }
    }
}

/// A text, or a number taken as its digits.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
struct Id(String);

impl TryFrom<Value> for Id {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        match value {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err("an id is a text or a number"),
        }
    }
}

/// The language of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

/// A line that has all it needs.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) cluster: Option<String>,
    pub(crate) language: Language,
    pub(crate) prediction: String,
    pub(crate) references: Vec<String>,
    pub(crate) keywords: Option<String>,
    /// Words of prediction, only reference and keywords, if the file has them.
    pub(crate) words: [Option<Vec<String>>; 3],
}

/// Reads all lines; blank ones are skipped.
pub(crate) fn read(jsonl: &str) -> Result<Vec<Given>, FileError> {
    let lines = jsonl.lines().enumerate().filter(|(_, text)| !text.trim().is_empty());
    let rows: Vec<Given> = lines.map(|(at, text)| given(at + 1, text)).collect::<Result<_, _>>()?;
    if rows.is_empty() { Err(FileError::Empty) } else { Ok(rows) }
}

fn given(line: usize, text: &str) -> Result<Given, FileError> {
    let row: Line =
        serde_json::from_str(text).map_err(|source| FileError::json(source, text, line))?;
    let missing = |field| FileError::Missing { line, field };
    let prediction = row.prediction.ok_or_else(|| missing("prediction"))?;
    let Texts(references) = row.reference.ok_or_else(|| missing("reference` or `references"))?;
    if references.is_empty() {
        return Err(FileError::Row { line, what: "`references` is empty".into() });
    }
    let language = match row.language.as_deref() {
        None | Some("en") => Language::English,
        Some("zh") => Language::Chinese,
        Some(other) => {
            let what = format!("`language` is `en` or `zh`, not `{other}`");
            return Err(FileError::Row { line, what });
        }
    };
    if row.tokens_answer.is_some() && references.len() > 1 {
        let what = "words are given for one reference, but there are several".into();
        return Err(FileError::Row { line, what });
    }
    Ok(Given {
        line,
        id: row.id.map(|id| id.0),
        cluster: row.cluster.map(|id| id.0),
        language,
        prediction,
        references,
        keywords: row.keywords,
        words: [row.tokens_prediction, row.tokens_answer, row.tokens_keywords],
    })
}
