//! The audit of a published folder, and what it must hold to for a release.

use std::{collections::BTreeMap, path::Path};

use storymill_core::Fault;
use storymill_dataset::{
    audit::{AuditFigures, Exceeded, Limits, Measure, Wanted, audit},
    release::Objection,
};
use storymill_pipeline::{AuditLimits, Lock};

use crate::Dataset;

/// What is audited.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// Only this config.
    pub config: Option<String>,
    /// Leave out what searches the books.
    pub without_book: bool,
    /// Look at no more than so many questions of a config, in place of [`SAMPLE`](storymill_dataset::audit::SAMPLE).
    pub sample: Option<usize>,
}

impl Dataset {
    /// What can be answered without understanding, set by set.
    ///
    /// # Errors
    ///
    /// There is no such config; a file cannot be read, or has rows that cannot be understood.
    pub fn audit(&self, options: &AuditOptions) -> Result<AuditFigures, Fault> {
        // A lock that this version cannot read is no reason to tell nothing: then any text will do that was read.
        let texts = self.lock().map(|lock| texts(&lock)).unwrap_or_default();
        let AuditOptions { config, without_book, sample } = options.clone();
        audit(self.site(), &Wanted { config, without_book, sample, texts })
    }

    /// The figures that are past the limits of the workflow that it was made from.
    ///
    /// # Errors
    ///
    /// The lock cannot be read.
    pub fn exceeded(&self, figures: &AuditFigures) -> Result<Vec<Exceeded>, Fault> {
        let publish = self.lock()?.publish;
        Ok(limits(&publish.map(|publish| publish.audit).unwrap_or_default()).exceeded(figures))
    }
}

/// What figures past their limits have against a release.
pub(crate) fn objections(exceeded: &[Exceeded], folder: &Path) -> Vec<Objection> {
    // One hint for all that one limit is about.
    let is_last = |at: usize| exceeded[at + 1..].iter().all(|one| key(one) != key(&exceeded[at]));
    let hint = |at: usize| {
        let same = exceeded.iter().filter(|one| key(one) == key(&exceeded[at]));
        let most = same.map(|one| one.found.value).fold(0.0, f64::max);
        let by_rule = if exceeded[at].measure.is_search() {
            " Retellings made by rule are easy to find by searching, those of a model less."
        } else {
            ""
        };
        format!(
            "`storymill audit {}` shows all figures.{by_rule} If this is as it should be, set `{}` under `[publish.audit]` \
             to {:.2}, say why beside it, and build again",
            crate::words::typed(folder),
            key(&exceeded[at]),
            ((most * 100.0).floor() / 100.0 + 0.01).min(1.0),
        )
    };
    let all = exceeded.iter().enumerate();
    all.map(|(at, one)| Objection { what: past(one), hint: is_last(at).then(|| hint(at)) })
        .collect()
}

/// The key of the limit that a figure is past.
fn key(one: &Exceeded) -> String {
    let own = one.measure.name().replace('-', "_");
    if one.measure.is_search() { "with_book".to_owned() } else { own }
}

fn past(one: &Exceeded) -> String {
    let Exceeded { config, kind, measure, found, limit } = one;
    let of = if kind.is_empty() { String::new() } else { format!(" of type {kind}") };
    format!(
        "`{}` ({}) is {:.4} for the questions{of} in `{config}`; the limit is {limit}",
        measure.name(),
        measure.about(),
        found.value,
    )
}

/// The configs whose texts the questions of each config were asked about.
pub(crate) fn texts(lock: &Lock) -> BTreeMap<String, Vec<String>> {
    lock.configs.keys().map(|config| (config.clone(), lock.configs_behind(config))).collect()
}

/// Limits by measure.
fn limits(of: &AuditLimits) -> Limits {
    let single = [
        (Measure::First, of.first),
        (Measure::Longest, of.longest),
        (Measure::Style, of.style),
        (Measure::Centre, of.centre),
        (Measure::WrongElsewhere, of.wrong_elsewhere),
        (Measure::Words, of.words),
        (Measure::Characters, of.characters),
        (Measure::NearEqual, of.near_equal),
        (Measure::CopyRouge1, of.copy_rouge_1),
        (Measure::CopyRougeL, of.copy_rouge_l),
        (Measure::Opening, of.opening),
        (Measure::Strings, of.strings),
        (Measure::Bm25, of.bm25),
        (Measure::StringsPlace, of.strings_place),
        (Measure::Bm25Place, of.bm25_place),
        (Measure::Count, of.count),
        (Measure::SceneBm25, of.scene_bm25),
        (Measure::SceneNgrams, of.scene_ngrams),
    ];
    let named = single.into_iter().filter_map(|(measure, limit)| Some((measure, limit?.share())));
    Limits {
        without_book: of.without_book.map(storymill_pipeline::Limit::share),
        with_book: of.with_book.map(storymill_pipeline::Limit::share),
        measures: named.collect(),
    }
}
