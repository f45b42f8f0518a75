//! The figures of the card: how many rows of what kind, how long, and how many answers they took.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_metrics::binomial::wilson;

use crate::{
    facts::{Asks, Kind, Lengths, TableFacts, What},
    names_left::NamesLeft,
    numbers::{Numbers, tenths, thousands},
    publication::{Asked, Publication, rank},
};

/// Figures as the card prints them.
#[derive(Debug, Serialize)]
pub(super) struct Statistics {
    kinds: Vec<KindView>,
    lengths: Vec<LengthView>,
    none_of_the_above: Vec<NoneView>,
    contexts: Vec<ContextView>,
}

/// A line of the table of contexts.
#[derive(Debug, Serialize)]
struct ContextView {
    config: String,
    set: String,
    level: String,
    lengths: String,
    tenths: [String; 10],
}

/// A line of the table of kinds.
#[derive(Debug, Serialize)]
struct KindView {
    config: String,
    split: String,
    of: String,
    level: String,
    rows: String,
}

/// A line of the table of lengths.
#[derive(Debug, Serialize)]
struct LengthView {
    config: String,
    what: &'static str,
    unit: String,
    mean: String,
    sd: String,
    quartiles: [String; 3],
    min: String,
    max: String,
}

#[derive(Debug, Serialize)]
struct NoneView {
    config: String,
    rows: String,
    of: String,
    share: String,
}

/// What a step asked models, as the card prints it.
#[derive(Debug, Serialize)]
pub(super) struct AskedView {
    step: String,
    models: Vec<String>,
    prompts: Vec<String>,
    answers: String,
    /// Fields that were refused, with the names they were sent under.
    changes: Vec<(String, Option<String>)>,
}

/// Names that are left, as the card prints them.
#[derive(Debug, Serialize)]
pub(super) struct NamesLeftView {
    left: String,
    words: String,
    rate: String,
    low: String,
    high: String,
}

impl NamesLeftView {
    /// None if nothing was looked at.
    pub(super) fn of(found: &NamesLeft) -> Option<Self> {
        let rate = found.rate()?;
        let told = |number: f64| format!("{number:.1}");
        Some(Self {
            left: thousands(found.left),
            words: thousands(found.words),
            rate: told(rate.rate),
            low: told(rate.low),
            high: told(rate.high),
        })
    }
}

/// `16,003 to 16,871`.
fn range(ends: [u64; 2]) -> String {
    let [least, most] = ends.map(thousands);
    format!("{least} to {most}")
}

impl Statistics {
    pub(super) fn of(tables: Vec<TableFacts>) -> Self {
        let mut found = Self {
            kinds: Vec::new(),
            lengths: Vec::new(),
            none_of_the_above: Vec::new(),
            contexts: Vec::new(),
        };
        for table in tables {
            found.add_kinds(&table);
            let rows: u64 = table.kinds.values().sum();
            if let Some(none) = table.none_of_the_above.filter(|_| rows > 0) {
                found.none_of_the_above.push(NoneView {
                    config: table.config.clone(),
                    rows: thousands(none),
                    of: thousands(rows),
                    share: per_cent(none, rows),
                });
            }
            found.contexts.extend(table.contexts.iter().map(|((set, level), known)| ContextView {
                config: table.config.clone(),
                set: set.clone(),
                level: thousands(u64::try_from(*level).unwrap_or(0)),
                lengths: known.lengths.map(range).unwrap_or_default(),
                tenths: known.tenths.map(thousands),
            }));
            let view = |lengths| LengthView::of(&table.config, lengths);
            found.lengths.extend(table.lengths.into_iter().filter_map(view));
        }
        found
    }

    /// Tables whose rows are all of one kind are told by the table of configs already.
    fn add_kinds(&mut self, table: &TableFacts) {
        let told = |kind: &Kind| !kind.of.is_empty() || kind.level.is_some();
        let mut kinds: Vec<_> = table.kinds.iter().filter(|(kind, _)| told(kind)).collect();
        kinds.sort_by_key(|(kind, _)| (rank(&kind.split), *kind));
        let kinds = kinds.into_iter();
        self.kinds.extend(kinds.map(|(kind, rows)| KindView {
            config: table.config.clone(),
            split: kind.split.clone(),
            of: kind.of.clone(),
            level: kind.level.map(|level| level.to_string()).unwrap_or_default(),
            rows: thousands(*rows),
        }));
    }
}

