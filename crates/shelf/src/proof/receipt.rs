//! Receipts: signed statements about evaluations of a set, and what anybody can check of them.
//!
//! A receipt lists the leaves of the pairs that were asked, as a statement lists all, so that whoever is shown a pair
//! sees that it was in the set and among those that were asked. Requests and answers are digests: who has the results
//! makes the receipt anew and compares.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Digest, Fault, version};

use super::{
    day::is_day,
    statement::{Reveal, Statement, broken, digest, is_signed, signed_line, text, verify},
    strict, tree,
};
use crate::{Shelf, Signer, random};

/// The form of receipts.
const RECEIPT: &str = "storymill receipt 1";

/// What is said in public of an evaluation of a private set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The form: `storymill receipt 1`.
    pub format: String,
    /// The set's name.
    pub set: String,
    /// The set's version.
    pub version: String,
    /// The digest of the statement that committed to the pairs.
    pub statement: Digest,
    /// That statement's root.
    pub root: Digest,
    /// The leaves of the pairs that were asked, sorted.
    pub asked: Vec<Digest>,
    /// The root over these leaves.
    pub questions: Digest,
    /// What was asked and answered, a results folder each.
    pub results: Vec<Results>,
    /// What each system had right.
    pub scores: Vec<Score>,
    /// The day of the receipt: `2026-11-28`.
    pub date: String,
    /// The program that made it: `storymill 0.1.0`.
    pub program: String,
    /// Who signed it.
    pub signer: Signer,
    /// The signature (Ed25519) of the line `storymill receipt`, a blank, and the digest of the receipt without this field.
    pub signature: String,
}

/// How the answers of a results folder came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The name of the results.
    pub name: String,
    /// The model that was asked; none where rules, a reader or a file answered.
    pub model: Option<Served>,
    /// The options of the step that answered: settings, form, limits.
    pub settings: Value,
    /// The digests of the prompts.
    pub prompts: Vec<Digest>,
    /// A digest over texts, claims and requests, under the shelf's secret: nobody can try guesses on it.
    pub requests: Digest,
    /// A digest over the answers.
    pub answers: Digest,
}

/// A model as it was served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// The maintainers' name for these weights.
    pub id: String,
    /// The name that it was asked by.
    pub name: String,
    /// Scheme, host and port of the endpoint; none if it was on the maintainers' machine.
    pub endpoint: Option<String>,
    /// A digest over all that requests held beside the prompt: temperature, limits, further fields.
    pub parameters: Digest,
}

/// What a system had right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The model, as the report calls it.
    pub model: String,
    /// What was shown.
    pub setting: String,
    /// Pairs of which both claims were answered.
    pub pairs: u64,
    /// Pairs with both claims right.
    pub right: u64,
    /// The share, in millionths.
    pub share_ppm: u64,
    /// The interval of the share, in millionths; none where the report has none.
    pub interval_ppm: Option<[u64; 2]>,
}

impl Score {
    /// The share of pairs that are right, in millionths, to the nearest.
    pub fn share(pairs: u64, right: u64) -> u64 {
        let (pairs, right) = (u128::from(pairs.max(1)), u128::from(right));
        u64::try_from((right * 2_000_000 + pairs) / (2 * pairs)).unwrap_or(u64::MAX)
    }
}

impl Receipt {
    /// A receipt that nobody has signed yet.
    pub fn new(
        statement: &Statement,
        asked: BTreeSet<Digest>,
        (results, scores): (Vec<Results>, Vec<Score>),
        (date, program): (String, String),
    ) -> Self {
        let asked = Vec::from_iter(asked);
        Self {
            format: RECEIPT.to_owned(),
            set: statement.set.clone(),
            version: statement.version.clone(),
            statement: statement.digest(),
            root: statement.root,
            questions: tree::root(&asked),
            asked,
            results,
            scores,
            date,
            program,
            signer: Signer([0; 32]),
            signature: String::new(),
        }
    }

    /// Signed by the maintainer who holds the shelf open.
    #[must_use]
    pub fn signed(mut self, shelf: &Shelf) -> Self {
        let key = shelf.key.signing();
        self.signer = key.signer();
        self.signature = random::hex(&key.sign_bytes(&self.message()));
        self
    }

    /// What is signed.
    fn message(&self) -> Vec<u8> {
        signed_line("receipt", self)
    }

    /// Its digest.
    pub fn digest(&self) -> Digest {
        digest(self)
    }

    /// Whether a text says that it is a receipt.
    pub fn is_one(text: &str) -> bool {
        let value = serde_json::from_str::<Value>(text).unwrap_or_default();
        value["format"].as_str().is_some_and(|form| form.starts_with("storymill receipt "))
    }

