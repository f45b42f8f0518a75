//! Golden tests: numbers that the original programs made, or that their authors printed.
//!
//! A small set made by those programs comes with the project (`tests/golden`); a large one may lie beside the checkout.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, as it should")]
#![expect(clippy::print_stdout, reason = "says what is skipped")]

mod answers;
mod lveval;
mod nocha;
mod reference;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;
mod tables;

use std::{fs, path::Path};

use serde_json::Value;
use storymill_metrics::wordnet::{Files, PartFiles, WordNet};

/// The contents of a golden file.
#[track_caller]
fn read(set: &Path, file: &str) -> String {
    fs::read_to_string(set.join(file)).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A WordNet 3.0 where Debian puts it.
fn wordnet() -> Option<WordNet> {
    let folder = Path::new("/usr/share/wordnet");
    if !folder.join("data.noun").exists() {
        println!("skip: WordNet is not in /usr/share/wordnet");
        return None;
    }
    let part = |name: &str| PartFiles {
        index: fs::read(folder.join(format!("index.{name}"))).unwrap(),
        data: fs::read(folder.join(format!("data.{name}"))).unwrap(),
        exceptions: fs::read(folder.join(format!("{name}.exc"))).unwrap(),
    };
    Some(
        WordNet::parse(Files {
            noun: part("noun"),
            verb: part("verb"),
            adj: part("adj"),
            adv: part("adv"),
        })
        .unwrap(),
    )
}

/// The golden files hold six decimals: equal means equal after the same rounding, or as near as
/// the last digit of a tie allows.
#[track_caller]
fn same(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    let rounded: f64 = format!("{found:.6}").parse().unwrap();
    assert!((rounded - expected).abs() < 1e-9, "{what}: {found} instead of {expected}");
}
