//! The scenes of a book, and rows that belong to something.

use serde_json::Value;
use storymill_core::Fault;

use super::{Holds, Look, Row};

/// A scene of a book with its text, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneRow {
    /// Its position, from 0.
    pub scene: u32,
    /// Position of its chapter; none where nobody says.
    pub chapter: Option<u32>,
    /// Its first symbol in the book.
    pub start: u32,
    /// The first symbol behind it.
    pub end: u32,
    /// Its words.
    pub words: u32,
    /// Its text.
    pub text: String,
}

impl Look {
    /// The scenes of a book in reading order, from the first of these configs that has them (of all, where none is
    /// named); where no scenes are published, its chapters, or its whole text, as scenes.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn scenes(&self, book: &str, of: &[String]) -> Result<Vec<SceneRow>, Fault> {
        let mut scenes: Vec<SceneRow> = Vec::new();
        for holds in [Holds::Scenes, Holds::Texts, Holds::Books] {
            let Some(config) = self.first(holds, of) else { continue };
            for row in self.of(&config.name, "book_id", book)? {
                let number = |column: &str| number(&row.values[column]);
                // A row of a book says all of it, and has its text up to version 4 of the columns.
                let Some(text) = row.values["text"].as_str().map(str::to_owned) else { continue };
                let symbols = count(text.chars().count());
                scenes.push(SceneRow {
                    scene: number("scene").unwrap_or_else(|| count(scenes.len())),
                    chapter: number("chapter"),
                    start: number("start_symbols").unwrap_or(0),
                    end: number("end_symbols").unwrap_or(symbols),
                    words: number("words").unwrap_or_else(|| storymill_text::word_count(&text)),
                    text,
                });
            }
            if !scenes.is_empty() {
                break;
            }
        }
        scenes.sort_by_key(|scene| scene.start);
        scenes.dedup_by_key(|scene| scene.start);
        Ok(scenes)
    }

    /// The rows of a config with a value in a column, in the order of files.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn of(&self, config: &str, column: &str, value: &str) -> Result<Vec<Row>, Fault> {
        let places = self.places(config, column)?;
        self.rows_at(places.get(value).map_or(&[][..], Vec::as_slice), None)
    }

    /// The same with some of their columns alone: the id and these.
    ///
    /// # Errors
    ///
    /// As of [`of`](Self::of).
    pub fn some_of(
        &self,
        config: &str,
        column: &str,
        value: &str,
        wanted: &[&str],
    ) -> Result<Vec<Row>, Fault> {
        let places = self.places(config, column)?;
        let id = self.config(config).and_then(|config| config.columns.first());
        let columns: Vec<&str> =
            id.map(String::as_str).into_iter().chain(wanted.iter().copied()).collect();
        self.rows_at(places.get(value).map_or(&[][..], Vec::as_slice), Some(&columns))
    }

    /// How many rows of a config have each value of a column.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn counts_of(&self, config: &str, column: &str) -> Result<Vec<(String, usize)>, Fault> {
        let places = self.places(config, column)?;
        let count = |runs: &Vec<crate::exams::index::Run>| {
            runs.iter().map(super::super::exams::index::Run::len).sum()
        };
        Ok(places.iter().map(|(value, runs)| (value.clone(), count(runs))).collect())
    }
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}
