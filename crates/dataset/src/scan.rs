//! What the values of a column are like, gathered batch by batch.

use std::collections::BTreeMap;

use arrow_array::{
    RecordBatch,
    cast::AsArray,
    types::{Int32Type, Int64Type},
};

/// What the values of a column are like.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnFacts {
    /// Whole numbers.
    Numbers {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
        /// The mean.
        mean: f64,
    },
    /// Short texts of few kinds, and how often each stands there.
    Words(BTreeMap<String, u64>),
    /// Short texts of more kinds than are worth a list.
    Texts,
    /// Long texts, lists and all else, which are not looked at; or no rows.
    Nothing,
}

/// The most words that are worth a list, and the longest that is one.
const MOST_WORDS: usize = 20;
const LONGEST_WORD: usize = 64;

/// The facts of one column in the making.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    numbers: Option<Numbers>,
    words: Option<BTreeMap<String, u64>>,
    texts: u64,
}

#[derive(Clone, Copy, Debug)]
struct Numbers {
    min: i64,
    max: i64,
    sum: i128,
    count: u32,
}

impl Scan {
    pub(crate) fn new() -> Self {
        Self { numbers: None, words: Some(BTreeMap::new()), texts: 0 }
    }

    /// Adds the values of a column of a batch.
    pub(crate) fn add(&mut self, batch: &RecordBatch, column: &str) {
        let Some(column) = batch.column_by_name(column) else { return };
        if let Some(numbers) = column.as_primitive_opt::<Int32Type>() {
            numbers.iter().flatten().for_each(|number| self.add_number(i64::from(number)));
        } else if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
            numbers.iter().flatten().for_each(|number| self.add_number(number));
        } else if let Some(texts) = column.as_string_opt::<i32>() {
            texts.iter().flatten().for_each(|text| self.add_text(text));
        }
    }

    fn add_number(&mut self, number: i64) {
        let one = Numbers { min: number, max: number, sum: 0, count: 0 };
        let all = self.numbers.get_or_insert(one);
        all.min = all.min.min(number);
        all.max = all.max.max(number);
        all.sum += i128::from(number);
        all.count += 1;
    }

    fn add_text(&mut self, text: &str) {
        self.texts += 1;
        let Some(words) = &mut self.words else { return };
        if let Some(count) = words.get_mut(text) {
            *count += 1;
        } else if text.len() <= LONGEST_WORD && words.len() < MOST_WORDS {
            words.insert(text.to_owned(), 1);
        } else {
            self.words = None;
        }
    }

    pub(crate) fn finish(self) -> ColumnFacts {
        match (self.numbers, self.words) {
            (Some(Numbers { min, max, sum, count }), _) => {
                // A mean is for eyes: what it loses beyond 53 bits nobody sees.
                #[expect(clippy::cast_precision_loss, reason = "shown, never stored")]
                let mean = sum as f64 / f64::from(count);
                ColumnFacts::Numbers { min, max, mean }
            }
            (None, _) if self.texts == 0 => ColumnFacts::Nothing,
            (None, Some(words)) => ColumnFacts::Words(words),
            (None, None) => ColumnFacts::Texts,
        }
    }
}
