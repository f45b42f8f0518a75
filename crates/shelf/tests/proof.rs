//! Laws of statements: what was committed cannot be changed unseen, and tells nothing.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use storymill_core::Digest;
use storymill_disk::RealDisk;
use storymill_shelf::{
    Access, Key, Shelf,
    proof::{Ledger, Reveal, Standing, Statement, verify},
};

const CANARY: &str = "storymill-canary-00";

fn pair(number: u32, told: &str) -> (String, Value) {
    let id = format!("n01/{number:04}");
    (
        id.clone(),
        json!({ "id": id, "true_claim": format!("It is {told}."), "false_claim": "It is not." }),
    )
}

fn ledger() -> Ledger {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::make(folder.path(), Arc::new(RealDisk), &Key::mint().unwrap(), &[]).unwrap();
    let ledger = Ledger::of(&shelf, "family").unwrap();
    ledger.expose().clone()
}

/// What others get is text.
fn read(statement: &Statement) -> Statement {
    Statement::parse(&statement.to_text()).unwrap()
}

fn told(reveal: &Reveal) -> Reveal {
    Reveal::parse(&serde_json::to_string(reveal).unwrap()).unwrap()
}

#[test]
fn a_set_grows_loses_and_reveals_in_public() {
    let mut ledger = ledger();
    let mut pairs: Vec<_> = (0..7).map(|number| pair(number, "so")).collect();
    let first = ledger.state("1.0.0", &pairs, CANARY, &[]).unwrap();
    assert_eq!((first.count, verify(&read(&first), None, &[]).wrong.len()), (7, 0));

    // A pair that goes, or is written anew, without a word.
    let changed: Vec<_> =
        std::iter::once(pair(0, "otherwise")).chain(pairs[1..].to_vec()).collect();
    for silent in [&pairs[1..], &changed[..]] {
        let fault = ledger.state("1.1.0", silent, CANARY, &[]).unwrap_err();
        assert!(fault.to_string().contains("nobody has said why"), "{fault}");
        assert!(!fault.to_string().contains("otherwise"));
    }
    ledger.retire("n01/0000", "not minimal").unwrap();
    assert!(ledger.retire("n01/0000", "again").is_err());
    assert!(ledger.retire("n01/9999", "never there").is_err());
    assert!(ledger.state("1.1.0", &pairs, CANARY, &[]).is_err(), "it is still in the set");
    pairs.remove(0);
    pairs.push(pair(7, "new"));
    let second =
        ledger.state("1.1.0", &pairs, CANARY, &["https://models.example".to_owned()]).unwrap();
    let verdict = verify(&read(&second), Some(&read(&first)), &[]);
    assert_eq!(verdict.wrong, [""; 0]);
    assert_eq!((verdict.kept, verdict.added, verdict.retired), (Some(6), Some(1), 1));

    for id in ["n01/0003", "n01/0007", "n01/0000"] {
        let reveal = ledger.reveal(id).unwrap();
        let sound = verify(&second, Some(&first), &[told(reveal.expose())]);
        assert_eq!((sound.wrong.len(), sound.revealed), (0, 1), "{id}");
        let mut other = told(reveal.expose());
        other.content["true_claim"] = json!("It was always otherwise.");
        assert_eq!(verify(&second, None, &[other]).revealed, 0);
        let mut other = told(reveal.expose());
        other.salt = Digest::of(b"other");
        assert_eq!(verify(&second, None, &[other]).revealed, 0);
        // One that went is held by the statement before.
        let held = usize::from(id == "n01/0000");
        let verdict = verify(&first, None, &[told(reveal.expose())]);
        assert_eq!((verdict.revealed as usize, verdict.wrong.len()), (held, 1 - held), "{id}");
        let verdict = verify(&second, None, &[told(reveal.expose())]);
        assert_eq!((verdict.revealed as usize, verdict.wrong.len()), (1 - held, held), "{id}");
    }
}

