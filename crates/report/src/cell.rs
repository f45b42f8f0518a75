//! One number with its interval, and what has to be known to trust it.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::Status;
use storymill_metrics::{
    Undefined,
    bootstrap::Interval,
    clustered::{Sums, share},
};

use crate::collect::Answer;

/// Below this many questions or books a cell is thin.
pub(crate) const MIN_QUESTIONS: usize = 30;
pub(crate) const MIN_BOOKS: usize = 5;
/// From this many authors on, authors are the clusters.
pub(crate) const MIN_AUTHORS: usize = 5;

/// What was taken as independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClusteredBy {
    /// Authors: books of one author stand or fall together.
    Authors,
    /// Books, because there are fewer than 5 authors: the interval may be too narrow.
    Books,
}

/// A mean over questions. Every question counts, whatever became of it; what was not answered is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// How many questions.
    pub questions: usize,
    /// Of how many books.
    pub books: usize,
    /// By how many authors.
    pub authors: usize,
    /// How many have no answer that can be read.
    pub not_answered: usize,
    /// The mean; none of no question.
    pub value: Option<f64>,
    /// The lower end of the interval; none where it is undefined, or over fewer than 5 books.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What the interval takes as independent.
    pub clustered_by: Option<ClusteredBy>,
    /// Fewer than 30 questions or 5 books.
    pub thin: bool,
    /// More than 5 in 100 have no answer.
    pub hollow: bool,
}

/// A mean of differences between two answers to the same questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// How many questions.
    pub questions: usize,
    /// Of how many books.
    pub books: usize,
    /// The mean difference; none of no question.
    pub value: Option<f64>,
    /// The lower end of the interval; none where it is undefined.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What the interval takes as independent.
    pub clustered_by: Option<ClusteredBy>,
    /// Fewer than 30 questions or 5 books.
    pub thin: bool,
}

/// A cell in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gather {
    books: BTreeMap<u32, Sums>,
    not_answered: usize,
}

impl Gather {
    pub(crate) fn add(&mut self, book: u32, answer: &Answer) {
        self.books.entry(book).or_default().add(answer.score());
        self.not_answered += usize::from(answer.status != Status::Answered);
    }

    /// The cell. `authors` has the author of each book.
    pub(crate) fn cell(&self, authors: &[u32], level: f64) -> Cell {
        let Shift { questions, books, value, low, high, clustered_by, thin } =
            mean(&self.books, authors, |clusters| share(clusters, level));
        Cell {
            questions,
            books,
            authors: clusters(&self.books, authors).0.len(),
            not_answered: self.not_answered,
            value,
            low,
            high,
            clustered_by,
            thin,
            hollow: self.not_answered * 20 > questions,
        }
    }
}

/// The mean over all questions, with its interval over what is taken as independent.
pub(crate) fn mean(
    books: &BTreeMap<u32, Sums>,
    authors: &[u32],
    interval: impl Fn(&[Sums]) -> Result<Interval, Undefined>,
) -> Shift {
    let (authors, clustered_by) = clusters(books, authors);
    let all = books.values().fold(Sums::default(), |mut sum, one| {
        sum.join(*one);
        sum
    });
    let by_author = clustered_by == Some(ClusteredBy::Authors);
    let clusters = if by_author { &authors } else { books };
    let clusters: Vec<Sums> = clusters.values().copied().collect();
    let interval = clustered_by.and_then(|_| interval(&clusters).ok());
    let (questions, books) = (all.rows, books.len());
    Shift {
        questions,
        books,
        value: (questions > 0).then(|| rounded(all.sum / float(questions))),
        low: interval.map(|interval| rounded(interval.low)),
        high: interval.map(|interval| rounded(interval.high)),
        clustered_by: interval.and(clustered_by),
        thin: questions < MIN_QUESTIONS || books < MIN_BOOKS,
    }
}

/// The sums by author, and what is to be taken as independent: nothing, if there is one author or there are fewer than 5 books,
/// over which intervals hold far less often than they say.
pub(crate) fn clusters(
    books: &BTreeMap<u32, Sums>,
    authors: &[u32],
) -> (BTreeMap<u32, Sums>, Option<ClusteredBy>) {
    let mut by_author: BTreeMap<u32, Sums> = BTreeMap::new();
    for (book, sums) in books {
        by_author.entry(authors[*book as usize]).or_default().join(*sums);
    }
    let by = match by_author.len() {
        0 | 1 => None,
        few if few < MIN_AUTHORS => (books.len() >= MIN_BOOKS).then_some(ClusteredBy::Books),
        _ => Some(ClusteredBy::Authors),
    };
    (by_author, by)
}

/// In millionths, so that figures are the same on every machine.
pub(crate) fn rounded(number: f64) -> f64 {
    let rounded = (number * 1e6).round() / 1e6;
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}
