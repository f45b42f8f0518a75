//! Name words found in books that no tagger was fitted on, LitBank's dev books and two of our own, against the bars.

use storymill_names::{Gold, NameTagger, Perceptron, Tally, Words, decide};

use crate::dev_books;
#[cfg(any(feature = "litner", feature = "rust-bert"))]
use crate::full;
#[cfg(feature = "litner")]
use crate::litner;

fn score(tagger: &dyn NameTagger, books: &[Gold]) -> Tally {
    let mut all = Tally::default();
    for gold in books {
        let words = Words::new(&gold.text);
        let found = decide(&words, &tagger.tag(&words).unwrap(), tagger.weights());
        all.add(gold.score(&words, &found).unwrap());
    }
    all
}

#[track_caller]
fn check(tagger: &dyn NameTagger, books: &[Gold], f1: f64, recall: f64) {
    let prf = score(tagger, books).prf();
    println!("{}: {prf:?}", tagger.name());
    assert!(prf.f1 >= f1 && prf.recall >= recall, "{}: {prf:?}", tagger.name());
}

/// All dev books for the full set; else every third, whose bars were measured on them.
#[cfg(feature = "litner")]
#[test]
fn the_models_pass_their_bars() {
    for books in dev_books() {
        if full() {
            check(&litner("litner.onnx"), &books, 0.92, 0.945);
            check(&litner("litner-small.onnx"), &books, 0.92, 0.94);
        } else {
            let sample: Vec<Gold> = books.into_iter().step_by(3).collect();
            check(&litner("litner.onnx"), &sample, 0.91, 0.94);
            check(&litner("litner-small.onnx"), &sample, 0.91, 0.93);
        }
    }
}

/// Litner's weights as floats, out of the folder that `STORYMILL_RUST_BERT` names: other models have other bars.
#[cfg(feature = "rust-bert")]
#[test]
fn rust_bert_passes_its_bar() {
    let Some(tagger) = crate::rust_bert() else { return };
    for books in dev_books() {
        let books: Vec<Gold> = books.into_iter().step_by(if full() { 1 } else { 3 }).collect();
        check(&tagger, &books, 0.91, 0.94);
    }
}

#[test]
fn the_table_passes_its_bar() {
    for books in dev_books() {
        check(&Perceptron::new(), &books, 0.90, 0.92);
    }
}
