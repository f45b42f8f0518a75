//! Takes out of an answer what the model was asked for.
//!
//! Two protocols: `tag`, text behind a begin tag, which any model can try; and `json`, an object
//! after a schema, where the server knows schemas. Either way the answer is looked at, never
//! trusted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storymill_core::{Answer, Edit, Reason, Schema, UNFINISHED};

/// How an answer marks its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Behind a begin tag that must stand there exactly once (NarrativeXL).
    #[default]
    Tag,
    /// In a JSON object, asked for with a schema.
    Json,
}

impl Protocol {
    /// The word that rows carry.
    pub(crate) fn word(self) -> &'static str {
        storymill_core::word(&self)
    }
}

/// The tag before the text.
pub(crate) const BEGIN: &str = "### BEGIN ANSWER ###";
/// The tag behind it, which may be missing.
pub(crate) const END: &str = "### END ANSWER ###";

/// A text taken out of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) text: String,
    /// The answer ended before the text was complete.
    pub(crate) cut: bool,
}

/// The retelling in an answer: the tagged text, or the field `summary`.
pub(crate) fn retelling(protocol: Protocol, answer: &Answer) -> Result<Found, Reason> {
    not_withheld(answer)?;
    match protocol {
        Protocol::Tag => tagged(answer),
        Protocol::Json => {
            let value = object(answer)?;
            let Some(text) = value["summary"].as_str() else {
                return Err(Reason::new("not-json", "the object has no text `summary`"));
            };
            Ok(Found { text: text.trim().to_owned(), cut: false })
        }
    }
}

/// The pairs of events in an answer: lines `TRUE:` and `FALSE:`, or the list `changes`.
pub(crate) fn pairs(protocol: Protocol, answer: &Answer) -> Result<Vec<Edit>, Reason> {
    not_withheld(answer)?;
    let pairs = match protocol {
        Protocol::Tag => lines(&tagged(answer)?),
        Protocol::Json => {
            let value = object(answer)?;
            let changes = value["changes"].as_array().map_or(&[][..], Vec::as_slice);
            let text =
                |change: &Value, field| change[field].as_str().unwrap_or("").trim().to_owned();
            let pair = |change| Edit {
                true_event: text(change, "true_event"),
                false_event: text(change, "false_event"),
            };
            changes.iter().map(pair).collect()
        }
    };
    if pairs.is_empty() {
        return Err(Reason::new(
            "no-pairs",
            "the answer holds no pair of a true and a false event",
        ));
    }
    Ok(pairs)
}

/// The schema that a JSON answer with a retelling must follow.
pub(crate) fn retelling_schema(longest: Option<u32>) -> Schema {
    let mut text = json!({ "type": "string" });
    if let Some(longest) = longest {
        text["maxLength"] = longest.into();
    }
    schema("summary", &json!({ "summary": text }))
}

/// The schema of an answer with pairs.
pub(crate) fn pairs_schema() -> Schema {
    let text = json!({ "type": "string" });
    let pair = json!({
        "type": "object",
        "properties": { "true_event": text, "false_event": text },
        "required": ["true_event", "false_event"],
        "additionalProperties": false,
    });
    schema("changes", &json!({ "changes": { "type": "array", "items": pair } }))
}

fn schema(name: &str, properties: &Value) -> Schema {
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": [name],
        "additionalProperties": false,
    });
    Schema { name: name.to_owned(), schema }
}

pub(crate) fn not_withheld(answer: &Answer) -> Result<(), Reason> {
    if answer.finish_reason == "content_filter" {
        return Err(Reason::new("withheld", "the server's filter withheld the answer"));
    }
    if answer.text.trim().is_empty() {
        let why = match &*answer.finish_reason {
            end if UNFINISHED.contains(&end) => format!(": it ended by `{end}`"),
            _ => String::new(),
        };
        return Err(Reason::new("empty", format!("the answer is empty{why}")));
    }
    Ok(())
}

/// Whether the server says that it stopped for want of room.
fn ran_out(answer: &Answer) -> bool {
    matches!(&answer.finish_reason[..], "length" | "max_tokens")
}

fn tagged(answer: &Answer) -> Result<Found, Reason> {
    let mut parts = answer.text.split(BEGIN).skip(1);
    let Some(text) = parts.next() else {
        return Err(Reason::new("tag-missing", format!("`{BEGIN}` is not in the answer")));
    };
    let more = parts.count();
    if more > 0 {
        let detail = format!("`{BEGIN}` stands in the answer {} times", more + 1);
        return Err(Reason::new("tag-repeated", detail));
    }
    let ended = text.find(END);
    let text = unquoted(text[..ended.unwrap_or(text.len())].trim());
    Ok(Found { text: text.to_owned(), cut: ended.is_none() && ran_out(answer) })
}

/// A text without the quotation marks that a model copied from around what it was given.
fn unquoted(text: &str) -> &str {
    let straight = text.matches('"').count();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match inner {
        Some(inner) if straight == 2 => return inner.trim(),
        _ => {}
    }
    let odd = straight % 2 == 1 && text.ends_with('"');
    let closes = text.ends_with('”') && text.matches('”').count() > text.matches('“').count();
    if odd || closes { text.trim_end_matches(['"', '”']).trim_end() } else { text }
}

/// The first object in an answer. What stands around it (a fence, blanks without end) is let be:
/// an object that is complete is complete, whatever the finish reason.
pub(crate) fn object(answer: &Answer) -> Result<Value, Reason> {
    let text = answer.text.rsplit("</think>").next().unwrap_or(&answer.text);
    let Some(start) = text.find('{') else {
        return Err(Reason::new("not-json", "no object is in the answer"));
    };
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) if error.is_eof() => {
            Err(Reason::new("cut-off", "the answer ended inside its object"))
        }
        _ => Err(Reason::new("not-json", "the answer is no JSON")),
    }
}

/// Pairs of lines, whatever bullets and stars a model puts before them. A line that the end of
/// the answer cut counts for nothing.
fn lines(found: &Found) -> Vec<Edit> {
    let mut lines: Vec<&str> = found.text.lines().collect();
    if found.cut {
        lines.pop();
    }
    let mut pairs = Vec::new();
    let mut open: Option<String> = None;
    for line in lines {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || " .)-*•".contains(c));
        if let Some(text) = after(line, "TRUE") {
            open = Some(text);
        } else if let Some(false_event) = after(line, "FALSE")
            && let Some(true_event) = open.take()
        {
            pairs.push(Edit { true_event, false_event });
        }
    }
    pairs
}

/// What stands behind a label, `TRUE:` or `**True**:`.
fn after(line: &str, label: &str) -> Option<String> {
    let head = line.get(..label.len())?;
    let rest = head.eq_ignore_ascii_case(label).then(|| &line[label.len()..])?;
    let text = rest.trim_start_matches('*').strip_prefix(':')?;
    Some(text.trim_matches(|c: char| c.is_whitespace() || c == '*').to_owned())
}

#[cfg(test)]
mod tests;
