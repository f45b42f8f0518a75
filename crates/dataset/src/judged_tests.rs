use super::*;

fn said(gold: Option<bool>, faithful: Option<bool>, difficulty: Option<Difficulty>) -> Said {
    Said {
        config: "judgements".to_owned(),
        retelling: String::new(),
        split: "val".to_owned(),
        faithful,
        gold,
        meant_false: false,
        difficulty,
    }
}

fn judged(rows: Vec<Said>) -> JudgedView {
    let numbered = |(at, row): (usize, Said)| Said { retelling: at.to_string(), ..row };
    let rows = rows.into_iter().enumerate().map(numbered).collect();
    Judged(BTreeMap::from([(("j".to_owned(), "binary".to_owned()), rows)])).view()
}

#[test]
fn the_table_counts_what_has_a_verdict() {
    let view = judged(vec![
        said(Some(true), Some(true), None),
        said(Some(true), Some(false), None),
        said(Some(true), None, None),
        said(Some(false), Some(false), Some(Difficulty::Easy)),
        said(Some(false), Some(true), Some(Difficulty::Hard)),
        said(Some(false), Some(false), Some(Difficulty::Hard)),
    ]);
    assert!(view.rates.is_empty());
    let all = &view.quality[0];
    assert_eq!((all.n, all.without, all.counts), (5, 1, [1, 1, 1, 2]));
    assert_eq!((&*all.easy, &*all.hard, &*all.faithful), ("100.0", "50.0", "33.3"));
    // What has no verdict is not right.
    assert_eq!((&*all.precision, &*all.recall), ("0.50", "0.33"));
    // (1/3 + 2/3) / 2; kappa: (3/5 - 13/25) / (1 - 13/25).
    assert_eq!((&*all.balanced, &*all.kappa), ("50.0", "0.17"));
    assert_eq!(view.quality[1].split, "val");
}

#[test]
fn a_rate_is_corrected_or_it_is_said_why_not() {
    let mut rows: Vec<Said> = (0..100).map(|at| said(None, Some(at < 60), None)).collect();
    let view = judged(rows);
    assert!(view.rates[0].raw.starts_with("60.0 % (50."), "{}", view.rates[0].raw);
    assert!(view.rates[0].corrected.starts_with("undefined: no faithful"));
    rows = (0..100).map(|at| said(None, Some(at < 60), None)).collect();
    rows.extend((0..50).map(|at| said(Some(true), Some(at < 40), None)));
    rows.extend((0..50).map(|at| said(Some(false), Some(at < 10), Some(Difficulty::Easy))));
    let view = judged(rows);
    // (0.6 + 0.8 - 1) / (0.8 + 0.8 - 1)
    assert!(view.rates[0].corrected.starts_with("66.7 % ("), "{}", view.rates[0].corrected);
    assert!(view.rates[0].meant_false == "undefined" && view.rates[0].n == 100);
}

#[test]
fn what_is_undecided_is_told_as_bounds() {
    let mut rows: Vec<Said> = (0..51).map(|_| said(None, Some(true), None)).collect();
    rows.extend((0..102).map(|_| said(None, None, None)));
    let false_ones =
        (0..10).map(|at| Said { meant_false: true, ..said(None, (at < 4).then_some(false), None) });
    rows.extend(false_ones);
    let rate = &judged(rows).rates[0];
    // True and false retellings are not pooled.
    assert_eq!((rate.n, rate.without), (51, 102));
    assert_eq!(rate.raw, "undecided: from 33.3 to 100.0 %, 102 without a verdict");
    assert_eq!(rate.meant_false, "undecided: from 40.0 to 100.0 %, 6 without a verdict");
}

#[test]
fn gold_labels_without_a_verdict_are_told_as_bounds_too() {
    let mut rows: Vec<Said> = (0..100).map(|at| said(None, Some(at < 60), None)).collect();
    rows.extend((0..50).map(|at| said(Some(true), (at < 40).then_some(true), None)));
    rows.extend((0..50).map(|at| said(Some(false), Some(at < 10), Some(Difficulty::Easy))));
    let rate = &judged(rows).rates[0];
    assert_eq!(rate.sensitivity, "undecided: from 80.0 to 100.0 %, 10 without a verdict");
    assert!(rate.specificity.starts_with("80.0 % ("), "{}", rate.specificity);
    // (0.6 + 0.8 - 1) over (0.8 + 0.8 - 1), and over (1 + 0.8 - 1)
    assert_eq!(rate.corrected, "undecided: from 50.0 to 66.7 %, 10 without a verdict");
}

#[test]
fn a_retelling_counts_once_for_a_step() {
    let row = |config: &str, retelling: usize, faithful| Said {
        config: config.to_owned(),
        retelling: retelling.to_string(),
        ..said(Some(true), Some(faithful), None)
    };
    let view = |rows: Vec<Said>| {
        let key = ("j".to_owned(), "binary".to_owned());
        Judged(BTreeMap::from([(key, rows)])).view()
    };
    let of = |view: &JudgedView| -> Vec<(String, usize, [usize; 4])> {
        let all = view.quality.iter().filter(|one| one.split == "all");
        all.map(|one| (one.table.clone(), one.n, one.counts)).collect()
    };
    // Two tables, and a table that says of each twice.
    let two = (0..9).flat_map(|at| [row("a", at, true), row("b", at, false)]).collect();
    let told = of(&view(two));
    assert_eq!(told, [("a".to_owned(), 9, [9, 0, 0, 0]), ("b".to_owned(), 9, [0, 9, 0, 0])]);
    let one = (0..9).flat_map(|at| [row("a", at, true), row("a", at, false)]).collect();
    let told = of(&view(one));
    assert_eq!(told, [("a".to_owned(), 9, [9, 0, 0, 0])]);
    // What is of different retellings is one sample, wherever it stands.
    let apart = (0..9).map(|at| row(if at < 4 { "a" } else { "b" }, at, true)).collect();
    assert_eq!(of(&view(apart)), [("a, b".to_owned(), 9, [9, 0, 0, 0])]);
}
