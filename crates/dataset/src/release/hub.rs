//! `eval.yaml`: a release as a benchmark of the Hugging Face Hub, which Inspect AI runs by its name, and the table of whole
//! prompts that is asked there.
//!
//! Such a benchmark fills a prompt from the columns of one row, and a book is in no row of a question. So a release has one
//! table more, small enough for the Hub: some questions with options, each with its context, as `evaluate` puts them.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind, Form, Question};

use crate::{
    asked,
    column::{Column, Type},
    context::Contexts,
    facts::Facts,
    manifest::{Manifest, TableEntry},
    materialize::Prompt,
    measure::measure,
    reading::{each_row, only, open},
    shape::{schema, settings},
    site::Site,
    writer::{Limits, TableFile, WriteError},
};

/// The file's name.
pub(super) const EVAL: &str = "eval.yaml";

/// The table of whole prompts.
const PROMPTS: &str = "prompts";

/// At most so many prompts.
const MOST: usize = 200;

/// The configs that are asked, the best first.
const ASKED: [&str; 3] = ["eval-small", "eval", "read-along"];

/// The last number behind `Answer:`, which our prompts ask for.
const ANSWER: &str = r"(?is).*answer(?:\s+is|\s*:)\W*(\d+)";

/// What whole prompts are made with.
#[derive(Clone, Copy)]
pub struct Prompts<'a> {
    /// A question and its context as one prompt.
    pub prompt: Prompt<'a>,
    /// The configs that the texts of a config may be taken from.
    pub texts: &'a dyn Fn(&str) -> Vec<String>,
}

impl std::fmt::Debug for Prompts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prompts").finish_non_exhaustive()
    }
}

/// What a release has for the Hub.
pub(super) struct Hub {
    /// Its files, each by its path.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// The lines of the card that name the table.
    config: String,
}

/// A question as a row.
#[derive(Serialize)]
struct Row {
    question_id: String,
    book_id: String,
    r#type: String,
    prompt: String,
    target: String,
    options: u8,
    demand_words: u32,
    canary: String,
}

fn columns() -> Vec<Column> {
    vec![
        Column::new("question_id", Type::Line, "the question"),
        Column::new("book_id", Type::Word, "the book"),
        Column::new("type", Type::Word, "the kind of question"),
        Column::new(
            "prompt",
            Type::Text,
            "context, question and options, as `storymill evaluate` puts them",
        ),
        Column::new("target", Type::Word, "the number of the right option"),
        Column::new("options", Type::Int, "how many options there are"),
        Column::new("demand_words", Type::Int, "how far back the evidence lies"),
        Column::canary(),
    ]
}

/// The prompts and their `eval.yaml`; none where no question has options, or its text is not published.
pub(super) fn of(
    folder: &Site,
    manifest: &Manifest,
    by: Prompts<'_>,
) -> Result<Option<Hub>, Fault> {
    let mut found = None;
    for table in tables(folder, manifest)? {
        match rows(folder, manifest, table, by)? {
            Some(rows) if rows.is_empty() => {}
            Some(rows) => {
                found = Some((table, rows));
                break;
            }
            None => return Ok(None),
        }
    }
    let Some((table, rows)) = found else { return Ok(None) };
    let taken = manifest.files.iter().any(|file| file.config == PROMPTS);
    let name = if taken { format!("whole-{PROMPTS}") } else { PROMPTS.to_owned() };
    let path = format!("{name}/{}{ONE_FILE}", table.split);
    let split = &table.split;
    Ok(Some(Hub {
        config: config(&name, split),
        files: vec![(EVAL.to_owned(), yaml(manifest, &name, split)), (path, parquet(&rows)?)],
    }))
}

/// The end of a table's path that has one file.
pub(crate) const ONE_FILE: &str = "-00000-of-00001.parquet";

/// What the front matter of a card says of the table of prompts.
pub(crate) fn config(name: &str, split: &str) -> String {
    format!(
        "- config_name: \"{name}\"\n  data_files:\n  - split: \"{split}\"\n    path: \"{name}/{split}-*.parquet\"\n"
    )
}

