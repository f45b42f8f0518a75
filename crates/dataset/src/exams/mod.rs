//! The questions of a published folder as they are put to models: a book or a mixed context at a time, with its
//! text.
//!
//! Of each table one column is read to know where the rows of a book stand; what a unit needs is read when
//! it is asked for.

mod book;
mod draw;
mod fields;
pub(crate) mod index;
mod mixed;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};

use storymill_core::{Digest, Encoding, Exam, Fault, FaultKind, UnitId, did_you_mean};

use self::index::{Run, Tables};
use crate::{
    check::{Damage, Depth, check},
    manifest::Manifest,
    site::Site,
};

/// The columns that a table of questions about books is known by.
const ASKS: [&str; 3] = ["question_id", "book_id", "context_symbols"];
/// The column that a table of long contexts is known by.
const CONTEXT: &str = "context_id";
/// The config that is asked where none is named.
const EVAL: &str = "eval";

/// Which questions are asked.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Of these configs; of `eval` if none is named, or of all where there is none of that name.
    pub configs: Vec<String>,
    /// Of these splits; of all if none is named.
    pub splits: Vec<String>,
    /// Those of which these tests hold, in the language of `--where`, by the columns of their rows. All if nothing is said.
    pub filter: Option<String>,
    /// So many of them, drawn by their ids: fewer are among more. All if nothing is said.
    pub questions: Option<u32>,
    /// What these are shared out evenly over: the values of a column, or strata of its numbers (`demand:5`).
    pub stratify: Option<String>,
}

/// What a dataset's lock says of where a config comes from.
#[derive(Clone, Debug, Default)]
pub struct Behind {
    /// The configs that its rows were made from, the nearest first.
    pub texts: Vec<String>,
    /// The models that wrote the retellings among them.
    pub writers: Vec<String>,
}

/// The units of a folder.
#[derive(Debug)]
pub struct Exams {
    folder: Site,
    manifest: Manifest,
    tables: Tables,
    units: BTreeMap<UnitId, Unit>,
    /// For each config with questions the configs that its text may be taken from, the nearest first.
    texts: BTreeMap<String, Vec<String>>,
    /// For each config with questions the models that wrote what they are made of.
    writers: BTreeMap<String, Vec<String>>,
    /// Where the rows of each book stand, by config.
    books: BTreeMap<String, BTreeMap<String, Vec<Run>>>,
    passages: Mutex<Option<mixed::Passages>>,
    /// The questions that were drawn, by config and id; none if all are asked.
    drawn: Option<BTreeSet<(String, String)>>,
}

/// What is asked of a unit: rows of configs.
#[derive(Clone, Debug)]
struct Unit {
    /// The book; none of a mixed context.
    book: Option<String>,
    asked: Vec<(String, Vec<Run>)>,
}

impl Exams {
    /// Lists the units of a folder that is what its manifest says. `behind` says where the rows of a
    /// config come from.
    ///
    /// # Errors
    ///
    /// Files that are not what the manifest says; no questions, or none of the configs or splits that were named.
    pub fn open(
        folder: impl Into<Site>,
        wanted: &Wanted,
        behind: impl Fn(&str) -> Behind,
    ) -> Result<Self, Fault> {
        let folder = &folder.into();
        let manifest = Manifest::of(folder)?;
        refuse_damage(folder)?;
        let tables = Tables::of(folder, &manifest)?;
        let configs = configs(folder, &tables, wanted)?;
        let (mut texts, mut writers) = (BTreeMap::new(), BTreeMap::new());
        for config in &configs {
            let Behind { texts: own, writers: wrote } = behind(config);
            texts.insert(config.clone(), own);
            writers.insert(config.clone(), wrote);
        }
        let mut exams = Self {
            folder: folder.clone(),
            manifest,
            tables,
            units: BTreeMap::new(),
            texts,
            writers,
            books: BTreeMap::new(),
            passages: Mutex::default(),
            drawn: None,
        };
        for config in &configs {
            exams.list(config, &wanted.splits)?;
        }
        if wanted.is_choosy() {
            exams.draw(&configs, wanted)?;
        }
        let beside = [
            &["book_id", "title", "authors"][..],
            &["summary_id", "book_id", "text"],
            &book::DOCUMENT,
        ];
        if exams.units.values().any(|unit| unit.book.is_some()) {
            let beside = beside.into_iter().flat_map(|columns| exams.tables.configs(columns));
            let names: BTreeSet<String> =
                exams.tables.with_texts().into_iter().chain(beside).map(str::to_owned).collect();
            for name in names {
                let places = exams.tables.places(&name, "book_id")?;
                exams.books.insert(name, places);
            }
        }
        if exams.units.is_empty() {
            let message = "there are no questions of these splits here";
            let mut splits: Vec<&str> = exams.tables.0.iter().map(|file| &*file.split).collect();
            splits.sort_unstable();
            splits.dedup();
            return Err(Fault::new(FaultKind::Input, message)
                .at(folder)
                .hint(format!("the splits are {}", splits.join(", "))));
        }
        Ok(exams)
    }

