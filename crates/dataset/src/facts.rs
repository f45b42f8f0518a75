//! What is told of the rows of a dataset, noted batch by batch: while they are written for the
//! data card, while they are read again for a comparison.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
};

use arrow_array::{Int32Array, RecordBatch, StringArray, cast::AsArray, types::Int32Type};
use serde::Serialize;
use storymill_core::{
    AdequacyPair, AskedDocument, Book, Gated, Judgement, NameCount, Record, Revision, Vote,
};
use storymill_text::word_count;

use crate::{
    gated::GatedFacts, judged::Judged, names_left::NamesLeft, steps_left::StepsLeft,
    told_apart::ToldApart, voted::Voted,
};

/// What was noted of the rows of all tables.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The books, in the order in which they were written.
    pub(crate) books: Vec<BookFact>,
    /// The books' languages.
    pub(crate) languages: BTreeSet<String>,
    /// The tables, in the order in which they were written.
    pub(crate) tables: Vec<TableFacts>,
    /// Names that are left, if some table counts them.
    pub(crate) names_left: Option<NamesLeft>,
    /// What judges said, if some table holds it.
    pub(crate) judged: Judged,
    /// What gates kept and dropped, if some table compares it.
    pub(crate) gated: GatedFacts,
    /// What each step left of documents, if some table tells.
    pub(crate) steps_left: Option<StepsLeft>,
    /// How often people tell true from false, if some table tells.
    pub(crate) told_apart: Option<ToldApart>,
    /// What people said of doubts, if some table tells.
    pub(crate) voted: Option<Voted>,
    split: String,
    /// The config whose books are listed: the first that has any.
    books_of: Option<String>,
}

/// A book, as the card lists it.
#[derive(Debug, Serialize)]
pub(crate) struct BookFact {
    pub(crate) id: String,
    title: String,
    authors: String,
    pub(crate) rights: String,
    source: String,
}

/// What was noted of the rows of one table.
#[derive(Debug, Default)]
pub(crate) struct TableFacts {
    pub(crate) config: String,
    /// What its rows ask, if they ask anything.
    pub(crate) asks: Option<Asks>,
    /// Rows by split, type and level.
    pub(crate) kinds: BTreeMap<Kind, u64>,
    /// The lengths of questions, row by row; none where rows have no retention demand.
    pub(crate) lengths: Vec<Lengths>,
    /// Retention demand in words, row by row, by type.
    pub(crate) demand: BTreeMap<String, Vec<u32>>,
    /// Rows where none of the options is right, if the table tells.
    pub(crate) none_of_the_above: Option<u64>,
    /// Whether its rows were chosen from other tables.
    pub(crate) chosen: bool,
    /// The books that its rows are of.
    pub(crate) books: BTreeSet<String>,
    /// The contexts of each set and level.
    pub(crate) contexts: BTreeMap<(String, i32), ContextFacts>,
    /// Rows by who made them, `rule` or `model`, if the table tells.
    pub(crate) made_by: BTreeMap<String, u64>,
}

/// What was noted of the contexts of a set and level.
#[derive(Debug, Default)]
pub(crate) struct ContextFacts {
    /// How many pieces of evidence lie in each tenth of them.
    pub(crate) tenths: [u64; 10],
    /// How long the shortest and the longest are, by LV-Eval's rule.
    pub(crate) lengths: Option<[u64; 2]>,
}

/// What questions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// One of some options.
    Choice,
    /// A retelling put right.
    Repair,
}

/// What tells rows of one table apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) split: String,
    /// The type of question; blank where rows have none.
    pub(crate) of: String,
    /// The level of a summary, if rows have one.
    pub(crate) level: Option<i32>,
}

/// The lengths of something in one unit, row by row.
#[derive(Debug)]
pub(crate) struct Lengths {
    pub(crate) what: What,
    /// `words`, `tokens_o200k_base`.
    pub(crate) unit: String,
    pub(crate) of: Vec<u32>,
}

/// What is measured of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    /// What is asked: the question with its options or with the retelling to be put right.
    Question,
    /// What is read before.
    Context,
    /// How far back the evidence begins.
    Demand,
}

/// The texts that make up what is asked.
const ASKED: [&str; 2] = ["question", "distorted"];
/// The column of options.
const OPTIONS: &str = "options";
/// Columns beside those of lengths and of what is asked.
const NOTED: [&str; 10] = [
    "type",
    "length",
    "level",
    "none_of_the_above",
    "source_config",
    "book_id",
    "question_id",
    "set",
    "evidence",
    "made_by",
];

/// Whether a column of this name is noted.
pub(crate) fn is_noted(name: &str) -> bool {
    name == OPTIONS || ASKED.contains(&name) || NOTED.contains(&name) || measured(name).is_some()
}

