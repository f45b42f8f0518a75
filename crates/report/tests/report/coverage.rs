//! A scripted model of known skill: how often the intervals of the curve hold it.

use storymill_report::{Collected, Options, Report};

use crate::support::{full, grade, stream, unit};

/// The skill that falls with distance.
fn skill(tokens: u32) -> f64 {
    0.95 - 0.07 * (f64::from(tokens) / 512.0).log2().max(0.0)
}

/// Runs of so many questions over so many books; the share of bins, thin ones apart, whose interval holds the skill
/// that its questions were drawn with. `between` is how far apart books are.
fn coverage(runs: usize, questions: usize, books: usize, between: f64) -> (f64, usize) {
    let (mut held, mut bins) = (0, 0);
    for run in 0..runs {
        let mut stream = stream(&format!("{run}/{books}/{between}"));
        let own: Vec<f64> = (0..books).map(|_| between * (2.0 * unit(&mut stream) - 1.0)).collect();
        let mut all = Collected::default();
        let mut truth = std::collections::BTreeMap::<u32, (f64, f64)>::new();
        for at in 0..questions {
            // Books are of unlike lengths: the later, the more questions.
            let book = ((unit(&mut stream).sqrt()) * books as f64) as usize;
            let tokens = (512.0 * 2_f64.powf(8.0 * unit(&mut stream))) as u32;
            let of_bin = truth.entry(tokens.ilog2()).or_default();
            *of_bin = (of_bin.0 + skill(tokens), of_bin.1 + 1.0);
            let right = unit(&mut stream) < (skill(tokens) + own[book]).clamp(0.0, 1.0);
            all.add(grade(book, at, tokens, right));
        }
        let report = Report::of(&all, &Options::default());
        let curve = &report.parts[0].demand;
        for (group, cell) in curve.groups.iter().zip(&curve.lines[0].cells) {
            let cell = cell.as_ref().unwrap();
            if cell.thin {
                continue;
            }
            let (sum, count) = truth[&group.from.unwrap().ilog2()];
            let truth = sum / count;
            bins += 1;
            held += usize::from(cell.low.unwrap() <= truth && truth <= cell.high.unwrap());
        }
    }
    (held as f64 / bins as f64, bins)
}

#[track_caller]
fn check(books: usize, between: f64) {
    let (runs, questions, room) = if full() { (200, 20_000, 0.02) } else { (12, 2_000, 0.08) };
    let (held, bins) = coverage(runs, questions, books, between);
    println!("{books} books, {between} between: {held:.4} of {bins} bins");
    assert!((held - 0.95).abs() <= room, "{books} books, {between} between: {held} of {bins} bins");
}

#[test]
fn many_books_alike() {
    check(40, 0.0);
}

#[test]
fn many_books_that_differ() {
    check(40, 0.05);
}

#[test]
fn few_books_alike() {
    check(8, 0.0);
}

#[test]
fn few_books_that_differ() {
    check(8, 0.05);
}

#[test]
fn guessing_gives_chance() {
    let mut stream = stream("guessing");
    let mut all = Collected::default();
    let questions = if full() { 20_000 } else { 5_000 };
    for at in 0..questions {
        let tokens = (512.0 * 2_f64.powf(8.0 * unit(&mut stream))) as u32;
        all.add(grade(at % 20, at, tokens, stream.below(6) == 0));
    }
    let report = Report::of(&all, &Options::default());
    let part = &report.parts[0];
    let cell = &part.systems[0].cell;
    let chance = part.chance.unwrap();
    assert!((chance - 1.0 / 6.0).abs() < 1e-5);
    assert!(cell.low.unwrap() <= chance && chance <= cell.high.unwrap(), "{cell:?}");
    assert!((cell.value.unwrap() - chance).abs() < 0.02);
}
