//! How long it takes to mix: 200 questions at five lengths, with confusing facts and replaced
//! words, to zstd Parquet, in CPU seconds.
//!
//! `CORPUS/txt` holds texts, whose paragraphs are put together to passages of about 600 words;
//! `CORPUS/qa.jsonl` questions with `support`, `confusing` and `replace`. Reading them, every check,
//! and writing are all inside the timing.

use std::{collections::BTreeMap, fs, fs::File, io::BufWriter, path::PathBuf};

use serde::Deserialize;
use storymill_core::{Context, Document, Rule, Scope, Seed, SetQuestion, UnitId};
use storymill_dataset::materialize::{Record, Sheet};
use storymill_mixing::{Options, Pool, Use, mix};
use storymill_text::{Language, sentence};

use crate::Done;

/// Prints what mixing contexts at five lengths makes, to be timed
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Holds `txt` and `qa.jsonl`
    corpus: PathBuf,
    questions: usize,
    /// Parquet
    out: PathBuf,
}

#[derive(Deserialize)]
struct Asked {
    id: u32,
    question: String,
    answer: String,
    support: String,
    confusing: Vec<String>,
    replace: BTreeMap<String, String>,
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let set: UnitId = "bench".parse().unwrap();
        let mut pool = Pool::empty(&set, Language::English);

        let qa = fs::read_to_string(self.corpus.join("qa.jsonl"))?;
        let questions: Vec<SetQuestion> = qa
            .lines()
            .take(self.questions)
            .map(|line| question(serde_json::from_str(line).unwrap()))
            .collect();
        for question in &questions {
            pool.add(&question.documents, &|_| Use { distracts: false, whole: true });
        }
        let mut texts: Vec<PathBuf> = fs::read_dir(self.corpus.join("txt"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        texts.sort();
        for path in texts {
            pool.add(&passages(&fs::read_to_string(path).unwrap()), &|_| Use {
                distracts: true,
                whole: false,
            });
        }

        let options = Options {
            levels: vec![16_000, 32_000, 64_000, 128_000, 256_000],
            heading: None,
            disperse: false,
            nested: true,
            same_depth: true,
            balance: true,
            confusing: true,
            replace: true,
            flag: false,
            bare: false,
        };
        let ends = |text: &str| sentence::ends(text, Language::English);
        let mut sheet = Sheet::new(BufWriter::new(File::create(&self.out)?)).unwrap();
        let (mut bytes, mut contexts, mut missing) = (0, 0, 0);
        for (at, question) in questions.iter().enumerate() {
            let mut each = |context: &Context, text: &str| {
                bytes += text.len();
                contexts += 1;
                sheet
                    .push(&Record::new(context, "storymill-canary-0123456789abcdef", text))
                    .unwrap();
            };
            let mixed =
                mix(&set, at, question, &pool, &options, at, Seed::new(7), &ends, &mut each);
            missing += mixed.unmixable.len();
        }
        sheet.finish()?;
        let written = fs::metadata(&self.out)?.len();
        println!(
            "{{\"contexts\": {contexts}, \"bytes\": {bytes}, \"out_bytes\": {written}, \"pool_passages\": {}, \"missing\": {missing}}}",
            pool.passages().len()
        );
        Ok(())
    }
}

fn question(one: Asked) -> SetQuestion {
    let rule = |(from, to): (String, String)| Rule { from, to, scope: vec![Scope::Context] };
    SetQuestion {
        id: format!("q{}", one.id),
        language: "en".to_owned(),
        question: one.question,
        answers: vec![one.answer],
        documents: vec![Document { title: String::new(), text: one.support }],
        supporting: vec![0],
        confusing: one.confusing,
        rules: one.replace.into_iter().map(rule).collect(),
        ..SetQuestion::default()
    }
}

/// Paragraphs put together to passages of 600 words and more, as the Python peers do it.
fn passages(text: &str) -> Vec<Document> {
    let (mut passages, mut now, mut words) = (Vec::new(), Vec::new(), 0);
    for paragraph in text.split("\n\n") {
        now.push(paragraph);
        words += paragraph.matches(' ').count() + 1;
        if words >= 600 {
            passages.push(Document { title: String::new(), text: now.join("\n") });
            (now, words) = (Vec::new(), 0);
        }
    }
    passages
}
