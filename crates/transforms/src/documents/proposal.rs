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
    /// Blank: there is nothing that could stand there.
    pub(super) text: String,
}

/// What can be wrong with a question.
const OF_QUESTIONS: [&str; 3] = ["none", "malformed", "ill-posed"];
/// What can be wrong with an answer.
const OF_ANSWERS: [&str; 3] = ["none", "malformed", "wrong"];
/// The longest question and the longest answer, in words.
const LONGEST: [u32; 2] = [60, 60];

/// The field of an answer: `answer_1`.
pub(super) fn field(number: u8) -> String {
    format!("answer_{number}")
}

/// The schema that an answer about a question must follow.
pub(super) fn schema(question: &AskedQuestion) -> Schema {
    let mut properties = Map::new();
    let mut put = |name: &str, problems: &[&str]| {
        properties.insert(format!("{name}_problem"), json!({ "type": "string", "enum": problems }));
        properties.insert(name.to_owned(), json!({ "type": "string", "maxLength": 400 }));
    };
    put("question", &OF_QUESTIONS);
    question.answers.iter().for_each(|answer| put(&field(answer.number), &OF_ANSWERS));
    properties.insert("reason".to_owned(), json!({ "type": "string", "maxLength": 300 }));
    let required: Vec<&String> = properties.keys().collect();
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
            Value::String(text) => one_line(text),
            Value::Null => String::new(),
            _ => return Err(Reason::new("no-text", format!("`{name}` is no text"))),
        };
        Ok((!same(&text, before)).then_some(Correction { kind, text }))
    };
    let asked = one("question", &OF_QUESTIONS, &question.question)?;
    let answers = question.answers.iter().map(|own| one(&field(own.number), &OF_ANSWERS, &own.text));
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
    let known = problems.iter().find(|known| text == **known || text.replace('-', "") == known.replace('-', ""));
    known.copied().map(Some).ok_or_else(|| {
        let known = problems.join(", ");
        Reason::new("other-problem", format!("`{field}` is `{text}`, and can be {known}"))
    })
}

/// Whether two texts have the same words.
fn same(one: &str, other: &str) -> bool {
    !one.is_empty() && one.to_lowercase() == other.to_lowercase()
        || Words::of(one, Stem::None) == Words::of(other, Stem::None) && !Words::of(one, Stem::None).is_empty() && one.ends_with('?') == other.ends_with('?')
}

impl Correction {
    /// Why the text cannot stand there, if it cannot. A blank one is no text, and left to who reads it.
    pub(super) fn refused(&self, is_question: bool) -> Option<String> {
        if self.text.is_empty() {
            return None;
        }
        let words = word_count(&self.text);
        let longest = LONGEST[usize::from(!is_question)];
        if words > longest {
            return Some(format!("it has {words} words and may have {longest}"));
        }
        if is_question && !self.text.contains('?') {
            return Some("a question without a question mark".to_owned());
        }
        if !self.text.chars().any(char::is_alphanumeric) {
            return Some("it has no words".to_owned());
        }
        None
    }
}

#[cfg(test)]
#[path = "proposal_tests.rs"]
mod tests;