impl LengthView {
    /// None where there are no rows.
    fn of(config: &str, lengths: Lengths) -> Option<Self> {
        let Lengths { what, unit, of } = lengths;
        let numbers = Numbers::of(of)?;
        let told = |number: u32| thousands(number.into());
        Some(Self {
            config: config.to_owned(),
            what: match what {
                What::Question => "question",
                What::Context => "context",
                What::Demand => "retention demand",
            },
            unit: match unit.strip_prefix("tokens_") {
                Some(encoding) => format!("tokens of {encoding}"),
                None => unit,
            },
            mean: tenths(numbers.mean_tenths),
            sd: tenths(numbers.sd_tenths),
            quartiles: [numbers.quartile_1, numbers.median, numbers.quartile_3].map(told),
            min: told(numbers.min),
            max: told(numbers.max),
        })
    }
}

impl From<&Asked> for AskedView {
    fn from(asked: &Asked) -> Self {
        let Asked { step, models, prompts, answers, changes } = asked;
        Self {
            step: step.clone(),
            models: models.clone(),
            prompts: prompts.iter().map(ToString::to_string).collect(),
            answers: thousands(*answers),
            changes: changes.clone().into_iter().collect(),
        }
    }
}

/// How many questions of a type had a wrong option that did happen.
#[derive(Debug, Serialize)]
pub(super) struct AmbiguousView {
    step: String,
    of: String,
    left_out: String,
    replaced: String,
    all: String,
    share: String,
}

/// The rate of ambiguous questions by step and type: left out or mended, of those and the ones that went on. These are counted in the
/// config of the step itself, else in the first one with such questions.
pub(super) fn ambiguous(spec: &Publication, tables: &[TableFacts]) -> Vec<AmbiguousView> {
    let mut found: BTreeMap<(&str, &str), [u64; 2]> = BTreeMap::new();
    for one in &spec.left_out {
        for (at, word) in ["ambiguous-", "replaced-"].into_iter().enumerate() {
            if let Some(of) = one.reason.strip_prefix(word) {
                found.entry((&one.step, of)).or_default()[at] += one.count;
            }
        }
    }
    let view = |((step, of), [left_out, replaced]): ((&str, &str), [u64; 2])| {
        let asks = |table: &&TableFacts| {
            table.asks == Some(Asks::Choice)
                && !table.chosen
                && table.kinds.keys().any(|kind| kind.of == of)
        };
        let own = |table: &&TableFacts| {
            spec.from.get(&table.config).is_some_and(|from| from == step) && !table.chosen
        };
        let table = tables.iter().find(own).or_else(|| tables.iter().find(asks));
        let kinds = table.map(|table| table.kinds.iter()).into_iter().flatten();
        let kept: u64 = kinds.filter(|(kind, _)| kind.of == of).map(|(_, rows)| rows).sum();
        // What was replaced is among those that went on.
        let (part, all) = (left_out + replaced, left_out + kept.max(replaced));
        let share = wilson(part, all, 0.95).map_or(String::new(), |found| {
            let [value, low, high] = [found.value, found.low, found.high].map(|one| 100.0 * one);
            format!("{value:.1} % ({low:.1} to {high:.1})")
        });
        AmbiguousView {
            step: step.to_owned(),
            of: of.to_owned(),
            left_out: thousands(left_out),
            replaced: thousands(replaced),
            all: thousands(all),
            share,
        }
    };
    found.into_iter().map(view).collect()
}

/// `16.7 %`, rounded.
fn per_cent(part: u64, of: u64) -> String {
    let (part, of) = (u128::from(part), u128::from(of));
    let share = (2_000 * part + of) / (2 * of);
    format!("{} %", tenths(u64::try_from(share).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publication::RejectCount;

    /// Ten questions of a type in one table, 85 in that of the step itself, 10 of them mended; 15 left out.
    #[test]
    fn the_rate_of_ambiguous_questions_is_of_the_step_itself() {
        let table = |config: &str, rows| TableFacts {
            config: config.to_owned(),
            asks: Some(Asks::Choice),
            kinds: BTreeMap::from([(Kind { of: "lookahead".into(), ..Kind::default() }, rows)]),
            ..TableFacts::default()
        };
        let count = |reason: &str, count| RejectCount {
            step: "clear".into(),
            reason: reason.into(),
            count,
        };
        let left_out = vec![
            count("ambiguous-lookahead", 15),
            count("replaced-lookahead", 10),
            count("ambiguous", 9),
        ];
        let mut spec = Publication { left_out, ..Publication::default() };
        let tables = [table("other", 10), table("own", 85)];
        let guessed = ambiguous(&spec, &tables);
        assert_eq!((guessed.len(), &*guessed[0].all), (1, "25"));
        spec.from.insert("own".into(), "clear".into());
        let found = ambiguous(&spec, &tables);
        let AmbiguousView { left_out, replaced, all, share, .. } = &found[0];
        assert_eq!((&**left_out, &**replaced, &**all), ("15", "10", "100"));
        assert_eq!(share, "25.0 % (17.5 to 34.3)");
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(
            [per_cent(1, 6), per_cent(0, 3), per_cent(3, 3)],
            ["16.7 %", "0.0 %", "100.0 %"]
        );
    }
}
