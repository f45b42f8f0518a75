//! Random inputs of our own, with what the reference programs made of them.
//!
//! `reference.jsonl` holds an input in each line and under `e` the output of nltk 3.9.2 (stems,
//! words, synonyms, METEOR), rouge-score 0.1.2 and rouge 1.0.1, jieba 0.42.1, rank_bm25 0.2.2 and
//! bm25s 0.3.16, krippendorff 0.8, scikit-learn and scipy. The inputs mix common words, endings,
//! quotes, spaces, rare letters and WordNet words at random.

use serde_json::{Value, json};
use storymill_metrics::{
    agreement::{self, Scale, alpha},
    bm25::{Cut, Index, Parameters, Weight},
    correlation,
    meteor::Meteor,
    normalize, porter,
    rouge::{self, Stem},
    rouge_unique, treebank,
};

use crate::wordnet;

fn rows(kind: &str) -> Vec<Value> {
    let rows = include_str!("reference.jsonl").lines().map(crate::json);
    let rows: Vec<Value> = rows.filter(|row| row["t"] == kind).collect();
    assert!(!rows.is_empty());
    rows
}

/// Equal, numbers to 1e-9.
fn equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        _ => found == expected,
    }
}

#[track_caller]
fn check(kind: &str, mut found: impl FnMut(&Value) -> Value) {
    for row in rows(kind) {
        let found = found(&row);
        assert!(equal(&found, &row["e"]), "{found} for {row}");
    }
}

fn text<'r>(row: &'r Value, field: &str) -> &'r str {
    row[field].as_str().unwrap()
}

#[test]
fn stems() {
    check("stem", |row| json!(porter::stem(text(row, "a"))));
}

#[test]
fn words() {
    check("tok", |row| json!(treebank::words(text(row, "a"))));
}

#[test]
fn normal_forms() {
    check("norm", |row| json!(normalize::Words::of(text(row, "a")).text()));
}

#[test]
fn synonyms() {
    let Some(wordnet) = wordnet() else { return };
    check("syn", |row| json!(wordnet.synonyms(text(row, "a"))));
}

#[cfg(feature = "jieba")]
#[test]
fn chinese_words() {
    let segmenter = storymill_metrics::segment::Segmenter::new();
    check("jieba", |row| json!(segmenter.words(text(row, "a"))));
}

#[test]
fn overlaps() {
    let wordnet = wordnet();
    let mut meteor = wordnet.as_ref().map(|wordnet| Meteor::new(Some(wordnet)));
    let mut plain = Meteor::new(None);
    check("pair", |row| {
        let (a, b) = (text(row, "a"), text(row, "b"));
        let [google, stemmed] = [Stem::None, Stem::Porter].map(|stem| rouge::text(a, b, stem));
        let words = |text: &str| {
            text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        // Without a WordNet the column that needs one is taken as it is.
        let with = meteor
            .as_mut()
            .map_or(row["e"][9].clone(), |meteor| json!(meteor.score(&words(a), &words(b))));
        json!([
            google.one.f1,
            google.two.f1,
            google.l.f1,
            google.l.precision,
            stemmed.one.f1,
            stemmed.two.f1,
            stemmed.l.f1,
            rouge_unique::l(a, b).f1,
            rouge_unique::n(2, a, b).f1,
            with,
            plain.score(&words(a), &words(b)),
        ])
    });
}

#[test]
fn bm25() {
    check("bm25", |row| {
        let docs: Vec<&str> =
            row["docs"].as_array().unwrap().iter().map(|doc| doc.as_str().unwrap()).collect();
        let scores = |cut, weight| {
            let parameters = Parameters { weight, ..Parameters::default() };
            Index::new(&docs, cut, parameters).unwrap().scores(text(row, "a"))
        };
        json!([
            scores(Cut::Spaces, Weight::Okapi { floor: 0.25 }),
            scores(Cut::Words, Weight::Lucene)
        ])
    });
}

#[test]
fn agreements() {
    check("lab", |row| {
        let units: Vec<Vec<Option<f64>>> = serde_json::from_value(row["u"].clone()).unwrap();
        let columns: Vec<Vec<i32>> = serde_json::from_value(row["c"].clone()).unwrap();
        let [a, b] =
            [0, 1].map(|at| columns[at].iter().map(|value| f64::from(*value)).collect::<Vec<_>>());
        let alphas = [Scale::Nominal, Scale::Ordinal, Scale::Interval, Scale::Ratio]
            .map(|scale| alpha(&units, scale).ok());
        let cohen = agreement::cohen(&columns[0], &columns[1]).ok();
        json!([alphas[0], alphas[1], alphas[2], alphas[3], cohen, correlation::tau_b(&a, &b).ok()])
    });
}
