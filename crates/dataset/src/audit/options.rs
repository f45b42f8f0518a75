//! Measures that look at options alone.

use rayon::prelude::*;
use storymill_metrics::{
    rouge,
    shortcut::{Features, GramCounts, Grams, Labelled, Logit, Plan, Spread, credit, deal},
};

use super::{
    figures::{Figure, Measure},
    known::Known,
    sample::Sampled,
    share::{Earned, undefined},
    tally::folded_mark,
};

/// Folds of the learned measures.
const FOLDS: usize = 5;
/// The cosine from which on two options are nearly the same.
const NEAR: f64 = 0.98;

/// The options of all sampled questions of a config, each text counted once: types have most of them in common.
pub(super) struct Counted {
    /// The questions of each set.
    pub(super) labelled: Vec<Vec<Labelled>>,
    pub(super) characters: (Vec<GramCounts>, Features),
    words: (Vec<GramCounts>, Features),
}

impl Counted {
    /// Counts the options of sets.
    pub(super) fn of<'q>(sets: &[&'q [Sampled]]) -> Self {
        let mut known = Known::default();
        let mut labelled = |question: &'q Sampled| {
            let looked_at = (0..question.options.len()).map(|at| question.looked_at(at));
            Labelled { options: known.places(looked_at), right: question.right }
        };
        let labelled = sets.iter().map(|set| set.iter().map(&mut labelled).collect()).collect();
        let counted = |grams| {
            let texts = known.texts.par_iter().map(|text| GramCounts::of(grams, text));
            let counts: Vec<GramCounts> = texts.collect();
            let features = Features::of(&counts);
            (counts, features)
        };
        Self { labelled, characters: counted(Grams::Characters), words: counted(Grams::Words) }
    }

    /// What the questions of a set tell without the book. `wrong` has the hashes of all wrong options of the config,
    /// sorted; `groups` the group of each book.
    pub(super) fn figures(
        &self,
        set: usize,
        questions: &[Sampled],
        wrong: &[u64],
        groups: &[usize],
    ) -> Vec<Figure> {
        let labelled = &self.labelled[set];
        let (style, near) = alike(questions, labelled, &self.characters.0);
        let (centre, _) = alike(questions, labelled, &self.words.0);
        let learned = |features, measure| learned(questions, labelled, features, measure, groups);
        vec![
            wrong_elsewhere(questions, wrong).figure(Measure::WrongElsewhere, groups),
            style.figure(Measure::Style, groups),
            near.figure(Measure::NearEqual, groups),
            centre.figure(Measure::Centre, groups),
            learned(&self.characters.1, Measure::Characters),
            learned(&self.words.1, Measure::Words),
        ]
    }
}

/// What a copy of the given text scores.
pub(super) fn copies(questions: &[Sampled], groups: &[usize]) -> Vec<Figure> {
    let (mut one, mut l) = (Earned::default(), Earned::default());
    let scores: Vec<_> = questions
        .par_iter()
        .map(|question| {
            let score = rouge::text(&question.options[0], &question.options[1], rouge::Stem::None);
            (question.book, score.one.f1, score.l.f1)
        })
        .collect();
    for (book, rouge_1, rouge_l) in scores {
        one.add(book, rouge_1);
        l.add(book, rouge_l);
    }
    vec![one.figure(Measure::CopyRouge1, groups), l.figure(Measure::CopyRougeL, groups)]
}

/// How often a text was wrong in other questions decides. None of the above is always there and is never taken.
fn wrong_elsewhere(questions: &[Sampled], wrong: &[u64]) -> Earned {
    let mut earned = Earned::default();
    for question in questions {
        let marks: Vec<u64> = question.options.iter().map(|text| folded_mark(text)).collect();
        let score = |(at, mark): (usize, &u64)| {
            if question.none == Some(at) {
                return None;
            }
            let from = wrong.partition_point(|other| other < mark);
            let all = wrong[from..].partition_point(|other| other == mark);
            let here = (0..marks.len()).filter(|at| *at != question.right && marks[*at] == *mark);
            let elsewhere = u32::try_from(all.saturating_sub(here.count())).unwrap_or(u32::MAX);
            Some(-f64::from(elsewhere))
        };
        let scores: Vec<_> = marks.iter().enumerate().map(score).collect();
        earned.add(question.book, credit(&scores, question.right));
    }
    earned
}

/// The option most like the others, and whether two are nearly the same. None of the above is never one of them.
fn alike(questions: &[Sampled], labelled: &[Labelled], grams: &[GramCounts]) -> (Earned, Earned) {
    let found: Vec<_> = questions
        .par_iter()
        .zip(labelled)
        // Room for a text is as large as many questions.
        .with_min_len(64)
        .map_init(Spread::default, |spread, (question, labelled)| {
            let told: Vec<usize> =
                (0..labelled.options.len()).filter(|at| question.none != Some(*at)).collect();
            let counts: Vec<&GramCounts> =
                told.iter().map(|at| &grams[labelled.options[*at]]).collect();
            // Each two are held against each other once.
            let mut cosines = vec![vec![0.0; told.len()]; told.len()];
            for one in 0..told.len() {
                let behind = spread.cosines(counts[one], counts[one + 1..].iter().copied());
                for (other, cosine) in (one + 1..).zip(behind) {
                    (cosines[one][other], cosines[other][one]) = (cosine, cosine);
                }
            }
            let near = cosines.iter().flatten().any(|cosine| *cosine >= NEAR);
            let mut scores = vec![None; labelled.options.len()];
            for (at, cosines) in told.iter().zip(&cosines) {
                // That of an option with itself is 0 here, which adds nothing.
                scores[*at] = Some(cosines.iter().sum::<f64>());
            }
            (credit(&scores, question.right), near)
        })
        .collect();
    let (mut style, mut nearly) = (Earned::default(), Earned::default());
    for (question, (credit, near)) in questions.iter().zip(found) {
        style.add(question.book, credit);
        nearly.add(question.book, f64::from(u8::from(near)));
    }
    (style, nearly)
}

/// What is learned from the books of other authors. Folds are learned side by side; each by itself gives the same
/// weights however many threads there are.
fn learned(
    questions: &[Sampled],
    labelled: &[Labelled],
    texts: &Features,
    measure: Measure,
    groups: &[usize],
) -> Figure {
    let mut rows = vec![0; groups.iter().max().map_or(0, |last| last + 1)];
    for question in questions {
        rows[groups[question.book]] += 1;
    }
    let Ok(folds) = deal(&rows, FOLDS) else {
        return undefined(measure, "all books are of one author, so there is nobody to learn from");
    };
    let count = folds.iter().max().map_or(0, |last| last + 1);
    let fold_of = |at: usize| folds[groups[questions[at].book]];
    let by_fold: Vec<Vec<(usize, f64)>> = (0..count)
        .into_par_iter()
        .map(|held| {
            let (own, rest): (Vec<_>, Vec<_>) =
                (0..questions.len()).partition(|at| fold_of(*at) == held);
            let seen = rest.iter().map(|at| &labelled[*at]);
            let logit = Logit::train(texts, seen, Plan::of(rest.len()));
            own.into_iter().map(|at| (at, logit.credit(&labelled[at]))).collect()
        })
        .collect();
    let mut earned = Earned::default();
    for (at, credit) in by_fold.into_iter().flatten() {
        earned.add(questions[at].book, credit);
    }
    earned.figure(measure, groups)
}
