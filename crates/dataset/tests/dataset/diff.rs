//! Two published versions: what changed is found, and nothing else.

use std::path::Path;

use proptest::prelude::*;
use storymill_dataset::{
    Tables,
    diff::{Difference, Finding, Gate, Rows, Step, TableChange, Verdict, gates},
    publish,
};
use tempfile::TempDir;

use crate::support::{TestDisk, Work, publication, texts, with_texts, work};

fn works() -> Vec<Work> {
    vec![work("b1", 1, 4, 600), work("b2", 2, 3, 500), work("b3", 3, 2, 700)]
}

fn published(works: &[Work]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let (spec, shelf) = publication(works);
    let spec = with_texts(spec);
    publish(&spec, &Tables::standard(), &shelf, &TestDisk::sound(), folder.path()).unwrap();
    folder
}

fn diff(old: &[Work], new: &[Work]) -> Difference {
    storymill_dataset::diff::diff(published(old).path(), published(new).path()).unwrap()
}

fn table<'d>(difference: &'d Difference, config: &str) -> &'d TableChange {
    difference.tables.iter().find(|table| table.config == config).unwrap()
}

#[test]
fn nothing_changed() {
    let same = diff(&works(), &works());
    assert_eq!((same.verdict, same.step), (Verdict::Same, Step::None));
    assert!(same.tables.iter().all(TableChange::is_same));
    let rows = table(&same, "scenes").rows();
    assert_eq!(rows, Rows { same: 9, ..Rows::default() });
}

#[test]
fn another_answer_is_breaking_and_listed() {
    let mut new = works();
    texts(&mut new[0].questions[2])[1].push_str(" And so it was.");
    let found = diff(&works(), &new);
    assert_eq!((found.verdict, found.step), (Verdict::Breaking, Step::Major));
    let [answer] = &found.answers[..] else { panic!("{:?}", found.answers) };
    assert_eq!((answer.id.as_str(), answer.column.as_str()), ("b1/0002/d0/reconstruct", "answer"));
    assert_eq!(answer.new, format!("{} And so it was.", answer.old.as_str().unwrap()));
    let changed = table(&found, "reconstruction");
    assert_eq!(changed.splits["train"], Rows { changed: 1, same: 3, ..Rows::default() });
    assert_eq!(changed.cells.keys().collect::<Vec<_>>(), ["answer"]);
    assert_eq!(found.samples.len(), 1);
    assert!(found.tables.iter().filter(|t| t.config != "reconstruction").all(TableChange::is_same));
}

#[test]
fn another_question_is_a_patch() {
    let mut new = works();
    new[1].questions[0].0.task = "Put it right.".to_owned();
    let found = diff(&works(), &new);
    assert_eq!((found.verdict, found.step), (Verdict::Differs, Step::Patch));
    let [sample] = &found.samples[..] else { panic!("one") };
    assert_eq!(sample.cells[0].0, "question");
    assert_eq!(sample.cells[0].2, "Put it right.");
}

#[test]
fn one_more_book_is_a_minor_step_and_one_less_a_major() {
    let mut more = works();
    more.push(work("b4", 4, 5, 300));
    let found = diff(&works(), &more);
    assert_eq!((found.verdict, found.step), (Verdict::Differs, Step::Minor));
    assert_eq!(table(&found, "scenes").rows(), Rows { added: 5, same: 9, ..Rows::default() });
    let found = diff(&more, &works());
    assert_eq!((found.verdict, found.step), (Verdict::Breaking, Step::Major));
    assert_eq!(table(&found, "scenes").rows(), Rows { removed: 5, same: 9, ..Rows::default() });
}