/// The tables whose questions may be asked, the best first: of the test split, where there is one.
fn tables<'m>(folder: &Site, manifest: &'m Manifest) -> Result<Vec<&'m TableEntry>, Fault> {
    let mut tables = Vec::new();
    for config in ASKED {
        let own = || manifest.files.iter().filter(|file| file.config == config && file.rows > 0);
        let (test, other) =
            (own().filter(|file| file.split == "test"), own().filter(|file| file.split != "test"));
        for table in test.chain(other) {
            let schema = open(&folder.join(&table.path))?.schema().clone();
            let columns = ["question_id", "options", "context_symbols"];
            if columns.iter().all(|name| schema.index_of(name).is_ok()) {
                tables.push(table);
            }
        }
    }
    Ok(tables)
}

fn rows(
    folder: &Site,
    manifest: &Manifest,
    table: &TableEntry,
    by: Prompts<'_>,
) -> Result<Option<Vec<Row>>, Fault> {
    let path = folder.join(&table.path);
    let mut lots = Vec::new();
    let columns = ["question_id", "options"];
    each_row(only(open(&path)?, columns), &path, |row: Value| {
        if let (Some(id), Some([_, ..])) =
            (row["question_id"].as_str(), row["options"].as_array().map(Vec::as_slice))
        {
            let lot = Digest::of_parts("storymill 2026 hub prompt v1", [id.as_bytes()]);
            lots.push((lot, id.to_owned()));
        }
        Ok(())
    })?;
    lots.sort();
    let drawn: BTreeSet<String> = lots.into_iter().take(MOST).map(|(_, id)| id).collect();
    let texts = (by.texts)(&table.config);
    let mut contexts = Contexts::open(folder.clone())?;
    let mut rows = Vec::new();
    let found = each_row(open(&path)?.with_batch_size(64), &path, |row: Value| {
        let Some(question) = asked::question(&row)? else { return Ok(()) };
        let Form::Options { right, .. } = &question.form else { return Ok(()) };
        if drawn.contains(&question.id) {
            let shown = contexts.of(&row, &question, &texts)?;
            rows.push(self::row(
                &question,
                *right,
                (by.prompt)(&question, shown)?,
                &manifest.canary,
            ));
        }
        Ok(())
    });
    match found {
        // The books are not published with their questions.
        Err(fault) if fault.kind == FaultKind::Input => Ok(None),
        found => found.map(|()| Some(rows)),
    }
}

fn row(question: &Question, right: u8, prompt: String, canary: &str) -> Row {
    Row {
        question_id: question.id.clone(),
        book_id: question.of.to_string(),
        r#type: question.kind.clone(),
        prompt,
        target: (u32::from(right) + 1).to_string(),
        options: u8::try_from(question.options().len()).unwrap_or(u8::MAX),
        demand_words: question.demand.to_start.words,
        canary: canary.to_owned(),
    }
}

fn parquet(rows: &[Row]) -> Result<Vec<u8>, Fault> {
    let broken = |error: WriteError| {
        Fault::new(FaultKind::Internal, format!("the prompts cannot be written: {error:?}"))
    };
    let columns = columns();
    let properties = settings(&columns)?.build();
    let mut facts = Facts::default();
    let mut file = TableFile::new(Vec::new(), &schema(&columns), properties, Limits::STANDARD)
        .map_err(broken)?;
    for row in rows {
        file.push(row, measure(row)?, &mut facts).map_err(broken)?;
    }
    Ok(file.finish(&mut facts).map_err(broken)?.inner)
}

