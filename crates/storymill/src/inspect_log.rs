//! Logs of Inspect AI (`.eval`) as grades: what its tasks of this project (`integrations/inspect`, a release's `eval.yaml`)
//! asked, and how it was scored there.
//!
//! A log is a ZIP archive with `header.json` and a file for each sample, deflated or packed with Zstandard.

use std::{
    io::{Cursor, Read},
    path::Path,
};

use serde::Deserialize;
use serde_json::Value;
use storymill_core::{Demand, Fault, FaultKind, Grade, Length, Spent, Status};
use storymill_disk::most;
use zip::{CompressionMethod, ZipArchive};

/// The most bytes of one sample, unpacked: its prompt stands in it several times.
const MOST: u64 = 512 << 20;

#[derive(Deserialize)]
struct Header {
    eval: Eval,
}

#[derive(Deserialize)]
struct Eval {
    task: String,
    model: String,
    #[serde(default)]
    task_args: Value,
}

#[derive(Deserialize)]
struct Sample {
    id: Value,
    #[serde(default)]
    choices: Option<Vec<Value>>,
    #[serde(default)]
    output: Value,
    #[serde(default)]
    scores: Value,
    #[serde(default)]
    metadata: Value,
    #[serde(default)]
    error: Value,
}

/// The task of a log, and a grade for each of its samples, in order of their names.
///
/// # Errors
///
/// It cannot be read, is no log, or is of a task that this project did not write.
pub fn grades_of_log(path: &Path) -> Result<(String, Vec<Grade>), Fault> {
    let bytes = storymill_disk::read(path, most::MODEL)
        .map_err(|error| Fault::io("cannot read the log", path, error).input())?;
    let wrong = |why: String| {
        let hint = "`inspect eval` writes `.eval` files; storymill reads those of its own tasks";
        Fault::new(FaultKind::Input, format!("not a log of Inspect AI: {why}")).at(path).hint(hint)
    };
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| wrong(error.to_string()))?;
    let mut names: Vec<String> = archive.file_names().flatten().map(Into::into).collect();
    names.sort();
    let mut open =
        |name: &str| unpacked(&mut archive, name).map_err(|why| wrong(format!("{name}: {why}")));
    let parse = |name: &str, error: serde_json::Error| wrong(format!("{name}: {error}"));
    let header = "header.json";
    let Header { eval } =
        serde_json::from_slice(&open(header)?).map_err(|error| parse(header, error))?;
    let mut grades = Vec::new();
    for name in names.iter().filter(|name| name.starts_with("samples/")) {
        let sample: Sample =
            serde_json::from_slice(&open(name)?).map_err(|error| parse(name, error))?;
        grades.push(grade(&eval, &sample).map_err(|why| wrong(format!("{name}: {why}")))?);
    }
    Ok((eval.task, grades))
}

