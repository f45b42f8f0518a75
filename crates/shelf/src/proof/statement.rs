//! Public statements, revealed pairs, and what anybody can check of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Digest, Fault, canonical, plural, version};

use super::{
    standing::{Exposed, shown, standing},
    strict,
    tree::{self, Salt},
};
use crate::{Signer, random};

/// The form of statements, of those that do not say who saw pairs and how long they are valid, and of those that nobody signed.
pub(super) const STATEMENT: &str = "storymill statement 3";
const SIGNED: &str = "storymill statement 2";
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
    /// The form: `storymill statement 3`.
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
    /// The last day on which it is to be relied on: `2027-11-28`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<String>,
    /// Pairs that nearly all systems have right, sorted: they tell little of the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saturated: Option<Vec<Digest>>,
    /// Which services were shown which pairs, from which day on; sorted by service and day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposed: Option<Vec<Exposed>>,
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
        signed_line("statement", self)
    }

    /// Whether it is signed by whom it names; none if nobody signed it.
    fn is_signed(&self) -> Option<bool> {
        let (signer, signature) = self.signer.zip(self.signature.as_deref())?;
        Some(is_signed(signer, signature, &self.message()))
    }

    /// Its digest, which the next statement names.
    pub fn digest(&self) -> Digest {
        digest(self)
    }

    /// Reads a statement.
    ///
    /// # Errors
    ///
    /// `Input`: it is none, or of a form that is not known. `Store`: it says that it is one, and is JSON that two readers may
    /// read as two things: a field twice, left out, unknown, or with its value written in another way.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        strict::read(text, &[STATEMENT, SIGNED, UNSIGNED], "a statement")
    }

    /// Its last day, if that has passed, today being a day such as 2026-11-28.
    pub fn is_old(&self, today: &str) -> Option<&str> {
        self.valid_until.as_deref().filter(|last| *last < today)
    }

    /// How new its form is.
    fn form(&self) -> usize {
        [UNSIGNED, SIGNED, STATEMENT].iter().position(|form| *form == self.format).unwrap_or(0)
    }

    /// The statement as people and programs read it.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

/// The digest of something public.
pub(super) fn digest(public: &impl Serialize) -> Digest {
    Digest::of(canonical::json(public).as_bytes())
}

/// The same as people and programs read it.
pub(super) fn text(public: &impl Serialize) -> String {
    serde_json::to_string_pretty(public).expect("it is plain data") + "\n"
}

/// The line that is signed: what it is, and the digest of it without the signature.
pub(super) fn signed_line(what: &str, public: &impl Serialize) -> Vec<u8> {
    let mut unsigned = serde_json::to_value(public).expect("it is plain data");
    unsigned.as_object_mut().map(|fields| fields.remove("signature"));
    format!("storymill {what} {}", digest(&unsigned)).into_bytes()
}

