//! What a maintainer keeps of a set's commitments, sealed: salts, contents, reasons, statements.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind, canonical, few, nearest, version as numbers};
use zeroize::Zeroize;

use super::{
    standing::{Exposed, Standing},
    statement::{REVEAL, Retired, Reveal, STATEMENT, Statement, UNSIGNED},
    tree::{self, Salt},
};
use crate::{Change, Private, Shelf, Signer, random};

/// So many pairs are named in a message.
const TOLD: usize = 10;

/// A pair as it was committed.
#[derive(Clone, Serialize, Deserialize)]
#[expect(missing_debug_implementations, reason = "it holds a pair and its salt")]
pub struct Committed {
    pair: String,
    salt: Digest,
    content: String,
    /// Why it went, once it has been said.
    #[serde(default)]
    reason: Option<String>,
}

/// The commitments of one set: every pair that it ever had.
#[derive(Clone, Default, Serialize, Deserialize)]
#[expect(missing_debug_implementations, reason = "it holds pairs and their salts")]
pub struct Ledger {
    set: String,
    committed: BTreeMap<Digest, Committed>,
    statements: Vec<Statement>,
}

/// A line of the ledger, under an id of its own: two who add to it apart add lines.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    committed: Option<Committed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    statement: Option<Statement>,
}

/// What a line of a ledger says: the reason why a pair goes, or a statement.
pub(crate) fn said(line: &[u8]) -> Option<String> {
    let Line { committed, statement, .. } = serde_json::from_slice(line).ok()?;
    let reason = committed.map(|one| {
        one.reason
            .map_or_else(|| "no reason".to_owned(), |reason| format!("\u{201c}{reason}\u{201d}"))
    });
    let stated = |one: Statement| format!("version {} with {} pairs", one.version, one.count);
    reason.or_else(|| statement.map(stated))
}

fn other_version() -> Fault {
    Fault::new(FaultKind::Store, "the commitments on the shelf are of another version")
}

impl Zeroize for Ledger {
    fn zeroize(&mut self) {
        for (_, mut committed) in std::mem::take(&mut self.committed) {
            committed.pair.zeroize();
            committed.content.zeroize();
        }
    }
}

