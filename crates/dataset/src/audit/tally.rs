//! What is counted of every question of a set.

use std::collections::BTreeMap;

use storymill_metrics::shortcut::{credit, mark};

use super::{
    figures::{Coverage, Measure},
    row::{Form, Row},
    sample::Sample,
    share::Earned,
};

/// A set in the making.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The books in the order in which they came.
    pub(super) books: Vec<String>,
    places: BTreeMap<String, usize>,
    /// How many questions each book has.
    pub(super) of_book: Vec<u64>,
    pub(super) questions: u64,
    /// Whether any question has options, and the sum of what chance earns.
    chance: Option<f64>,
    first: Earned,
    longest: Earned,
    pub(super) positions: Vec<u64>,
    pub(super) none_right: Option<u64>,
    pub(super) equal_options: u64,
    pub(super) broken: u64,
    /// How many questions chance was counted for.
    choices: u64,
    coverage: BTreeMap<u32, [u64; 10]>,
    pub(super) sample: Sample,
}

impl Tally {
    /// Counts a question; notes the hashes of its wrong options. Its sample has at most so many questions.
    pub(super) fn add(&mut self, row: &Row<'_>, wrong: &mut Vec<u64>, most: usize) {
        let book = self.place(row.book);
        self.of_book[book] += 1;
        self.questions += 1;
        if row.context_symbols > 0 {
            let tenths = self.coverage.entry(row.context_symbols.ilog2()).or_default();
            let demand = u64::from(row.demand_symbols.min(row.context_symbols));
            let tenth = demand * 10 / u64::from(row.context_symbols);
            tenths[usize::try_from(tenth).unwrap_or(9).min(9)] += 1;
        }
        match &row.form {
            Form::Options { options, right, none } => {
                self.add_options(book, options, *right, *none, wrong);
            }
            Form::FreeText { .. } => {}
            Form::Broken => self.broken += 1,
        }
        self.sample.offer(row, book, most);
    }

    fn add_options(
        &mut self,
        book: usize,
        options: &[&str],
        right: usize,
        none: Option<usize>,
        wrong: &mut Vec<u64>,
    ) {
        #[expect(clippy::cast_precision_loss, reason = "a handful of options")]
        let chance = 1.0 / options.len() as f64;
        *self.chance.get_or_insert(0.0) += chance;
        self.choices += 1;
        self.first.add(book, f64::from(u8::from(right == 0)));
        #[expect(clippy::cast_precision_loss, reason = "lengths of options")]
        let lengths: Vec<_> =
            options.iter().map(|text| Some(text.chars().count() as f64)).collect();
        self.longest.add(book, credit(&lengths, right));
        if self.positions.len() < options.len() {
            self.positions.resize(options.len(), 0);
        }
        self.positions[right] += 1;
        if let Some(none) = none {
            *self.none_right.get_or_insert(0) += u64::from(none == right);
        }
        let mut marks: Vec<u64> = options.iter().map(|text| folded_mark(text)).collect();
        wrong
            .extend(marks.iter().enumerate().filter(|(at, _)| *at != right).map(|(_, mark)| *mark));
        marks.sort_unstable();
        self.equal_options += u64::from(marks.windows(2).any(|two| two[0] == two[1]));
    }

    fn place(&mut self, book: &str) -> usize {
        // Rows of a book stand together.
        if let Some(last) = self.books.len().checked_sub(1)
            && self.books[last] == book
        {
            return last;
        }
        if let Some(known) = self.places.get(book) {
            return *known;
        }
        self.places.insert(book.to_owned(), self.books.len());
        self.books.push(book.to_owned());
        self.of_book.push(0);
        self.books.len() - 1
    }

    /// The share that chance earns, if there are options.
    #[expect(clippy::cast_precision_loss, reason = "a count of questions")]
    pub(super) fn chance(&self) -> Option<f64> {
        self.chance.map(|sum| sum / self.choices.max(1) as f64)
    }

    /// What was earned over all questions.
    pub(super) fn earned(&self) -> [(Measure, &Earned); 2] {
        [(Measure::First, &self.first), (Measure::Longest, &self.longest)]
    }

    /// Retention demand by the length of the context.
    pub(super) fn coverage(&self) -> Vec<Coverage> {
        let row =
            |(power, tenths): (&u32, &[u64; 10])| Coverage { symbols: 1 << power, tenths: *tenths };
        self.coverage.iter().map(row).collect()
    }
}

/// A hash of the letters and digits of a text: two options that differ in marks or case are the same to a reader.
pub(super) fn folded_mark(text: &str) -> u64 {
    let (mut folded, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(symbol) = rest.chars().next() {
        let run = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let start = folded.len();
        folded.resize(start + run, 0);
        let mut end = start;
        for byte in &rest.as_bytes()[..run] {
            folded[end] = FOLDED[usize::from(*byte)];
            end += usize::from(folded[end] != 0);
        }
        folded.truncate(end);
        rest = &rest[run..];
        if symbol.is_ascii() {
            continue;
        }
        rest = &rest[symbol.len_utf8()..];
        if symbol.is_alphanumeric() {
            let mut bytes = [0; 4];
            for small in symbol.to_lowercase() {
                folded.extend_from_slice(small.encode_utf8(&mut bytes).as_bytes());
            }
        }
    }
    mark(&folded)
}

/// The small letter or digit that a byte stands for; 0 for a mark.
const FOLDED: [u8; 256] = {
    let (mut folded, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            folded[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    folded
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn marks_are_of_letters_and_digits(text in "[a-zA-Z0-9 .’ÉΣİß中²-]{0,60}") {
            let folded: String =
                text.chars().filter(|symbol| symbol.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            prop_assert_eq!(folded_mark(&text), mark(folded.as_bytes()));
        }
    }
}
