//! The lint on good pairs, and on pairs with one fault each.

use serde_json::Value;
use storymill_claims::{
    lint::{Code, Severity, lint},
    pair::Pair,
};

use crate::{borrowed, set};

#[test]
fn good_pairs_have_no_errors() {
    let Some((set, texts)) = set() else { return };
    let found = lint(&set.pairs, &borrowed(&texts));
    let wrong: Vec<_> =
        found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let pairs: std::collections::BTreeSet<_> = wrong.iter().map(|finding| &finding.pair).collect();
    println!("{} of 30 golden pairs pass the lint without an error", 30 - pairs.len());
    assert!(pairs.len() <= 3, "{wrong:#?}");
}

#[test]
fn broken_pairs_are_found_out() {
    let Some((set, texts)) = set() else { return };
    let (mut right, mut missed) = (0, Vec::new());
    for line in include_str!("broken.jsonl").lines() {
        let mut row: Value = serde_json::from_str(line).unwrap();
        let fault = row.as_object_mut().unwrap().remove("fault").unwrap();
        let fault = fault.as_str().unwrap();
        let broken: Pair = serde_json::from_value(row).unwrap();
        let id = broken.id.clone();
        let mut pairs = set.pairs.clone();
        pairs.push(broken);
        let codes: Vec<Code> = lint(&pairs, &borrowed(&texts))
            .into_iter()
            .filter(|finding| finding.pair == id && finding.severity > Severity::Note)
            .map(|finding| finding.code)
            .collect();
        if codes.iter().any(|code| code.name() == fault) {
            right += 1;
        } else {
            missed.push((id, fault.to_owned(), codes));
        }
    }
    println!("{right} of 30 broken pairs have the right finding");
    assert!(right >= 27, "{missed:#?}");
}

#[test]
fn findings_quote_nothing() {
    let Some((set, texts)) = set() else { return };
    let texts = borrowed(&texts);
    let mut marked = set.pairs.clone();
    for pair in &mut marked {
        pair.true_claim = format!("Zqmarker {}", pair.true_claim);
        pair.false_claim = format!("Zqmarker. {}", pair.false_claim);
        pair.explanation = "Zqmarker".to_owned();
    }
    let told = serde_json::to_string(&lint(&marked, &texts)).unwrap();
    assert!(!told.contains("qmarker") && told.contains("several-sentences"));
}
