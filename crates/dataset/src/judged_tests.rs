use super::*;

fn said(gold: Option<bool>, faithful: Option<bool>, difficulty: &str) -> Said {
    Said {
        split: "val".to_owned(),
        faithful,
        gold,
        meant_false: false,
        difficulty: difficulty.to_owned(),
    }
}

fn judged(rows: Vec<Said>) -> JudgedView {
    Judged(BTreeMap::from([(("j".to_owned(), "binary".to_owned()), rows)])).view()
}

#[test]
fn the_table_counts_what_has_a_verdict() {
    let view = judged(vec![
        said(Some(true), Some(true), ""),
        said(Some(true), Some(false), ""),
        said(Some(true), None, ""),
        said(Some(false), Some(false), "easy"),
        said(Some(false), Some(true), "hard"),
        said(Some(false), Some(false), "hard"),
    ]);
    assert!(view.rates.is_empty());
    let all = &view.quality[0];
    assert_eq!((all.n, all.without, all.counts), (5, 1, [1, 1, 1, 2]));
    assert_eq!((&*all.easy, &*all.hard, &*all.faithful), ("100.0", "50.0", "40.0"));
    assert_eq!((&*all.precision, &*all.recall), ("0.50", "0.50"));
    // (1/2 + 2/3) / 2; kappa: (3/5 - 13/25) / (1 - 13/25).
    assert_eq!((&*all.balanced, &*all.kappa), ("58.3", "0.17"));
    assert_eq!(view.quality[1].split, "val");
}

#[test]
fn a_rate_is_corrected_or_it_is_said_why_not() {
    let mut rows: Vec<Said> = (0..100).map(|at| said(None, Some(at < 60), "")).collect();
    let view = judged(rows);
    assert!(view.rates[0].raw.starts_with("60.0 % (50."), "{}", view.rates[0].raw);
    assert!(view.rates[0].corrected.starts_with("undefined: no faithful"));
    rows = (0..100).map(|at| said(None, Some(at < 60), "")).collect();
    rows.extend((0..50).map(|at| said(Some(true), Some(at < 40), "")));
    rows.extend((0..50).map(|at| said(Some(false), Some(at < 10), "easy")));
    let view = judged(rows);
    // (0.6 + 0.8 - 1) / (0.8 + 0.8 - 1)
    assert!(view.rates[0].corrected.starts_with("66.7 % ("), "{}", view.rates[0].corrected);
    assert!(view.rates[0].meant_false == "undefined" && view.rates[0].n == 100);
}
