//! How much may be answered without understanding before a release is refused.

use std::collections::BTreeMap;

use storymill_core::QuestionType;

use super::figures::{AuditFigures, AuditedSet, Measure, Share};

/// The share of questions that searching strings may answer where no limit is named.
pub const SEARCHED: f64 = 0.9;

/// What answers without the book at most, by the lower end of its interval, where a workflow names no limit: a set that
/// is told apart like that asks nothing of a reader, and few questions prove nothing.
pub(super) const SHORTCUT: f64 = 0.80;

/// How far above chance cheap ways may come, by the lower end of the interval, where a form was made to withstand them
/// ([`QuestionType::withstands_search`]) and a workflow names no limit. A search that puts places in order answers
/// questions of order, and one for a passage with two names finds who is named together ([`TOGETHER`]): both are told and no
/// limit holds them.
pub(super) const ABOVE_CHANCE: f64 = 0.10;

/// Questions about who is named together.
const TOGETHER: &str = "who-when-met";

/// Limits that no workflow names hold from this many questions on: fewer prove nothing, and with many small configs one of
/// them is far from chance in every build.
pub(super) const ENOUGH: u64 = 10;

/// Limits on what was measured: shares from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// For all that answers without the book. Where none is named, it may not surely answer more than 80 %.
    pub without_book: Option<f64>,
    /// For all that searches the book. Where none is named, strings may answer [`SEARCHED`].
    pub with_book: Option<f64>,
    /// For single measures.
    pub measures: BTreeMap<Measure, f64>,
}

/// A figure past its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Exceeded {
    /// The config.
    pub config: String,
    /// The type of its questions.
    pub kind: String,
    /// What was measured.
    pub measure: Measure,
    /// What was found.
    pub found: Share,
    /// The limit.
    pub limit: f64,
}

impl Limits {
    /// The figures that are past a limit, in the order of sets and measures.
    pub fn exceeded(&self, figures: &AuditFigures) -> Vec<Exceeded> {
        let of_set = |set: &AuditedSet| {
            let known =
                set.figures.iter().filter_map(|figure| Some((figure.measure, figure.share?)));
            let past = known.filter_map(|(measure, found)| {
                let named = self.named(measure);
                let usual = usual(set, measure).filter(|limit| found.low > *limit);
                let always = (measure == Measure::Strings).then_some(SEARCHED);
                let past = |limit: &f64| found.value > *limit;
                let limit = match named {
                    Some(_) => named.filter(past),
                    None if found.questions < ENOUGH => None,
                    None => usual.or(always.filter(past)),
                }?;
                let (config, kind) = (set.config.clone(), set.kind.clone());
                Some(Exceeded { config, kind, measure, found, limit })
            });
            past.collect::<Vec<_>>()
        };
        figures.sets.iter().flat_map(of_set).collect()
    }

    /// The limit that is named for a measure: its own, else that of its kind.
    fn named(&self, measure: Measure) -> Option<f64> {
        let own = self.measures.get(&measure).copied();
        own.or(match measure {
            _ if measure.is_search() => self.with_book,
            _ if measure.is_without_book() => self.without_book,
            _ => None,
        })
    }
}