    /// Reads a receipt, as strictly as a statement.
    ///
    /// # Errors
    ///
    /// `Input`: it is none, or of a form that is not known. `Store`: two readers may read it as two things.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        strict::read(text, &[RECEIPT], "a receipt")
    }

    /// The receipt as people and programs read it.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// What does not hold of it: by itself, against the statement that it names, and with revealed pairs. Needs no shelf.
    pub fn check(&self, statement: Option<&Statement>, reveals: &[Reveal]) -> Vec<String> {
        let mut wrong = self.alone();
        let Some(statement) = statement else {
            wrong.extend(reveals.iter().map(|_| {
                "a revealed pair is checked with the statement too, and none is here".to_owned()
            }));
            return wrong;
        };
        let told = verify(statement, None, &[]).wrong;
        wrong.extend(told.into_iter().map(|one| format!("of the statement: {one}")));
        wrong.extend(self.against(statement));
        for reveal in reveals {
            let leaf = reveal.leaf();
            if reveal.set != statement.set || statement.leaves.binary_search(&leaf).is_err() {
                wrong.push("a revealed pair is not what the set held".to_owned());
            } else if self.asked.binary_search(&leaf).is_err() {
                wrong.push("a revealed pair was in the set and was not asked".to_owned());
            }
        }
        wrong
    }

    fn alone(&self) -> Vec<String> {
        let names: BTreeSet<_> = self.results.iter().map(|one| &one.name).collect();
        let systems: BTreeSet<_> =
            self.scores.iter().map(|one| (&one.model, &one.setting)).collect();
        let fits = |one: &Score| one.right <= one.pairs && one.pairs <= self.asked.len() as u64;
        let holds = |one: &Score| {
            one.interval_ppm.is_none_or(|[low, high]| low <= one.share_ppm && one.share_ppm <= high)
        };
        broken(&[
            (version(&self.version).is_some(), "the version is not three numbers, as in 1.0.0"),
            (
                is_signed(self.signer, &self.signature, &self.message()),
                "the signature is not that of whom it names",
            ),
            (!self.asked.is_empty(), "no pair was asked"),
            (
                self.asked.is_sorted_by(|a, b| a < b),
                "the pairs that were asked are not sorted, or one stands twice",
            ),
            (
                self.questions == tree::root(&self.asked),
                "the digest of the questions is not that of the pairs that were asked",
            ),
            (
                !self.results.is_empty() && names.len() == self.results.len(),
                "there are no results, or some stand twice",
            ),
            (
                !self.scores.is_empty() && systems.len() == self.scores.len(),
                "there is no score, or a system has two",
            ),
            (
                self.scores.iter().all(fits),
                "more is right than was answered, or more was answered than was asked",
            ),
            (
                self.scores.iter().all(|one| one.share_ppm == Score::share(one.pairs, one.right)),
                "a share is not that of its counts",
            ),
            (self.scores.iter().all(holds), "a share lies outside of its interval"),
            (is_day(&self.date), "the day is not one, as in 2026-11-28"),
        ])
    }

    fn against(&self, statement: &Statement) -> Vec<String> {
        let is_same = self.set == statement.set
            && self.version == statement.version
            && self.root == statement.root
            && self.statement == statement.digest();
        let is_held = |leaf| statement.leaves.binary_search(leaf).is_ok();
        broken(&[
            (is_same, "it is of another statement"),
            (self.asked.iter().all(is_held), "a pair was asked that the statement does not hold"),
            (
                statement.is_old(&self.date).is_none(),
                "the statement was no longer valid on the day of the receipt",
            ),
            (
                statement.signers.contains(&self.signer),
                "it is not signed by one of those whom the statement names",
            ),
        ])
    }

    /// Where a receipt that was made anew from the results says something else. Day, program and signature are its own.
    pub fn differences(&self, again: &Self) -> Vec<String> {
        let mut wrong = broken(&[(self.asked == again.asked, "the results are of other pairs")]);
        for one in &self.results {
            let Some(other) = again.results.iter().find(|other| other.name == one.name) else {
                wrong.push(format!("there are no results `{}`", one.name));
                continue;
            };
            let fields = [
                ("another model", one.model == other.model),
                ("other settings", one.settings == other.settings),
                ("other prompts", one.prompts == other.prompts),
                ("other requests", one.requests == other.requests),
                ("other answers", one.answers == other.answers),
            ];
            let other = fields.into_iter().filter(|(_, is_same)| !is_same);
            wrong.extend(other.map(|(what, _)| format!("the results `{}` have {what}", one.name)));
        }
        let is_other = |one: &&Score| !again.scores.contains(one);
        for Score { model, setting, .. } in self.scores.iter().filter(is_other) {
            wrong.push(format!("the results have another score of `{model}` ({setting})"));
        }
        if again.scores.len() > self.scores.len() {
            wrong.push("the results have scores that are not named".to_owned());
        }
        wrong
    }
}
