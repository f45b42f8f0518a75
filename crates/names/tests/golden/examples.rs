//! The three worked examples of `litner`: every step of its input, every label, every name.

use serde_json::Value;
use storymill_core::SymbolIndex;
use storymill_names::{
    Kind, NameTagger, Reading, WHOLE, Weights, Words, counts::Counts, decide, pieces::Vocabulary,
};

use crate::{litner, models};

const LABELS: [&str; 5] = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"];

fn examples() -> Vec<Value> {
    let text = std::fs::read_to_string(models().join("examples.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A list of numbers, as Python wrote it.
fn numbers(value: &Value) -> Vec<usize> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|one| usize::try_from(one.as_u64().unwrap()).unwrap())
        .collect()
}

#[test]
fn the_input_is_the_recipe_s() {
    let examples = examples();
    let vocabulary =
        Vocabulary::parse(&std::fs::read_to_string(models().join("vocab.txt")).unwrap()).unwrap();
    for example in &examples {
        let text = example["text"].as_str().unwrap();
        let words = Words::new(text);
        let index = SymbolIndex::new(text);
        let counts = Counts::new(&words);
        let wanted = example["words"].as_array().unwrap();
        assert_eq!(words.len(), wanted.len());
        for (at, word) in words.all().iter().enumerate() {
            let span = index.span(word.start as usize..word.end as usize);
            let found = serde_json::json!([
                words.surface(at),
                span.start.symbol,
                span.end.symbol,
                word.case as u8
            ]);
            assert_eq!(found, wanted[at]);
            let pieces: Vec<_> = vocabulary
                .pieces(words.surface(at))
                .into_iter()
                .map(|id| usize::try_from(id).unwrap())
                .collect();
            assert_eq!(pieces, numbers(&example["pieces"][at]), "{}", words.surface(at));
            assert_eq!(
                usize::from(counts.channel(word)),
                numbers(&example["channel"])[at],
                "{}",
                words.surface(at)
            );
            if let Some(count) = example["statistics"].get(words.low(Some(at))) {
                let own = counts.of(word.low);
                let own = [own.low, own.inside, own.person, own.place].map(|count| count as usize);
                assert_eq!(own[..], numbers(count), "{}", words.surface(at));
            }
        }
        let sentences = words.sentences();
        assert_eq!(sentences.len(), example["sentences"].as_array().unwrap().len());
        for (sentence, wanted) in sentences.iter().zip(example["sentences"].as_array().unwrap()) {
            let kept = sentence.clone().any(|at| counts.candidate(&words, at));
            assert_eq!(serde_json::json!([sentence.start, sentence.end, kept]), *wanted);
        }
    }
}

#[test]
fn labels_and_names_are_the_recipe_s() {
    let examples = examples();
    for (file, field) in
        [("litner.onnx", "model_int8.onnx"), ("litner-small.onnx", "model_small_int8.onnx")]
    {
        let tagger = litner(file);
        for example in &examples {
            let text = example["text"].as_str().unwrap();
            let words = Words::new(text);
            let sentences = Reading::new(&words, None).round().unwrap();
            let windows = tagger.windows(&words, &sentences);
            let windows: Vec<Vec<usize>> =
                windows.iter().map(|window| window.words().collect()).collect();
            let wanted = example["windows"].as_array().unwrap();
            let wanted: Vec<_> =
                wanted.iter().map(|window| numbers(&window["word_indices"])).collect();
            assert_eq!(windows, wanted);
            let odds = tagger.tag(&words).unwrap();
            let answers = &example[field];
            for (at, odds) in odds.iter().enumerate() {
                let all = [odds.none, odds.person, odds.person_on, odds.place, odds.place_on];
                let best = all.into_iter().max().unwrap();
                let wanted = answers["best_probability"][at].as_f64().unwrap();
                let off = (f64::from(best) / f64::from(WHOLE) - wanted).abs();
                assert!(off < 0.01, "{}: {best}, {wanted}", words.surface(at));
                // Between two that are as likely the last bits decide, which processors round otherwise.
                let label =
                    LABELS.iter().position(|label| answers["labels"][at] == *label).unwrap();
                assert!(best - all[label] <= WHOLE / 100, "{}: {all:?}", words.surface(at));
            }
            let index = SymbolIndex::new(text);
            let names = decide(&words, &odds, Weights { book: 2.0, bold: 0.0 });
            let names: Vec<Value> = names
                .into_iter()
                .map(|found| {
                    let [first, last] =
                        [found.words.start, found.words.end - 1].map(|at| words.all()[at]);
                    let span = index.span(first.start as usize..last.end as usize);
                    let kind = if found.kind == Kind::Person { "PER" } else { "LOC" };
                    serde_json::json!([
                        span.start.symbol,
                        span.end.symbol,
                        kind,
                        &text[span.bytes()]
                    ])
                })
                .collect();
            assert_eq!(Value::Array(names), answers["spans_after_book_vote"], "{text}");
        }
    }
}

#[test]
fn damaged_models_are_refused() {
    let vocabulary = std::fs::read_to_string(models().join("vocab.txt")).unwrap();
    let model = std::fs::read(models().join("litner-small.onnx")).unwrap();
    for cut in [0, 1, 100, model.len() / 2, model.len() - 1] {
        let fault = storymill_names::Litner::load(model[..cut].to_vec(), &vocabulary).unwrap_err();
        assert!(fault.hint.unwrap().contains("`perceptron`"), "{cut}");
    }
    // Its output is called otherwise: another model.
    let mut other = model;
    while let Some(at) = other.windows(6).position(|bytes| bytes == b"logits") {
        other[at..at + 6].copy_from_slice(b"scores");
    }
    let fault = storymill_names::Litner::load(other, &vocabulary).unwrap_err();
    assert!(fault.message.contains("this version"), "{fault}");
}

#[test]
fn the_models_are_those_that_are_known() {
    for (name, digest) in storymill_names::answers::MODELS {
        let litner = litner(&format!("{name}.onnx"));
        assert_eq!((litner.name(), &*litner.digest().to_string()), (name, digest));
    }
    let vocabulary = std::fs::read_to_string(models().join("vocab.txt")).unwrap();
    assert_eq!(storymill_names::answers::VOCABULARY, vocabulary);
}