#[test]
fn a_book_that_moves_to_another_split_is_breaking() {
    let mut moved = works();
    moved.swap(0, 1);
    let found = diff(&works(), &moved);
    assert_eq!(found.verdict, Verdict::Breaking);
    let rows = table(&found, "scenes").rows();
    assert_eq!((rows.moved, rows.added, rows.removed), (7, 0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Whatever questions are changed and left out, these are found, and nothing else.
    #[test]
    fn what_changed_is_found(
        changed in prop::collection::btree_set(0_usize..12, 0..6),
        removed in prop::collection::btree_set(0_usize..12, 0..6),
    ) {
        let old = vec![work("b1", 1, 12, 200), work("b2", 2, 3, 200)];
        let mut new = vec![work("b1", 1, 12, 200), work("b2", 2, 3, 200)];
        for at in &changed {
            texts(&mut new[0].questions[*at])[0].push_str(" Rain came.");
        }
        let mut at = 0;
        new[0].questions.retain(|_| { at += 1; !removed.contains(&(at - 1)) });
        let found = diff(&old, &new);
        let rows = table(&found, "reconstruction").rows();
        let expected = changed.difference(&removed).count() as u64;
        prop_assert_eq!(rows.changed, expected);
        prop_assert_eq!(rows.removed, removed.len() as u64);
        prop_assert_eq!(rows.same, 15 - expected - removed.len() as u64);
        prop_assert_eq!(found.samples.len() as u64, expected.min(5));
        let verdict = match (removed.is_empty(), expected) {
            (false, _) => Verdict::Breaking,
            (true, 0) => Verdict::Same,
            _ => Verdict::Differs,
        };
        prop_assert_eq!(found.verdict, verdict);
    }
}

fn broken(works: &[Work], change: impl FnOnce(&Path)) -> Vec<Finding> {
    let folder = published(works);
    change(folder.path());
    gates(folder.path()).unwrap()
}

#[test]
fn each_gate_finds_what_breaks_it() {
    assert_eq!(broken(&works(), |_| {}), []);
    let of = |findings: Vec<Finding>| -> Vec<Gate> {
        let mut gates: Vec<_> = findings.into_iter().map(|finding| finding.gate).collect();
        gates.dedup();
        gates
    };
    let mut copied = works();
    let twin = copied[0].questions[0].clone();
    copied[0].questions.push(twin);
    assert_eq!(of(broken(&copied, |_| {})), [Gate::Ids]);

    let mut licence = works();
    licence[0].book.text.push_str("\n*** END OF THE PROJECT GUTENBERG EBOOK ***");
    licence[1].book.rights = "Copyrighted. Read the copyright notice inside this book".to_owned();
    assert_eq!(of(broken(&licence, |_| {})), [Gate::Rights, Gate::Boilerplate]);

    let twins = vec![work("b1", 1, 4, 600), work("b2", 1, 4, 600)];
    assert_eq!(of(broken(&twins, |_| {})), [Gate::Splits, Gate::Duplicates]);

    let stranger = |folder: &Path| {
        let file = folder.join("scenes/train-00000-of-00001.parquet");
        std::fs::copy(file, folder.join("scenes/train-00001-of-00001.parquet")).unwrap();
    };
    assert_eq!(of(broken(&works(), stranger)), [Gate::Strangers]);

    let mut twice = works();
    let question = twice[1].questions[0].clone();
    let mut stray = question.clone();
    stray.0.id = "b1/9999/d0/reconstruct".to_owned();
    twice[0].questions.push(stray);
    assert_eq!(of(broken(&twice, |_| {})), [Gate::Splits], "a book in two splits");

    let fewer = |folder: &Path| {
        let manifest = folder.join("manifest.json");
        let text = std::fs::read_to_string(&manifest).unwrap();
        std::fs::write(&manifest, text.replacen("\"rows\": 4,", "\"rows\": 5,", 1)).unwrap();
    };
    assert_eq!(of(broken(&works(), fewer)), [Gate::Counts]);

    let canary = |folder: &Path| {
        let manifest = folder.join("manifest.json");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let other =
            text.replace("storymill-test-canary-7b0e4d1c", "storymill-test-canary-00000000");
        std::fs::write(manifest, other).unwrap();
    };
    assert_eq!(of(broken(&works(), canary)), [Gate::Canary]);
}