impl Ledger {
    /// The ledger of a set, as it lies in a shelf; empty where there is none.
    pub fn of(shelf: &Shelf, set: &str) -> Result<Private<Self>, Fault> {
        let mut ledger = Private::new(Self { set: set.to_owned(), ..Self::default() });
        let Some(bytes) = shelf.read(&name(set))? else { return Ok(ledger) };
        // Earlier versions kept it in one piece.
        if let Ok(before) = serde_json::from_slice::<Self>(bytes.expose()) {
            return Ok(Private::new(before));
        }
        let own = ledger.expose_mut();
        for line in bytes.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line: Line = serde_json::from_slice(line).map_err(|_| other_version())?;
            if let Some(committed) = line.committed {
                own.committed.insert(line.id.parse().map_err(|_| other_version())?, committed);
            }
            own.statements.extend(line.statement);
        }
        own.statements.sort_by_key(|one| one.number);
        Ok(ledger)
    }

    /// Keeps the ledger in a shelf.
    pub fn keep(&self, shelf: &Shelf) -> Result<(), Fault> {
        shelf.change(|change| self.keep_in(change))
    }

    /// Keeps the ledger, as a part of a change.
    pub fn keep_in(&self, change: &mut Change<'_>) -> Result<(), Fault> {
        let committed = self.committed.iter().map(|(leaf, one)| Line {
            id: leaf.to_string(),
            committed: Some(one.clone()),
            statement: None,
        });
        let statements = self.statements.iter().map(|one| Line {
            id: format!("statement {}", one.number),
            committed: None,
            statement: Some(one.clone()),
        });
        let mut bytes = Private::new(Vec::new());
        for line in committed.chain(statements) {
            let line = serde_json::to_vec(&line).map(Private::new);
            let failed = |_| Fault::new(FaultKind::Internal, "cannot write the commitments");
            bytes.expose_mut().extend_from_slice(line.map_err(failed)?.expose());
            bytes.expose_mut().push(b'\n');
        }
        change.put(&name(&self.set), bytes.expose())
    }

    /// The pair that a leaf commits to.
    pub(crate) fn pair(&self, leaf: &str) -> Option<&str> {
        Some(&self.committed.get(&leaf.parse().ok()?)?.pair)
    }

    /// The statements made so far, in their order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// A statement by its digest, the last one if none is named, and the leaf of each of its pairs by id.
    pub fn committed(
        &self,
        statement: Option<&Digest>,
    ) -> Option<(&Statement, BTreeMap<&str, Digest>)> {
        let is_named = |one: &&Statement| statement.is_none_or(|named| one.digest() == *named);
        let of = self.statements.iter().rev().find(is_named)?;
        let leaf = |leaf: &Digest| Some((self.committed.get(leaf)?.pair.as_str(), *leaf));
        Some((of, of.leaves.iter().filter_map(leaf).collect()))
    }

    /// Whether the last statement is of these pairs, as they are.
    pub fn is_current(&self, pairs: &[(String, Value)]) -> bool {
        let held = |(id, content): &(String, Value)| {
            let content = canonical::json(content);
            self.of_last(id, |old| old.content == content)
        };
        self.current().len() == pairs.len() && pairs.iter().all(held)
    }

    /// Says why a pair is no longer in the set, or no longer as it was. It stays secret until it is
    /// revealed; the reason is public.
    pub fn retire(&mut self, pair: &str, reason: &str) -> Result<(), Fault> {
        if reason.trim().is_empty() {
            return Err(Fault::new(
                FaultKind::Input,
                "the reason is blank: say why the pair is retired",
            ));
        }
        if !self.say_why(pair, Some(reason.trim())) {
            return Err(self.unknown(pair));
        }
        Ok(())
    }

    /// Takes back what was said of a pair, as long as no statement has said it.
    pub fn undo_retire(&mut self, pair: &str) -> Result<(), Fault> {
        if self.say_why(pair, None) {
            return Ok(());
        }
        let message = format!("nothing was said of `{pair}` that could be taken back");
        let hint = "what a statement has said stays said; a pair that comes back is committed anew";
        Err(Fault::new(FaultKind::Input, message).hint(hint))
    }

    /// Says of a pair of the last statement why it goes, or takes that back; whether there is one of which it was not so.
    fn say_why(&mut self, pair: &str, reason: Option<&str>) -> bool {
        let current = self.current();
        let found = self.committed.iter_mut().find(|(leaf, one)| {
            one.pair == pair && current.contains(*leaf) && one.reason.is_some() != reason.is_some()
        });
        found.map(|(_, one)| one.reason = reason.map(str::to_owned)).is_some()
    }

    /// Whether the last statement commits to a pair of this id.
    pub fn holds(&self, pair: &str) -> bool {
        self.of_last(pair, |_| true)
    }

    /// Whether it was said why a pair of the last statement goes.
    pub fn is_retired(&self, pair: &str) -> bool {
        self.of_last(pair, |one| one.reason.is_some())
    }

    /// Whether it was said why a pair of the last statement goes, and it is still as it was then: one that was changed
    /// since is another one.
    pub fn retires(&self, pair: &str, content: &Value) -> bool {
        let content = canonical::json(content);
        self.of_last(pair, |one| one.reason.is_some() && one.content == content)
    }

    /// Whether the last statement commits to a pair of this id, of which something holds.
    fn of_last(&self, pair: &str, holds: impl Fn(&Committed) -> bool) -> bool {
        let last = self.statements.last().map_or(&[][..], |last| &last.leaves);
        let mut all = self.committed.iter().filter(|(_, one)| one.pair == pair && holds(one));
        all.any(|(leaf, _)| last.binary_search(leaf).is_ok())
    }

    /// Signs the last statement as the maintainer who holds the shelf open, with how its pairs stand.
    pub fn sign(&mut self, shelf: &Shelf, standing: &Standing) -> Result<Option<Statement>, Fault> {
        let Some((_, of)) = self.committed(None) else { return Ok(None) };
        let leaves = |pairs: &BTreeSet<String>| {
            let mut all: Vec<Digest> =
                pairs.iter().filter_map(|pair| of.get(pair.as_str()).copied()).collect();
            all.sort_unstable();
            all
        };
        let saturated = leaves(&standing.saturated);
        let exposed = standing.exposed.iter().map(|((service, since), pairs)| Exposed {
            service: service.clone(),
            since: since.clone(),
            leaves: leaves(pairs),
        });
        let exposed: Vec<Exposed> = exposed.filter(|one| !one.leaves.is_empty()).collect();
        let Some(last) = self.statements.last_mut() else { return Ok(None) };
        STATEMENT.clone_into(&mut last.format);
        last.valid_until = Some(standing.valid_until.clone());
        (last.saturated, last.exposed) = (Some(saturated), Some(exposed));
        last.signers = shelf.signers()?;
        last.signer = Some(shelf.key.signing().signer());
        last.signature = Some(random::hex(&shelf.key.signing().sign_bytes(&last.message())));
        Ok(Some(last.clone()))
    }

    /// Refuses whom the last statement does not name: nobody would take what they sign for its next.
    pub fn may_sign(&self, shelf: &Shelf) -> Result<(), Fault> {
        let signer = shelf.key.signing().signer();
        let last = self.statements.last().filter(|last| !last.signers.is_empty());
        let Some(last) = last.filter(|last| !last.signers.contains(&signer)) else { return Ok(()) };
        let message = format!(
            "statement {} does not name your key among those that may sign the next one",
            last.number
        );
        Err(Fault::new(FaultKind::Input, message)
            .hint("a maintainer whom it names makes the next statement, which then names you too"))
    }

    /// The last statement, where it says just what would be said now: one that was made, and may not have been printed.
    pub fn said(
        &self,
        version: &str,
        pairs: &[(String, Value)],
        send_private_to: &[String],
        signers: &[Signer],
    ) -> Option<&Statement> {
        let last = self.statements.last()?;
        let is_retired = last.leaves.iter().any(|leaf| self.committed[leaf].reason.is_some());
        let is_same = last.version == version
            && last.send_private_to == send_private_to
            && last.signers == signers
            && last.signature.is_some();
        (is_same && !is_retired && self.is_current(pairs)).then_some(last)
    }

    /// Commits to the pairs of a version, in a new statement; nobody has signed it yet.
    ///
    /// # Errors
    ///
    /// A pair that was committed is gone or changed, and nobody has said why; one that was retired is
    /// still there as it was; two pairs have one id; the version is none, or not higher than that of the last statement.
    pub fn state(
        &mut self,
        version: &str,
        pairs: &[(String, Value)],
        canary: &str,
        send_private_to: &[String],
    ) -> Result<Statement, Fault> {
        let number = numbers(version).ok_or_else(|| {
            Fault::new(FaultKind::Input, "the version of a set is three numbers: 1.0.0")
        })?;
        if let Some(one) =
            self.statements.iter().rev().find(|one| numbers(&one.version) >= Some(number))
        {
            let message = format!("statement {} is of version {} already", one.number, one.version);
            return Err(
                Fault::new(FaultKind::Input, message).hint("give this one a higher version")
            );
        }
        let mut seen = BTreeSet::new();
        if let Some((pair, _)) = pairs.iter().find(|(pair, _)| !seen.insert(pair)) {
            let message = format!("two pairs of the set have the id `{pair}`");
            return Err(Fault::new(FaultKind::Input, message));
        }
        let current = self.current();
        let mut leaves = BTreeSet::new();
        let mut fresh = Vec::new();
        for (pair, content) in pairs {
            let content = canonical::json(content);
            let same = |(leaf, old): &(&Digest, &Committed)| {
                current.contains(*leaf) && old.pair == *pair && old.content == content
            };
            if let Some((leaf, old)) = self.committed.iter().find(same) {
                if old.reason.is_some() {
                    let message =
                        format!("`{pair}` was retired, and is still in the set as it was");
                    return Err(Fault::new(FaultKind::Input, message).hint(
                        "`storymill claims remove SET PAIR --reason TEXT` takes it out; `storymill shelf state SET --retire PAIR --undo` takes the reason back",
                    ));
                }
                leaves.insert(*leaf);
                continue;
            }
            let salt = random::bytes::<32>()?;
            let leaf = tree::leaf(&self.set, pair, &Salt(salt), &content);
            leaves.insert(leaf);
            let salt = Digest::from(salt);
            fresh.push((leaf, Committed { pair: pair.clone(), salt, content, reason: None }));
        }
        let mut retired: Vec<Retired> =
            self.statements.last().map(|last| last.retired.clone()).unwrap_or_default();
        let mut unsaid = Vec::new();
        for leaf in current.difference(&leaves) {
            match &self.committed[leaf].reason {
                Some(reason) => retired.push(Retired {
                    leaf: *leaf,
                    reason: reason.clone(),
                    version: version.to_owned(),
                }),
                None => unsaid.push(self.committed[leaf].pair.as_str()),
            }
        }
        if !unsaid.is_empty() {
            unsaid.sort_unstable();
            let count = unsaid.len();
            let pairs = if count == 1 {
                "1 committed pair is"
            } else {
                &format!("{count} committed pairs are")
            };
            let named = few(unsaid, TOLD);
            let message = format!("{pairs} gone or changed, and nobody has said why: {named}");
            return Err(Fault::new(FaultKind::Input, message).hint(
                "`storymill shelf state SET --retire PAIR --reason TEXT` says it; the reason is public",
            ));
        }
        let leaves: Vec<Digest> = leaves.into_iter().collect();
        let statement = Statement {
            format: UNSIGNED.to_owned(),
            set: self.set.clone(),
            version: version.to_owned(),
            number: self.statements.len() as u64 + 1,
            previous: self.statements.last().map(Statement::digest),
            count: leaves.len() as u64,
            root: tree::root(&leaves),
            leaves,
            retired,
            canary: canary.to_owned(),
            send_private_to: send_private_to.to_vec(),
            valid_until: None,
            saturated: None,
            exposed: None,
            signers: Vec::new(),
            signer: None,
            signature: None,
        };
        self.committed.extend(fresh);
        self.statements.push(statement.clone());
        Ok(statement)
    }

    /// A pair with what shows that a statement holds it: the last one, or the last one that did.
    pub fn reveal(&self, pair: &str) -> Result<Private<Reveal>, Fault> {
        if self.statements.is_empty() {
            return Err(Fault::new(FaultKind::Input, "no statement was made yet")
                .hint("`storymill shelf state SET --version VERSION` makes one"));
        }
        let held = self.statements.iter().rev().find_map(|statement| {
            let at = |leaf: &Digest| statement.leaves.binary_search(leaf).ok();
            let mut under = self.committed.iter().filter(|(_, committed)| committed.pair == pair);
            under.find_map(|(leaf, committed)| Some((statement, at(leaf)?, committed)))
        });
        let (statement, at, committed) = held.ok_or_else(|| self.unknown(pair))?;
        let content = serde_json::from_str(&committed.content).map_err(|_| other_version())?;
        Ok(Private::new(Reveal {
            format: REVEAL.to_owned(),
            set: self.set.clone(),
            pair: committed.pair.clone(),
            salt: committed.salt,
            content,
            statement: statement.digest(),
            at: Some(at as u64),
            path: tree::path(&statement.leaves, at),
        }))
    }

    /// The leaves of the last statement.
    fn current(&self) -> BTreeSet<Digest> {
        self.statements.last().map(|last| last.leaves.iter().copied().collect()).unwrap_or_default()
    }

    /// The fault of a pair that the last statement does not have, most likely because its id is misspelt, or of which it was said why it goes.
    fn unknown(&self, pair: &str) -> Fault {
        let is_it = |leaf: &Digest| self.committed.get(leaf).is_some_and(|one| one.pair == pair);
        let had = |one: &Statement| one.leaves.iter().any(is_it);
        if let Some(at) = self.statements.iter().rposition(had) {
            let (message, hint) = match self.statements.get(at + 1) {
                Some(next) => (
                    format!("`{pair}` went with statement {}", next.number),
                    "what a statement has said stays said",
                ),
                None => (
                    format!("it was said already why `{pair}` goes"),
                    "`storymill shelf state SET --retire PAIR --undo` takes that back",
                ),
            };
            return Fault::new(FaultKind::Input, message).hint(hint);
        }
        let ids = self.committed.values().map(|committed| committed.pair.as_str());
        let hint = match nearest(pair, ids) {
            Some(near) if near != pair => format!("did you mean `{near}`?"),
            _ => "`storymill shelf state SET --version VERSION` commits to the pairs that are on the shelf".to_owned(),
        };
        Fault::new(FaultKind::Input, format!("the set has committed to no pair `{pair}`"))
            .hint(hint)
    }
}

impl Zeroize for Reveal {
    fn zeroize(&mut self) {
        self.pair.zeroize();
        self.content = Value::Null;
    }
}

fn name(set: &str) -> String {
    format!("proof/{set}")
}
