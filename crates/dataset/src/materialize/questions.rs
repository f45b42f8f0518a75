//! Questions about books written out with their contexts, as JSON lines.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use serde_json::Value;
use storymill_core::{Disk, Fault, FaultKind, Question};

use super::Written;
use crate::{
    asked,
    context::Contexts,
    manifest::Manifest,
    reading::{each_row, open},
    site::Site,
};

/// What a question and its context are as one prompt.
pub type Prompt<'c> = &'c dyn Fn(&Question, &str) -> Result<String, Fault>;

/// Which questions are written out, and how.
#[derive(Clone, Copy, Default)]
pub struct WithContexts<'c> {
    /// Only this split.
    pub split: Option<&'c str>,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// Makes the whole prompt, which each row has too then.
    pub prompt: Option<Prompt<'c>>,
    /// The configs that the texts may be taken from, the nearest first; without any, all are looked at.
    pub texts: &'c [String],
}

impl std::fmt::Debug for WithContexts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WithContexts").field("split", &self.split).finish_non_exhaustive()
    }
}

/// Whether a config holds questions about books.
///
/// # Errors
///
/// There is no dataset, or a file cannot be read.
pub fn holds_questions(folder: impl Into<Site>, config: &str) -> Result<bool, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let Some(file) = manifest.files.iter().find(|file| file.config == config) else {
        return Ok(false);
    };
    let schema = open(&folder.join(&file.path))?.schema().clone();
    Ok(["question_id", "context_symbols"].iter().all(|name| schema.index_of(name).is_ok()))
}

/// Writes the rows of a config of questions into `CONFIG.jsonl`: each as it is published, with `context` behind it. One
/// book is in memory at a time, and the file is there whole or not at all.
///
/// # Errors
///
/// A file cannot be read, a row cannot be understood, a book is not published with its questions; or the disk's.
pub fn questions_with_contexts(
    folder: impl Into<Site>,
    config: &str,
    wanted: &WithContexts<'_>,
    disk: &dyn Disk,
    out: &Path,
) -> Result<Written, Fault> {
    let folder = &folder.into();
    let failed = |error| Fault::io("cannot write the contexts", out, error);
    disk.create_dir_all(out).map_err(failed)?;
    let (path, part) =
        (out.join(format!("{config}.jsonl")), out.join(format!(".{config}.jsonl.part")));
    let done = lines(folder, config, wanted, disk, &part).inspect_err(|_| {
        // What is half written is nobody's; that it cannot be removed is told by what follows.
        let _ = disk.remove(&part);
    })?;
    disk.rename(&part, &path).and_then(|()| disk.sync_dir(out)).map_err(failed)?;
    Ok(Written { path, ..done })
}

fn lines(
    folder: &Site,
    config: &str,
    wanted: &WithContexts<'_>,
    disk: &dyn Disk,
    part: &Path,
) -> Result<Written, Fault> {
    let failed = |error| Fault::io("cannot write the contexts", part, error);
    let manifest = Manifest::of(folder)?;
    let mut file = BufWriter::with_capacity(1 << 18, disk.create(part).map_err(failed)?);
    let mut written = Written { path: part.to_owned(), contexts: 0, text_bytes: 0 };
    let mut contexts = Contexts::open(folder.clone())?;
    let files = manifest.files.iter().filter(|file| file.config == config);
    let files = files.filter(|file| wanted.split.is_none_or(|split| split == file.split));
    for table in files {
        let path = folder.join(&table.path);
        let left = wanted.limit.unwrap_or(u64::MAX).saturating_sub(written.contexts);
        let reader = open(&path)?.with_batch_size(64);
        let names: Vec<String> =
            reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let reader = reader.with_limit(usize::try_from(left).unwrap_or(usize::MAX));
        each_row(reader, &path, |row: Value| {
            let question = asked::question(&row).map_err(|fault| fault.at(&path))?;
            let question = question.ok_or_else(|| asks_nothing(&path))?;
            let text = contexts.of(&row, &question, wanted.texts)?;
            let prompt = wanted.prompt.map(|prompt| prompt(&question, text)).transpose()?;
            written.contexts += 1;
            written.text_bytes += text.len() as u64;
            let line = line(&row, &names, text, prompt.as_deref());
            file.write_all(line.as_bytes()).map_err(failed)?;
            Ok(())
        })?;
    }
    let mut file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync().map_err(failed)?;
    Ok(written)
}

/// A row as one line, its columns in their order.
fn line(row: &Value, names: &[String], context: &str, prompt: Option<&str>) -> String {
    let mut cells: Vec<String> =
        names.iter().map(|name| format!("{}: {}", Value::from(&**name), row[&**name])).collect();
    cells.push(format!("\"context\": {}", Value::from(context)));
    cells.extend(prompt.map(|prompt| format!("\"prompt\": {}", Value::from(prompt))));
    format!("{{{}}}\n", cells.join(", "))
}

fn asks_nothing(path: &Path) -> Fault {
    Fault::new(FaultKind::Input, "a row asks nothing").at(path)
}
