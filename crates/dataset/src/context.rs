//! A question of a published dataset with what is read before it is asked.
//!
//! Contexts are never repeated in rows. That of a question about a book is the beginning of the book,
//! scenes 0 to the one after which it is asked, and nothing behind it; a long context is mixed from
//! passages.

use std::sync::Arc;

use serde_json::Value;
use storymill_core::{Fault, FaultKind, Length, Question, Recipe, Span};
use storymill_text::word_count;

use crate::{
    asked,
    books::Books,
    manifest::{Manifest, TableEntry},
    materialize::{context_of, fill, passages},
    reading::{each_row, each_text, open},
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
        each_text(reader, &path, column, |id| {
            if id.starts_with(begun) && found.len() < most {
                found.push(id.to_owned());
            }
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
    let Found { config, row, question } = found;
    let context = Contexts::open(folder)?.of(&row, &question, texts)?.to_owned();
    Ok(Asked { config, row, question, context })
}

/// What is read before questions are asked, one question after another: the books and the set of passages that were
/// read last are kept, so that questions in the order of their table cost one reading of each.
#[derive(Debug)]
pub struct Contexts {
    folder: Site,
    manifest: Manifest,
    books: Books,
    /// A set of passages, by number.
    set: Option<(String, Vec<Option<String>>)>,
    /// The text that was read from last.
    text: Arc<str>,
    mixed: String,
}

impl Contexts {
    /// Reads the manifest of a published folder.
    ///
    /// # Errors
    ///
    /// The folder has none, or one that this version cannot read.
    pub fn open(folder: impl Into<Site>) -> Result<Self, Fault> {
        let folder = folder.into();
        let manifest = Manifest::of(&folder)?;
        let books = Books::open(&folder, &manifest)?;
        let (text, mixed) = (Arc::from(""), String::new());
        Ok(Self { folder, manifest, books, set: None, text, mixed })
    }

    /// What is read before the question of a row is asked. `texts` as in [`ask`].
    ///
    /// # Errors
    ///
    /// Its book or its passages are not published with it, or another text of them.
    pub fn of(
        &mut self,
        row: &Value,
        question: &Question,
        texts: &[String],
    ) -> Result<&str, Fault> {
        match &question.context {
            Recipe::Nothing => Ok(""),
            Recipe::Read(length) => self.beginning(question.of.as_str(), length, texts),
            Recipe::Mixed(_) => self.mixed(row),
        }
    }

    /// The first so many symbols of a book, from the first config that has them.
    fn beginning(&mut self, book: &str, length: &Length, texts: &[String]) -> Result<&str, Fault> {
        let mut configs: Vec<&str> = texts.iter().map(String::as_str).collect();
        if configs.is_empty() {
            configs = self.manifest.files.iter().map(|file| file.config.as_str()).collect();
            configs.dedup();
        }
        for config in configs {
            let text = self.books.text(config, book)?;
            let Some(text) = text else { continue };
            let Some(rest) = after(&text, length.symbols) else { continue };
            let end = text.len() - rest.len();
            if length.words > 0 && length.words != word_count(&text[..end]) {
                let message = format!("`{config}` holds another text of book {book} than was read");
                return Err(Fault::new(FaultKind::Input, message)
                    .at(&self.folder)
                    .hint("publish the scenes that the question was made from"));
            }
            self.text = text;
            return Ok(&self.text[..end]);
        }
        Err(Fault::new(
            FaultKind::Input,
            format!("book {book} is not published with its questions"),
        )
        .at(&self.folder)
        .hint("publish the books or the scenes too: `[dataset.books]` with `from = \"books\"`"))
    }

    fn mixed(&mut self, row: &Value) -> Result<&str, Fault> {
        let context = context_of(row.clone(), &self.folder)?;
        let set = context.set.as_str();
        if self.set.as_ref().is_none_or(|(of, _)| of != set) {
            // The old ones go before the new ones come: only one set is in memory.
            self.set = None;
            self.set = Some((set.to_owned(), passages(&self.folder, &self.manifest, set)?));
        }
        self.mixed.clear();
        fill(&context, self.set.as_ref().map_or(&[][..], |(_, texts)| texts), &mut self.mixed)?;
        Ok(&self.mixed)
    }
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
    let (mut at, mut found) = (0, None);
    each_text(reader, path, column, |id| {
        if id == question {
            found = found.or(Some(at));
        } else if found.is_none() && id.split('/').next() == question.split('/').next() {
            let likeness = strsim::jaro_winkler(id, question);
            if likeness > 0.8 && nearest.as_ref().is_none_or(|(best, _)| likeness > *best) {
                *nearest = Some((likeness, id.to_owned()));
            }
        }
        at += 1;
    })?;
    Ok(found)
}

fn row_at(path: &Site, at: usize) -> Result<Value, Fault> {
    let mut row = Value::Null;
    each_row(open(path)?.with_offset(at).with_limit(1), path, |found| {
        row = found;
        Ok(())
    })?;
    Ok(row)
}
