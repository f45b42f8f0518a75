//! Public statements, revealed pairs, and what anybody can check of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind, canonical, plural};

use super::tree::{self, Salt};
use crate::{Signer, random};

/// The form of statements that are signed, and of those from before.
pub(super) const STATEMENT: &str = "storymill statement 2";
pub(super) const UNSIGNED: &str = "storymill statement 1";
/// The form of revealed pairs.
pub(super) const REVEAL: &str = "storymill reveal 1";

/// A pair that is no longer in the set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// Its leaf.
    pub leaf: Digest,
    /// Why it went, in public words.
    pub reason: String,
    /// The version of the set that no longer has it.
    pub version: String,
}

/// What is said in public of a private set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The form: `storymill statement 2`.
    pub format: String,
    /// The set's name.
    pub set: String,
    /// The set's version.
    pub version: String,
    /// The statement's place in the chain, from 1.
    pub number: u64,
    /// The digest of the statement before it.
    pub previous: Option<Digest>,
    /// How many pairs there are.
    pub count: u64,
    /// The root over all leaves.
    pub root: Digest,
    /// The leaves, sorted: their order tells nothing.
    pub leaves: Vec<Digest>,
    /// Pairs that went, and why. None ever leaves this list.
    pub retired: Vec<Retired>,
    /// The canary of the family, minted once.
    pub canary: String,
    /// The endpoints beyond the maintainers' own machines that may be sent private text.
    pub send_private_to: Vec<String>,
    /// Who may sign the next statement: the maintainers' keys of signatures, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signers: Vec<Signer>,
    /// Who signed this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<Signer>,
    /// The signature (Ed25519) of the line `storymill statement`, a blank, and the digest of the statement without this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

impl Statement {
    /// What is signed.
    pub(super) fn message(&self) -> Vec<u8> {
        let unsigned = Self { signature: None, ..self.clone() };
        format!("storymill statement {}", unsigned.digest()).into_bytes()
    }

    /// Whether it is signed by whom it names; none if nobody signed it.
    fn is_signed(&self) -> Option<bool> {
        let signature = self.signature.as_deref();
        let (signer, signature) = self.signer.zip(signature)?;
        let signature = random::unhex::<64>(signature);
        Some(signature.is_some_and(|signature| signer.has_signed(&self.message(), &signature)))
    }

    /// Its digest, which the next statement names.
    pub fn digest(&self) -> Digest {
        Digest::of(canonical::json(self).as_bytes())
    }

    /// Reads a statement.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let statement: Self = serde_json::from_str(text).map_err(|error| {
            Fault::new(FaultKind::Input, "this is not a statement").because(error)
        })?;
        if ![STATEMENT, UNSIGNED].contains(&&*statement.format) {
            return Err(Fault::new(
                FaultKind::Input,
                "a statement of a form that this version does not know",
            ));
        }
        Ok(statement)
    }

    /// The statement as people and programs read it.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a statement is plain data");
        text + "\n"
    }
}

/// A pair that was revealed, and what shows that the set had it all along.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_debug_implementations, reason = "it holds a pair")]
pub struct Reveal {
    /// The form: `storymill reveal 1`.
    pub format: String,
    /// The set's name.
    pub set: String,
    /// The pair's id.
    pub pair: String,
    /// The salt of its leaf, in hexadecimal.
    pub salt: Digest,
    /// The pair.
    pub content: Value,
    /// The digest of the statement that it is to be checked against.
    pub statement: Digest,
    /// Its place among that statement's leaves; none if the pair is retired.
    pub at: Option<u64>,
    /// The partners on the way from its leaf to the root.
    pub path: Vec<Digest>,
}

impl Reveal {
    /// Reads a revealed pair. The message says nothing of what is in it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let unread = || Fault::new(FaultKind::Input, "this is not a revealed pair");
        let reveal: Self = serde_json::from_str(text).map_err(|_| unread())?;
        if reveal.format == REVEAL { Ok(reveal) } else { Err(unread()) }
    }

    fn leaf(&self) -> Digest {
        let salt = Salt(*self.salt.as_bytes());
        tree::leaf(&self.set, &self.pair, &salt, &canonical::json(&self.content))
    }
}

