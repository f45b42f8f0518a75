//! Whether the numbers of a book's chapters run on: where they break, a heading was missed, or one is none.

use std::ops::Range;

use super::{
    blocks::Leaves,
    structure::Head,
    words::{Kind, Says, fold},
};

/// The doubt whether a book's chapters are right, as their numbers break.
pub(crate) const NUMBERS: (&str, &str) =
    ("chapter-numbers", "the numbers of the chapters break here: are the book’s chapters right?");

/// Fewer chapters with numbers say nothing about those that are missing.
const FEWEST: usize = 3;

/// The first two headings between which the numbers of the chapters break, with what stands between them; the first
/// heading where its number is not one. Numbers may begin anew.
pub(crate) fn broken(leaves: &Leaves, heads: &[Head]) -> Option<Range<usize>> {
    let kept = |head: &&Head| head.lines.iter().any(|at| leaves.blocks[*at].fate.is_none());
    let heads: Vec<&Head> = heads.iter().filter(kept).collect();
    let number =
        |says: Says| says.number.filter(|_| matches!(says.kind, Kind::Chapter | Kind::Number));
    // Sections below chapters have numbers of their own, and so have letters among chapters.
    let word = |at: &usize| match heads[*at].says.kind {
        Kind::Chapter => fold(&leaves.line(&leaves.blocks[heads[*at].first()]))
            .split(|c: char| c == ' ' || c > '\u{2e80}')
            .next()
            .map(str::to_owned),
        _ => None,
    };
    let mut chapters: Vec<usize> = (0..heads.len())
        .filter(|at| heads[*at].level <= 1 && number(heads[*at].says).is_some())
        .collect();
    let first = word(chapters.first()?);
    // Some lack the blank before their number.
    chapters.retain(|at| match (&first, word(at)) {
        (Some(first), Some(word)) => word.starts_with(first.as_str()),
        (first, word) => first.is_none() && word.is_none(),
    });
    if chapters.len() < FEWEST {
        return None;
    }
    let begins = number(heads[chapters[0]].says).filter(|number| *number > 1);
    let place = |from: usize, upto: usize| heads[from].first()..heads[upto].end();
    let breaks = chapters.windows(2).find(|two| {
        let [last, next] = [two[0], two[1]].map(|at| number(heads[at].says).unwrap_or(0) as usize);
        // A heading between them whose number nobody can read.
        let others = heads[two[0] + 1..two[1]].iter();
        let others = others.filter(|head| head.says.kind == Kind::Other && head.level <= 1).count();
        !(next == 1 && last > 1 || (last + 1..=last + 1 + others).contains(&next))
    });
    match (begins, breaks) {
        (Some(_), _) => Some(place(chapters[0], chapters[0])),
        (None, breaks) => breaks.map(|two| place(two[0], two[1])),
    }
}
