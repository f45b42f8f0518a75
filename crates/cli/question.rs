//! A published question as people read it: the task, its options, where the answer lies.

use serde_json::Value;
use storymill_dataset::context::Asked;

use crate::table::{bold, dim, plain, plural};

/// Symbols of an evidence that are shown at either end of it.
const SHOWN: usize = 160;

/// How much is told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Telling {
    /// Which option is right, and where the answer lies.
    pub(crate) answer: bool,
    /// What kind each option is of, and where it comes from.
    pub(crate) types: bool,
}

/// Whether a row is a question with options or a text to be put right.
pub(crate) fn is_question(row: &Value) -> bool {
    row["question"].is_string() && row["context_symbols"].is_u64()
}

/// The question in words. With the answer, the right option stands out and decoys are dim.
pub(crate) fn words(row: &Value, asked: Option<&Asked>, telling: Telling) -> String {
    let text = |name: &str| plain(row[name].as_str().unwrap_or_default());
    let number = |name: &str| row[name].as_u64().unwrap_or(0);
    let mut out = format!("{}\n", text("question"));
    if !row["distorted"].is_null() {
        out += &format!("\n{}\n", text("distorted"));
    }
    let right = row["answer"].as_u64();
    for (at, option) in row["options"].as_array().into_iter().flatten().enumerate() {
        let told = plain(option.as_str().unwrap_or_default());
        let line = format!("  {}) {told}", at + 1);
        let line = match (telling.answer, right == Some(at as u64)) {
            (true, true) => bold(&line),
            (true, false) => dim(&line),
            (false, _) => line,
        };
        out += &format!("\n{line}");
        if telling.types {
            let kind = row["option_kinds"][at].as_str().unwrap_or_default();
            let from = row["option_ids"][at].as_str().unwrap_or_default();
            out += &dim(&format!("  [{}]", plain(format!("{kind} {from}").trim())));
        }
    }
    if !telling.answer {
        return out;
    }
    out += "\n\n";
    if let Some(right) = right {
        out += &format!("right: {}\n", right + 1);
    } else {
        let answer = if row["reference"].is_string() { "reference" } else { "answer" };
        out += &format!("reference: {}\n", text(answer));
    }
    out += &format!(
        "asked after {}, {}; the answer begins {}, {} back\n",
        plural(number("context_scenes"), "scene"),
        plural(number("context_words"), "word"),
        plural(number("demand_scenes"), "scene"),
        plural(number("demand_words"), "word")
    );
    let evidence = asked.map(Asked::evidence).unwrap_or_default();
    for (span, evidence) in row["evidence"].as_array().into_iter().flatten().zip(evidence) {
        let (start, end) = (&span["start_symbols"], &span["end_symbols"]);
        out += &format!("evidence, symbols {start} to {end}:\n  {}\n", bold(&ends(evidence)));
    }
    out
}

/// The beginning and the end of a text in one line.
fn ends(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let symbols: Vec<char> = plain(&line).chars().collect();
    if symbols.len() <= 2 * SHOWN {
        return symbols.into_iter().collect();
    }
    let first: String = symbols[..SHOWN].iter().collect();
    let last: String = symbols[symbols.len() - SHOWN..].iter().collect();
    format!("{first} … {last}")
}
