//! Which of the questions are asked: those that pass the tests of their columns, and so many of these, drawn by their
//! ids, so that fewer are among more.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind, did_you_mean};
use storymill_text::filter::{Kind, Mistakes, Test, tests};

use super::{
    CONTEXT, Exams, Wanted,
    fields::{Field, fields},
    index::Tables,
};
use crate::{
    reading::{each_row, only, open},
    site::Site,
};

/// The columns that hold the id of a question.
const IDS: [&str; 2] = ["question_id", CONTEXT];

/// A question that may be asked.
struct Candidate {
    lot: Digest,
    config: String,
    id: String,
    at: (usize, usize),
    /// What it is put into a stratum by.
    stratum: (Option<i64>, String),
}

/// What questions are chosen by.
struct By {
    fields: Vec<Field>,
    tests: Vec<Test>,
    /// A field, and into how many strata its numbers are cut.
    strata: Option<(usize, Option<usize>)>,
}

impl Wanted {
    /// Whether not all questions of the configs and splits are asked.
    pub(super) fn is_choosy(&self) -> bool {
        self.questions.is_some() || self.filter.is_some()
    }

    /// What is wrong with the filter, for the questions of a folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be read, or has no such configs.
    pub fn mistakes(&self, folder: &Site) -> Result<Option<Mistakes>, Fault> {
        let Some(text) = &self.filter else { return Ok(None) };
        let tables = Tables::of(folder, &crate::Manifest::of(folder)?)?;
        let fields = fields(&tables, &super::configs(folder, &tables, self)?)?;
        Ok(parsed(text, &fields).err())
    }
}

fn parsed(text: &str, fields: &[Field]) -> Result<Vec<Test>, Mistakes> {
    let named: Vec<(&str, Kind)> = fields.iter().map(|one| (&*one.name, one.kind)).collect();
    tests(text, &named)
}

impl By {
    fn of(folder: &Site, wanted: &Wanted, fields: Vec<Field>) -> Result<Self, Fault> {
        let fault = |message: String, hint: Option<String>| {
            let fault = Fault::new(FaultKind::Input, message).at(folder);
            hint.into_iter().fold(fault, Fault::hint)
        };
        let tests = match &wanted.filter {
            None => Vec::new(),
            Some(text) => parsed(text, &fields).map_err(|mistakes| {
                let hint = mistakes.all.first().and_then(|one| one.hint.clone());
                fault(format!("`where`: {mistakes}"), hint)
            })?,
        };
        let mut strata = None;
        if let Some(text) = &wanted.stratify {
            let (name, count) = match text.split_once(':') {
                Some((name, count)) => (name, Some(count)),
                None => (text.as_str(), None),
            };
            let field = fields.iter().position(|field| field.name == name).ok_or_else(|| {
                let known = fields.iter().map(|field| field.name.as_str());
                fault(format!("`stratify`: there is no field `{name}`"), did_you_mean(name, known))
            })?;
            let count = count.map(|count| match count.parse() {
                Ok(count @ 2..=1_000) if fields[field].kind == Kind::Number => Ok(count),
                Ok(_) if fields[field].kind != Kind::Number => {
                    let message = format!("`stratify`: `{name}` is a text, not a number");
                    Err(fault(message, Some(format!("each text is a stratum: `{name}`"))))
                }
                _ => {
                    let message = format!("`stratify`: `{count}` is not a number of strata");
                    Err(fault(message, Some("from 2 to 1,000: `demand:5`".to_owned())))
                }
            });
            strata = Some((field, count.transpose()?));
        }
        Ok(Self { fields, tests, strata })
    }

    /// The columns that have to be read.
    fn columns(&self) -> Vec<&str> {
        let fields = self.tests.iter().map(|test| test.field);
        let fields = fields.chain(self.strata.map(|(field, _)| field));
        let columns = fields.flat_map(|field| self.fields[field].reads());
        let columns: BTreeSet<&str> = columns.chain(IDS).collect();
        columns.into_iter().collect()
    }

    fn passes(&self, row: &Value) -> bool {
        self.tests.iter().all(|test| test.passes(&self.fields[test.field].of(row)))
    }