/// Whether somebody has signed a message, by a signature in hexadecimal.
pub(super) fn is_signed(signer: Signer, signature: &str, message: &[u8]) -> bool {
    let bytes = random::unhex::<64>(signature);
    // In capitals it would be another statement by the same signature.
    let bytes = bytes.filter(|bytes| random::hex(bytes) == signature);
    bytes.is_some_and(|bytes| signer.has_signed(message, &bytes))
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
    /// Reads a revealed pair, as strictly as a statement. The message says nothing of what is in it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        strict::read(text, &[REVEAL], "a revealed pair")
    }

    /// The leaf that it is, whether or not a statement has it.
    pub(super) fn leaf(&self) -> Digest {
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
///
/// A revealed pair was held by the statement or by the one before it.
pub fn verify(statement: &Statement, before: Option<&Statement>, reveals: &[Reveal]) -> Verdict {
    let mut verdict = Verdict {
        wrong: [alone(statement), standing(statement)].concat(),
        retired: statement.retired.len() as u64,
        ..Verdict::default()
    };
    if let Some(before) = before {
        let told = alone(before).into_iter().chain(standing(before));
        verdict.wrong.extend(told.map(|wrong| format!("of the statement before it: {wrong}")));
        verdict.wrong.extend(after(statement, before));
        let (old, new) = (leaves(before), leaves(statement));
        verdict.kept = Some(old.intersection(&new).count() as u64);
        verdict.added = Some(new.difference(&old).count() as u64);
    }
    for reveal in reveals {
        match held(reveal, statement, before) {
            Ok(()) => verdict.revealed += 1,
            Err(why) => verdict.wrong.push(format!("a revealed pair {why}")),
        }
    }
    verdict
}

pub(super) fn leaves(statement: &Statement) -> BTreeSet<&Digest> {
    statement.leaves.iter().collect()
}

/// The leaves of the pairs that went.
fn gone(statement: &Statement) -> BTreeSet<&Digest> {
    statement.retired.iter().map(|one| &one.leaf).collect()
}

/// The rules that do not hold.
pub(super) fn broken(rules: &[(bool, &str)]) -> Vec<String> {
    rules.iter().filter(|(holds, _)| !holds).map(|(_, wrong)| (*wrong).to_owned()).collect()
}

/// What does not hold of a statement by itself.
fn alone(statement: &Statement) -> Vec<String> {
    let (signed, is_first) = (statement.is_signed(), statement.number == 1);
    let (leaves, gone) = (leaves(statement), gone(statement));
    let (own, retired) = (version(&statement.version), &statement.retired);
    let went: Vec<_> = retired.iter().map(|one| version(&one.version)).collect();
    let is_unsigned = statement.format == UNSIGNED
        && statement.signers.is_empty()
        && statement.signer.is_none()
        && statement.signature.is_none();
    broken(&[
        (own.is_some(), "the version is not three numbers, as in 1.0.0"),
        (signed != Some(false), "the signature is not that of whom it names"),
        (
            signed.is_some() || statement.format == UNSIGNED,
            "it is of a form that is signed, and nobody signed it",
        ),
        (
            is_unsigned || statement.format != UNSIGNED,
            "it is of a form that nobody signs, and names who signs",
        ),
        (
            !statement.signers.is_empty() || statement.format == UNSIGNED,
            "it does not say who may sign the next one",
        ),
        (
            statement.signers.is_sorted_by(|a, b| a < b),
            "who may sign is not sorted, or named twice",
        ),
        (statement.count == statement.leaves.len() as u64, "the count is not that of the leaves"),
        (
            statement.leaves.is_sorted_by(|a, b| a < b),
            "the leaves are not sorted, or one stands twice",
        ),
        (statement.root == tree::root(&statement.leaves), "the root is not that of the leaves"),
        (leaves.is_disjoint(&gone), "a retired pair is still in the set"),
        (gone.len() == retired.len(), "a pair was retired twice"),
        (
            retired.iter().all(|one| !one.reason.trim().is_empty()),
            "a pair was retired without a reason",
        ),
        (
            went.iter().all(Option::is_some)
                && went.is_sorted()
                && went.last().is_none_or(|last| *last <= own),
            "a pair was retired in a version that is none, or in one that is still to come",
        ),
        (!is_first || retired.is_empty(), "a first statement retires what no statement held"),
        (!statement.canary.is_empty(), "there is no canary"),
        (
            statement.number > 0 && is_first == statement.previous.is_none(),
            "a first statement follows none, and any other follows one",
        ),
    ])
}

/// What does not hold of a statement after the one before it.
fn after(statement: &Statement, before: &Statement) -> Vec<String> {
    let (old, new, gone) = (leaves(before), leaves(statement), gone(statement));
    let is_longer = statement.retired.starts_with(&before.retired);
    let fresh = if is_longer { &statement.retired[before.retired.len()..] } else { &[] };
    let is_kept = |url: &String| statement.send_private_to.contains(url);
    let names = |signer: Signer| before.signers.contains(&signer);
    let told = shown(statement);
    let is_told = |one: &(&str, &str, &Digest)| !new.contains(one.2) || told.contains(one);
    let mut wrong = broken(&[
        (statement.previous == Some(before.digest()), "it does not follow the statement before it"),
        (before.number.checked_add(1) == Some(statement.number), "its number is not the next one"),
        (statement.set == before.set, "it is of another set"),
        (statement.form() >= before.form(), "it is of an older form than the statement before it"),
        (
            version(&statement.version) > version(&before.version),
            "its version is not higher than that of the statement before it",
        ),
        (statement.canary == before.canary, "the canary was minted anew"),
        (
            before.send_private_to.iter().all(is_kept),
            "an endpoint that private text was sent to is no longer told",
        ),
        (
            before.signers.is_empty() || statement.signer.is_some_and(names),
            "it is not signed by one of those whom the statement before it names",
        ),
        (shown(before).iter().all(is_told), "that a service was shown a pair is no longer told"),
        (is_longer, "what was retired before is told otherwise, or no longer"),
        (
            fresh.iter().all(|one| old.contains(&one.leaf)),
            "a pair was retired that the statement before it did not hold",
        ),
        (
            fresh.iter().all(|one| one.version == statement.version),
            "a pair went with this statement, and is said to have gone in another version",
        ),
    ]);
    let lost = old.difference(&new).filter(|leaf| !gone.contains(**leaf)).count();
    if lost > 0 {
        wrong.push(format!("{} gone or changed without a reason", plural(lost as u64, "pair")));
    }
    wrong
}

/// Whether a statement, or the one before it, held a revealed pair; if not, why.
fn held(
    reveal: &Reveal,
    statement: &Statement,
    before: Option<&Statement>,
) -> Result<(), &'static str> {
    let mut both = [Some(statement), before].into_iter().flatten();
    let of = both.find(|one| one.digest() == reveal.statement && one.set == reveal.set);
    let of = of.ok_or("belongs to another statement")?;
    let leaf = reveal.leaf();
    let is_inside = match reveal.at {
        Some(at) => tree::walk(&leaf, at, of.count, &reveal.path) == Some(of.root),
        None => reveal.path.is_empty() && gone(of).contains(&leaf),
    };
    if !is_inside {
        return Err("is not what the set held");
    }
    // That a statement lists a leaf among those that went does not show that it was ever in.
    let is_shown = reveal.at.is_some()
        || before.is_some_and(|before| of != before && leaves(before).contains(&leaf));
    let unshown = "stands among those that went, which does not show that the set ever held it: check it with the last statement that \
                   did, or reveal it anew";
    if is_shown { Ok(()) } else { Err(unshown) }
}
