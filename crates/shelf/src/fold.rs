//! What a shelf is: the fold of its operations, and what in it people have yet to settle.
//!
//! Which operations count follows from who let whom in and out (`people.rs`). Nothing here depends on the order in which they came.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    Private, Recipient, Signer,
    log::{Files, Id, Kind, Known, Piece, State, circle},
    operation::Operation,
    rows::{self, DECISIONS},
};

/// Operations, folded.
pub(crate) struct Fold {
    pub(crate) state: Arc<Private<State>>,
    pub(crate) is_unsigned: bool,
    /// What the authors of operations that count had of others.
    pub(crate) seen: Known,
    /// Files of operations that do not count.
    pub(crate) uncounted: BTreeSet<String>,
    /// Those of people who were let out, with changes that nobody has who let them out.
    pub(crate) late: Vec<Operation>,
    /// Those of people who were never let in.
    pub(crate) strangers: Vec<String>,
}

/// Folds operations of one shelf.
pub(crate) fn fold(operations: &[Operation]) -> Fold {
    let mut known = operations.first().map(|first| first.state.empty()).unwrap_or_default();
    let said = operations.iter().flat_map(|one| &one.state.sayings).cloned();
    known.sayings = said.collect();
    known.sayings.retain(|said| said.is_signed(&known.id));
    let (mut state, known) = (known.clone(), Private::new(known));
    let people = known.expose().people();
    state.sayings = people.all.iter().copied().cloned().collect();
    // A shelf of the first form was signed by nobody; it counts where nothing else does.
    let is_unsigned = operations.iter().all(|one| one.author.is_none());
    let counts = |one: &&Operation| match one.author {
        Some(author) => people.heeds(author, &one.state.sayings),
        None => is_unsigned,
    };
    let (counted, others): (Vec<&Operation>, Vec<_>) = operations.iter().partition(counts);
    let mut seen = Known::default();
    for one in counted {
        state.join(&one.state);
        seen.join(&one.seen);
    }
    let uncounted = others.iter().map(|one| one.name.clone()).collect();
    let is_known =
        |one: &&Operation| one.author.is_none_or(|author| people.key_of(author).is_some());
    let (late, strangers): (Vec<&Operation>, Vec<_>) = others.into_iter().partition(is_known);
    let strangers = strangers.into_iter().map(|one| one.name.clone()).collect();
    let late = late.into_iter().filter(|one| !one.is_settled(&state)).cloned().collect();
    let state = Arc::new(Private::new(state));
    Fold { state, is_unsigned, seen, uncounted, late, strangers }
}

/// What people have yet to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// A file, or a row of one, that several changed who did not know of each other.
    Apart { name: String, key: String, versions: Vec<Id> },
    /// A pair that was changed or taken out, and decided on by somebody who did not know of that.
    Decided { name: String, key: String, on: Id, said: Vec<Id> },
    /// Somebody who was let in and out by people who did not know of each other.
    InAndOut { key: String, is_in: bool },
    /// Changes of somebody who was let out before anybody had them.
    Late { author: Signer, changes: BTreeSet<Late> },
    /// Records that are not sealed to just those who are maintainers now.
    Sealed { to: BTreeSet<String>, records: usize },
    /// Changes that an operation builds on, and that are not in the folder.
    Missing { author: Option<Signer>, changes: u64 },
}

/// A file, or a row of one, and whether it was taken out.
pub(crate) type Late = (String, String, bool);

impl Fold {
    /// What people have yet to settle.
    pub(crate) fn open(&self) -> Vec<Open> {
        let mut open = Vec::new();
        for (name, pieces) in
            self.state.expose().files.iter().filter(|(name, _)| !rows::is_made_again(name))
        {
            for (key, heads) in heads(pieces) {
                let versions = distinct(pieces, &heads);
                if versions.len() > 1 {
                    let (name, key) = (name.clone(), key.to_owned());
                    open.push(Open::Apart { name, key, versions });
                } else if let Some((on, said)) = self.decided(name, key, &heads) {
                    let (name, key) = (name.clone(), key.to_owned());
                    open.push(Open::Decided { name, key, on, said });
                }
            }
        }
        let people = self.state.expose().people();
        open.extend(people.unsettled().into_iter().map(|key| {
            let is_in = people.is_in(key, &people.whole());
            Open::InAndOut { key: key.to_owned(), is_in }
        }));
        let mut late = BTreeMap::<Signer, BTreeSet<Late>>::new();
        for one in &self.late {
            let Some(author) = one.author else { continue };
            let late = late.entry(author).or_default();
            for (name, pieces) in &one.state.files {
                let fresh = pieces.iter().filter(|(id, _)| !self.state.expose().known.has(id));
                let change = |(_, piece): (_, &Piece)| {
                    (name.clone(), piece.key.clone(), piece.kind == Kind::Gone)
                };
                late.extend(fresh.map(change));
            }
        }
        open.extend(late.into_iter().map(|(author, changes)| Open::Late { author, changes }));
        let (now, _) = circle(&self.state.expose().recipients());
        let mut others = BTreeMap::<u64, usize>::new();
        for record in self.state.expose().records.values().filter(|record| record.to != now) {
            *others.entry(record.to).or_default() += 1;
        }
        open.extend(others.into_iter().map(|(circle, records)| {
            let to = self.state.expose().circles.get(&circle).cloned().unwrap_or_default();
            Open::Sealed { to, records }
        }));
        let mut missing = BTreeMap::<Option<Signer>, u64>::new();
        for (session, step) in &self.seen.upto {
            let have = self.has(*session);
            if have < *step {
                *missing.entry(self.state.expose().author(*session)).or_default() += step - have;
            }
        }
        open.extend(missing.into_iter().map(|(author, changes)| Open::Missing { author, changes }));
        open
    }

