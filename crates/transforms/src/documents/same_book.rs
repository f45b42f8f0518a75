//! What a model is asked where it is in doubt whether a summary is of a book, and how its answer is read.

use minijinja::{Value as Variables, context};
use serde_json::{Value, json};
use storymill_core::{Answer, AskedDocument, Book, Reason, Schema};
use storymill_text::one_line;

use super::belongs::names;
use crate::retelling::answer::{not_withheld, object};

/// How many symbols of the summary and of the book's beginning a model is shown.
const SHOWN: usize = 2_000;
/// How many questions a model is shown.
const ASKED: usize = 5;
/// How many of the book's names a model is shown.
const NAMES: usize = 20;

/// What the template is filled with.
pub(super) fn variables(document: &AskedDocument, book: &Book) -> Variables {
    let mut often: Vec<(String, u32)> = names(&book.text).into_iter().collect();
    often.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let often: Vec<String> = often.into_iter().take(NAMES).map(|(name, _)| name).collect();
    let shown = |text: &str| text.chars().take(SHOWN).collect::<String>();
    let questions = document.questions.iter().take(ASKED);
    let questions: Vec<String> = questions.map(|one| one.question.clone()).collect();
    context! {
        title => &document.title,
        summary => shown(&document.summary),
        questions,
        book_title => &book.title,
        beginning => shown(book.text.trim()),
        names => often,
    }
}

/// The schema that an answer must follow.
pub(super) fn schema() -> Schema {
    let schema = json!({
        "type": "object",
        "properties": {
            "reason": { "type": "string", "maxLength": 300 },
            "same_book": { "type": "boolean" },
        },
        "required": ["reason", "same_book"],
        "additionalProperties": false,
    });
    Schema { name: "join".to_owned(), schema }
}

/// Whether an answer says that both are one book, and why.
pub(super) fn read(answer: &Answer) -> Result<(bool, String), Reason> {
    not_withheld(answer)?;
    let object = object(answer)?;
    let same = match &object["same_book"] {
        Value::Bool(same) => Some(*same),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "same" => Some(true),
            "false" | "no" | "other" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let same = same.ok_or_else(|| {
        Reason::new("no-verdict", "the object has no `same_book` that is true or false")
    })?;
    Ok((same, one_line(object["reason"].as_str().unwrap_or_default())))
}
