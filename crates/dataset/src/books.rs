//! The texts of published books, each found by where its rows stand: no file is read through for one book.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};

use serde_json::Value;
use storymill_core::Fault;

use crate::{
    manifest::Manifest,
    reading::{each_row, each_text, only, open},
    site::Site,
};

/// Rows are sorted by book, so one text serves many questions; a few serve readers that jump.
const REMEMBERED: usize = 4;

/// Rows of one book that stand one behind the other in a file.
#[derive(Debug)]
struct Run {
    file: usize,
    first: usize,
    rows: usize,
}

/// Where the rows of each book of a config stand.
#[derive(Debug, Default)]
struct Places {
    files: Vec<Site>,
    /// Whole texts, by book.
    texts: HashMap<String, Vec<Run>>,
    /// Scenes, by book.
    scenes: HashMap<String, Vec<Run>>,
}

/// The books of a published folder.
#[derive(Debug, Default)]
pub(crate) struct Books {
    /// By config.
    places: BTreeMap<String, Places>,
    remembered: VecDeque<(String, String, Option<Arc<str>>)>,
}

impl Books {
    /// The text of a book as a config has it; none if it is not there.
    pub(crate) fn text(
        &mut self,
        folder: &Site,
        manifest: &Manifest,
        (config, book): (&str, &str),
    ) -> Result<Option<Arc<str>>, Fault> {
        let known = self.remembered.iter().position(|(of, name, _)| of == config && name == book);
        if let Some(at) = known {
            return Ok(self.remembered[at].2.clone());
        }
        if !self.places.contains_key(config) {
            self.places.insert(config.to_owned(), Places::of(folder, manifest, config)?);
        }
        let text = self.places[config].text(book)?.map(Arc::from);
        self.remembered.truncate(REMEMBERED - 1);
        self.remembered.push_front((config.to_owned(), book.to_owned(), text.clone()));
        Ok(text)
    }
}

impl Places {
    fn of(folder: &Site, manifest: &Manifest, config: &str) -> Result<Self, Fault> {
        let mut places = Self::default();
        for entry in manifest.files.iter().filter(|file| file.config == config) {
            let path = folder.join(&entry.path);
            let reader = open(&path)?;
            let schema = reader.schema().clone();
            let has = |name| schema.index_of(name).is_ok();
            let found = match (has("book_id") && has("text"), has("text_sha256"), has("scene")) {
                (true, true, _) => &mut places.texts,
                (true, false, true) => &mut places.scenes,
                _ => continue,
            };
            let (file, mut at) = (places.files.len(), 0);
            each_text(reader, &path, "book_id", |book| {
                let runs = found.entry(book.to_owned()).or_default();
                match runs.last_mut() {
                    Some(run) if run.file == file && run.first + run.rows == at => {
                        run.rows += 1;
                    }
                    _ => runs.push(Run { file, first: at, rows: 1 }),
                }
                at += 1;
            })?;
            places.files.push(path);
        }
        Ok(places)
    }

    /// From its row, else from its scenes if all are there.
    fn text(&self, book: &str) -> Result<Option<String>, Fault> {
        let mut text = None;
        self.each(&self.texts, book, ["text", "text_sha256"], |row| {
            text = row["text"].as_str().map(str::to_owned);
        })?;
        if text.is_some() {
            return Ok(text);
        }
        let mut scenes: BTreeMap<u64, String> = BTreeMap::new();
        self.each(&self.scenes, book, ["text", "scene"], |row| {
            let text = row["text"].as_str().unwrap_or_default();
            let scene = row["scene"].as_u64();
            scene.map(|scene| scenes.entry(scene).or_insert_with(|| text.to_owned()));
        })?;
        let whole = (0..).zip(scenes.keys()).all(|(at, scene)| at == *scene);
        Ok((whole && !scenes.is_empty()).then(|| scenes.into_values().collect()))
    }

    /// Hands over the rows of a book.
    fn each(
        &self,
        places: &HashMap<String, Vec<Run>>,
        book: &str,
        columns: [&str; 2],
        mut f: impl FnMut(&Value),
    ) -> Result<(), Fault> {
        for run in places.get(book).map_or(&[][..], Vec::as_slice) {
            let path = &self.files[run.file];
            let reader = open(path)?;
            let reader = only(reader, columns).with_offset(run.first).with_limit(run.rows);
            each_row(reader, path, |row| {
                f(&row);
                Ok(())
            })?;
        }
        Ok(())
    }
}
