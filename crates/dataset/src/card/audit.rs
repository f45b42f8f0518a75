//! What the card says of the audit: in its first lines what answers most without understanding, and further down a row of
//! figures for each set.

use serde::Serialize;

use crate::{
    audit::{AuditedSet, IntervalOf, Measure, Share},
    numbers::thousands,
};

/// From this share of questions on that searching answers, the first lines say so.
const SEARCHED: f64 = 0.5;

/// The audit as the card prints it.
#[derive(Debug, Serialize)]
pub(super) struct AuditView {
    /// What is said first: the worst without the book, and by searching it.
    warnings: Vec<WarningView>,
    /// How many sets have such a figure.
    warned: usize,
    /// What some set was measured by, a column each: its name, and what it is.
    measures: Vec<(&'static str, &'static str)>,
    sets: Vec<SetView>,
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
    #[serde(skip)]
    low: f64,
    interval: String,
    questions: String,
    chance: String,
    config: String,
    kind: String,
}

#[derive(Debug, Serialize)]
struct SetView {
    config: String,
    kind: String,
    questions: String,
    chance: String,
    /// The share of each measure with its interval, in per cent; blank where the set was not measured by it.
    shares: Vec<String>,
    notes: Vec<String>,
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
        let mut measures = Measure::ALL.to_vec();
        measures.retain(|measure| sets.iter().any(|set| set.share(*measure).is_some()));
        let mut view = Self {
            warnings: worst_of(sets),
            warned: sets.iter().filter(|set| !warnings(set).is_empty()).count(),
            measures: measures.iter().map(|one| (one.name(), one.about())).collect(),
            sets: Vec::new(),
            places: Vec::new(),
            coverage: Vec::new(),
            flags: Vec::new(),
            sampled: sets.iter().any(|set| !set.figures.is_empty() && set.sampled < set.questions),
        };
        for set in sets {
            view.sets.extend((!set.figures.is_empty()).then(|| SetView::of(set, &measures)));
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

/// What answers most of a set without the book, and what does by searching it: those that the card warns of. It is the lower
/// end of the interval that counts, since all of two questions is nothing.
fn worst_of(sets: &[AuditedSet]) -> Vec<WarningView> {
    let best = |searched: bool| {
        // Of equal ones the first, so the table that others are made from.
        let all = sets.iter().rev().flat_map(warnings).filter(|one| one.searched == searched);
        all.max_by(|a, b| a.low.total_cmp(&b.low))
    };
    [false, true].into_iter().filter_map(best).collect()
}

/// The same, a line each.
pub(crate) fn worst(sets: &[AuditedSet]) -> Vec<String> {
    let line = |one: WarningView| {
        let WarningView { about, share, questions, chance, config, kind, searched, .. } = one;
        let how = if searched { "by searching the book" } else { "without the book" };
        let of = if kind.is_empty() { String::new() } else { format!(" of type {kind}") };
        let questions =
            if questions == "1" { "1 question".into() } else { questions + " questions" };
        format!("{how}: {about}, {share} right of {questions}{of} in `{config}` (chance {chance})")
    };
    worst_of(sets).into_iter().map(line).collect()
}

/// Searching that answers more than half, and the best shortcut that beats chance by its whole interval.
fn warnings(set: &AuditedSet) -> Vec<WarningView> {
    let chance = set.chance.unwrap_or(0.0);
    let told = |searched: bool, (measure, share): (Measure, Share)| WarningView {
        searched,
        about: measure.about(),
        share: per_cent(share.value),
        low: share.low,
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

impl SetView {
    fn of(set: &AuditedSet, measures: &[Measure]) -> Self {
        let per_cent = |share: Share| {
            let [value, low, high] = [share.value, share.low, share.high].map(|one| one * 100.0);
            format!("{value:.1} ({low:.1}-{high:.1})")
        };
        let shares = measures.iter().map(|one| set.share(*one).map(per_cent));
        let mut notes = Vec::new();
        for figure in &set.figures {
            let note = match figure.share.map(|share| share.interval) {
                Some(IntervalOf::Authors) => continue,
                Some(IntervalOf::Books) => "fewer than five authors: intervals over books".into(),
                Some(IntervalOf::Questions) => {
                    "fewer than five books: intervals over single questions".into()
                }
                None => format!("`{}`: {}", figure.measure.name(), figure.undefined),
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let looked = [(set.sampled, "looked at"), (set.searched, "searched")];
        let fewer = looked.iter().filter(|(count, _)| (1..set.questions).contains(count));
        notes.extend(fewer.map(|(count, how)| format!("{} {how}", thousands(*count))));
        Self {
            config: set.config.clone(),
            kind: set.kind.clone(),
            questions: thousands(set.questions),
            chance: set.chance.map(self::per_cent).unwrap_or_default(),
            shares: shares.map(Option::unwrap_or_default).collect(),
            notes,
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