/// A file of the archive. Zstandard is unpacked here, as the library that reads archives would bring a second copy of it.
fn unpacked(archive: &mut ZipArchive<Cursor<Vec<u8>>>, name: &str) -> Result<Vec<u8>, String> {
    let at = archive.index_for_name(name).ok_or("is not there")?;
    let raw = archive.by_index_raw(at).map_err(|error| error.to_string())?;
    let is_zstd = raw.compression() == CompressionMethod::ZSTD;
    let mut bytes = Vec::new();
    if is_zstd {
        let reader = zstd::Decoder::new(raw).map_err(|error| error.to_string())?;
        reader.take(MOST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    } else {
        drop(raw);
        let file = archive.by_index(at).map_err(|error| error.to_string())?;
        file.take(MOST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    }
    Ok(bytes)
}

fn grade(eval: &Eval, sample: &Sample) -> Result<Grade, String> {
    let Sample { metadata, output, .. } = sample;
    let text = |key: &str| metadata[key].as_str().unwrap_or_default().to_owned();
    let of = metadata["of"].as_str().or_else(|| metadata["book_id"].as_str());
    let of = of.ok_or("its metadata does not say of which book the question is")?;
    // The Hub's tasks ask with options; of others the score says what it is of.
    let score = sample.scores.as_object().and_then(|scores| scores.values().next());
    let value = score.map_or(&Value::Null, |score| &score["value"]);
    let form = match (value, text("claim").is_empty()) {
        (Value::Object(_), _) => "free-text",
        (_, false) => "verdict",
        _ => "options",
    };
    let answer = score.and_then(|score| score["answer"].as_str()).unwrap_or_default();
    let stop = output["choices"][0]["stop_reason"].as_str();
    let status = match (score, stop) {
        (None, _) | (_, Some("unknown")) => Status::Failed,
        _ if !sample.error.is_null() => Status::Failed,
        _ if !answer.trim().is_empty() => Status::Answered,
        (_, Some("max_tokens")) => Status::Cut,
        (_, Some("model_length")) => Status::DoesNotFit,
        (_, Some("content_filter")) => Status::Refused,
        _ => Status::Unparsed,
    };
    let right = status == Status::Answered && value.as_str() == Some("C");
    let measures: Vec<(String, u32)> = value.as_object().map_or_else(Vec::new, |all| {
        all.iter().map(|(name, value)| (name.clone(), ppm(value))).collect()
    });
    // What counts is the measure of the form: that of long contexts, of texts to be put right, else the first.
    let counts = ["keyword-f1", "rouge-l"]
        .into_iter()
        .find_map(|name| measures.iter().find(|(known, _)| known == name));
    let counts = counts.or(measures.first()).map(|(_, ppm)| *ppm);
    let choices = sample.choices.as_ref().map(|choices| choices.len() as u64);
    let choices = choices.or_else(|| metadata["options"].as_u64());
    let tokens = |key: &str| output["usage"][key].as_u64().and_then(|n| u32::try_from(n).ok());
    let thinking = tokens("reasoning_tokens");
    Ok(Grade {
        question: sample.id.as_str().map_or_else(|| sample.id.to_string(), str::to_owned),
        config: eval.task.clone(),
        of: of.parse().map_err(|error: storymill_core::BadId| error.to_string())?,
        title: String::new(),
        author: text("author"),
        split: String::new(),
        flags: Vec::new(),
        written_by: Vec::new(),
        model: eval.model.clone(),
        setting: eval.task_args["context"].as_str().unwrap_or("full").to_owned(),
        form: form.to_owned(),
        kind: text("type"),
        status,
        right: (form != "free-text").then_some(right),
        none_of_the_above: form == "options" && lies_nowhere(metadata),
        choices: match form {
            "verdict" => 2,
            "options" => choices.and_then(|count| u8::try_from(count).ok()).unwrap_or(0),
            _ => 0,
        },
        pair: text("pair"),
        facets: Vec::new(),
        score_ppm: counts.unwrap_or(if right { 1_000_000 } else { 0 }),
        measures,
        demand: Demand { to_start: demand(metadata), to_end_symbols: 0 },
        context: length(&metadata["length"]),
        spent: Spent {
            shown: tokens("input_tokens"),
            output: tokens("output_tokens").map(|all| all.saturating_sub(thinking.unwrap_or(0))),
            thinking,
            ..Spent::default()
        },
    })
}

/// How far back the answer lies; the Hub's tasks know it in words alone. An answer that lies nowhere takes all that was read.
fn demand(metadata: &Value) -> Length {
    if lies_nowhere(metadata) {
        return length(&metadata["length"]);
    }
    let words = metadata["demand_words"].as_u64().and_then(|words| u32::try_from(words).ok());
    words.map_or_else(|| length(&metadata["demand"]), |words| Length { words, ..Length::default() })
}

/// Whether no scene that was read holds the answer, as none of the above is right.
fn lies_nowhere(metadata: &Value) -> bool {
    metadata["demand"].as_object().is_some_and(serde_json::Map::is_empty)
}

fn length(told: &Value) -> Length {
    let count = |key: &str| told[key].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    Length {
        scenes: count("scenes"),
        words: count("words"),
        symbols: count("symbols"),
        tokens: Vec::new(),
    }
}

/// A share from 0 to 1 in millionths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share from 0 to 1, in millionths"
)]
fn ppm(share: &Value) -> u32 {
    (share.as_f64().unwrap_or(0.0).clamp(0.0, 1.0) * 1e6).round() as u32
}