    /// The same after a change of one's own.
    pub(crate) fn after(&mut self, state: Private<State>) {
        self.is_unsigned = false;
        self.late.retain(|one| !one.is_settled(state.expose()));
        self.state = Arc::new(state);
    }

    /// What the shelf is called.
    pub(crate) fn shelf(&self) -> String {
        self.state.expose().name(!self.is_unsigned)
    }

    /// How many changes are here.
    pub(crate) fn changes(&self) -> u64 {
        self.state.expose().known.changes()
    }

    /// How far a session is here, counted or not.
    pub(crate) fn has(&self, session: u64) -> u64 {
        let state = self.state.expose();
        let late = self.late.iter().map(|one| &one.state.known.upto);
        let all = late.chain([&state.known.upto]).chain(state.left.values());
        all.filter_map(|upto| upto.get(&session)).max().copied().unwrap_or(0)
    }

    /// The decisions on a pair, and the pair, where neither knew of the other.
    fn decided(&self, name: &str, key: &str, heads: &[Id]) -> Option<(Id, Vec<Id>)> {
        let decisions = self
            .state
            .expose()
            .files
            .get(&format!("{}{DECISIONS}", name.strip_suffix("pairs")?))?;
        let pieces = &self.state.expose().files[name];
        let on = *heads.first()?;
        // One of rows that say the same will do.
        let knew = |id: &Id, saw: &[Id]| {
            heads.iter().any(|head| {
                head.session == id.session || saw.contains(head) || pieces[head].saw.contains(id)
            })
        };
        let apart = rows::on(decisions, key).filter(|(id, said)| !knew(id, &said.saw));
        let said: Vec<Id> = apart.map(|(id, _)| *id).collect();
        (!said.is_empty()).then_some((on, said))
    }
}

/// The pieces that begin a file, or each row of it.
pub(crate) fn heads(pieces: &BTreeMap<Id, Piece>) -> BTreeMap<&str, Vec<Id>> {
    let mut heads = BTreeMap::<&str, Vec<Id>>::new();
    for (id, piece) in pieces.iter().filter(|(_, piece)| piece.kind != Kind::Added) {
        heads.entry(&piece.key).or_default().push(*id);
    }
    heads
}

/// Pieces that begin the same thing, the one that is read first: what is there before that it is gone.
pub(crate) fn sorted(pieces: &BTreeMap<Id, Piece>, heads: &[Id]) -> Vec<Id> {
    let mut all: Vec<Id> = heads.to_vec();
    all.sort_by_key(|id| (pieces[id].kind == Kind::Gone, std::cmp::Reverse(*id)));
    all
}

/// Those of them that say different things.
pub(crate) fn distinct(pieces: &BTreeMap<Id, Piece>, heads: &[Id]) -> Vec<Id> {
    let added = |id: &Id| {
        let is_added = |piece: &&Piece| piece.kind == Kind::Added && piece.saw.contains(id);
        pieces.values().filter(is_added).map(|piece| piece.what).collect::<Vec<_>>()
    };
    let mut said = BTreeSet::new();
    let mut all = sorted(pieces, heads);
    all.retain(|id| said.insert((pieces[id].kind == Kind::Gone, pieces[id].what, added(id))));
    all
}

/// The pieces that a file is read as, in their order; none where there is no such file.
pub(crate) fn read<'p>(files: &'p Files, name: &str) -> Option<Vec<&'p Piece>> {
    let pieces = files.get(name)?;
    let first = |heads: Vec<Id>| sorted(pieces, &heads).into_iter().next();
    let heads: BTreeSet<Id> = heads(pieces).into_values().filter_map(first).collect();
    let is_read = |(id, piece): &(&Id, &Piece)| match piece.kind {
        Kind::Gone => false,
        Kind::Added => piece.saw.iter().any(|saw| heads.contains(saw)),
        Kind::Whole | Kind::Row => heads.contains(id),
    };
    let mut all: Vec<(&Id, &Piece)> = pieces.iter().filter(is_read).collect();
    all.sort_by_key(|(id, piece)| (piece.at, **id));
    // A file of rows whose rows went is there, and empty.
    let is_gone = pieces.values().all(|piece| piece.kind == Kind::Gone && piece.key.is_empty());
    (!is_gone).then(|| all.into_iter().map(|(_, piece)| piece).collect())
}

/// A maintainer's public key, by which others know them.
pub(crate) fn called(people: &[Recipient], signer: Option<Signer>) -> String {
    let Some(signer) = signer else { return "nobody who signed".to_owned() };
    let one = people.iter().find(|one| one.signer() == Some(signer));
    one.map_or_else(|| format!("the unknown key {signer}"), ToString::to_string)
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
