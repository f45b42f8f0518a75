//! Scores of the 18 systems of the sample, equal to the expected ones, and how long scores take.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use serde_json::Value;
use storymill_claims::{
    import::Set,
    pair::Half,
    read::Response,
    report,
    score::{Cell, Options, score},
};

use crate::{Golden, borrowed, sets};

#[track_caller]
fn check(cell: &Cell, expected: &Value, what: &str) {
    let accuracy = serde_json::to_value(cell.accuracy).unwrap();
    for (ours, theirs) in [("pairs", "pairs"), ("true_claims", "true"), ("false_claims", "false")] {
        for part in ["correct", "total"] {
            assert_eq!(
                accuracy[ours][part],
                expected[format!("{theirs}_{part}")],
                "{what}: {ours} {part}"
            );
        }
    }
}

#[test]
fn all_rows_of_the_sample_are_equal() {
    for golden in sets() {
        all_rows_are_equal(&golden);
    }
}

fn all_rows_are_equal(golden: &Golden) {
    let (rows, expected) = (golden.json("data_sample_shared.json"), golden.json("expected.json"));
    let rows = rows.as_array().unwrap();
    // Of the large set: the closed models of the paper, and how many pairs both answered.
    let (closed, both) = match expected.get("common") {
        Some(own) => (serde_json::from_value(own["of"].clone()).unwrap(), own["pairs"].as_u64()),
        None => (["response-gpt4o", "response-claude"].map(str::to_owned).to_vec(), Some(15)),
    };
    let options = Options { common: closed, ..Options::default() };
    let scores =
        score(&golden.set, &golden.sample.responses, &borrowed(&golden.texts), &options).unwrap();
    let systems = expected["all_books_in_file"].as_object().unwrap();
    assert_eq!((scores.systems.len(), scores.books), (systems.len(), 2));
    assert_eq!(expected["pairs"], scores.pairs);
    assert_eq!(scores.common.map(|pairs| pairs as u64), both);
    for system in &scores.systems {
        let all = &expected["all_books_in_file"][&system.name];
        check(&system.all, all, &system.name);
        for cut in system.cuts.iter().filter(|cut| cut.by == "book") {
            check(&cut.cell, &expected["per_book"][&cut.value][&system.name], &cut.value);
        }
        for (row, label) in rows.iter().zip(all["labels_in_row_order"].as_array().unwrap()) {
            let pair = format!(
                "{}/{:04}",
                row["book_title"].as_str().unwrap(),
                row["index"].as_u64().unwrap()
            );
            let half = Half::of(row["type"].as_bool().unwrap());
            let ours = system
                .labels
                .iter()
                .find(|label| label.pair == pair && label.claim == half)
                .unwrap();
            assert_eq!(
                serde_json::to_value(ours.verdict).unwrap(),
                *label,
                "{} {pair}",
                system.name
            );
        }
    }
    let (page, web) = (report::markdown(&scores), report::html(&scores));
    for system in systems.keys() {
        assert!(page.contains(system) && web.contains(system));
    }
    println!("{} systems are equal, book by book and label by label", systems.len());
}

/// Two thousand claims: what the sample holds, over and over.
fn large(set: &Set, responses: &[Response]) -> (Set, Vec<Response>) {
    let (mut big, mut answers) = (Set::default(), Vec::new());
    for copy in 0..1000_usize.div_ceil(set.pairs.len()) {
        let renamed = |book: &str| format!("{book}-{copy}");
        let id = |id: &str| id.replacen('/', &format!("-{copy}/"), 1);
        big.books.extend(set.books.iter().cloned().map(|mut book| {
            book.id = renamed(&book.id);
            book
        }));
        for pair in set.pairs.iter().take(1000 - big.pairs.len().min(1000)) {
            let mut pair = pair.clone();
            (pair.id, pair.book) = (id(&pair.id), renamed(&pair.book));
            big.pairs.push(pair);
        }
        let known: BTreeSet<_> = big.pairs.iter().map(|pair| pair.id.clone()).collect();
        answers.extend(responses.iter().cloned().filter_map(|mut response| {
            response.pair = id(&response.pair);
            known.contains(&response.pair).then_some(response)
        }));
    }
    (big, answers)
}

#[test]
fn two_thousand_claims_of_all_systems_take_less_than_a_second() {
    for golden in sets() {
        let (big, responses) = large(&golden.set, &golden.sample.responses);
        let text = |id: &str| golden.texts[id.rsplit_once('-').unwrap().0].as_str();
        let texts: BTreeMap<_, _> =
            big.books.iter().map(|book| (book.id.clone(), text(&book.id))).collect();
        let claims = 2 * golden.set.pairs.len();
        assert_eq!(2 * big.pairs.len(), 2000);
        assert_eq!(responses.len(), 2000 * golden.sample.responses.len() / claims);
        let best = (0..3)
            .map(|_| {
                let start = Instant::now();
                score(&big, &responses, &texts, &Options::default()).unwrap();
                start.elapsed()
            })
            .min()
            .unwrap();
        println!("2,000 claims on {} books: {} ms", texts.len(), best.as_millis());
        // The bar is 1 s on a machine of one's own; builds beside this test must not fail it, nor that `.ci/run`
        // optimises our crates for the full set alone.
        #[expect(
            clippy::disallowed_methods,
            reason = "the full set of tests is asked for in the environment"
        )]
        let full = std::env::var_os("CI_FULL").is_some_and(|value| value == "1");
        let limit = if full { 3000 } else { 60_000 };
        assert!(best.as_millis() < limit, "{best:?}");
    }
}
