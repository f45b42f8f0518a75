//! Writes the question sets that come with storymill, `data/sets/*.jsonl`: what is written by hand
//! in `data/sets/written`, among articles of an invented gazetteer that are put together from its
//! phrases, `a` and `an` by what fills their slots. To be run when a question or a phrase changes.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use serde_json::json;
use storymill_core::{Seed, Stream, UnitId};
use storymill_text::article;

use crate::{Done, top};

/// A question as it is written by hand, with what a model is told to have answered.
#[derive(Deserialize)]
struct Written {
    id: String,
    question: String,
    answer: String,
    /// Title and the sentences that hold the evidence.
    documents: Vec<(String, String)>,
}

/// What articles are put together from. Slots stand in braces.
#[derive(Deserialize)]
struct Phrases {
    /// The names of articles: how they are put together.
    names: Vec<String>,
    /// Sentences about an article's subject.
    sentences: Vec<String>,
    /// What fills slots.
    slots: BTreeMap<String, Vec<String>>,
    /// What stands between sentences.
    gap: String,
    /// How many sentences an article has: at least, at most.
    length: (u32, u32),
    /// How many articles there are.
    articles: usize,
}

pub(crate) fn run() -> Done {
    let folder = top().join("data/sets");
    let phrases = fs::read_to_string(folder.join("written/phrases.toml"))?;
    for (set, phrases) in toml::from_str::<BTreeMap<String, Phrases>>(&phrases)? {
        let written = fs::read_to_string(folder.join(format!("written/{set}.jsonl")))?;
        let unit: UnitId = set.parse()?;
        let mut lines = Vec::new();
        for line in written.lines().filter(|line| !line.is_empty()) {
            let one: Written =
                serde_json::from_str(line).map_err(|error| format!("{set}: {line}: {error}"))?;
            let documents: Vec<_> = one
                .documents
                .iter()
                .map(|(title, evidence)| {
                    let mut stream = Seed::new(10).derive("write-sets", &unit, title, "evidence");
                    let mut sentences = phrases.article(title, &mut stream);
                    let at = stream.index(sentences.len()).unwrap_or(0);
                    sentences.insert(at, evidence.clone());
                    json!({ "title": title, "text": sentences.join(&phrases.gap) })
                })
                .collect();
            let row = json!({ "id": one.id, "question": one.question, "answers": [one.answer], "documents": documents });
            lines.push(row.to_string());
        }
        let mut names = Vec::new();
        for at in 0..phrases.articles {
            let mut stream = Seed::new(10).derive("write-sets", &unit, &at.to_string(), "article");
            let mut name = phrases.name(&mut stream);
            while names.contains(&name) {
                name = phrases.name(&mut stream);
            }
            let text = phrases.article(&name, &mut stream).join(&phrases.gap);
            let row = json!({ "id": format!("a{at:03}"), "documents": [{ "title": name, "text": text }] });
            lines.push(row.to_string());
            names.push(name);
        }
        let path = folder.join(format!("{set}.jsonl"));
        fs::write(&path, lines.join("\n") + "\n")?;
        println!("{}: {} lines", path.display(), lines.len());
    }
    Ok(())
}

impl Phrases {
    fn name(&self, stream: &mut Stream) -> String {
        let name = stream.choose(&self.names).map_or("", String::as_str);
        self.fill(name, "", stream)
    }

    /// The sentences of an article about something of this name, no two from one phrase.
    fn article(&self, name: &str, stream: &mut Stream) -> Vec<String> {
        let mut order: Vec<&String> = self.sentences.iter().collect();
        stream.shuffle(&mut order);
        let (least, most) = self.length;
        let count = least + stream.below(most - least + 1);
        order.truncate(count as usize);
        order.into_iter().map(|sentence| self.fill(sentence, name, stream)).collect()
    }

    fn fill(&self, phrase: &str, name: &str, stream: &mut Stream) -> String {
        let mut text = String::new();
        let mut rest = phrase;
        while let Some((before, slot)) = rest.split_once('{') {
            let (slot, behind) = slot.split_once('}').unwrap_or((slot, ""));
            text += before;
            let word = match slot {
                "it" => name.to_owned(),
                "year" => (1_690 + stream.below(240)).to_string(),
                "number" => (3 + stream.below(96)).to_string(),
                _ => {
                    let words = self.slots.get(slot).and_then(|words| stream.choose(words));
                    words.unwrap_or_else(|| panic!("no words for `{slot}`")).clone()
                }
            };
            let fitting = article::at_end(&text).and_then(|at| {
                let fitting =
                    article::instead(&text[at.clone()], article::takes_an(&word)?, false)?;
                Some((at, fitting))
            });
            if let Some((at, fitting)) = fitting {
                text.replace_range(at, fitting);
            }
            text += &word;
            rest = behind;
        }
        text + rest
    }
}
