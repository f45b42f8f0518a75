//! What a shelf is: the fold of its operations, and what in it people have yet to settle.
//!
//! Whose operations count follows from who let whom in and out, beginning with those whom the holder of the key knows. Nothing
//! here depends on the order in which operations came.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    Private, Recipient, Signer,
    log::{Id, Kind, Known, Named, Person, Piece, State},
    operation::Operation,
    rows::{self, DECISIONS},
};

/// Operations, folded.
pub(crate) struct Fold {
    pub(crate) state: Arc<Private<State>>,
    /// What the authors of operations that count had of others.
    pub(crate) seen: Known,
    /// Whose operations count.
    pub(crate) authors: BTreeSet<Option<Signer>>,
    /// Operations of people who were let out, with changes that nobody has who let them out.
    pub(crate) late: Vec<Operation>,
    /// Files of operations that were never a maintainer's.
    pub(crate) strangers: Vec<String>,
}

/// Folds operations of one shelf. `roots` are the maintainers whom the holder of the key knows; without them those begin whom
/// their own operations name.
pub(crate) fn fold(operations: &[Operation], roots: &BTreeSet<Signer>) -> Fold {
    let authors = authors(operations, roots);
    let mut state = operations.first().map(|first| first.state.empty()).unwrap_or_default();
    let mut seen = Known::default();
    for one in operations.iter().filter(|one| authors.contains(&one.author)) {
        state.join(&one.state);
        seen.join(&one.seen);
    }
    let state = Arc::new(Private::new(state));
    let mut fold = Fold { state, seen, authors, late: Vec::new(), strangers: Vec::new() };
    for one in operations.iter().filter(|one| !fold.authors.contains(&one.author)) {
        let author = one.author;
        let was_let_in = author.is_none_or(|author| {
            operations.iter().any(|by| by.author != Some(author) && names(by, author))
        });
        if !was_let_in {
            fold.strangers.push(one.name.clone());
        } else if !fold.state.expose().known.covers_sessions(&one.own()) {
            fold.late.push(one.clone());
        }
    }
    fold
}

/// Whether an operation says something of a maintainer.
fn names(operation: &Operation, signer: Signer) -> bool {
    let mut people = operation.state.people.values().flat_map(BTreeMap::values);
    people.any(|person| person.signer == Some(signer))
}

/// Whose operations count. Who is let out by somebody whose operations count is out, unless somebody else whose do has let
/// them in again since. Of two who let each other out, who was there first is heard first.
fn authors(operations: &[Operation], roots: &BTreeSet<Signer>) -> BTreeSet<Option<Signer>> {
    let mut out = BTreeSet::new();
    loop {
        let counted = reached(operations, roots, &out);
        let lets_out = |author: &Signer| {
            let own = operations.iter().filter(|one| one.author == Some(*author));
            let said = own.flat_map(|one| &one.state.people);
            let mut gone =
                said.flat_map(|(key, said)| said.iter().map(move |(id, person)| (key, id, person)));
            gone.find_map(|(key, id, person)| {
                let target = person.signer.filter(|one| one != author && !person.is_in)?;
                let undone = |by: &Operation| {
                    by.author != Some(target)
                        && by.author.is_some_and(|by| counted.contains(&by))
                        && by.state.known.has(id)
                        && by.state.people.get(key).is_none_or(|said| !said.contains_key(id))
                };
                let is_out = !out.contains(&target) && !operations.iter().any(undone);
                // Who is there by somebody's word alone does not let that one out.
                let without = out.iter().chain([&target]).copied().collect();
                let stays = || reached(operations, roots, &without).contains(author);
                (is_out && stays()).then_some(target)
            })
        };
        if let Some(target) = counted.iter().find_map(lets_out) {
            out.insert(target);
            continue;
        }
        // A shelf of the first form was signed by nobody; it counts where nothing else does.
        let is_unsigned = operations.iter().all(|one| one.author.is_none());
        return counted.into_iter().map(Some).chain(is_unsigned.then_some(None)).collect();
    }
}