/// What a column of lengths is of, and its unit.
pub(crate) fn measured(name: &str) -> Option<(What, &str)> {
    let (what, unit) = match name.split_once('_')? {
        ("context", unit) => (What::Context, unit),
        ("demand", unit) => (What::Demand, unit),
        _ => return None,
    };
    let known = ["scenes", "words", "symbols"].contains(&unit) || unit.starts_with("tokens_");
    known.then_some((what, unit))
}

impl Facts {
    /// The rows that follow are of this config, record and split.
    pub(crate) fn begin(&mut self, config: &str, record: &str, split: &str) {
        split.clone_into(&mut self.split);
        if self.tables.last().is_none_or(|table| table.config != config) {
            let config = config.to_owned();
            self.tables.push(TableFacts { config, ..TableFacts::default() });
        }
        if record == Book::NAME && self.books_of.is_none() {
            self.books_of = Some(config.to_owned());
        }
    }

    /// How long the shortest and the longest context of each level are, in all tables.
    pub(crate) fn lengths_of_levels(&self) -> BTreeMap<i32, [u64; 2]> {
        let mut found = BTreeMap::<i32, [u64; 2]>::new();
        let contexts = self.tables.iter().flat_map(|table| &table.contexts);
        for ((_, level), [least, most]) in
            contexts.filter_map(|(key, known)| Some((key, known.lengths?)))
        {
            let known = found.entry(*level).or_insert([least, most]);
            *known = [known[0].min(least), known[1].max(most)];
        }
        found
    }

    /// Notes the rows of a batch.
    pub(crate) fn note(&mut self, rows: &RecordBatch) {
        let Some(table) = self.tables.last_mut() else { return };
        table.note(rows, &self.split);
        if self.books_of.as_ref() == Some(&table.config) {
            (0..rows.num_rows()).for_each(|at| self.note_book(rows, at));
        }
    }

    /// Notes what only some kinds of records tell, while they are written.
    pub(crate) fn hear(&mut self, record: &dyn Any) {
        let (config, split) = (self.tables.last().map_or("", |table| &table.config), &*self.split);
        if let Some(count) = record.downcast_ref::<NameCount>() {
            self.names_left.get_or_insert_default().note(count);
        } else if let Some(document) = record.downcast_ref::<AskedDocument>() {
            self.steps_left.get_or_insert_default().note_document(document, split);
        } else if let Some(change) = record.downcast_ref::<Revision>() {
            self.steps_left.get_or_insert_default().note_change(change);
        } else if let Some(pair) = record.downcast_ref::<AdequacyPair>() {
            self.told_apart.get_or_insert_default().note(pair);
        } else if let Some(vote) = record.downcast_ref::<Vote>() {
            self.voted.get_or_insert_default().note(vote);
        } else if let Some(judgement) = record.downcast_ref::<Judgement>() {
            self.judged.note(config, judgement, split);
        } else if let Some(gated) = record.downcast_ref::<Gated>() {
            self.gated.note(config, gated);
        }
    }

    fn note_book(&mut self, rows: &RecordBatch, at: usize) {
        let text = |name: &str| {
            texts(rows, name).map(|texts| texts.value(at).to_owned()).unwrap_or_default()
        };
        let language = text("language");
        let tags = language.split(';').map(str::trim).filter(|tag| !tag.is_empty());
        self.languages.extend(tags.map(str::to_owned));
        self.books.push(BookFact {
            id: text("book_id"),
            title: text("title"),
            authors: author_names(rows, at).unwrap_or_default(),
            rights: text("rights"),
            source: text("source_url"),
        });
    }
}

impl TableFacts {
    fn note(&mut self, rows: &RecordBatch, split: &str) {
        let has = |name| rows.column_by_name(name).is_some();
        self.chosen |= has("source_config");
        if has("question_id") {
            let asks = if has(OPTIONS) { Asks::Choice } else { Asks::Repair };
            self.asks = self.asks.or(Some(asks));
        }
        self.note_kinds(rows, split);
        self.note_contexts(rows);
        if has("demand_words") {
            self.note_lengths(rows);
            self.note_asked(rows);
        }
        if let Some(none) = numbers(rows, "none_of_the_above") {
            let right = none.iter().flatten().filter(|none| *none == 1).count();
            *self.none_of_the_above.get_or_insert(0) += right as u64;
        }
        for by in texts(rows, "made_by").into_iter().flatten().flatten() {
            *self.made_by.entry(by.to_owned()).or_default() += 1;
        }
        let mut last = "";
        for book in texts(rows, "book_id").into_iter().flatten().flatten() {
            // Rows of a book stand together.
            if book != last {
                self.books.insert(book.to_owned());
                last = book;
            }
        }
    }

