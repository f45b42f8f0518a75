//! Measures that search the books, without understanding.

use std::collections::BTreeMap;

use rayon::prelude::*;
use storymill_core::Fault;
use storymill_metrics::shortcut::{GramCounts, Labelled, deal, mark};
use storymill_text::word_count;

use super::{
    AuditedFile,
    book::{Best, Options, Searched, search},
    figures::{Figure, Measure},
    sample::Sampled,
    share::{Earned, undefined},
    texts::each_text,
};

/// At most so many books of a config are searched: reading and indexing a book is what costs.
const BOOKS: usize = 200;
/// Books that are in memory at once.
const AT_ONCE: usize = 8;
/// Folds over which the bar of a search is set, and the bar where there are no others to learn from.
const FOLDS: usize = 5;
const USUAL: f64 = 0.8;

/// What a measure of places earned, where it is one for the question.
type Placed = fn(&Searched) -> Option<f64>;

/// Measures of what some kinds of questions ask alone.
const PLACED: [(Measure, Placed); 3] = [
    (Measure::StringsPlace, |found| found.strings_place),
    (Measure::Bm25Place, |found| found.bm25_place),
    (Measure::Count, |found| found.count),
];

/// What is looked at of one set: its sampled questions that have options, its books, and the group of each.
pub(super) struct Asked {
    pub(super) questions: Vec<Sampled>,
    /// The options of each question, by their places among the texts of the config.
    pub(super) options: Vec<Labelled>,
    pub(super) books: Vec<String>,
    pub(super) groups: Vec<usize>,
}

/// What searching earned in one set.
#[derive(Debug, Default)]
pub(super) struct Found<'q> {
    /// What was found, question by question.
    questions: Vec<(&'q Sampled, Searched)>,
}

impl<'q> Found<'q> {
    /// How many questions were looked for.
    pub(super) fn questions(&self) -> u64 {
        self.questions.len() as u64
    }

    /// The figures, where `groups` has the group of each book.
    pub(super) fn figures(&self, groups: &[usize]) -> Vec<Figure> {
        if self.questions.is_empty() {
            let why = "the text that was read is not published with the questions";
            let all = Measure::ALL.into_iter();
            let all = all.filter(|one| one.is_search() || *one == Measure::Opening);
            return all.map(|measure| undefined(measure, why)).collect();
        }
        let mut opening = Earned::default();
        for (question, found) in &self.questions {
            opening.add(question.book, found.opening);
        }
        let mut figures = vec![
            opening.figure(Measure::Opening, groups),
            self.earned(groups, |found| found.strings).figure(Measure::Strings, groups),
            self.earned(groups, |found| found.bm25).figure(Measure::Bm25, groups),
            self.earned(groups, |found| found.scene.bm25).figure(Measure::SceneBm25, groups),
            self.earned(groups, |found| found.scene.ngrams).figure(Measure::SceneNgrams, groups),
        ];
        for (measure, of) in PLACED {
            let mut earned = Earned::default();
            let known = self.questions.iter().filter_map(|(one, found)| Some((one, of(found)?)));
            for (question, credit) in known {
                earned.add(question.book, credit);
            }
            // Most sets ask nothing of places.
            figures.extend(Some(earned.figure(measure, groups)).filter(|one| one.share.is_some()));
        }
        figures
    }

    /// What the searches earn, question by question, with the measure.
    pub(super) fn each(
        &self,
        groups: &[usize],
    ) -> impl Iterator<Item = (Measure, &'q Sampled, f64)> + use<'_, 'q> {
        let strings = self.credits(groups, |found| found.strings);
        let bm25 = self.credits(groups, |found| found.bm25);
        let questions = self.questions.iter().zip(strings).zip(bm25);
        questions.flat_map(|(((question, found), strings), bm25)| {
            let placed = PLACED.map(|(measure, of)| (measure, of(found)));
            let all = [(Measure::Strings, Some(strings)), (Measure::Bm25, Some(bm25))];
            let all = all.into_iter().chain(placed);
            all.filter_map(|(measure, credit)| Some((measure, *question, credit?)))
        })
    }

    fn earned(&self, groups: &[usize], of: fn(&Searched) -> Best) -> Earned {
        let mut earned = Earned::default();
        for ((question, _), credit) in self.questions.iter().zip(self.credits(groups, of)) {
            earned.add(question.book, credit);
        }
        earned
    }

    /// What a search earns for each question. How high a score has to be to be taken for found follows from the books of other authors.
    fn credits(&self, groups: &[usize], of: fn(&Searched) -> Best) -> Vec<f64> {
        let mut rows = vec![0; groups.iter().max().map_or(0, |last| last + 1)];
        for (question, _) in &self.questions {
            rows[groups[question.book]] += 1;
        }
        let folds = deal(&rows, FOLDS).ok();
        let fold = |book: usize| folds.as_ref().map_or(0, |folds| folds[groups[book]]);
        let count = folds.iter().flatten().max().map_or(1, |last| last + 1);
        let bars: Vec<f64> = (0..count)
            .map(|held| {
                let others = self.questions.iter().filter(|(one, _)| fold(one.book) != held);
                let others: Vec<Best> = others.map(|(_, found)| of(found)).collect();
                if others.is_empty() { USUAL } else { bar(&others) }
            })
            .collect();
        let credit =
            |(question, found): &(&Sampled, Searched)| of(found).earned(bars[fold(question.book)]);
        self.questions.iter().map(credit).collect()
    }
}