    /// The units with digests of all that they may be made from: the rows of the folder.
    pub fn units(&self) -> impl Iterator<Item = (&UnitId, Digest)> {
        let rows = self.manifest.digest;
        self.units.iter().map(move |(unit, held)| {
            let mut parts: Vec<Vec<u8>> =
                vec![unit.as_str().as_bytes().to_vec(), rows.as_bytes().to_vec()];
            for (config, runs) in &held.asked {
                parts.push(format!("{config} {runs:?}").into_bytes());
            }
            let drawn = self.drawn.iter().flatten();
            parts.extend(drawn.map(|(config, id)| format!("{config}/{id}").into_bytes()));
            let wrote = held.asked.iter().flat_map(|(config, _)| self.writers_of(config));
            parts.extend(wrote.map(|writer| format!("by {writer}").into_bytes()));
            let digest = Digest::of_parts(
                "storymill 2026 published unit v1",
                parts.iter().map(Vec::as_slice),
            );
            (unit, digest)
        })
    }

    /// How many questions are asked.
    pub fn questions(&self) -> usize {
        let asked = self.units.values().flat_map(|unit| &unit.asked).flat_map(|(_, runs)| runs);
        self.drawn.as_ref().map_or_else(|| asked.map(Run::len).sum(), BTreeSet::len)
    }

    /// The encodings that lengths of the questions are told in.
    pub fn encodings(&self) -> Vec<Encoding> {
        let counted = |one: &Encoding| {
            let column = format!("context_tokens_{one}");
            let asked = self.tables.0.iter().filter(|table| self.texts.contains_key(&table.config));
            asked.clone().count() > 0 && asked.into_iter().all(|table| table.has(&[&column]))
        };
        Encoding::ALL.into_iter().filter(counted).collect()
    }

    /// The models that wrote what the questions of a config are made of.
    fn writers_of(&self, config: &str) -> &[String] {
        self.writers.get(config).map_or(&[], Vec::as_slice)
    }

    /// The manifest of the folder.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// A unit with its text and its questions in reading order.
    ///
    /// # Errors
    ///
    /// There is no such unit; a file cannot be read; its text is not published with it.
    pub fn exam(&self, unit: &UnitId) -> Result<Exam, Fault> {
        let held = self.units.get(unit).ok_or_else(|| {
            Fault::new(FaultKind::Input, format!("there are no questions of {unit}"))
                .at(&self.folder)
        })?;
        match &held.book {
            Some(book) => self.of_book(book, held),
            None => self.of_context(held),
        }
    }

