//! A question of a published dataset with what is read before it is asked.
//!
//! Contexts are never repeated in rows. That of a question about a book is the beginning of the book,
//! scenes 0 to the one after which it is asked, and nothing behind it; a long context is mixed from
//! passages.

use parquet::arrow::ProjectionMask;
use serde_json::Value;
use storymill_core::{Fault, FaultKind, Length, Question, Recipe, Span, UnitId};
use storymill_text::word_count;

use crate::{
    asked,
    manifest::{Manifest, TableEntry},
    materialize::{context_of, text_of},
    reading::{each_batch, json_rows, open, unreadable},
    site::Site,
};

/// A question and its context.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The config that the question was found in.
    pub config: String,
    /// Its row: columns and values.
    pub row: Value,
    /// What the row asks.
    pub question: Question,
    /// What is read before it is asked.
    pub context: String,
}

impl Asked {
    /// The texts of its evidence, as the book has them.
    pub fn evidence(&self) -> Vec<&str> {
        self.question.evidence.iter().filter_map(|span| slice(&self.context, span)).collect()
    }
}

/// The text at a span of symbols.
fn slice<'t>(text: &'t str, span: &Span) -> Option<&'t str> {
    let symbols = span.end.symbol.checked_sub(span.start.symbol)?;
    let rest = after(text, span.start.symbol)?;
    Some(&rest[..rest.len() - after(rest, symbols)?.len()])
}

/// What follows the first so many symbols of a text; none if it has fewer.
fn after(text: &str, symbols: u32) -> Option<&str> {
    let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.nth(usize::try_from(symbols).ok()?).map(|at| &text[at..])
}

/// A question as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The config.
    pub config: String,
    /// Its row: columns and values.
    pub row: Value,
    /// What the row asks.
    pub question: Question,
}

/// Finds a question by its id: in this config, or in the first that has it.
///
/// Rows with other names keep their ids, so the same id may stand for two questions. They have to be told
/// apart by the config.
///
/// # Errors
///
/// No dataset here, no such question, or two that differ.
pub fn find(folder: impl Into<Site>, question: &str, config: Option<&str>) -> Result<Found, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let mut nearest: Option<(f64, String)> = None;
    let mut found: Option<Found> = None;
    let asked = |one: &&TableEntry| config.is_none_or(|config| one.config == config);
    for entry in manifest.files.iter().filter(asked) {
        let path = folder.join(&entry.path);
        let Some(at) = position(&path, question, &mut nearest)? else { continue };
        let row = row_at(&path, at)?;
        let asks = asked::question(&row).map_err(|fault| fault.at(&path))?.ok_or_else(|| {
            let message = format!("the row of `{question}` does not say how long its context is");
            Fault::new(FaultKind::Input, message)
                .at(&path)
                .hint("such a table has the columns question_id, book_id, context_symbols")
        })?;
        match &found {
            Some(first)
                if first.question.context.length().symbols != asks.context.length().symbols =>
            {
                let message = format!(
                    "`{question}` is in `{}` and, with a different text, in `{}`",
                    first.config, entry.config
                );
                let hint = "say which is meant: `--config NAME`";
                return Err(Fault::new(FaultKind::Input, message).at(folder).hint(hint));
            }
            Some(_) => {}
            None => found = Some(Found { config: entry.config.clone(), row, question: asks }),
        }
    }
    let fault = Fault::new(FaultKind::Input, format!("no question `{question}` here")).at(folder);
    found.ok_or_else(|| match nearest {
        Some((_, near)) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint("`storymill inspect` shows the ids of questions"),
    })
}

/// The ids of questions that begin like this, in the order of the files, at most so many.
///
/// # Errors
///
/// No dataset here, or a file that cannot be read.
pub fn ids(folder: impl Into<Site>, begun: &str, most: usize) -> Result<Vec<String>, Fault> {
    let folder = &folder.into();
    let mut found = Vec::new();
    for entry in &Manifest::of(folder)?.files {
        let path = folder.join(&entry.path);
        let reader = open(&path)?;
        let schema = reader.schema();
        let ids = asked::IDS.into_iter().find(|name| schema.index_of(name).is_ok());
        let Some(column) = ids.filter(|_| found.len() < most) else { continue };
        let mask = ProjectionMask::columns(reader.parquet_schema(), [column]);
        each_batch(reader.with_batch_size(8_192).with_projection(mask), &path, |batch| {
            let rows = json_rows(batch).map_err(|error| unreadable(&path, error))?;
            let ids = rows.iter().filter_map(|row| row[column].as_str());
            let room = most - found.len();
            found.extend(ids.filter(|id| id.starts_with(begun)).take(room).map(ToOwned::to_owned));
            Ok(())
        })?;
    }
    Ok(found)
}

/// What is read before a question is asked. `texts` names the configs that its text may be taken from,
/// the nearest first; without any, all are looked at.
///
/// # Errors
///
/// Its book is not published with it, or another text of it.
pub fn ask(folder: impl Into<Site>, found: Found, texts: &[String]) -> Result<Asked, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let Found { config, row, question } = found;
    let context = match &question.context {
        Recipe::Nothing => String::new(),
        Recipe::Read(length) => beginning(folder, &manifest, (&question.of, length), texts)?,
        Recipe::Mixed(_) => text_of(folder, &manifest, &context_of(row.clone(), folder)?)?,
    };
    Ok(Asked { config, row, question, context })
}