/// The limit of a measure for which none is named, by the form of the questions: what its figure may not surely pass.
fn usual(set: &AuditedSet, measure: Measure) -> Option<f64> {
    let is_search = measure.is_search() && set.kind != TOGETHER;
    let cheap = is_search || measure.is_without_book() || measure == Measure::Count;
    let withstands = QuestionType::of_name(&set.kind).is_some_and(QuestionType::withstands_search);
    let of_form = set.chance.filter(|_| cheap && withstands).map(|chance| chance + ABOVE_CHANCE);
    of_form.or(measure.is_without_book().then_some(SHORTCUT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Figure, IntervalOf};

    fn found(measure: Measure, value: f64) -> AuditFigures {
        let interval = IntervalOf::Authors;
        let share = Share { value, low: value, high: value, questions: ENOUGH, interval };
        let figure = Figure { measure, share: Some(share), undefined: String::new() };
        let set = AuditedSet { figures: vec![figure], ..AuditedSet::default() };
        AuditFigures { sets: vec![set], ..AuditFigures::default() }
    }

    #[test]
    fn a_form_that_withstands_search_has_a_limit_near_chance() {
        let mut figures = found(Measure::Bm25, 0.3);
        figures.sets[0].chance = Some(1.0 / 6.0);
        assert_eq!(Limits::default().exceeded(&figures), []);
        figures.sets[0].kind = "same-scene".to_owned();
        let past = |limits: &Limits, figures: &AuditFigures| {
            limits.exceeded(figures).first().map(|one| (one.limit * 1000.0).round() / 1000.0)
        };
        assert_eq!(past(&Limits::default(), &figures), Some(0.267));
        let named = Limits { with_book: Some(0.5), ..Limits::default() };
        assert_eq!(past(&named, &figures), None);
        let share = figures.sets[0].figures[0].share.as_mut().unwrap();
        (share.value, share.low) = (0.4, 0.2);
        assert_eq!(past(&Limits::default(), &figures), None);
    }

    #[track_caller]
    fn check(limits: &Limits, measure: Measure, value: f64, limit: Option<f64>) {
        let exceeded = limits.exceeded(&found(measure, value));
        assert_eq!(exceeded.first().map(|one| one.limit), limit);
    }

    #[test]
    fn few_questions_prove_no_shortcut() {
        let mut figures = found(Measure::Words, 1.0);
        let share = figures.sets[0].figures[0].share.as_mut().unwrap();
        share.low = 0.7;
        assert_eq!(Limits::default().exceeded(&figures), []);
        let limits = Limits { without_book: Some(0.9), ..Limits::default() };
        assert_eq!(limits.exceeded(&figures).len(), 1);
    }

    #[test]
    fn nine_of_nine_pass_no_limit_but_a_named_one() {
        let mut figures = found(Measure::Strings, 1.0);
        figures.sets[0].figures[0].share.as_mut().unwrap().questions = ENOUGH - 1;
        (figures.sets[0].kind, figures.sets[0].chance) = ("told-order-all".to_owned(), Some(0.25));
        assert_eq!(Limits::default().exceeded(&figures), []);
        let limits = Limits { with_book: Some(0.9), ..Limits::default() };
        assert_eq!(limits.exceeded(&figures).len(), 1);
    }

    #[test]
    fn what_happened_is_hardly_found_in_cheap_ways() {
        let past = |kind: &str, measure, value| {
            let mut figures = found(measure, value);
            (figures.sets[0].kind, figures.sets[0].chance) = (kind.to_owned(), Some(0.25));
            Limits::default().exceeded(&figures).first().map(|one| one.limit)
        };
        for measure in [Measure::Words, Measure::Strings, Measure::Bm25, Measure::Count] {
            assert_eq!(past("told-order-last", measure, 0.36), Some(0.35));
            assert_eq!(past("told-order-last", measure, 0.34), None);
        }
        assert_eq!(past("since", Measure::Bm25Place, 1.0), None);
        assert_eq!(past("who-when-met", Measure::Bm25, 1.0), None);
        assert_eq!(past("who-when-met", Measure::Words, 0.36), Some(0.35));
        assert_eq!(past("who-when-last", Measure::Bm25, 0.36), Some(0.35));
        assert_eq!(past("lookahead", Measure::Words, 0.36), None);
    }

    #[test]
    fn which_limit_holds() {
        let none = Limits::default();
        check(&none, Measure::Strings, 0.91, Some(0.9));
        check(&none, Measure::Strings, 0.9, None);
        check(&none, Measure::Bm25, 1.0, None);
        check(&none, Measure::Words, 1.0, Some(0.8));
        check(&none, Measure::WrongElsewhere, 0.8, None);
        check(&none, Measure::NearEqual, 1.0, None);
        let measures = BTreeMap::from([(Measure::Longest, 0.5), (Measure::CopyRougeL, 0.8)]);
        let some = Limits { without_book: Some(0.3), with_book: Some(0.95), measures };
        check(&some, Measure::Strings, 0.93, None);
        check(&some, Measure::Bm25, 0.96, Some(0.95));
        check(&some, Measure::Style, 0.31, Some(0.3));
        check(&some, Measure::Longest, 0.4, None);
        check(&some, Measure::CopyRougeL, 0.9, Some(0.8));
        check(&some, Measure::NearEqual, 1.0, None);
    }
}
