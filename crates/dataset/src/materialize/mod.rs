//! Recipes of long contexts written out as records that LV-Eval's own code reads.
//!
//! One context is in memory at a time, and the passages of one set. A file is there whole or not at
//! all. JSON lines and Parquet hold the same records.

mod find;
mod out;
mod questions;
mod record;
mod row;
mod shown;

use std::path::{Path, PathBuf};

use serde_json::Value;
use storymill_core::{Context, Disk, Fault, FaultKind};
use storymill_mixing::{Replacer, write};
use storymill_text::Language;

use self::{
    find::{contexts, each_of, groups, nothing},
    out::Sink,
    row::Row,
};
use crate::{
    manifest::Manifest,
    reading::{each_row, open, unreadable},
    site::Site,
};
pub(crate) use find::passages;
pub use out::{Format, Sheet};
pub use questions::{Prompt, WithContexts, holds_questions, questions_with_contexts};
pub use record::{EvidenceSpan, Record};
pub use shown::{Ends, Shown};

/// Which contexts are written out, and how.
#[derive(Clone, Debug)]
pub struct Wanted<'c> {
    /// The table of contexts; the only one if none is named.
    pub config: Option<String>,
    /// The set; all of them if none is named.
    pub set: Option<String>,
    /// The level; all of them if none is named.
    pub level: Option<u32>,
    /// How they are written.
    pub format: Format,
    /// How much of each is left, if they are cut.
    pub shown: Option<Shown<'c>>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// How many contexts it holds.
    pub contexts: u64,
    /// How many bytes their texts have.
    pub text_bytes: u64,
}

/// Writes contexts of a published folder into another folder: a file for each set and level,
/// `SET_LEVEL.jsonl`.
///
/// # Errors
///
/// No contexts here, no such set or level, passages that are not published with them, a text that is
/// not as long as its recipe says; or the disk's.
pub fn materialize(
    folder: impl Into<Site>,
    wanted: &Wanted<'_>,
    disk: &dyn Disk,
    out: &Path,
) -> Result<Vec<Written>, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let (config, files) = contexts(folder, &manifest, wanted.config.as_deref())?;
    let groups = groups(&files)?;
    let chosen: Vec<_> = groups
        .iter()
        .filter(|(set, level)| {
            wanted.set.as_ref().is_none_or(|wanted| wanted == set)
                && wanted.level.is_none_or(|wanted| wanted == *level)
        })
        .collect();
    if chosen.is_empty() {
        return Err(nothing(&config, wanted, &groups).at(folder));
    }
    disk.create_dir_all(out).map_err(|error| Fault::io("cannot make the folder", out, error))?;
    let mut written = Vec::new();
    let mut known: Option<(String, Vec<Option<String>>)> = None;
    for (set, level) in chosen {
        if known.as_ref().is_none_or(|(of, _)| of != set) {
            // The old ones go before the new ones come: only one set is in memory.
            drop(known.take());
            known = Some((set.clone(), passages(folder, &manifest, set)?));
        }
        let passages = known.as_ref().map_or(&[][..], |(_, passages)| passages);
        let name = format!("{set}_{}.{}", Context::level_name(*level), wanted.format.ending());
        let path = out.join(&name);
        let part = out.join(format!(".{name}.part"));
        let done = one(disk, &files, (set, *level), passages, wanted, &part);
        let (contexts, text_bytes) = match done {
            Ok(done) => done,
            Err(fault) => {
                // What is half written is nobody's; that it cannot be removed is told by what follows.
                let _ = disk.remove(&part);
                return Err(fault);
            }
        };
        disk.rename(&part, &path)
            .and_then(|()| disk.sync_dir(out))
            .map_err(|error| Fault::io("cannot write the contexts", &path, error))?;
        written.push(Written { path, contexts, text_bytes });
    }
    Ok(written)
}

/// Hands over every recipe of a table of contexts, in its order; the only table if none is named.
///
/// # Errors
///
/// No contexts here, or a row that cannot be read.
pub fn recipes(
    folder: impl Into<Site>,
    config: Option<&str>,
    mut each: impl FnMut(Context),
) -> Result<(), Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let (_, files) = contexts(folder, &manifest, config)?;
    for path in &files {
        each_row(open(path)?.with_batch_size(64), path, |row: Row| {
            each(row.context(path)?);
            Ok(())
        })?;
    }
    Ok(())
}

