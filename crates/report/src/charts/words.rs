//! Numbers and pictures in words, for pointers and screen readers.

use super::curve::Series;
use crate::{
    cell::{Cell, Shift},
    figures::Group,
    words::{decimal, number},
};

/// `.76 (95 % interval .73 to .79), 412 questions of 8 books, 3 not answered`.
pub(super) fn in_words(cell: &Cell, noun: &str) -> String {
    let mut words = interval_in_words(cell.value, cell.low, cell.high);
    words += &format!(", {} of {}", number(cell.questions, noun), number(cell.books, "book"));
    if cell.not_answered > 0 {
        words += &format!(", {} not answered", cell.not_answered);
    }
    words
}

pub(super) fn shift_in_words(shift: &Shift, noun: &str) -> String {
    let words = interval_in_words(shift.value, shift.low, shift.high);
    format!("{words}, {} of {}", number(shift.questions, noun), number(shift.books, "book"))
}

fn interval_in_words(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let value = value.map_or_else(|| "–".to_owned(), decimal);
    match low.zip(high) {
        Some((low, high)) => format!("{value} (interval {} to {})", decimal(low), decimal(high)),
        None => format!("{value} (no interval)"),
    }
}

/// The picture in words: where each line begins and ends.
pub(super) fn about(series: &[Series], groups: &[Group]) -> String {
    let told = series.iter().filter_map(|series| {
        let there = || {
            series
                .points
                .iter()
                .zip(groups)
                .filter_map(|(point, group)| Some((point.as_ref()?, group)))
        };
        let (first, last) = (there().next()?, there().next_back()?);
        Some(format!(
            "{}: {} at {}, {} at {}.",
            series.name,
            decimal(first.0.value),
            first.1.label,
            decimal(last.0.value),
            last.1.label
        ))
    });
    told.collect::<Vec<_>>().join(" ")
}