#[test]
fn every_change_of_a_statement_is_seen() {
    let mut ledger = ledger();
    let mut pairs: Vec<_> = (0..5).map(|number| pair(number, "so")).collect();
    let first = ledger.state("1.0.0", &pairs, CANARY, &[]).unwrap();
    ledger.retire("n01/0001", "two events").unwrap();
    pairs.remove(1);
    let second = ledger.state("1.1.0", &pairs, CANARY, &[]).unwrap();
    ledger.retire("n01/0002", "subjective").unwrap();
    pairs.remove(1);
    let third = ledger.state("1.2.0", &pairs, CANARY, &[]).unwrap();
    assert_eq!(verify(&third, Some(&second), &[]).wrong, [""; 0]);
    let changes: [fn(&mut Statement); 11] = [
        |one| one.count += 1,
        |one| one.leaves[0] = Digest::of(b"other"),
        |one| one.leaves.truncate(one.leaves.len() - 1),
        |one| one.leaves.swap(0, 1),
        |one| one.root = Digest::of(b"other"),
        |one| one.number += 1,
        |one| one.previous = None,
        |one| one.retired.clear(),
        |one| one.retired[0].reason = "for another reason".to_owned(),
        |one| one.canary = "another".to_owned(),
        |one| one.set = "another".to_owned(),
    ];
    for (at, change) in changes.iter().enumerate() {
        let mut other = third.clone();
        change(&mut other);
        assert!(!verify(&other, Some(&second), &[]).wrong.is_empty(), "change {at}");
    }
    // A chain that leaves one out, or begins anew.
    assert!(!verify(&third, Some(&first), &[]).wrong.is_empty());
    let mut other = second.clone();
    other.version = "1.1.1".to_owned();
    assert!(!verify(&third, Some(&other), &[]).wrong.is_empty());
    // A number that none follows.
    let last = Statement { number: u64::MAX, ..second.clone() };
    let wrong = verify(&third, Some(&last), &[]).wrong;
    assert!(wrong.contains(&"its number is not the next one".to_owned()), "{wrong:?}");
}

#[test]
fn a_statement_says_nothing_of_the_claims_and_guessing_does_not_help() {
    let (mut one, mut other) = (ledger(), ledger());
    let pairs = [pair(0, "so")];
    let statement = one.state("1.0.0", &pairs, CANARY, &[]).unwrap();
    let text = statement.to_text();
    assert!(!text.contains("n01") && !text.contains("It is"), "{text}");
    // The same pair in the same set, committed by somebody else, is another leaf.
    assert_ne!(other.state("1.0.0", &pairs, CANARY, &[]).unwrap().leaves, statement.leaves);
}