/// What was found of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What does not hold, each a fragment; none if all holds.
    pub wrong: Vec<String>,
    /// Leaves that the statement before it had too; none without one.
    pub kept: Option<u64>,
    /// Leaves that are new; none without a statement before.
    pub added: Option<u64>,
    /// Leaves that went, with a reason.
    pub retired: u64,
    /// Revealed pairs that the statement holds.
    pub revealed: u64,
}

/// Checks a statement by itself, against the one before it, and with revealed pairs. Needs no shelf.
pub fn verify(statement: &Statement, before: Option<&Statement>, reveals: &[Reveal]) -> Verdict {
    let mut verdict = Verdict { retired: statement.retired.len() as u64, ..Verdict::default() };
    let mut expect = |holds: bool, wrong: &str| {
        if !holds {
            verdict.wrong.push(wrong.to_owned());
        }
    };
    let signed = statement.is_signed();
    expect(signed != Some(false), "the signature is not that of whom it names");
    expect(
        signed.is_some() || statement.format == UNSIGNED,
        "it is of a form that is signed, and nobody signed it",
    );
    let leaves: BTreeSet<&Digest> = statement.leaves.iter().collect();
    let gone: BTreeSet<&Digest> = statement.retired.iter().map(|one| &one.leaf).collect();
    expect(statement.count == statement.leaves.len() as u64, "the count is not that of the leaves");
    expect(
        statement.leaves.is_sorted_by(|a, b| a < b),
        "the leaves are not sorted, or one stands twice",
    );
    expect(statement.root == tree::root(&statement.leaves), "the root is not that of the leaves");
    expect(leaves.is_disjoint(&gone), "a retired pair is still in the set");
    expect(gone.len() == statement.retired.len(), "a pair was retired twice");
    expect(
        statement.retired.iter().all(|one| !one.reason.trim().is_empty()),
        "a pair was retired without a reason",
    );
    expect(!statement.canary.is_empty(), "there is no canary");
    expect(
        (statement.number == 1) == statement.previous.is_none(),
        "a first statement follows none, and any other follows one",
    );
    if let Some(before) = before {
        expect(
            statement.previous == Some(before.digest()),
            "it does not follow the statement before it",
        );
        expect(
            before.number.checked_add(1) == Some(statement.number),
            "its number is not the next one",
        );
        expect(statement.set == before.set, "it is of another set");
        expect(statement.canary == before.canary, "the canary was minted anew");
        expect(
            before.signers.is_empty()
                || statement.signer.is_some_and(|signer| before.signers.contains(&signer)),
            "it is not signed by one of those whom the statement before it names",
        );
        expect(
            statement.retired.starts_with(&before.retired),
            "what was retired before is told otherwise, or no longer",
        );
        let old: BTreeSet<&Digest> = before.leaves.iter().collect();
        let lost = old.difference(&leaves).filter(|leaf| !gone.contains(**leaf)).count();
        expect(
            lost == 0,
            &format!("{} gone or changed without a reason", plural(lost as u64, "pair")),
        );
        verdict.kept = Some(old.intersection(&leaves).count() as u64);
        verdict.added = Some(leaves.difference(&old).count() as u64);
    }
    for reveal in reveals {
        let leaf = reveal.leaf();
        let of_this = reveal.set == statement.set && reveal.statement == statement.digest();
        let inside = match reveal.at {
            Some(at) => {
                tree::walk(&leaf, at, statement.count, &reveal.path) == Some(statement.root)
            }
            None => gone.contains(&leaf),
        };
        if of_this && inside {
            verdict.revealed += 1;
        } else {
            let why =
                if of_this { "is not what the set held" } else { "belongs to another statement" };
            verdict.wrong.push(format!("a revealed pair {why}"));
        }
    }
    verdict
}