    fn note_kinds(&mut self, rows: &RecordBatch, split: &str) {
        let (types, levels) = (texts(rows, "type"), numbers(rows, "level"));
        let demand = numbers(rows, "demand_words");
        for at in 0..rows.num_rows() {
            let of = types.map_or("", |types| types.value(at));
            let level = levels.map(|levels| levels.value(at));
            let kind = Kind { split: split.to_owned(), of: of.to_owned(), level };
            *self.kinds.entry(kind).or_default() += 1;
            if let Some(words) = demand.and_then(|demand| u32::try_from(demand.value(at)).ok()) {
                match self.demand.get_mut(of) {
                    Some(all) => all.push(words),
                    None => _ = self.demand.insert(of.to_owned(), vec![words]),
                }
            }
        }
    }

    fn note_contexts(&mut self, rows: &RecordBatch) {
        let (Some(sets), Some(levels)) = (texts(rows, "set"), numbers(rows, "level")) else {
            return;
        };
        let evidence = rows.column_by_name("evidence").and_then(|lists| lists.as_list_opt::<i32>());
        let Some(evidence) = evidence else { return };
        let spans = evidence.values().as_struct_opt();
        let depths = spans.and_then(|spans| spans.column_by_name("depth_pm"));
        let Some(depths) = depths.and_then(|depths| depths.as_primitive_opt::<Int32Type>()) else {
            return;
        };
        let lengths = numbers(rows, "length");
        for at in 0..rows.num_rows() {
            let key = (sets.value(at).to_owned(), levels.value(at));
            let known = self.contexts.entry(key).or_default();
            if let Some(own) = lengths.and_then(|all| u64::try_from(all.value(at)).ok()) {
                let [least, most] = known.lengths.unwrap_or([own; 2]);
                known.lengths = Some([least.min(own), most.max(own)]);
            }
            let bounds = [at, at + 1].map(|at| evidence.value_offsets()[at].cast_unsigned());
            for depth in bounds[0]..bounds[1] {
                let tenth = usize::try_from(depths.value(depth as usize) / 100).unwrap_or(0);
                known.tenths[tenth.min(9)] += 1;
            }
        }
    }

    fn note_lengths(&mut self, rows: &RecordBatch) {
        for field in rows.schema_ref().fields() {
            let name = field.name();
            let Some((what, unit)) = measured(name) else { continue };
            // -1 is what was not counted.
            let known = numbers(rows, name).into_iter().flatten().flatten();
            self.lengths(what, unit).extend(known.filter_map(|n| u32::try_from(n).ok()));
        }
    }

    fn note_asked(&mut self, rows: &RecordBatch) {
        let asked = ASKED.map(|name| texts(rows, name));
        let options = rows.column_by_name(OPTIONS).and_then(|lists| lists.as_list_opt::<i32>());
        let options =
            options.and_then(|lists| Some((lists, lists.values().as_string_opt::<i32>()?)));
        let (mut words, mut symbols) = (Vec::new(), Vec::new());
        for at in 0..rows.num_rows() {
            let (mut own_words, mut own_symbols) = (0, 0);
            let mut add = |text: &str| {
                own_words += word_count(text);
                own_symbols += text.chars().count();
            };
            asked.iter().flatten().for_each(|texts| add(texts.value(at)));
            if let Some((lists, texts)) = options {
                let bounds = [at, at + 1].map(|at| lists.value_offsets()[at].cast_unsigned());
                (bounds[0]..bounds[1]).for_each(|at| add(texts.value(at as usize)));
            }
            words.push(own_words);
            symbols.push(u32::try_from(own_symbols).unwrap_or(u32::MAX));
        }
        self.lengths(What::Question, "words").extend(words);
        self.lengths(What::Question, "symbols").extend(symbols);
    }

    /// The lengths of something, to be added to.
    fn lengths(&mut self, what: What, unit: &str) -> &mut Vec<u32> {
        let same = |known: &Lengths| known.what == what && known.unit == unit;
        let at = self.lengths.iter().position(same).unwrap_or_else(|| {
            // In the order in which they are told; units as the columns have them.
            let at = self.lengths.partition_point(|known| known.what <= what);
            self.lengths.insert(at, Lengths { what, unit: unit.to_owned(), of: Vec::new() });
            at
        });
        &mut self.lengths[at].of
    }

    /// The lengths of something in one unit; none if there are none.
    pub(crate) fn take_lengths(&mut self, what: What, unit: &str) -> Vec<u32> {
        std::mem::take(self.lengths(what, unit))
    }
}

/// A column of numbers, if there is one of this name.
fn numbers<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a Int32Array> {
    rows.column_by_name(name)?.as_primitive_opt::<Int32Type>()
}

/// A column of texts, if there is one of this name.
fn texts<'a>(rows: &'a RecordBatch, name: &str) -> Option<&'a StringArray> {
    rows.column_by_name(name)?.as_string_opt::<i32>()
}

fn author_names(rows: &RecordBatch, at: usize) -> Option<String> {
    let authors = rows.column_by_name("authors")?.as_list_opt::<i32>()?.value(at);
    let names = authors.as_struct_opt()?.column_by_name("name")?;
    let names: Vec<_> = names.as_string_opt::<i32>()?.iter().flatten().collect();
    Some(names.join("; "))
}