/// The benchmark as the Hub describes it: one task.
fn yaml(manifest: &Manifest, config: &str, split: &str) -> Vec<u8> {
    let Manifest { name, version, .. } = manifest;
    let (pattern, quoted) = (serde_json::json!(ANSWER), serde_json::json!(name));
    format!(
        "# {name} {version} as a benchmark of the Hugging Face Hub: inspect eval hf/OWNER/DATASET --model PROVIDER/MODEL\n\
        name: {quoted}\n\
        description: Long-context questions on novels; each prompt holds what was read, the question and its options.\n\
        evaluation_framework: inspect-ai\n\
        tasks:\n\
        \x20 - id: {config}\n\
        \x20   config: {config}\n\
        \x20   split: {split}\n\
        \x20   field_spec:\n\
        \x20     input: prompt\n\
        \x20     target: target\n\
        \x20     id: question_id\n\
        \x20     metadata: [question_id, book_id, type, options, demand_words]\n\
        \x20   solvers:\n\
        \x20     - name: generate\n\
        \x20   scorers:\n\
        \x20     - name: pattern\n\
        \x20       args:\n\
        \x20         pattern: {pattern}\n"
    )
    .into_bytes()
}

impl Hub {
    /// The card with the table among its configs, so that the Hub finds it.
    pub(super) fn card(&self, card: &str) -> String {
        let head = card.find("\nconfigs:\n").map(|at| at + 1);
        let Some(head) = head else { return card.to_owned() };
        let lines = card[head..].split_inclusive('\n').skip(1);
        let inside =
            lines.take_while(|line| line.starts_with([' ', '-']) && !line.starts_with("---"));
        let end = head + "configs:\n".len() + inside.map(str::len).sum::<usize>();
        format!("{}{}{}", &card[..end], self.config, &card[end..])
    }
}

/// What a release's `eval.yaml` asks.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// The id of its task.
    pub task: String,
    /// The config that its questions are of.
    pub config: String,
    /// Their split.
    pub split: String,
    /// Their ids.
    pub questions: BTreeSet<String>,
    /// The commit of the Hub that the folder was downloaded at, as `hf download` notes it or as its cache names it.
    pub revision: Option<String>,
}

impl Benchmark {
    /// That of a release; none if it has no `eval.yaml`.
    ///
    /// # Errors
    ///
    /// The manifest or a table cannot be read.
    pub fn of(folder: &Site) -> Result<Option<Self>, Fault> {
        let manifest = Manifest::of(folder)?;
        let documents = manifest.release.iter().flat_map(|release| &release.documents);
        let paths: Vec<&str> = documents.map(|document| document.path.as_str()).collect();
        let table = paths.iter().find(|path| path.ends_with("-00000-of-00001.parquet"));
        let Some(table) = table.filter(|_| paths.contains(&EVAL)) else { return Ok(None) };
        let path = folder.join(table);
        let mut questions = BTreeSet::new();
        each_row(only(open(&path)?, ["question_id"]), &path, |row: Value| {
            questions.extend(row["question_id"].as_str().map(str::to_owned));
            Ok(())
        })?;
        let (task, split) = table.split_once('/').unwrap_or((PROMPTS, ""));
        let split = split.split("-0").next().unwrap_or_default();
        let mut of = tables(folder, &manifest)?.into_iter();
        // The config is the first whose table has them all, as they were taken.
        let config =
            of.find(|one| one.split == split).map_or_else(String::new, |one| one.config.clone());
        let (task, split) = (task.to_owned(), split.to_owned());
        Ok(Some(Self { task, config, split, questions, revision: revision(folder) }))
    }
}

/// The commit that a folder was downloaded at: `snapshots/COMMIT`, or the first line of what `hf download` keeps of a file.
fn revision(folder: &Site) -> Option<String> {
    let is_commit =
        |text: &&str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut parts = folder.iter().rev().filter_map(|part| part.to_str());
    if let (Some(commit), Some("snapshots")) = (parts.next().filter(is_commit), parts.next()) {
        return Some(commit.to_owned());
    }
    let noted = folder.join(".cache/huggingface/download/manifest.json.metadata");
    let noted = String::from_utf8(noted.read().ok()?).ok()?;
    noted.lines().next().filter(is_commit).map(str::to_owned)
}