    /// Notes the units of a config.
    fn list(&mut self, config: &str, splits: &[String]) -> Result<(), Fault> {
        let wanted = |tables: &Tables, run: &Run| {
            splits.is_empty() || splits.contains(&tables.0[run.file].split)
        };
        let mixed = self.tables.0.iter().any(|one| one.config == config && one.has(&[CONTEXT]));
        let column = if mixed { CONTEXT } else { "book_id" };
        for (id, mut runs) in self.tables.places(config, column)? {
            runs.retain(|run| wanted(&self.tables, run));
            if runs.is_empty() {
                continue;
            }
            let unit = if !mixed {
                self.unit_of_book(&id, config)?
            } else if self.units.contains_key(&mixed::unit(&id)) {
                // The same question over another context has the same id in another config.
                mixed::unit(&format!("{id}-{config}"))
            } else {
                mixed::unit(&id)
            };
            let book = (!mixed).then(|| id.clone());
            let held = self.units.entry(unit).or_insert(Unit { book, asked: Vec::new() });
            held.asked.push((config.to_owned(), runs));
        }
        Ok(())
    }

    /// The unit of a book: that with the same text, so that books with other names are units of their own.
    fn unit_of_book(&self, book: &str, config: &str) -> Result<UnitId, Fault> {
        let bad = |error: storymill_core::BadId| {
            Fault::new(FaultKind::Input, error.to_string()).at(&self.folder)
        };
        let own: UnitId = book.parse().map_err(bad)?;
        let first = self.units.get(&own).and_then(|unit| unit.asked.first());
        let text = |config: &str| self.text_configs(config).first().map(|one| (*one).to_owned());
        match first {
            Some((other, _)) if text(other) != text(config) => {
                let named: String = format!("{book}-{config}").chars().take(64).collect();
                named.parse().map_err(bad)
            }
            _ => Ok(own),
        }
    }

    /// The configs with texts that a config of questions may be asked about, the nearest first.
    fn text_configs(&self, config: &str) -> Vec<&str> {
        self.near(config, self.tables.with_texts())
    }

    /// Those of some configs that the rows of one were made from, the nearest first; all where none is known.
    fn near<'c>(&self, config: &str, all: Vec<&'c str>) -> Vec<&'c str> {
        let behind = self.texts.get(config).map_or(&[][..], Vec::as_slice);
        let near: Vec<&str> =
            behind.iter().filter_map(|name| all.iter().find(|one| *one == name).copied()).collect();
        if near.is_empty() { all } else { near }
    }
}

/// Refuses a folder whose files are not what its manifest says. A table that another program wrote anew is looked at row
/// by row.
fn refuse_damage(folder: &Site) -> Result<(), Fault> {
    let mut damage = check(folder, Depth::Bytes)?;
    if !damage.is_empty() {
        damage = check(folder, Depth::Rows)?;
    }
    let Some(Damage { path, wrong }) = damage.first() else { return Ok(()) };
    Err(Fault::new(FaultKind::Input, format!("not what its manifest says: {wrong}")).at(path).hint(
        "`storymill verify` tells all that is wrong; build the dataset again, or get it anew",
    ))
}

/// The configs that are asked.
fn configs(folder: &Site, tables: &Tables, wanted: &Wanted) -> Result<Vec<String>, Fault> {
    let mut all = tables.configs(&ASKS);
    all.extend(tables.configs(&[CONTEXT, "passages", "insertions"]));
    let fault = |message: String, hint: String| {
        Err(Fault::new(FaultKind::Input, message).at(folder).hint(hint))
    };
    if all.is_empty() {
        let hint = "a table of questions has the columns question_id, book_id, context_symbols";
        return fault("there are no questions here".to_owned(), hint.to_owned());
    }
    if let Some(unknown) = wanted.configs.iter().find(|one| !all.contains(&&***one)) {
        let hint = did_you_mean(unknown, all.iter().copied()).unwrap_or_default();
        return fault(format!("`{unknown}` is not a config with questions"), hint);
    }
    if !wanted.configs.is_empty() {
        return Ok(wanted.configs.clone());
    }
    let eval = all.iter().filter(|one| **one == EVAL).copied().collect::<Vec<_>>();
    let chosen = if eval.is_empty() { all } else { eval };
    Ok(chosen.into_iter().map(str::to_owned).collect())
}