/// The position of a question in a file; none if it is not there. Notes the id most like it.
fn position(
    path: &Site,
    question: &str,
    nearest: &mut Option<(f64, String)>,
) -> Result<Option<usize>, Fault> {
    let reader = open(path)?;
    let schema = reader.schema();
    let Some(column) = asked::IDS.into_iter().find(|name| schema.index_of(name).is_ok()) else {
        return Ok(None);
    };
    let mask = ProjectionMask::columns(reader.parquet_schema(), [column]);
    let (mut at, mut found) = (0, None);
    each_batch(reader.with_batch_size(8_192).with_projection(mask), path, |batch| {
        let rows = json_rows(batch).map_err(|error| unreadable(path, error))?;
        for row in rows {
            let id = row[column].as_str().unwrap_or_default();
            if id == question {
                found = found.or(Some(at));
            } else if found.is_none() && id.split('/').next() == question.split('/').next() {
                let likeness = strsim::jaro_winkler(id, question);
                if likeness > 0.8 && nearest.as_ref().is_none_or(|(best, _)| likeness > *best) {
                    *nearest = Some((likeness, id.to_owned()));
                }
            }
            at += 1;
        }
        Ok(())
    })?;
    Ok(found)
}

fn row_at(path: &Site, at: usize) -> Result<Value, Fault> {
    let mut row = Value::Null;
    each_batch(open(path)?.with_offset(at).with_limit(1), path, |batch| {
        let rows = json_rows(batch).map_err(|error| unreadable(path, error))?;
        row = rows.into_iter().next().unwrap_or_default();
        Ok(())
    })?;
    Ok(row)
}

/// The first so many symbols of a book.
fn beginning(
    folder: &Site,
    manifest: &Manifest,
    (book, length): (&UnitId, &Length),
    texts: &[String],
) -> Result<String, Fault> {
    let book = book.as_str();
    let missing = || {
        Fault::new(FaultKind::Input, format!("book {book} is not published with its questions"))
            .at(folder)
            .hint("publish the books or the scenes too: `[dataset.books]` with `from = \"books\"`")
    };
    let (config, text) = whole(folder, manifest, book, texts)?.ok_or_else(missing)?;
    let read = read(&text, length).ok_or_else(missing)?;
    if length.words > 0 && length.words != word_count(read) {
        let message = format!("`{config}` holds another text of book {book} than was read");
        return Err(Fault::new(FaultKind::Input, message)
            .at(folder)
            .hint("publish the scenes that the question was made from"));
    }
    Ok(read.to_owned())
}

/// What is read of a text, if it is long enough.
pub(crate) fn read<'t>(text: &'t str, length: &Length) -> Option<&'t str> {
    Some(&text[..text.len() - after(text, length.symbols)?.len()])
}

/// The text of a book and the config that has it: of those that are named the first, else any.
pub(crate) fn whole(
    folder: &Site,
    manifest: &Manifest,
    book: &str,
    texts: &[String],
) -> Result<Option<(String, String)>, Fault> {
    let mut configs: Vec<&str> = texts.iter().map(String::as_str).collect();
    if configs.is_empty() {
        configs = manifest.files.iter().map(|file| file.config.as_str()).collect();
        configs.dedup();
    }
    for config in configs {
        let files = manifest.files.iter().filter(|file| file.config == config);
        let paths: Vec<Site> = files.map(|file| folder.join(&file.path)).collect();
        let text = match book_text(&paths, book)? {
            Some(text) => Some(text),
            None => scene_texts(&paths, book)?,
        };
        if let Some(text) = text {
            return Ok(Some((config.to_owned(), text)));
        }
    }
    Ok(None)
}

/// The text of a book from the table of books.
fn book_text(paths: &[Site], book: &str) -> Result<Option<String>, Fault> {
    let mut text = None;
    for path in paths {
        each_of_book(path, book, ["text", "text_sha256"], |row| {
            text = row["text"].as_str().map(str::to_owned);
        })?;
    }
    Ok(text)
}

/// The scenes of a book joined, from the table of scenes.
fn scene_texts(paths: &[Site], book: &str) -> Result<Option<String>, Fault> {
    let mut scenes: Vec<(u64, String)> = Vec::new();
    for path in paths {
        each_of_book(path, book, ["text", "scene"], |row| {
            let text = row["text"].as_str().unwrap_or_default().to_owned();
            scenes.extend(row["scene"].as_u64().map(|scene| (scene, text)));
        })?;
    }
    scenes.sort_unstable();
    scenes.dedup_by_key(|(scene, _)| *scene);
    let whole = (0..).zip(&scenes).all(|(at, (scene, _))| at == *scene);
    Ok((whole && !scenes.is_empty()).then(|| scenes.into_iter().map(|(_, text)| text).collect()))
}

/// Hands over the rows of a book in a file that has these columns.
fn each_of_book(
    path: &Site,
    book: &str,
    columns: [&str; 2],
    mut f: impl FnMut(&Value),
) -> Result<(), Fault> {
    let reader = open(path)?;
    let schema = reader.schema();
    if columns.iter().chain(&["book_id"]).any(|name| schema.index_of(name).is_err()) {
        return Ok(());
    }
    let names = columns.into_iter().chain(["book_id"]);
    let mask = ProjectionMask::columns(reader.parquet_schema(), names);
    each_batch(reader.with_projection(mask), path, |batch| {
        let rows = json_rows(batch).map_err(|error| unreadable(path, error))?;
        rows.iter().filter(|row| row["book_id"] == book).for_each(&mut f);
        Ok(())
    })
}