/// Those whom the roots lead to by letting in, in the order in which they came.
fn reached(
    operations: &[Operation],
    roots: &BTreeSet<Signer>,
    out: &BTreeSet<Signer>,
) -> Vec<Signer> {
    let is_own_word = |one: &Operation| {
        let author = one.author?;
        (roots.is_empty() && names(one, author)).then_some(author)
    };
    let mut counted: BTreeSet<Signer> =
        operations.iter().filter_map(is_own_word).chain(roots.iter().copied()).collect();
    counted.retain(|one| !out.contains(one));
    let mut since = BTreeMap::<Signer, u64>::new();
    loop {
        let before = counted.len();
        let by = |one: &&Operation| one.author.is_some_and(|author| counted.contains(&author));
        let said = operations.iter().filter(by).flat_map(|one| one.state.people.values());
        let mut more = Vec::new();
        for person in said.flat_map(BTreeMap::values).filter(|person| person.is_in) {
            let Some(signer) = person.signer.filter(|signer| !out.contains(signer)) else {
                continue;
            };
            let at = since.entry(signer).or_insert(person.at);
            *at = (*at).min(person.at);
            more.push(signer);
        }
        counted.extend(more);
        if counted.len() == before {
            let mut all: Vec<Signer> = counted.into_iter().collect();
            all.sort_by_key(|one| since.get(one).copied().unwrap_or(u64::MAX));
            return all;
        }
    }
}

/// What people have yet to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// A file, or a row of one, that several changed who did not know of each other.
    Apart { name: String, key: String, versions: Vec<Id> },
    /// A pair that was changed or taken out, and decided on by somebody who did not know of that.
    Decided { name: String, key: String, on: Id, said: Vec<Id> },
    /// Somebody who was let in and out by two who did not know of each other.
    InAndOut { key: String },
    /// Changes of somebody who was let out before anybody had them.
    Late { author: Signer, names: BTreeSet<String> },
    /// Records that are not sealed to just those who are maintainers now.
    Sealed { to: BTreeSet<String>, records: usize },
    /// Changes that an operation builds on, and that are not in the folder.
    Missing { author: Option<Signer>, changes: u64 },
}

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
        let both = |said: &&BTreeMap<Id, Person>| {
            said.values().any(|one| one.is_in) && said.values().any(|one| !one.is_in)
        };
        let people = self.state.expose().people.iter().filter(|(_, said)| both(said));
        open.extend(people.map(|(key, _)| Open::InAndOut { key: key.clone() }));
        let mut late = BTreeMap::<Signer, BTreeSet<String>>::new();
        for one in &self.late {
            let Some(author) = one.author else { continue };
            let fresh = |pieces: &BTreeMap<Id, Piece>| {
                pieces.keys().any(|id| !self.state.expose().known.has(id))
            };
            let names = one.state.files.iter().filter(|(_, pieces)| fresh(pieces));
            late.entry(author).or_default().extend(names.map(|(name, _)| name.clone()));
        }
        open.extend(late.into_iter().map(|(author, names)| Open::Late { author, names }));
        let (now, _) = self.state.expose().circle();
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
        self.late.retain(|one| !state.expose().known.covers_sessions(&one.own()));
        self.state = Arc::new(state);
    }

    /// How many changes are here.
    pub(crate) fn changes(&self) -> u64 {
        self.state.expose().known.changes()
    }

    /// How far a session is here, counted or not.
    pub(crate) fn has(&self, session: u64) -> u64 {
        let late = self.late.iter().map(|one| &one.state.known);
        let all = late.chain([&self.state.expose().known]);
        all.filter_map(|known| known.upto.get(&session)).max().copied().unwrap_or(0)
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
pub(crate) fn read<'p>(files: &'p Named<Piece>, name: &str) -> Option<Vec<&'p Piece>> {
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
