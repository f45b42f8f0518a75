//! What the card says of the audit: in its first lines where a set can be answered without understanding, and every
//! figure further down.

use serde::Serialize;

use crate::{
    audit::{AuditedSet, Figure, IntervalOf, Measure, Share},
    numbers::thousands,
};

/// From this share of questions on that searching answers, the first lines say so.
const SEARCHED: f64 = 0.5;

/// The audit as the card prints it.
#[derive(Debug, Serialize)]
pub(super) struct AuditView {
    /// What is said first.
    warnings: Vec<WarningView>,
    figures: Vec<FigureView>,
    places: Vec<PlacesView>,
    coverage: Vec<CoverageView>,
    flags: Vec<FlagView>,
    /// Whether sets had more questions than were looked at.
    sampled: bool,
}

#[derive(Debug, Serialize)]
struct WarningView {
    /// Whether the book was searched.
    searched: bool,
    about: &'static str,
    share: String,
    interval: String,
    questions: String,
    chance: String,
    config: String,
    kind: String,
}

#[derive(Debug, Serialize)]
struct FigureView {
    config: String,
    kind: String,
    about: &'static str,
    share: String,
    interval: String,
    questions: String,
    note: String,
}

#[derive(Debug, Serialize)]
struct PlacesView {
    config: String,
    kind: String,
    chance: String,
    places: Vec<String>,
    equal: String,
}

#[derive(Debug, Serialize)]
struct CoverageView {
    config: String,
    kind: String,
    symbols: String,
    tenths: [String; 10],
}

#[derive(Debug, Serialize)]
struct FlagView {
    config: String,
    kind: String,
    flag: String,
    questions: String,
    of: String,
}

impl AuditView {
    pub(super) fn of(sets: &[AuditedSet]) -> Self {
        let named = |set: &AuditedSet| (set.config.clone(), set.kind.clone());
        let mut view = Self {
            warnings: sets.iter().flat_map(warnings).collect(),
            figures: Vec::new(),
            places: Vec::new(),
            coverage: Vec::new(),
            flags: Vec::new(),
            sampled: sets.iter().any(|set| !set.figures.is_empty() && set.sampled < set.questions),
        };
        for set in sets {
            view.figures.extend(set.figures.iter().map(|figure| FigureView::of(set, figure)));
            let (config, kind) = named(set);
            if let Some(chance) = set.chance {
                let places = set.positions.iter().map(|count| thousands(*count)).collect();
                let (chance, equal) = (per_cent(chance), thousands(set.equal_options));
                view.places.push(PlacesView { config, kind, chance, places, equal });
            }
            view.coverage.extend(set.coverage.iter().map(|one| {
                let (config, kind) = named(set);
                let (symbols, tenths) = (thousands(one.symbols.into()), one.tenths.map(thousands));
                CoverageView { config, kind, symbols, tenths }
            }));
            view.flags.extend(set.flags.iter().map(|one| {
                let (config, kind) = named(set);
                let (questions, of) = (thousands(one.questions), thousands(set.questions));
                FlagView { config, kind, flag: one.flag.clone(), questions, of }
            }));
        }
        view
    }
}

/// What answers most of a set without the book, and what does by searching it, a line each: those that the card warns of. It is
/// the lower end of the interval that counts, since all of two questions is nothing.
pub(crate) fn worst(sets: &[AuditedSet]) -> Vec<String> {
    let best = |searched: bool| {
        let best = |set: &AuditedSet| {
            let one = warnings(set).into_iter().find(|one| one.searched == searched)?;
            let figure = set.figures.iter().find(|figure| figure.measure.about() == one.about)?;
            Some((figure.share?.low, one))
        };
        let (_, one) = sets.iter().filter_map(best).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let WarningView { about, share, questions, chance, config, kind, .. } = one;
        let how = if searched { "by searching the book" } else { "without the book" };
        let of = if kind.is_empty() { String::new() } else { format!(" of type {kind}") };
        let questions =
            if questions == "1" { "1 question".into() } else { questions + " questions" };
        Some(format!(
            "{how}: {about}, {share} right of {questions}{of} in `{config}` (chance {chance})"
        ))
    };
    [false, true].into_iter().filter_map(best).collect()
}

/// Searching that answers more than half, and the best shortcut that beats chance by its whole interval.
fn warnings(set: &AuditedSet) -> Vec<WarningView> {
    let chance = set.chance.unwrap_or(0.0);
    let told = |searched: bool, (measure, share): (Measure, Share)| WarningView {
        searched,
        about: measure.about(),
        share: per_cent(share.value),
        interval: interval(share),
        questions: thousands(share.questions),
        chance: per_cent(chance),
        config: set.config.clone(),
        kind: set.kind.clone(),
    };
    let searched = set.best(Measure::is_search).filter(|(_, share)| share.value > SEARCHED);
    let mut shortcuts: Vec<_> =
        set.figures.iter().filter(|one| one.measure.is_without_book()).collect();
    shortcuts.retain(|figure| figure.share.is_some_and(|share| share.low > chance));
    let shortcut = shortcuts.iter().filter_map(|figure| Some((figure.measure, figure.share?)));
    let shortcut =
        shortcut.reduce(|best, next| if next.1.value > best.1.value { next } else { best });
    let searched = searched.map(|found| told(true, found));
    searched.into_iter().chain(shortcut.map(|found| told(false, found))).collect()
}

impl FigureView {
    fn of(set: &AuditedSet, figure: &Figure) -> Self {
        let (config, kind, about) = (set.config.clone(), set.kind.clone(), figure.measure.about());
        let Some(share) = figure.share else {
            let none = String::new;
            let note = figure.undefined.clone();
            return Self {
                config,
                kind,
                about,
                share: none(),
                interval: none(),
                questions: none(),
                note,
            };
        };
        let note = match share.interval {
            IntervalOf::Authors => "",
            IntervalOf::Books => "fewer than five authors: interval over books",
            IntervalOf::Questions => "fewer than five books: interval over single questions",
        };
        Self {
            config,
            kind,
            about,
            share: per_cent(share.value),
            interval: interval(share),
            questions: thousands(share.questions),
            note: note.to_owned(),
        }
    }
}

fn interval(share: Share) -> String {
    format!("{} to {}", per_cent(share.low), per_cent(share.high))
}

/// `16.7 %`.
fn per_cent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
