//! Records the answers of `workflows/lveval.toml`: what is written in `data/sets/written`, as the
//! answers to the requests that its stages make. To be run when a prompt or a question changes.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use storymill_core::{Answer, Asked};

use crate::{Done, record::record, top};

/// What is written about one question.
#[derive(Deserialize)]
struct Written {
    id: String,
    keywords: String,
    /// The fact about another subject, and that about another object.
    confusing: [String; 2],
    /// Old, new, and where it stands.
    rules: Vec<[String; 3]>,
}

pub(crate) fn run() -> Done {
    let mut written = BTreeMap::new();
    for set in ["lanterns", "tideng"] {
        let text = fs::read_to_string(top().join(format!("data/sets/written/{set}.jsonl")))?;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let one: Written = serde_json::from_str(line)?;
            written.insert((set.to_owned(), one.id.clone()), one);
        }
    }
    record("workflows/lveval.toml", "data/answers/lveval", |asked| {
        let text = text(&written, asked).ok_or_else(|| refused(asked))?;
        let text = format!("### BEGIN ANSWER ###\n{text}");
        Ok(Answer { text, finish_reason: "stop".to_owned() })
    })
}

fn text(written: &BTreeMap<(String, String), Written>, asked: &Asked) -> Option<String> {
    let of = (asked.unit.to_string(), asked.item.clone()?);
    let one = written.get(&of)?;
    let text = match asked.stage {
        "keywords" => format!("KEYWORDS: {}", one.keywords),
        "confuse" => format!("SUBJECT: {}\nOBJECT: {}", one.confusing[0], one.confusing[1]),
        "rules" => {
            let lines = one.rules.iter().map(|[from, to, _]| format!("{from} >> {to}"));
            lines.collect::<Vec<_>>().join("\n")
        }
        "closed-book" => if of.0 == "tideng" { "不知道" } else { "unknown" }.to_owned(),
        _ => return None,
    };
    // A question is asked again where its answer was refused: then what is written is wrong.
    (asked.attempt == 0).then_some(text)
}

fn refused(asked: &Asked) -> String {
    let chat = asked.request.chat();
    let again = chat.and_then(|chat| chat.texts().last()).unwrap_or_default();
    let why = again.split("could not be used: ").nth(1).unwrap_or_default();
    let why: String = why.chars().take(90).collect();
    let item = asked.item.as_deref().unwrap_or_default();
    format!("refused, or not written: {} {} {item}: {why}", asked.stage, asked.unit)
}
