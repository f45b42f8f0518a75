//! Records the answers of `workflows/lveval.toml`: what is written in `data/sets/written`, as the
//! answers to the requests that its stages make. Run it when a prompt or a question changes:
//!
//! ```text
//! cargo run --release --example record_lveval
//! ```
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use serde::Deserialize;
use storymill_core::{Answer, Asked, Asker, Digest, Fault, FaultKind, Request, RequestKey, UnitId};
use storymill_llm::{AnswerLog, AskerOptions, Mode, ModelAsker, answers::pack, log::Record};
use storymill_pipeline::{Claim, Registry, RunOptions, Store, Workflow, run, store::RealDisk};

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

/// Answers from what is written; keys and log are those of a real asker.
struct Teller {
    asker: ModelAsker,
    log: Arc<AnswerLog>,
    written: BTreeMap<(String, String), Written>,
    asked: Mutex<Vec<RequestKey>>,
}

impl Teller {
    fn text(&self, asked: &Asked) -> Option<String> {
        let of = (asked.unit.to_string(), asked.item.clone()?);
        let one = self.written.get(&of)?;
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
        (asked.attempt == 0).then(|| format!("### BEGIN ANSWER ###\n{text}"))
    }
}

impl Asker for Teller {
    fn key(
        &self,
        unit: &UnitId,
        request: &Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        self.asker.key(unit, request, sample, attempt)
    }

    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        let answer = self.log.get(key)?;
        if answer.is_some() {
            self.asked.lock().expect("nobody panics here").push(*key);
        }
        Ok(answer)
    }

    fn favour(&self, _: &[(RequestKey, Digest)]) {}

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        let mut refused = Vec::new();
        for asked in wave {
            let Some(text) = self.text(asked) else {
                let item = asked.item.clone().unwrap_or_default();
                let chat = asked.request.chat();
                let again = chat.and_then(|chat| chat.texts().last()).unwrap_or_default();
                let why = again.split("could not be used: ").nth(1).unwrap_or_default();
                let why: String = why.chars().take(90).collect();
                refused.push(format!("{} {} {item}: {why}", asked.stage, asked.unit));
                continue;
            };
            let answer = Answer { text, finish_reason: "stop".to_owned() };
            self.log.append(Record { key: asked.key, answer, note: None })?.wait()?;
        }
        if refused.is_empty() {
            return Ok(());
        }
        Err(Fault::new(
            FaultKind::Input,
            format!("refused, or not written:\n{}", refused.join("\n")),
        ))
    }
}

fn registry() -> Registry {
    let registry = Registry::new()
        .with_model::<storymill_llm::ModelConfig>()
        .with_source::<storymill_sources::QuestionSets>()
        .with_all(storymill_transforms::register);
    storymill_dataset::Tables::standard().names().fold(registry, Registry::with_table_named)
}

fn main() -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut written = BTreeMap::new();
    for set in ["lanterns", "tideng"] {
        let text = fs::read_to_string(top.join(format!("data/sets/written/{set}.jsonl")))?;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let one: Written = serde_json::from_str(line)?;
            written.insert((set.to_owned(), one.id.clone()), one);
        }
    }
    let work = tempfile::tempdir()?;
    let workflow = Workflow::read(&top.join("workflows/lveval.toml"), &registry())?;
    let log = Arc::new(AnswerLog::open(&work.path().join("log"), &[], Arc::new(RealDisk))?);
    let models = workflow
        .models
        .iter()
        .map(|(name, value)| Ok((name.clone(), serde_json::from_value(value.clone())?)));
    let models = models.collect::<Result<BTreeMap<_, _>, serde_json::Error>>()?;
    let options = AskerOptions { mode: Mode::Frozen, ..AskerOptions::default() };
    let asker = ModelAsker::new(
        Arc::clone(&log),
        models,
        options,
        Box::new(|_| None),
        Arc::new(()),
        Arc::default(),
    )?;
    let teller = Teller { asker, log: Arc::clone(&log), written, asked: Mutex::default() };
    let store = Store::open(work.path().join("store"), Arc::new(RealDisk), Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let outcome = run(&workflow, &store, &teller, &(), &options)?.outcome;
    for reject in &outcome.rejects {
        println!(
            "rejected: {} {} {}: {}",
            reject.step, reject.reject.item, reject.reject.reason.code, reject.reject.reason.detail
        );
    }
    let to = top.join("data/answers/lveval");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    let keys = teller.asked.into_inner()?;
    let packed = pack(&log, keys, &to)?;
    println!("{} answers, {} bytes, in {}", packed.answers, packed.bytes, to.display());
    Ok(())
}