/// Hands over every recipe of a table of contexts with its text, in the table's order.
///
/// # Errors
///
/// As [`recipes`]; and passages that are not published with them.
pub fn each_text(
    folder: impl Into<Site>,
    config: Option<&str>,
    mut each: impl FnMut(Context, &str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let mut known: Option<(String, Vec<Option<String>>)> = None;
    let mut text = String::new();
    let mut failed = None;
    recipes(folder, config, |context| {
        if failed.is_some() {
            return;
        }
        let mut one = || -> Result<(), Fault> {
            let set = context.set.as_str();
            if known.as_ref().is_none_or(|(of, _)| of != set) {
                drop(known.take());
                known = Some((set.to_owned(), passages(folder, &manifest, set)?));
            }
            text.clear();
            fill(&context, known.as_ref().map_or(&[][..], |(_, texts)| texts), &mut text)?;
            each(context.clone(), &text)
        };
        failed = one().err();
    })?;
    failed.map_or(Ok(()), Err)
}

/// The context that a row is the recipe of.
pub(crate) fn context_of(row: Value, path: &Path) -> Result<Context, Fault> {
    let row: Row = serde_json::from_value(row).map_err(|error| unreadable(path, error))?;
    row.context(path)
}

/// The text of one recipe.
pub(crate) fn text_of(
    folder: &Site,
    manifest: &Manifest,
    context: &Context,
) -> Result<String, Fault> {
    let mut text = String::new();
    fill(context, &passages(folder, manifest, context.set.as_str())?, &mut text)?;
    Ok(text)
}

/// The texts of a set's published passages, by number.
///
/// # Errors
///
/// No dataset here, or a file that cannot be read.
pub fn texts(folder: impl Into<Site>, set: &str) -> Result<Vec<Option<String>>, Fault> {
    let folder = &folder.into();
    passages(folder, &Manifest::of(folder)?, set)
}

/// Writes one set at one level to a file.
fn one(
    disk: &dyn Disk,
    files: &[Site],
    (set, level): (&str, u32),
    passages: &[Option<String>],
    wanted: &Wanted<'_>,
    part: &Path,
) -> Result<(u64, u64), Fault> {
    let file =
        disk.create(part).map_err(|error| Fault::io("cannot write the contexts", part, error))?;
    let mut sink = Sink::new(file, wanted.format, part)?;
    let mut text = String::new();
    for path in files {
        each_of(path, set, level, |row| {
            text.clear();
            let mut context = row.context(path)?;
            fill(&context, passages, &mut text)?;
            let cut = match &wanted.shown {
                Some(shown) => shown.shorten(&mut context, &mut text)?,
                None => (0, 0),
            };
            sink.push(&Record { cut, ..Record::new(&context, &row.canary, &text) })
        })?;
    }
    sink.finish()
}

/// Writes the text of a recipe, and checks that it is as long as the recipe says.
pub(crate) fn fill(
    context: &Context,
    passages: &[Option<String>],
    text: &mut String,
) -> Result<(), Fault> {
    let passage = |number: &u32| passages.get(*number as usize).and_then(Option::as_deref);
    if let Some(number) = context.passages.iter().find(|number| passage(number).is_none()) {
        let message =
            format!("passage {number} of `{}` is not published with {}", context.set, context.id);
        return Err(Fault::new(FaultKind::Input, message)
            .hint("publish the passages of the same sets: a `passages` stage, and a table of it"));
    }
    let language = Language::of_tag(&context.language);
    let replacer = Replacer::new(&context.rules, language);
    write(context, &replacer, |number| passage(&number).unwrap_or_default(), text);
    let symbols = text.chars().count();
    if symbols != context.symbols as usize {
        let message = format!(
            "{} has {symbols} symbols, and its recipe says {}: passages and contexts are not of one build",
            context.id, context.symbols
        );
        return Err(
            Fault::new(FaultKind::Input, message).hint("run `storymill verify` on the folder")
        );
    }
    Ok(())
}
