//! What the stages that ask a model about questions have in common.

use std::collections::BTreeSet;

use storymill_core::{Answer, Reason, SetQuestion};
use storymill_metrics::porter::stem;
use storymill_mixing::Idle;
use storymill_text::Language;

use crate::retelling::answer::{Protocol, retelling};

/// The text below the tag of an answer.
pub(super) fn tagged(answer: &Answer) -> Result<String, Reason> {
    let found = retelling(Protocol::Tag, answer)?;
    if found.text.trim().is_empty() {
        return Err(Reason::new("empty", "the answer is empty"));
    }
    Ok(found.text)
}

/// The text behind a label at the beginning of a line: `SUBJECT: ...`.
pub(super) fn labelled(text: &str, label: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.trim().trim_start_matches('*').split_once([':', '：'])?;
        let value = value.trim().trim_matches('*').trim();
        (key.trim().trim_matches('*') == label && !value.is_empty()).then(|| value.to_owned())
    })
}

/// A question and its answers as people see them on review items.
pub(super) fn told(question: &str, answers: &[String]) -> String {
    format!("question: {question}\nanswer: {}", answers.join(" / "))
}

/// The supporting documents as a model reads them.
pub(super) fn evidence(row: &SetQuestion) -> String {
    let documents = row.supporting.iter().filter_map(|at| row.documents.get(*at as usize));
    let texts: Vec<String> = documents
        .map(|document| {
            let (title, text) = (document.title.trim(), document.text.trim());
            if title.is_empty() { text.to_owned() } else { format!("{title}\n{text}") }
        })
        .collect();
    texts.join("\n\n")
}

/// The words of questions themselves.
const ASKING: [&str; 12] =
    ["what", "who", "whose", "whom", "which", "where", "when", "why", "how", "did", "does", "many"];

/// The words that tell something: stems of English words that are not idle, Chinese characters in
/// pairs.
pub(super) fn telling(text: &str, language: Language, idle: &Idle) -> BTreeSet<String> {
    if language == Language::Chinese {
        let small = |c: &char| {
            !c.is_alphanumeric() || "的了是在有和与也都就这那个一不谁什么哪为怎几".contains(*c)
        };
        let symbols: Vec<char> = text.chars().collect();
        let pairs = symbols.windows(2).filter(|pair| !pair.iter().any(small));
        return pairs.map(|pair| pair.iter().collect()).collect();
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let told =
        words.filter(|word| !word.is_empty() && !idle.is(word) && !ASKING.contains(&&word[..]));
    told.map(|word| stem(&word).into_owned()).collect()
}