/// The score below which none of the above is the better answer, in hundredths; of equals the lowest.
fn bar(questions: &[Best]) -> f64 {
    let earned = |bar: f64| questions.iter().map(|one| one.earned(bar)).sum::<f64>();
    let bars = (0..=100).map(|hundredths| f64::from(hundredths) / 100.0);
    let best = bars.map(|bar| (bar, earned(bar)));
    best.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(USUAL, |best| best.0)
}

/// What is looked at of a config: its sets, and the characters of the texts of their options.
pub(super) struct LookedAt {
    pub(super) sets: Vec<Asked>,
    pub(super) characters: Vec<GramCounts>,
}

/// The questions of a config, and the tables that may have the texts that were read, the likeliest first.
pub(super) struct Sought<'q> {
    pub(super) of: &'q LookedAt,
    pub(super) texts: Vec<usize>,
}

/// The questions of a config about one book, with the set of each.
type InBook<'q> = Vec<(usize, Options<'q>)>;

/// Searches the books of the sets of configs: at most [`BOOKS`] of each, those whose ids have the smallest hashes. A text
/// is searched at once for all configs that are about it. `tables` have texts.
pub(super) fn search_all<'q>(
    configs: &[Sought<'q>],
    tables: &[&[&AuditedFile]],
) -> Result<Vec<Vec<Found<'q>>>, Fault> {
    // The questions of each book by config.
    let mut asked: BTreeMap<&str, BTreeMap<usize, InBook<'q>>> = BTreeMap::new();
    for (config, sought) in configs.iter().enumerate() {
        let mut own: BTreeMap<&str, InBook<'q>> = BTreeMap::new();
        for (set, of) in sought.of.sets.iter().enumerate() {
            for (question, options) in of.questions.iter().zip(&of.options) {
                let characters =
                    options.options.iter().map(|at| &sought.of.characters[*at]).collect();
                let options = Options { question, characters };
                own.entry(&of.books[question.book]).or_default().push((set, options));
            }
        }
        let mut chosen: Vec<_> = own.into_iter().collect();
        chosen.sort_by_key(|(book, _)| (mark(book.as_bytes()), *book));
        for (book, questions) in chosen.into_iter().take(BOOKS) {
            asked.entry(book).or_default().insert(config, questions);
        }
    }
    let mut answers: BTreeMap<(&str, usize), Vec<Searched>> = BTreeMap::new();
    let rounds = configs.iter().map(|sought| sought.texts.len()).max().unwrap_or(0);
    for (round, table) in
        (0..rounds).flat_map(|round| (0..tables.len()).map(move |table| (round, table)))
    {
        // The configs that may be about a book's text in this table.
        let left = asked.iter().map(|(book, of)| {
            let may = |config: &&usize| {
                configs[**config].texts.get(round) == Some(&table)
                    && !answers.contains_key(&(*book, **config))
            };
            (*book, of.keys().filter(may).copied().collect::<Vec<_>>())
        });
        let left: BTreeMap<&str, Vec<usize>> =
            left.filter(|(_, configs)| !configs.is_empty()).collect();
        if left.is_empty() {
            continue;
        }
        let mut waiting: Vec<(&str, Vec<usize>, String)> = Vec::new();
        let mut flush = |waiting: &mut Vec<(&'q str, Vec<usize>, String)>| {
            let search = |(book, configs, text): (&'q str, Vec<usize>, String)| {
                let own = configs.iter().flat_map(|config| &asked[book][config]);
                let mut found =
                    search(&text, &own.map(|(_, one)| one).collect::<Vec<_>>()).into_iter();
                let of = |config: usize| {
                    ((book, config), found.by_ref().take(asked[book][&config].len()).collect())
                };
                configs.into_iter().map(of).collect::<Vec<_>>()
            };
            let done: Vec<_> = std::mem::take(waiting).into_par_iter().map(search).collect();
            answers.extend(done.into_iter().flatten());
        };
        each_text(tables[table], &left, |book, text| {
            let was_read = |config: &&usize| {
                was_read(&text, asked[book][config].iter().map(|(_, one)| one.question))
            };
            let configs: Vec<usize> = left[book].iter().filter(was_read).copied().collect();
            if !configs.is_empty() {
                waiting.push((book, configs, text));
            }
            if waiting.len() >= AT_ONCE {
                flush(&mut waiting);
            }
        })?;
        flush(&mut waiting);
    }
    let mut found: Vec<Vec<Found<'q>>> = configs
        .iter()
        .map(|sought| sought.of.sets.iter().map(|_| Found::default()).collect())
        .collect();
    for ((book, config), answers) in answers {
        for ((set, one), answer) in asked[book][&config].iter().zip(answers) {
            found[config][*set].questions.push((one.question, answer));
        }
    }
    Ok(found)
}

/// Whether this is the text that was read: it is long enough, and the beginning that each question is about has as
/// many words. The text is walked once, from the shortest beginning to the longest.
fn was_read<'q>(text: &str, questions: impl Iterator<Item = &'q Sampled>) -> bool {
    let mut beginnings: Vec<(u32, u32)> =
        questions.map(|question| (question.context_symbols, question.context_words)).collect();
    beginnings.sort_unstable();
    beginnings.dedup();
    let (mut end, mut symbols, mut words) = (0, 0, 0);
    beginnings.into_iter().all(|(length, expected)| {
        let more = (length - symbols) as usize;
        let rest = &text[end..];
        let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
        let Some(step) = ends.nth(more) else { return false };
        let piece = &rest[..step];
        // A word that was cut is counted on both sides.
        let cut = text[..end].ends_with(|c: char| !c.is_whitespace())
            && piece.starts_with(|c: char| !c.is_whitespace());
        words += word_count(piece) - u32::from(cut);
        (end, symbols) = (end + step, length);
        expected == 0 || words == expected
    })
}
