//! The texts of some books, from the tables with texts that a folder has.

use std::collections::BTreeMap;

use arrow_array::{RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use storymill_core::Fault;

use super::AuditedFile;
use crate::{
    pieces::{Pieces, START, TEXTS},
    reading::{each_batch, only, open},
    site::Site,
};

/// Whether a table has texts of books.
pub(super) fn has_texts(path: &Site) -> Result<bool, Fault> {
    let reader = open(path)?;
    let has = |name: &&str| reader.schema().index_of(name).is_ok();
    Ok(TEXTS.iter().any(|columns| columns.iter().all(has)))
}

/// Hands over the texts of some books, of those that the files of a table have.
pub(super) fn each_text<'b, T>(
    files: &[&AuditedFile],
    books: &BTreeMap<&'b str, T>,
    mut f: impl FnMut(&'b str, String),
) -> Result<(), Fault> {
    let mut found: BTreeMap<&'b str, Pieces> = BTreeMap::new();
    for file in files {
        let reader = open(&file.path)?;
        each_batch(only(reader, ["book_id", "text", START]), &file.path, |batch| {
            let (Some(ids), Some(texts)) = (strings(batch, "book_id"), strings(batch, "text"))
            else {
                return Ok(());
            };
            let starts = batch.column_by_name(START);
            let starts = starts.and_then(|starts| starts.as_primitive_opt::<Int32Type>());
            for at in 0..batch.num_rows() {
                let Some((book, _)) = books.get_key_value(ids.value(at)) else { continue };
                let start = starts.and_then(|starts| u64::try_from(starts.value(at)).ok());
                let pieces = found.entry(*book).or_default();
                pieces.add(start.unwrap_or(0), texts.value(at).to_owned());
            }
            Ok(())
        })?;
    }
    for (book, pieces) in found {
        // A book that lacks a piece cannot be put together.
        if let Some(text) = pieces.text() {
            f(book, text);
        }
    }
    Ok(())
}

fn strings<'b>(batch: &'b RecordBatch, column: &str) -> Option<&'b StringArray> {
    batch.column_by_name(column)?.as_string_opt::<i32>()
}
