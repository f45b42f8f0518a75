//! Measures that search the books, without understanding.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use storymill_core::Fault;
use storymill_metrics::shortcut::mark;
use storymill_text::word_count;

use super::{
    AuditedFile,
    book::{Searched, search},
    figures::{Figure, Measure},
    sample::Sampled,
    share::{Earned, undefined},
    texts::each_text,
};

/// At most so many books of a config are searched: reading and indexing a book is what costs.
const BOOKS: usize = 200;
/// Books that are in memory at once.
const AT_ONCE: usize = 8;

/// The sampled questions of one set.
pub(super) struct Asked<'q> {
    pub(super) books: &'q [String],
    pub(super) questions: &'q [Sampled],
}

/// What searching earned in one set.
#[derive(Debug, Default)]
pub(super) struct Found {
    opening: Earned,
    strings: Earned,
    bm25: Earned,
    /// How many questions were looked for.
    pub(super) questions: u64,
}

impl Found {
    /// The figures, where `groups` has the group of each book.
    pub(super) fn figures(&self, groups: &[usize]) -> Vec<Figure> {
        let all = [
            (Measure::Opening, &self.opening),
            (Measure::Strings, &self.strings),
            (Measure::Bm25, &self.bm25),
        ];
        let figure = |(measure, earned): (Measure, &Earned)| match self.questions {
            0 => undefined(measure, "the text that was read is not published with the questions"),
            _ => earned.figure(measure, groups),
        };
        all.into_iter().map(figure).collect()
    }
}

/// Searches the books of the sets of one config: at most [`BOOKS`] of them, those whose ids have the smallest hashes.
/// `texts` are the files of the configs that may have the text that was read, the likeliest first.
pub(super) fn search_all(
    sets: &[Asked<'_>],
    texts: &[Vec<&AuditedFile>],
) -> Result<Vec<Found>, Fault> {
    // The questions of each book: set and question.
    let mut asked: BTreeMap<&str, Vec<(usize, &Sampled)>> = BTreeMap::new();
    for (set, of) in sets.iter().enumerate() {
        for question in of.questions {
            asked.entry(&of.books[question.book]).or_default().push((set, question));
        }
    }
    let mut chosen: Vec<(u64, &str)> =
        asked.keys().map(|book| (mark(book.as_bytes()), *book)).collect();
    chosen.sort_unstable();
    chosen.truncate(BOOKS);
    let mut left: BTreeSet<&str> = chosen.into_iter().map(|(_, book)| book).collect();
    let mut answers: BTreeMap<String, Vec<Searched>> = BTreeMap::new();
    for files in texts {
        if left.is_empty() {
            break;
        }
        let mut waiting: Vec<(String, String)> = Vec::new();
        let mut flush = |waiting: &mut Vec<(String, String)>| {
            let done: Vec<_> = std::mem::take(waiting)
                .into_par_iter()
                .map(|(book, text)| {
                    let own: Vec<&Sampled> = asked[&*book].iter().map(|(_, one)| *one).collect();
                    let found = search(&text, &own);
                    (book, found)
                })
                .collect();
            answers.extend(done);
        };
        each_text(files, &left, |book, text| {
            if asked[book].iter().all(|(_, question)| was_read(&text, question)) {
                waiting.push((book.to_owned(), text));
            }
            if waiting.len() >= AT_ONCE {
                flush(&mut waiting);
            }
            Ok(())
        })?;
        flush(&mut waiting);
        left.retain(|book| !answers.contains_key(*book));
    }
    let mut found: Vec<Found> = sets.iter().map(|_| Found::default()).collect();
    for (book, answers) in &answers {
        for ((set, question), answer) in asked[&**book].iter().zip(answers) {
            let of = &mut found[*set];
            of.questions += 1;
            of.opening.add(question.book, answer.opening);
            of.strings.add(question.book, answer.strings);
            of.bm25.add(question.book, answer.bm25);
        }
    }
    Ok(found)
}

/// Whether this is the text that was read: it is long enough, and its beginning has as many words.
fn was_read(text: &str, question: &Sampled) -> bool {
    let symbols = question.context_symbols as usize;
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let Some(end) = ends.take(symbols + 1).nth(symbols) else { return false };
    question.context_words == 0 || word_count(&text[..end]) == question.context_words
}
