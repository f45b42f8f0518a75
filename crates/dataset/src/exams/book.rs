//! Exams about books: questions, the text that they were made from, its retellings.

use std::collections::BTreeMap;

use serde_json::Value;
use storymill_core::{Exam, ExamQuestion, Fault, FaultKind, Recipe, ToldSoFar};
use storymill_text::word_count;

use super::{Exams, Unit, index::Run};
use crate::asked;

/// The columns that a table of documents with summaries is known by.
pub(super) const DOCUMENT: [&str; 3] = ["document_id", "book_id", "summary"];

/// What the table of books says of one.
#[derive(Default)]
struct Facts {
    title: String,
    author: String,
    language: String,
    flags: Vec<String>,
}

impl Exams {
    pub(super) fn of_book(&self, book: &str, held: &Unit) -> Result<Exam, Fault> {
        let mut questions = Vec::new();
        for (config, runs) in &held.asked {
            self.tables.rows(runs, None, |table, row| {
                let asks = asked::question(&row).map_err(|fault| fault.at(&table.path))?;
                let asks = asks.filter(|question| self.asks(config, &question.id));
                let Some(question) = asks else { return Ok(()) };
                let (config, split) = (config.clone(), table.split.clone());
                let written_by = self.writers_of(&config).to_vec();
                let (flags, facets) = (Vec::new(), Vec::new());
                questions.push(ExamQuestion {
                    config,
                    split,
                    flags,
                    written_by,
                    facets,
                    story: None,
                    question,
                });
                Ok(())
            })?;
        }
        let symbols = |asked: &ExamQuestion| asked.question.context.length().symbols;
        // Reading order; what is asked at one place in the order of its ids.
        questions.sort_by(|a, b| {
            let key = |one| (symbols(one), &one.config, &one.question.id);
            key(a).cmp(&key(b))
        });
        let config = held.asked.first().map_or("", |(config, _)| config);
        let text = self.text(book, config, &questions)?;
        let facts = self.facts(book, config)?;
        for asked in &mut questions {
            asked.flags.clone_from(&facts.flags);
        }
        let ends = self.scene_ends(book, config)?;
        let mut retellings = self.retellings(book, config, &ends)?;
        if retellings.is_empty() {
            retellings = self.summary(book, config, &text)?;
        }
        let of = questions.first().map(|asked| asked.question.of.clone());
        Ok(Exam {
            of: of.ok_or_else(|| Fault::new(FaultKind::Internal, "a unit has no rows"))?,
            title: facts.title,
            author: facts.author,
            language: facts.language,
            scenes: ends.into_values().collect(),
            text,
            retellings,
            questions,
        })
    }

    /// The text of the nearest config that has the book; the questions must have been made from it.
    fn text(&self, book: &str, config: &str, questions: &[ExamQuestion]) -> Result<String, Fault> {
        let longest = questions.iter().map(|asked| &asked.question.context);
        let longest = longest.max_by_key(|context| context.length().symbols);
        let Some(Recipe::Read(length)) = longest else { return Ok(String::new()) };
        let missing = || {
            let message = format!("book {book} is not published with its questions");
            Fault::new(FaultKind::Input, message).at(&self.folder).hint(
                "publish the books or the scenes too: `[dataset.books]` with `from = \"books\"`",
            )
        };
        for name in self.text_configs(config) {
            let Some(text) = self.tables.text(&self.places_of(name, book))? else { continue };
            let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            let read = places.into_iter().nth(length.symbols as usize).ok_or_else(missing)?;
            if length.words > 0 && length.words != word_count(&text[..read]) {
                let message = format!("`{name}` holds another text of book {book} than was read");
                return Err(Fault::new(FaultKind::Input, message)
                    .at(&self.folder)
                    .hint("publish the scenes that the questions were made from"));
            }
            return Ok(text);
        }
        Err(missing())
    }

    fn facts(&self, book: &str, config: &str) -> Result<Facts, Fault> {
        let columns = ["book_id", "title", "authors"];
        let mut facts = Facts::default();
        let configs = self.near(config, self.tables.configs(&columns));
        let Some(name) = configs.first() else { return Ok(facts) };
        let runs = self.places_of(name, book);
        let wanted = ["title", "authors", "language", "flags"];
        self.tables.rows(&runs, Some(&wanted), |_, row| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            facts.title = text(&row["title"]);
            facts.author = text(&row["authors"][0]["name"]);
            facts.language = text(&row["language"]);
            let flags = row["flags"].as_array().into_iter().flatten();
            facts.flags = flags.map(text).collect();
            Ok(())
        })?;
        Ok(facts)
    }

    /// Where the scenes of a book end, by their numbers, where scenes are published.
    fn scene_ends(&self, book: &str, config: &str) -> Result<BTreeMap<u32, u32>, Fault> {
        let scenes = ["scene_id", "book_id", "scene", "end_symbols"];
        let scenes = self.near(config, self.tables.configs(&scenes));
        let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
        let Some(scenes) = scenes.first() else { return Ok(ends) };
        let runs = self.places_of(scenes, book);
        self.tables.rows(&runs, Some(&["scene", "end_symbols"]), |_, row| {
            ends.extend(number(&row["scene"]).zip(number(&row["end_symbols"])));
            Ok(())
        })?;
        Ok(ends)
    }

    /// True retellings of single scenes, where summaries are published with the scenes, which end there.
    fn retellings(
        &self,
        book: &str,
        config: &str,
        ends: &BTreeMap<u32, u32>,
    ) -> Result<Vec<ToldSoFar>, Fault> {
        let told = ["summary_id", "book_id", "level", "first_scene", "last_scene", "text"];
        let told = self.near(config, self.tables.configs(&told));
        let Some(told) = told.first() else { return Ok(Vec::new()) };
        let mut retellings: BTreeMap<u32, ToldSoFar> = BTreeMap::new();
        let runs = self.places_of(told, book);
        self.tables.rows(&runs, Some(&["level", "last_scene", "text"]), |_, mut row| {
            if number(&row["level"]) != Some(0) {
                return Ok(());
            }
            let scene = number(&row["last_scene"]);
            let end = scene.and_then(|scene| Some((scene, *ends.get(&scene)?)));
            if let (Some((scene, end_symbol)), Value::String(text)) = (end, row["text"].take()) {
                retellings.entry(scene).or_insert(ToldSoFar { end_symbol, text });
            }
            Ok(())
        })?;
        Ok(retellings.into_values().collect())
    }

    /// The summary of the whole book, where documents are published with theirs.
    fn summary(&self, book: &str, config: &str, text: &str) -> Result<Vec<ToldSoFar>, Fault> {
        let configs = self.near(config, self.tables.configs(&DOCUMENT));
        let Some(name) = configs.first() else { return Ok(Vec::new()) };
        let end_symbol = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let mut summaries = Vec::new();
        let runs = self.places_of(name, book);
        self.tables.rows(&runs, Some(&["left_out", "summary"]), |_, mut row| {
            let summary = row["summary"].take();
            let kept = row["left_out"].as_str().is_some_and(str::is_empty);
            if let Value::String(text) = summary
                && kept
                && !text.is_empty()
            {
                summaries.push(ToldSoFar { end_symbol, text });
            }
            Ok(())
        })?;
        Ok(summaries)
    }

    /// Where the rows of a book stand in a config.
    fn places_of(&self, config: &str, book: &str) -> Vec<Run> {
        let places = self.books.get(config).and_then(|books| books.get(book));
        places.cloned().unwrap_or_default()
    }
}

/// A number that a column holds.
fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|one| u32::try_from(one).ok())
}
