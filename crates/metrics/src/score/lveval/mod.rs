//! LV-Eval's table: predictions over contexts of several lengths, by set and level.
//!
//! LV-Eval scores the first answer, by a keyword-gated F1 for most sets (Yuan et al., 2024, and its
//! program; see [`crate::keyword`]). Beside the table stand how often a confusing fact was repeated,
//! and how often the cut in the middle took the evidence away.

mod matched;
mod name;
mod read;
mod scorer;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use self::{matched::matched, scorer::Scorer};
pub use self::{
    name::released,
    read::{Prediction, predictions, record},
};
use super::{Cutter, FileError};
use crate::wordlists::WordLists;

/// What is asked over one context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its id, which predictions name.
    pub id: String,
    /// The set.
    pub set: String,
    /// The length that was wanted.
    pub level: u32,
    /// Whether it is in Chinese.
    pub chinese: bool,
    /// The question.
    pub question: String,
    /// The answers, each right by itself.
    pub answers: Vec<String>,
    /// The keywords of the first; blank if nobody said.
    pub keywords: String,
    /// The confusing facts in its context.
    pub confusing: Vec<String>,
    /// Where the answer stands, in symbols.
    pub evidence: Vec<(u32, u32)>,
    /// What was cut out of its context before a model saw it, from and upto, in symbols; none if
    /// that is not known.
    pub cut: Option<(u32, u32)>,
}

/// Which score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// What LV-Eval's program gives, against the first answer: keyword-gated F1; of its own sets factrecall
    /// has plain F1, and dureader ROUGE-L.
    AsReleased,
    /// Keyword-gated F1 as its paper has it, against the best answer.
    AsInPaper,
    /// Plain F1 against the first answer, as LV-Eval scores factrecall.
    PlainF1,
    /// ROUGE-L without listed words against the first answer, as LV-Eval scores dureader.
    RougeL,
}

/// How a file of predictions is scored.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// Which score.
    pub score: Score,
    /// Listed words and punctuation.
    pub lists: &'o WordLists,
    /// What cuts Chinese into words; without it Chinese is refused.
    pub cutter: Option<Cutter<'o>>,
    /// The window that a reference is given for, in the unit of levels.
    pub window: Option<u32>,
    /// Whether contexts without a prediction are left out; else they are an error.
    pub partial: bool,
}

/// The scores of a file of predictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the score; of the scores, where sets have different ones.
    pub variant: String,
    /// Each set at each level, sets by name, levels ascending.
    pub cells: Vec<Cell>,
    /// Each level over all sets: the mean of its sets, as LV-Eval's table has it.
    pub levels: Vec<Level>,
    /// Every prediction.
    pub rows: Vec<Row>,
    /// Contexts without a prediction.
    pub missing: usize,
}

/// One set at one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The set.
    pub set: String,
    /// The level.
    pub level: u32,
    /// The name of its score.
    pub variant: String,
    /// How many predictions.
    pub rows: usize,
    /// 100 times the mean score.
    pub score: f64,
    /// Per cent of predictions, over contexts with confusing facts, that repeat one.
    pub repeated: Option<f64>,
    /// Per cent of predictions with evidence, a piece of it or all, that was cut away.
    pub cut: Option<f64>,
    /// The score over those whose evidence was not.
    pub score_shown: Option<f64>,
}

/// One level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The level.
    pub level: u32,
    /// The mean of the sets' scores.
    pub score: f64,
    /// What a model scores that answers all it sees and sees a window: 100 times window by level.
    pub reference: Option<f64>,
}

/// One prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The context.
    pub id: String,
    /// Its set.
    pub set: String,
    /// Its level.
    pub level: u32,
    /// What was answered.
    #[serde(skip)]
    pub prediction: String,
    /// The score, from 0 to 1.
    pub score: f64,
    /// Which confusing fact is repeated, if one is.
    pub repeats: Option<String>,
    /// Whether a piece of the evidence was cut away, where it is known what was.
    pub cut: Option<bool>,
}

/// A fault, and the number of the file of predictions that has it; none if it is of none.
pub type Refused = (Option<usize>, FileError);

