//! What the stages that ask a model about questions have in common.

use storymill_core::{Answer, Fault, Reason, Resource, SetQuestion};
use storymill_mixing::Language;

use crate::retelling::{
    answer::{Protocol, retelling},
    prompt::Prompt,
};

/// The template of a stage in each language, or the user's for both.
pub(super) struct Prompts([Prompt; 2]);

impl Prompts {
    pub(super) fn new(
        own: Option<&Resource>,
        name: &str,
        texts: [&'static str; 2],
    ) -> Result<Self, Fault> {
        let prompt = |tag: &str, text| Prompt::new(own, &format!("{name}-{tag}.jinja"), text);
        Ok(Self([prompt("en", texts[0])?, prompt("zh", texts[1])?]))
    }

    pub(super) fn of(&self, language: Language) -> &Prompt {
        &self.0[usize::from(language == Language::Chinese)]
    }
}

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
