//! Writes the question sets that come with storymill, `data/sets/*.jsonl`: the questions and articles
//! of `data/sets/written`, all written by hand, and for `lanterns` the sample stories in pieces, as
//! further documents that distract. To be run when one of them changes.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use serde_json::json;
use storymill_sources::clean;
use storymill_text::word_count;

use crate::{Done, top};

/// A question as it is written by hand.
#[derive(Deserialize)]
struct Written {
    id: String,
    question: String,
    answer: String,
    /// The titles of its articles, and the sentences in them that hold the evidence.
    documents: Vec<(String, String)>,
}

/// The sets, and whether the sample stories distract in them.
const SETS: [(&str, bool); 2] = [("lanterns", true), ("tideng", false)];

/// How long a piece of a story is at least, in words.
const PIECE: u32 = 250;

pub(crate) fn run() -> Done {
    let folder = top().join("data/sets");
    for (set, stories) in SETS {
        let articles = fs::read_to_string(folder.join(format!("written/{set}.txt")))?;
        let mut articles = articles_of(&articles)?;
        let mut lines = Vec::new();
        let written = fs::read_to_string(folder.join(format!("written/{set}.jsonl")))?;
        for line in written.lines().filter(|line| !line.is_empty()) {
            let one: Written =
                serde_json::from_str(line).map_err(|error| format!("{set}: {line}: {error}"))?;
            let mut documents = Vec::new();
            for (title, evidence) in &one.documents {
                let text = articles.remove(title).unwrap_or_default();
                if !text.contains(evidence) {
                    return Err(format!(
                        "{set}: the article `{title}` of {} does not hold its evidence",
                        one.id
                    )
                    .into());
                }
                documents.push(json!({ "title": title, "text": text }));
            }
            let row = json!({ "id": one.id, "question": one.question, "answers": [one.answer], "documents": documents });
            lines.push(row.to_string());
        }
        let mut others: Vec<(String, String)> = articles.into_iter().collect();
        if stories {
            others.extend(pieces()?);
        }
        for (at, (title, text)) in others.into_iter().enumerate() {
            let documents = [json!({ "title": title, "text": text })];
            lines.push(json!({ "id": format!("a{at:03}"), "documents": documents }).to_string());
        }
        let path = folder.join(format!("{set}.jsonl"));
        fs::write(&path, lines.join("\n") + "\n")?;
        println!("{}: {} lines", path.display(), lines.len());
    }
    Ok(())
}

/// Articles by title: `# ` and the title stand in a line of their own before each.
fn articles_of(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut articles = BTreeMap::new();
    for article in text.split("# ").skip(1) {
        let (title, text) = article.split_once('\n').unwrap_or((article, ""));
        let text = text.trim().replace("\n\n", "\n");
        if text.is_empty() || articles.insert(title.to_owned(), text).is_some() {
            return Err(format!("the article `{title}` is blank, or there are two"));
        }
    }
    Ok(articles)
}

/// The sample stories in pieces of whole paragraphs, each with a title of its own.
fn pieces() -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    let folder = top().join("data/books");
    let mut names: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, std::io::Error>>()?;
    names.retain(|name| name.strip_suffix(".html").is_some());
    names.sort();
    let mut pieces = Vec::new();
    for name in names {
        let page = fs::read(folder.join(&name))?;
        let cleaned = clean(&page, &name).map_err(|reason| format!("{name}: {}", reason.detail))?;
        let title = cleaned.says.title.split([',', '|']).next().unwrap_or_default().trim();
        let (mut now, mut part) = (String::new(), 0);
        let mut paragraphs = cleaned.paragraphs.iter().peekable();
        while let Some(paragraph) = paragraphs.next() {
            if !now.is_empty() {
                now += "\n";
            }
            now += paragraph.text.trim();
            if word_count(&now) >= PIECE || paragraphs.peek().is_none() {
                part += 1;
                pieces.push((format!("{title}, part {part}"), std::mem::take(&mut now)));
            }
        }
    }
    Ok(pieces)
}
