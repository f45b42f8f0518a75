//! The texts of some books, from the tables of books or of scenes that a folder has.

use std::collections::{BTreeMap, BTreeSet};

use arrow_array::{Array, RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use parquet::arrow::ProjectionMask;
use storymill_core::Fault;

use super::AuditedFile;
use crate::{
    reading::{each_batch, open},
    site::Site,
};

/// Where a config has its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// A row is a book.
    Books,
    /// A row is a scene.
    Scenes,
}

/// Hands over the texts of those of some books that a config has.
pub(super) fn each_text(
    files: &[&AuditedFile],
    books: &BTreeSet<&str>,
    mut f: impl FnMut(&str, String) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut scenes: BTreeMap<String, BTreeMap<i32, String>> = BTreeMap::new();
    for file in files {
        let Some(kept) = kept(&file.path)? else { continue };
        let column = if kept == Kept::Books { "text_sha256" } else { "scene" };
        let reader = open(&file.path)?;
        let columns = ["book_id", "text", column];
        let mask = ProjectionMask::columns(reader.parquet_schema(), columns);
        each_batch(reader.with_projection(mask), &file.path, |batch| {
            let (Some(ids), Some(texts)) = (strings(batch, "book_id"), strings(batch, "text"))
            else {
                return Ok(());
            };
            let places = batch.column_by_name("scene");
            let places = places.and_then(|places| places.as_primitive_opt::<Int32Type>());
            for at in 0..batch.num_rows() {
                let Some(book) = books.get(ids.value(at)) else { continue };
                let text = texts.value(at).to_owned();
                match (kept, places) {
                    (Kept::Books, _) => f(book, text)?,
                    (Kept::Scenes, Some(places)) if !places.is_null(at) => {
                        let known = scenes.entry((*book).to_owned()).or_default();
                        known.insert(places.value(at), text);
                    }
                    (Kept::Scenes, _) => {}
                }
            }
            Ok(())
        })?;
    }
    for (book, scenes) in scenes {
        // A book that lacks a scene cannot be put together.
        if (0..).zip(scenes.keys()).all(|(at, scene)| at == *scene) {
            let text: String = scenes.into_values().collect();
            f(&book, text)?;
        }
    }
    Ok(())
}

/// Whether a file has the texts of books.
fn kept(path: &Site) -> Result<Option<Kept>, Fault> {
    let reader = open(path)?;
    let schema = reader.schema();
    let has = |names: [&str; 3]| names.iter().all(|name| schema.index_of(name).is_ok());
    // Retellings have scenes and texts too; what they tell of has a place of its own.
    let told = ["first_scene", "summary_id", "distortion_id", "level"];
    let is_told = told.iter().any(|name| schema.index_of(name).is_ok());
    Ok(if has(["book_id", "text", "text_sha256"]) {
        Some(Kept::Books)
    } else if has(["book_id", "text", "scene"]) && !is_told {
        Some(Kept::Scenes)
    } else {
        None
    })
}

fn strings<'b>(batch: &'b RecordBatch, column: &str) -> Option<&'b StringArray> {
    batch.column_by_name(column)?.as_string_opt::<i32>()
}
