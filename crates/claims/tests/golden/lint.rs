//! The lint on good pairs, and on pairs with one fault each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;
use storymill_claims::{
    lint::{Code, Severity, lint},
    pair::Pair,
};

use crate::{Golden, borrowed, sets};

#[test]
fn good_pairs_have_no_errors_and_few_warnings() {
    for golden in sets() {
        let (all, found) = (&golden.set.pairs, lint(&golden.set.pairs, &borrowed(&golden.texts)));
        let wrong: Vec<_> =
            found.iter().filter(|finding| finding.severity > Severity::Note).collect();
        let pairs: BTreeSet<_> = wrong.iter().map(|finding| &finding.pair).collect();
        println!("{} of {} golden pairs have a warning", pairs.len(), all.len());
        assert!(wrong.iter().all(|finding| finding.severity == Severity::Warning), "{wrong:#?}");
        assert!(pairs.len() * 10 <= all.len(), "{wrong:#?}");
    }
}

#[test]
fn what_somebody_in_the_book_thinks_is_no_opinion_on_it() {
    let grave = |claim: &str| {
        let yes = format!("Anne Shirley lives on a farm, and {claim}");
        let no = yes.replace("farm", "ship");
        let pair = Pair { id: "a/1".into(), true_claim: yes, false_claim: no, ..Pair::default() };
        let found = lint(&[pair], &BTreeMap::new());
        let found = found.into_iter().filter(|finding| finding.code == Code::Subjective);
        found.map(|finding| finding.severity).max()
    };
    for (claim, severity) in [
        ("Gilbert is boring.", Some(Severity::Error)),
        ("Gilbert should go.", Some(Severity::Warning)),
        ("Ruby thinks that Gilbert is boring.", Some(Severity::Note)),
        ("Ruby told him that he should go.", Some(Severity::Note)),
        ("Gilbert should go, as Ruby says.", Some(Severity::Warning)),
        ("Ruby says that he went.", None),
    ] {
        assert_eq!(grave(claim), severity, "{claim}");
    }
}

#[test]
fn broken_pairs_are_found_out() {
    for golden in sets() {
        let (mut right, mut missed) = (0, Vec::new());
        let broken = fs::read_to_string(golden.folder.join("broken.jsonl"));
        let broken = broken.unwrap_or_else(|_| include_str!("broken.jsonl").to_owned());
        for line in broken.lines() {
            let mut row: Value = serde_json::from_str(line).unwrap();
            let fault = row.as_object_mut().unwrap().remove("fault").unwrap();
            let fault = fault.as_str().unwrap();
            let broken: Pair = serde_json::from_value(row).unwrap();
            let id = broken.id.clone();
            let mut pairs = golden.set.pairs.clone();
            pairs.push(broken);
            let codes: Vec<Code> = lint(&pairs, &borrowed(&golden.texts))
                .into_iter()
                .filter(|finding| finding.pair == id)
                .map(|finding| finding.code)
                .collect();
            if codes.iter().any(|code| code.name() == fault) {
                right += 1;
            } else {
                missed.push((id, fault.to_owned(), codes));
            }
        }
        let all = broken.lines().count();
        println!("{right} of {all} broken pairs have the right finding");
        assert!(right * 10 >= all * 9, "{missed:#?}");
    }
}

#[test]
fn findings_quote_nothing() {
    let Golden { set, texts, .. } = sets().remove(0);
    let texts = borrowed(&texts);
    let mut marked = set.pairs;
    for pair in &mut marked {
        pair.true_claim = format!("Zqmarker {}", pair.true_claim);
        pair.false_claim = format!("Zqmarker. {}", pair.false_claim);
        pair.explanation = "Zqmarker".to_owned();
    }
    let told = serde_json::to_string(&lint(&marked, &texts)).unwrap();
    assert!(!told.contains("qmarker") && told.contains("several-sentences"));
}
