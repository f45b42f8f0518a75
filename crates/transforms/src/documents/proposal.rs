//! What a model proposes about a question and its answers: read from JSON, and checked.

use serde_json::{Map, Value, json};
use storymill_core::{Answer, AskedQuestion, Reason, Schema};
use storymill_metrics::rouge::{Stem, Words};
use storymill_text::{one_line, word_count};

use crate::retelling::answer::{not_withheld, object};

/// What is proposed about a question and each of its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) question: Option<Correction>,
    /// In the order of the answers.
    pub(super) answers: Vec<Option<Correction>>,
    pub(super) reason: String,
}

/// What is wrong with a text, and what should stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Correction {
    /// `malformed`, `ill-posed`, `wrong`.
    pub(super) kind: &'static str,
    /// Blank: nothing can stand there. None: nothing is proposed.
    pub(super) text: Option<String>,
}

/// What can be wrong with a question.
const OF_QUESTIONS: [&str; 3] = ["none", "malformed", "ill-posed"];
/// What can be wrong with an answer.
const OF_ANSWERS: [&str; 3] = ["none", "malformed", "wrong"];
/// The longest question and the longest answer, in words.
const LONGEST: u32 = 60;

/// The field of an answer: `answer_1`.
pub(super) fn field(number: u8) -> String {
    format!("answer_{number}")
}

/// The schema that an answer about a question must follow.
pub(super) fn schema(question: &AskedQuestion) -> Schema {
    let mut properties = Map::new();
    let mut put = |name: &str, problems: &[&str]| {
        properties.insert(format!("{name}_problem"), json!({ "type": "string", "enum": problems }));
        properties.insert(name.to_owned(), json!({ "type": "string", "maxLength": 240 }));
    };
    put("question", &OF_QUESTIONS);
    question.answers.iter().for_each(|answer| put(&field(answer.number), &OF_ANSWERS));
    properties.insert("reason".to_owned(), json!({ "type": "string", "maxLength": 160 }));
    // What stays as it is need not be said again.
    let required = |name: &&String| name.ends_with("_problem") || *name == "reason";
    let required: Vec<&String> = properties.keys().filter(required).collect();
    let schema = json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    });
    Schema { name: "refine".to_owned(), schema }
}

/// Reads an answer. What names no problem changes nothing, whatever text comes with it; neither does a correction
/// that says the same.
pub(super) fn read(question: &AskedQuestion, answer: &Answer) -> Result<Proposal, Reason> {
    not_withheld(answer)?;
    let object = object(answer)?;
    let one = |name: &str, problems: &[&'static str], before: &str| {
        let Some(kind) = problem(&object, name, problems)? else { return Ok(None) };
        let text = match &object[name] {
            Value::String(text) => Some(one_line(text)),
            Value::Null => None,
            _ => return Err(Reason::new("no-text", format!("`{name}` is no text"))),
        };
        let same = text.as_ref().is_some_and(|text| same(text, before));
        Ok((!same).then_some(Correction { kind, text }))
    };
    let asked = one("question", &OF_QUESTIONS, &question.question)?;
    let answers =
        question.answers.iter().map(|own| one(&field(own.number), &OF_ANSWERS, &own.text));
    Ok(Proposal {
        question: asked,
        answers: answers.collect::<Result<_, _>>()?,
        reason: one_line(object["reason"].as_str().unwrap_or_default()),
    })
}

/// The problem that an object names; none if it names none.
fn problem(
    object: &Value,
    name: &str,
    problems: &[&'static str],
) -> Result<Option<&'static str>, Reason> {
    let field = format!("{name}_problem");
    let text = match &object[&field] {
        Value::String(text) => text.trim().to_lowercase().replace([' ', '_'], "-"),
        Value::Null if object.get(&field).is_some() => return Ok(None),
        Value::Bool(false) => return Ok(None),
        _ => return Err(Reason::new("no-problem", format!("the object has no text `{field}`"))),
    };
    if matches!(&*text, "" | "no" | "ok" | "none" | "correct" | "no-problem" | "fine") {
        return Ok(None);
    }
    let known = problems.iter().find(|known| text.replace('-', "") == known.replace('-', ""));
    known.copied().map(Some).ok_or_else(|| {
        let known = problems.join(", ");
        Reason::new("other-problem", format!("`{field}` is `{text}`, and can be {known}"))
    })
}

/// Whether two texts have the same words, and ask or do not ask alike.
fn same(one: &str, other: &str) -> bool {
    let [words, of_other] = [one, other].map(|text| Words::of(text, Stem::None));
    !words.is_empty() && words == of_other && one.ends_with('?') == other.ends_with('?')
}

impl Correction {
    /// Why the text cannot stand there, if it cannot. A blank one is no text, and left to who reads it.
    pub(super) fn refused(&self, is_question: bool) -> Option<String> {
        let Some(text) = &self.text else {
            return Some("nothing is proposed in its place".to_owned());
        };
        let words = word_count(text);
        match () {
            () if text.is_empty() => None,
            () if words > LONGEST => Some(format!("it has {words} words and may have {LONGEST}")),
            () if is_question && !text.contains('?') => {
                Some("a question without a question mark".to_owned())
            }
            () if !text.chars().any(char::is_alphanumeric) => Some("it has no words".to_owned()),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests;
