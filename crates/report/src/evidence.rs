//! Each model against itself where it is shown the evidence alone: a weak reader is not a short memory.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::Setting;
use storymill_metrics::clustered::{Sums, difference};

use crate::{
    bins::Bins,
    cell::{Shift, mean},
    figures::{Scope, Table},
};

/// A model in a setting, less the same model on the same questions with the evidence alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The model.
    pub model: String,
    /// The setting.
    pub setting: String,
    /// Over all questions that were asked both ways.
    pub all: Shift,
    /// By bins of demand, as the table of demand has them.
    pub shifts: Vec<Option<Shift>>,
}

/// Differences by book.
#[derive(Clone, Debug, Default)]
pub(crate) struct Differences(BTreeMap<u32, Sums>);

impl Differences {
    pub(crate) fn add(&mut self, book: u32, difference: f64) {
        self.0.entry(book).or_default().add(difference);
    }

    pub(crate) fn shift(&self, authors: &[u32], level: f64) -> Shift {
        mean(&self.0, authors, |clusters| difference(clusters, level))
    }
}

/// One for each model and setting that answered questions which the model was also asked with the evidence alone.
/// Settings that show nothing of the book have no place here.
pub(crate) fn against(scope: &Scope<'_>, demand: &Table) -> Vec<Against> {
    let evidence = Setting::Evidence.to_string();
    let blind = [Setting::Nothing, Setting::Title, Setting::Evidence].map(|one| one.to_string());
    let mut found = Vec::new();
    for system in &scope.systems {
        let of = &scope.all.systems[*system as usize];
        if blind.contains(&of.setting) {
            continue;
        }
        let same = |other: &&u32| {
            let other = &scope.all.systems[**other as usize];
            other.model == of.model && other.setting == evidence
        };
        let Some(reader) = scope.systems.iter().find(same) else { continue };
        let (own, read) = (scope.by_question(*system), scope.by_question(*reader));
        let mut all = Differences::default();
        let mut by_bin = vec![Differences::default(); demand.groups.len()];
        for (at, answer) in own {
            let Some(with_evidence) = read.get(&at) else { continue };
            let question = &scope.all.questions[at as usize];
            let difference = answer.score() - with_evidence.score();
            all.add(question.book, difference);
            let length = scope.unit.count(&question.demand);
            let of = |bins: &Bins| length.is_some_and(|length| bins.hold(length));
            if let Some(at) = scope.demand.iter().position(of) {
                by_bin[at].add(question.book, difference);
            }
        }
        let shift = |one: &Differences| {
            let shift = one.shift(scope.authors, scope.level);
            (shift.questions > 0).then_some(shift)
        };
        let Some(total) = shift(&all) else { continue };
        found.push(Against {
            model: of.model.clone(),
            setting: of.setting.clone(),
            all: total,
            shifts: by_bin.iter().map(shift).collect(),
        });
    }
    found
}