    fn stratum(&self, row: &Value) -> (Option<i64>, String) {
        self.strata.map(|(field, _)| self.fields[field].of(row).only()).unwrap_or_default()
    }

    /// Puts candidates in the order that they are asked in: by their lots, strata taking turns.
    fn order(&self, all: &mut Vec<Candidate>) {
        let strata = stratified(all, self.strata.and_then(|(_, count)| count));
        let mut by_lot: Vec<(usize, Candidate)> = strata.into_iter().zip(all.drain(..)).collect();
        by_lot
            .sort_by(|(_, a), (_, b)| (&a.lot, &a.config, &a.id).cmp(&(&b.lot, &b.config, &b.id)));
        let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
        let mut turned: Vec<(usize, Candidate)> = Vec::with_capacity(by_lot.len());
        for (stratum, candidate) in by_lot {
            let turn = turns.entry(stratum).or_default();
            turned.push((*turn, candidate));
            *turn += 1;
        }
        turned.sort_by_key(|(turn, _)| *turn);
        all.extend(turned.into_iter().map(|(_, candidate)| candidate));
    }
}

/// The stratum of each candidate: its value, or so many of about the same size from the smallest values to the largest.
fn stratified(all: &[Candidate], count: Option<usize>) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..all.len()).collect();
    ranked.sort_by(|a, b| {
        let (a, b) = (&all[*a], &all[*b]);
        (&a.stratum, &a.lot, &a.config, &a.id).cmp(&(&b.stratum, &b.lot, &b.config, &b.id))
    });
    let mut strata = vec![0; all.len()];
    let mut values = 0;
    for (rank, at) in ranked.iter().enumerate() {
        if rank > 0 && all[*at].stratum != all[ranked[rank - 1]].stratum {
            values += 1;
        }
        strata[*at] = count.map_or(values, |count| rank * count / all.len());
    }
    strata
}

impl Exams {
    /// Chooses what is asked, and leaves out units of which nothing is.
    pub(super) fn draw(&mut self, configs: &[String], wanted: &Wanted) -> Result<(), Fault> {
        let by = By::of(&self.folder, wanted, fields(&self.tables, configs)?)?;
        let (mut all, mut of) = (Vec::new(), 0);
        for (file, table) in self.tables.0.iter().enumerate() {
            let is_wanted = wanted.splits.is_empty() || wanted.splits.contains(&table.split);
            if !configs.contains(&table.config) || !is_wanted {
                continue;
            }
            let mut at = 0;
            let columns = by.columns().into_iter().filter(|name| table.has(&[*name]));
            each_row(only(open(&table.path)?, columns), &table.path, |row: Value| {
                let ids = IDS.into_iter().filter_map(|column| row[column].as_str());
                for id in ids.filter(|_| by.passes(&row)) {
                    let parts = [table.config.as_bytes(), id.as_bytes()];
                    let lot = Digest::of_parts("storymill 2026 drawn question v1", parts);
                    let (config, id, stratum) =
                        (table.config.clone(), id.to_owned(), by.stratum(&row));
                    all.push(Candidate { lot, config, id, at: (file, at), stratum });
                }
                (at, of) = (at + 1, of + 1);
                Ok(())
            })?;
        }
        if all.is_empty() && of > 0 {
            let message = "no question passes `where`";
            let hint = format!("0 of {of} do; `storymill inspect` shows what their columns hold");
            return Err(Fault::new(FaultKind::Input, message).at(&self.folder).hint(hint));
        }
        by.order(&mut all);
        all.truncate(wanted.questions.map_or(usize::MAX, |most| most as usize));
        let places: BTreeSet<(usize, usize)> = all.iter().map(|one| one.at).collect();
        for unit in self.units.values_mut() {
            unit.asked.retain(|(_, runs)| runs.iter().any(|run| run.has_any(&places)));
        }
        self.units.retain(|_, unit| !unit.asked.is_empty());
        self.drawn = Some(all.into_iter().map(|one| (one.config, one.id)).collect());
        Ok(())
    }

    /// Whether a question is asked.
    pub(super) fn asks(&self, config: &str, id: &str) -> bool {
        let drawn = self.drawn.as_ref();
        drawn.is_none_or(|drawn| drawn.contains(&(config.to_owned(), id.to_owned())))
    }
}