/// Scores predictions of contexts.
///
/// # Errors
///
/// An id that no context has, one that is predicted twice, Chinese with nothing to cut it into words,
/// and, unless `partial`, contexts without a prediction.
pub fn lveval(
    predictions: &[Prediction],
    items: &[Item],
    options: &Options<'_>,
) -> Result<Report, Refused> {
    let predicted = matched(predictions, items)?;
    let both = || items.iter().zip(&predicted);
    let missing: Vec<&Item> =
        both().filter(|(_, one)| one.is_none()).map(|(item, _)| item).collect();
    if let Some(first) = missing.first().filter(|_| !options.partial) {
        let what = match missing.len() {
            1 => "has no prediction".to_owned(),
            more => format!("has no prediction, and {} more have none", more - 1),
        };
        return Err((None, FileError::Entry { id: first.id.clone(), what }));
    }
    let uncut =
        both().find_map(|(item, said)| said.filter(|_| item.chinese && options.cutter.is_none()));
    if let Some(said) = uncut {
        let what = "Chinese, and nothing to cut it into words with".to_owned();
        return Err((Some(said.file), FileError::Row { line: said.line, what }));
    }
    let scorer = Scorer { options };
    let rows: Vec<Row> = items
        .iter()
        .zip(predicted)
        .filter_map(|(item, prediction)| Some(scorer.row(item, &prediction?.text)))
        .collect();
    let mut by_cell: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
    let confused: BTreeMap<&str, bool> =
        items.iter().map(|item| (&item.id[..], !item.confusing.is_empty())).collect();
    for (at, row) in rows.iter().enumerate() {
        by_cell.entry((&row.set, row.level)).or_default().push(at);
    }
    let chinese: BTreeSet<&str> =
        items.iter().filter(|item| item.chinese).map(|item| &item.id[..]).collect();
    let cell = |((set, level), of): (&(&str, u32), &Vec<usize>)| {
        let own: Vec<&Row> = of.iter().map(|at| &rows[*at]).collect();
        let scores = |keep: &dyn Fn(&Row) -> bool| -> Vec<f64> {
            own.iter().filter(|row| keep(row)).map(|row| row.score).collect()
        };
        let share = |of: Vec<bool>| {
            percent(&of.into_iter().map(|one| f64::from(u8::from(one))).collect::<Vec<_>>())
        };
        let with_facts = own.iter().filter(|row| confused.get(&row.id[..]) == Some(&true));
        Cell {
            set: (*set).to_owned(),
            level: *level,
            variant: scorer.variant(set, own.iter().any(|row| chinese.contains(&row.id[..]))),
            rows: own.len(),
            score: percent(&scores(&|_| true)).unwrap_or(0.0),
            repeated: share(with_facts.map(|row| row.repeats.is_some()).collect()),
            cut: share(own.iter().filter_map(|row| row.cut).collect()),
            score_shown: percent(&scores(&|row| row.cut == Some(false))),
        }
    };
    let cells: Vec<Cell> = by_cell.iter().map(cell).collect();
    let mut by_level: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for cell in &cells {
        by_level.entry(cell.level).or_default().push(cell.score / 100.0);
    }
    let level = |(level, scores): (u32, Vec<f64>)| Level {
        level,
        score: percent(&scores).unwrap_or(0.0),
        reference: options
            .window
            .filter(|_| level > 0)
            .map(|window| 100.0 * (f64::from(window) / f64::from(level)).min(1.0)),
    };
    let levels = by_level.into_iter().map(level).collect();
    let mut variants: Vec<String> = Vec::new();
    for cell in &cells {
        if !variants.contains(&cell.variant) {
            variants.push(cell.variant.clone());
        }
    }
    Ok(Report { variant: variants.join("; "), cells, levels, missing: missing.len(), rows })
}

/// The score of one prediction, from 0 to 1; none if it is Chinese and nothing cuts it into words.
pub fn one(item: &Item, prediction: &str, options: &Options<'_>) -> Option<f64> {
    (!item.chinese || options.cutter.is_some())
        .then(|| Scorer { options }.row(item, prediction).score)
}

/// 100 times a mean; none of nothing.
fn percent(scores: &[f64]) -> Option<f64> {
    crate::mean(scores.iter().copied()).map(|mean| 100.0 * mean)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
