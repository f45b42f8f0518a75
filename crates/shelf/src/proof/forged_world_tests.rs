//! Three honest statements of two maintainers, and what a reviewer is given of them.

use std::sync::Arc;

use serde_json::{Value, json};
use storymill_disk::RealDisk;

use crate::{
    Access, Key, Shelf,
    proof::{
        Ledger, Standing,
        statement::{Reveal, Statement, verify},
        tree,
    },
    random,
};

/// What a reviewer is given.
#[derive(Clone)]
pub(in super::super) struct Case {
    pub(in super::super) what: String,
    pub(in super::super) statement: String,
    pub(in super::super) before: Option<String>,
    pub(in super::super) reveal: Option<String>,
}

impl Case {
    pub(in super::super) fn holds(&self) -> bool {
        let read = || {
            let statement = Statement::parse(&self.statement)?;
            let before = self.before.as_deref().map(Statement::parse).transpose()?;
            let reveals = self.reveal.as_deref().map(Reveal::parse).transpose()?;
            Ok::<_, storymill_core::Fault>((statement, before, reveals))
        };
        let Ok((statement, before, reveal)) = read() else { return false };
        let reveals: Vec<Reveal> = reveal.into_iter().collect();
        let verdict = verify(&statement, before.as_ref(), &reveals);
        verdict.wrong.is_empty() && verdict.revealed == reveals.len() as u64
    }
}

/// Three statements of Ann and Bob: a pair goes with the second, another comes with the third.
pub(in super::super) struct World {
    pub(in super::super) ann: Key,
    pub(in super::super) stranger: Key,
    pub(in super::super) chain: Vec<Value>,
    /// Of a pair that is there from the first to the last, and of one that went with the second.
    pub(in super::super) kept: Value,
    pub(in super::super) went: Value,
}

pub(in super::super) fn value(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

impl World {
    pub(in super::super) fn new() -> Self {
        let (ann, bob, stranger) =
            (Key::mint().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let disk = Arc::new(RealDisk);
        let shelf = Shelf::make(folder.path(), disk, &ann, &[bob.recipient()]).unwrap();
        assert_eq!(shelf.access, Access::Change);
        let mut ledger = Ledger::of(&shelf, "family").unwrap().expose().clone();
        let mut pairs: Vec<(String, Value)> = (0..6)
            .map(|at| (format!("n01/{at:04}"), json!({ "true_claim": format!("Zoë \u{7f} {at}") })))
            .collect();
        let endpoints = ["https://one.example".to_owned(), "https://two.example".to_owned()];
        let mut chain = Vec::new();
        for (version, seen) in [("1.0.0", 1), ("1.9.0", 1), ("1.10.0", 2)] {
            match version {
                "1.9.0" => {
                    ledger.retire("n01/0002", "two events in one").unwrap();
                    pairs.remove(2);
                }
                "1.10.0" => pairs.push(("n01/0009".to_owned(), json!({ "number": 7 }))),
                _ => {}
            }
            ledger.state(version, &pairs, "storymill-canary-00", &endpoints[..seen]).unwrap();
            // From the second on it is said what a service was shown.
            let ids = |all: &[&str]| all.iter().map(|id| (*id).to_owned()).collect();
            let mut standing =
                Standing { valid_until: "2027-11-28".to_owned(), ..Standing::default() };
            if version != "1.0.0" {
                let service = ("https://one.example".to_owned(), "2026-11-28".to_owned());
                standing.exposed.insert(service, ids(&["n01/0000", "n01/0001"]));
                standing.saturated = ids(&["n01/0003"]);
            }
            chain.push(value(&ledger.sign(&shelf, &standing).unwrap().unwrap()));
        }
        let reveal = |pair: &str| value(ledger.reveal(pair).unwrap().expose());
        let (kept, went) = (reveal("n01/0001"), reveal("n01/0002"));
        Self { ann, stranger, chain, kept, went }
    }

    /// The statement at a place of the chain, bent and signed by one of the maintainers.
    pub(in super::super) fn case(
        &self,
        at: usize,
        what: &str,
        bend: impl FnOnce(&mut Value),
    ) -> Case {
        let mut bent = self.chain[at].clone();
        bend(&mut bent);
        let before = at.checked_sub(1).map(|at| self.chain[at].to_string());
        let statement = signed(&bent, &self.ann).to_string();
        Case { what: what.to_owned(), statement, before, reveal: None }
    }

    pub(in super::super) fn reveal(&self, what: &str, at: usize, reveal: &Value) -> Case {
        let reveal = Some(reveal.to_string());
        Case { reveal, ..self.case(at, what, |_| {}) }
    }
}

/// A statement, signed as it stands.
pub(in super::super) fn signed(statement: &Value, by: &Key) -> Value {
    signed_as("statement", statement, by)
}

/// A statement or a receipt, signed as it stands.
pub(in super::super) fn signed_as(what: &str, statement: &Value, by: &Key) -> Value {
    let mut statement = statement.clone();
    statement["signer"] = json!(by.signing().signer().to_string());
    let mut bare = statement.clone();
    bare.as_object_mut().unwrap().remove("signature");
    let digest = storymill_core::Digest::of(storymill_core::canonical::json(&bare).as_bytes());
    let message = format!("storymill {what} {digest}");
    statement["signature"] = json!(random::hex(&by.signing().sign_bytes(message.as_bytes())));
    statement
}

/// The root and the count as the leaves have them.
pub(in super::super) fn counted(statement: &mut Value) {
    let leaves: Vec<storymill_core::Digest> =
        serde_json::from_value(statement["leaves"].clone()).unwrap();
    statement["count"] = json!(leaves.len());
    statement["root"] = value(&tree::root(&leaves));
}

pub(in super::super) fn list<'v>(statement: &'v mut Value, field: &str) -> &'v mut Vec<Value> {
    statement[field].as_array_mut().unwrap()
}
