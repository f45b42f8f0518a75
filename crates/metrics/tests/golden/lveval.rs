//! LV-Eval's own error cases and Chinese sentences, by its released program.

use std::path::Path;

use serde_json::Value;
use storymill_metrics::{
    f1::{self, YesNo},
    keyword::{Keyword, Rule},
    rouge_unique,
    wordlists::WordLists,
};

use crate::{json, read, same, sets::sets};

fn lists(set: &Path) -> WordLists {
    WordLists::parse(&read(set, "wordlists.json")).unwrap()
}

fn rows(set: &Path, language: &str) -> Vec<Value> {
    let text = read(set, "metric_cases.jsonl");
    let rows = text.lines().filter(|line| !line.is_empty()).map(json);
    rows.filter(|row| row["lang"] == language).collect()
}

#[test]
fn english() {
    for set in sets("lveval") {
        english_of(&set);
    }
}

fn english_of(set: &Path) {
    let lists = lists(set);
    let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    let rows = rows(set, "en");
    assert!(!rows.is_empty());
    for (at, row) in rows.iter().enumerate() {
        let (prediction, answer) =
            (row["prediction"].as_str().unwrap(), row["answer"].as_str().unwrap());
        let plain = f1::score(prediction, answer, YesNo::Plain);
        let gated = keyword.english(prediction, answer, row["answer_keywords"].as_str());
        for (name, found) in [
            ("qa_f1_score", plain.f1),
            ("qa_f1_score_with_gold_ans", gated.score),
            ("recall_en", plain.recall),
            ("rouge_score", rouge_unique::l(prediction, answer).f1),
        ] {
            same(found, &row["expected"][name], &format!("row {at}, {name}"));
        }
    }
}

fn words<'r>(row: &'r Value, field: &str) -> Vec<&'r str> {
    row[field].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// The words in the file are those of the first cut. Two numbers need more: the filtered ROUGE the
/// words of a second cut, and the gate those of keywords that are not the answer. Where neither is
/// in the file the row is left to the test from text.
#[test]
fn chinese_from_the_given_words() {
    for set in sets("lveval") {
        chinese_from_the_given_words_of(&set);
    }
}

fn chinese_from_the_given_words_of(set: &Path) {
    let lists = lists(set);
    let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    let rows = rows(set, "zh");
    assert!(!rows.is_empty());
    let (mut gated, mut second) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        let (prediction, answer) = (words(row, "tokens_prediction"), words(row, "tokens_answer"));
        let plain = keyword.chinese_f1(&prediction, &answer);
        let rouge = rouge_unique::l(&prediction.join(" "), &answer.join(" ")).f1;
        let mut found = vec![
            ("qa_f1_zh_score", plain.f1),
            ("recall_zh", plain.recall),
            ("rouge_zh_score", rouge),
        ];
        let keywords = row["answer_keywords"].as_str().filter(|text| !text.is_empty());
        if keywords.is_none() || keywords == row["answer"].as_str() {
            found.push((
                "qa_f1_zh_score_with_gold_ans",
                keyword.chinese(&prediction, &answer, None).score,
            ));
            gated += 1;
        }
        let filtered = keyword.chinese_rouge_l(&prediction, &answer).f1;
        second += usize::from(
            (filtered - row["expected"]["rouge_zh_score_blacklist"].as_f64().unwrap()).abs() < 1e-6,
        );
        for (name, found) in found {
            same(found, &row["expected"][name], &format!("row {at}, {name}"));
        }
    }
    println!(
        "{} rows; gate from given words: {gated}; filtered ROUGE without a second cut: {second}",
        rows.len()
    );
}

#[cfg(feature = "jieba")]
#[test]
fn chinese_from_text() {
    for set in sets("lveval") {
        chinese_from_text_of(&set);
    }
}

#[cfg(feature = "jieba")]
fn chinese_from_text_of(set: &Path) {
    use storymill_metrics::segment::Segmenter;

    let lists = lists(set);
    let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    let segmenter = Segmenter::new();
    let mut apart = Vec::new();
    let rows = rows(set, "zh");
    for (at, row) in rows.iter().enumerate() {
        let text = |field: &str| row[field].as_str().unwrap_or("").to_owned();
        let (prediction, answer, keywords) =
            (text("prediction"), text("answer"), text("answer_keywords"));
        for field in ["prediction", "answer"] {
            let given = words(row, &format!("tokens_{field}"));
            let found = row[field].as_str().map(|text| segmenter.words(text)).unwrap();
            if found != given {
                apart.push(format!("row {at}, {field}: {}", only(&found, &given)));
            }
        }
        let [p, a, k] = [&prediction, &answer, &keywords].map(|text| segmenter.words(text));
        if p != words(row, "tokens_prediction") || a != words(row, "tokens_answer") {
            continue;
        }
        let (p2, a2) = (segmenter.twice(&prediction), segmenter.twice(&answer));
        let [p2, a2] = [&p2, &a2].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
        for (name, found) in [
            ("qa_f1_zh_score", keyword.chinese_f1(&p, &a).f1),
            ("qa_f1_zh_score_with_gold_ans", keyword.chinese(&p, &a, Some(&k)).score),
            ("rouge_zh_score_blacklist", keyword.chinese_rouge_l(&p2, &a2).f1),
        ] {
            same(found, &row["expected"][name], &format!("row {at}, {name}"));
        }
    }
    println!(
        "{} of {} texts are cut otherwise than by jieba 0.42.1:\n{}",
        apart.len(),
        2 * rows.len(),
        apart.join("\n")
    );
    assert!(apart.len() * 10 <= rows.len(), "segmentation has drifted away from jieba");
}

#[cfg(feature = "jieba")]
fn only(found: &[&str], given: &[&str]) -> String {
    let outside = |words: &[&str], others: &[&str]| {
        words.iter().filter(|word| !others.contains(word)).copied().collect::<Vec<_>>().join("|")
    };
    format!("{} instead of {}", outside(found, given), outside(given, found))
}
