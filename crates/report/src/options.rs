//! What a report is told besides grades.

use std::collections::BTreeMap;

use crate::audit::Baseline;

/// What a report is told besides grades.
#[derive(Clone, Debug)]
pub struct Options {
    /// The title of the page.
    pub title: String,
    /// Confidence level of the intervals.
    pub level: f64,
    /// The models that wrote the retellings which the questions are made of.
    pub written_by: Vec<String>,
    /// The steps whose retellings were made by rule.
    pub by_rule: Vec<String>,
    /// Where a question is shown, with `{id}` for its id; without it ids are no links.
    pub link: Option<String>,
    /// The words of questions by id: those that the page names are told in full.
    pub questions: BTreeMap<String, String>,
    /// Prices by model.
    pub prices: BTreeMap<String, Price>,
    /// What can be answered without understanding the book, from an audit.
    pub baselines: Vec<Baseline>,
    /// How many questions are named on each side of a pair.
    pub named: usize,
}

/// The price of a model, in dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Of what is read.
    pub input: f64,
    /// Of what is written, thinking included.
    pub output: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            title: "Report".to_owned(),
            level: 0.95,
            written_by: Vec::new(),
            by_rule: Vec::new(),
            link: None,
            questions: BTreeMap::new(),
            prices: BTreeMap::new(),
            baselines: Vec::new(),
            named: 200,
        }
    }
}