#[test]
fn what_is_no_statement_is_told_so() {
    for text in ["", "{}", "[]", "{\"format\": \"storymill statement 1\"}"] {
        assert!(Statement::parse(text).is_err() && Reveal::parse(text).is_err(), "{text}");
    }
    let mut ledger = ledger();
    assert!(ledger.reveal("n01/0000").is_err());
    assert!(ledger.retire("n01/0000", " ").is_err());
    let twice = [pair(0, "so"), pair(0, "otherwise")];
    assert!(ledger.state("1.0.0", &twice, CANARY, &[]).is_err());
    let mut statement = ledger.state("1.0.0", &[], CANARY, &[]).unwrap();
    assert_eq!(verify(&statement, None, &[]).wrong, [""; 0]);
    statement.format = "storymill statement 4".to_owned();
    assert!(Statement::parse(&statement.to_text()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_was_committed_stays_stays_or_is_retired(steps in proptest::collection::vec((0..12_u32, any::<bool>()), 1..20)) {
        let mut ledger = ledger();
        let mut pairs = std::collections::BTreeMap::<u32, Value>::new();
        let mut before: Option<Statement> = None;
        for (at, (number, goes)) in steps.into_iter().enumerate() {
            let id = format!("n01/{number:04}");
            if goes {
                if pairs.remove(&number).is_some() {
                    ledger.retire(&id, "it was time").unwrap();
                }
            } else {
                pairs.entry(number).or_insert_with(|| pair(number, &at.to_string()).1);
            }
            let all: Vec<_> = pairs.iter().map(|(number, pair)| (format!("n01/{number:04}"), pair.clone())).collect();
            let now = ledger.state(&format!("1.{at}.0"), &all, CANARY, &[]).unwrap();
            let verdict = verify(&now, before.as_ref(), &[]);
            prop_assert_eq!(&verdict.wrong, &Vec::<String>::new());
            prop_assert_eq!(now.count as usize, pairs.len());
            for (id, content) in &all {
                let reveal = ledger.reveal(id).unwrap();
                prop_assert_eq!(&reveal.expose().content, content);
                prop_assert_eq!(verify(&now, None, &[told(reveal.expose())]).revealed, 1);
            }
            before = Some(now);
        }
    }
}

#[test]
fn signatures_go_from_one_maintainer_to_the_next() {
    let (folder, ann, bob) =
        (tempfile::tempdir().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
    let disk = Arc::new(RealDisk);
    let shelf = Shelf::make(folder.path(), disk.clone(), &ann, &[bob.recipient()]).unwrap();
    let mut ledger = Ledger::of(&shelf, "family").unwrap();
    let pairs = [pair(1, "so"), pair(2, "so")];
    let standing = Standing { valid_until: "2027-11-28".to_owned(), ..Standing::default() };
    let mut state = |shelf: &Shelf, version: &str| {
        let may = ledger.expose().may_sign(shelf);
        assert_eq!(may.is_err(), version == "1.2.0", "{may:?}");
        ledger.expose_mut().state(version, &pairs, CANARY, &[]).unwrap();
        ledger.expose_mut().sign(shelf, &standing).unwrap().unwrap()
    };
    let first = state(&shelf, "1.0.0");
    assert_eq!(first.signers.len(), 2);
    drop(shelf);
    let shelf = Shelf::open(folder.path(), disk.clone(), &bob, Access::Change).unwrap();
    let second = state(&shelf, "1.1.0");
    drop(shelf);
    // Whoever has another shelf signs for it and not for this one.
    let (other, mallory) = (tempfile::tempdir().unwrap(), Key::mint().unwrap());
    let shelf = Shelf::make(other.path(), disk, &mallory, &[]).unwrap();
    let forged = state(&shelf, "1.2.0");
    assert_eq!(verify(&read(&first), None, &[]).wrong, [""; 0]);
    assert_eq!(verify(&read(&second), Some(&read(&first)), &[]).wrong, [""; 0]);
    let wrong = verify(&forged, Some(&second), &[]).wrong;
    assert_eq!(wrong, ["it is not signed by one of those whom the statement before it names"]);
    let changes: [&dyn Fn(&mut Statement); 4] = [
        &|one| one.version = "9.0.0".to_owned(),
        &|one| one.signer = first.signer,
        &|one| one.signers.truncate(1),
        &|one| one.signature = Some("00".repeat(64)),
    ];
    for change in changes {
        let mut other = second.clone();
        change(&mut other);
        let wrong = verify(&other, None, &[]).wrong;
        assert_eq!(wrong, ["the signature is not that of whom it names"]);
    }
    let mut bare = second.clone();
    (bare.signature, bare.signer) = (None, None);
    assert_eq!(verify(&bare, Some(&first), &[]).wrong.len(), 2);
}

#[test]
fn a_version_is_stated_once_and_a_reason_can_be_taken_back() {
    let mut ledger = ledger();
    let pairs: Vec<_> = (0..3).map(|number| pair(number, "so")).collect();
    ledger.state("1.0.0", &pairs, CANARY, &[]).unwrap();
    let fault = ledger.state("1.0.0", &pairs, CANARY, &[]).unwrap_err();
    assert!(fault.to_string().contains("statement 1 is of version 1.0.0 already"), "{fault}");
    let fault = ledger.state("1.1.0", &pairs[1..], CANARY, &[]).unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("1 committed pair is gone or changed, and nobody has said why: n01/0000"),
        "{fault}"
    );
    assert!(ledger.undo_retire("n01/0000").is_err());
    ledger.retire("n01/0000", "not minimal").unwrap();
    let fault = ledger.state("1.1.0", &pairs, CANARY, &[]).unwrap_err();
    assert!(
        fault.to_string().contains("`n01/0000` was retired, and is still in the set"),
        "{fault}"
    );
    ledger.undo_retire("n01/0000").unwrap();
    assert!(ledger.undo_retire("n01/0000").is_err());
    ledger.state("1.1.0", &pairs, CANARY, &[]).unwrap();
    ledger.retire("n01/0000", "not minimal").unwrap();
    ledger.state("1.2.0", &pairs[1..], CANARY, &[]).unwrap();
    assert!(ledger.undo_retire("n01/0000").is_err(), "what was said in public stays said");
    let fault = ledger.retire("n01/0000", "again").unwrap_err().to_string();
    assert!(fault.contains("`n01/0000` went with statement 3"), "{fault}");
}
