//! The log of a shelf: what each maintainer did, as signed operations that join.
//!
//! An operation is a [`State`]: pieces of files under ids that nobody else gives, and what its author [`Known`] when it was
//! made. Joining two of them keeps the pieces of both but those that the other knew and no longer has. That is a union, so
//! copies join in whatever order to the same state. There is no disk here, and no clock.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

use crate::{
    Recipient, Signer,
    people::{Person, Saying},
    random,
};

/// What names a piece: a run of changes by one process, the change in it, and the piece in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Id {
    /// Drawn at random.
    pub(crate) session: u64,
    pub(crate) step: u64,
    pub(crate) n: u32,
}

/// Which pieces an author knew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// All of a session up to a change.
    pub(crate) upto: BTreeMap<u64, u64>,
    /// Some of others: those that were replaced or restated.
    pub(crate) also: BTreeSet<Id>,
}

/// What a piece is of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// The file, or its beginning.
    Whole,
    /// Something added to the end of the piece that it saw.
    Added,
    /// A row of a file of rows.
    Row,
    /// The file or row is no longer there.
    Gone,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    /// Its place among the pieces of the file.
    pub(crate) at: u64,
    pub(crate) place: Place,
    /// A keyed digest of what it says.
    pub(crate) what: [u8; 16],
    /// What was known of its subject when it was made.
    pub(crate) saw: Vec<Id>,
}

/// Where the bytes of a piece lie. Blank of one that is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// How often they were sealed anew.
    pub(crate) turn: u32,
    pub(crate) record: String,
    pub(crate) from: u64,
    pub(crate) length: u64,
}

/// A sealed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The keyed digest of its sealed bytes: `age` says nothing of who sealed.
    pub(crate) digest: [u8; 32],
    /// The circle that it is sealed to.
    pub(crate) to: u64,
}

/// The pieces of files, by name and id.
pub(crate) type Files = BTreeMap<String, BTreeMap<Id, Piece>>;

/// What is in an operation, or in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The shelf's own name, drawn at random.
    pub(crate) id: [u8; 16],
    /// The secret under which digests are taken.
    pub(crate) secret: [u8; 32],
    /// The canary of the family of datasets that is made from the shelf.
    pub(crate) canary: String,
    /// Those who were in when it was made.
    pub(crate) founders: Vec<Person>,
    /// Who came and went since.
    pub(crate) sayings: BTreeSet<Saying>,
    pub(crate) known: Known,
    /// Operations that people left out, and the changes in them.
    pub(crate) left: BTreeMap<String, BTreeMap<u64, u64>>,
    /// Whose sessions they are.
    pub(crate) authors: BTreeMap<Signer, BTreeSet<u64>>,
    pub(crate) files: Files,
    pub(crate) records: BTreeMap<String, Record>,
    /// Public keys that records are sealed to, by a digest of them.
    pub(crate) circles: BTreeMap<u64, BTreeSet<String>>,
}

impl Zeroize for State {
    fn zeroize(&mut self) {
        self.secret.zeroize();
        self.canary.zeroize();
        for (mut name, _) in std::mem::take(&mut self.files) {
            name.zeroize();
        }
    }
}

impl Known {
    pub(crate) fn has(&self, id: &Id) -> bool {
        self.upto.get(&id.session).is_some_and(|step| *step >= id.step) || self.also.contains(id)
    }

    /// Whether it knows all that another knows.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.covers_sessions(&other.upto) && other.also.iter().all(|id| self.has(id))
    }

    /// Whether it knows some sessions as far.
    pub(crate) fn covers_sessions(&self, upto: &BTreeMap<u64, u64>) -> bool {
        upto.iter().all(|(session, step)| self.upto.get(session) >= Some(step))
    }

    pub(crate) fn join(&mut self, other: &Self) {
        for (session, step) in &other.upto {
            let own = self.upto.entry(*session).or_default();
            *own = (*own).max(*step);
        }
        self.also.extend(&other.also);
        let upto = &self.upto;
        self.also.retain(|id| upto.get(&id.session).is_none_or(|step| *step < id.step));
    }

    /// How many changes it knows.
    pub(crate) fn changes(&self) -> u64 {
        self.upto.values().sum()
    }
}

impl State {
    /// Joins another one of the same shelf, but for what it says of people.
    pub(crate) fn join(&mut self, other: &Self) {
        for (name, pieces) in &mut self.files {
            let there = other.files.get(name);
            let is_there = |id: &Id| there.is_some_and(|there| there.contains_key(id));
            pieces.retain(|id, _| !other.known.has(id) || is_there(id));
        }
        for (name, pieces) in &other.files {
            let own = self.files.entry(name.clone()).or_default();
            for (id, piece) in pieces {
                match own.get_mut(id) {
                    Some(own) if piece.place > own.place => own.place = piece.place.clone(),
                    None if !self.known.has(id) => drop(own.insert(*id, piece.clone())),
                    _ => {}
                }
            }
        }
        self.files.retain(|_, pieces| !pieces.is_empty());
        self.known.join(&other.known);
        self.left.extend(other.left.clone());
        for (author, sessions) in &other.authors {
            self.authors.entry(*author).or_default().extend(sessions);
        }
        for (name, record) in &other.records {
            self.records.entry(name.clone()).or_insert_with(|| record.clone());
        }
        for (circle, keys) in &other.circles {
            self.circles.entry(*circle).or_insert_with(|| keys.clone());
        }
        self.tidy();
    }

    /// Counts a change, of which this is the news.
    pub(crate) fn step(&mut self, session: u64, step: u64, author: Signer, news: &Self) {
        let known = Known { upto: [(session, step)].into(), also: BTreeSet::new() };
        self.known.join(&news.known);
        self.known.join(&known);
        self.authors.entry(author).or_default().insert(session);
        self.tidy();
    }

    /// How much of each record is needed.
    pub(crate) fn sizes(&self) -> BTreeMap<String, u64> {
        let mut sizes = BTreeMap::new();
        for place in self.files.values().flat_map(BTreeMap::values).map(|piece| &piece.place) {
            if place.length > 0 {
                let size: &mut u64 = sizes.entry(place.record.clone()).or_default();
                *size = size.saturating_add(place.length);
            }
        }
        sizes
    }

    /// Forgets records and circles that no piece needs.
    fn tidy(&mut self) {
        let pieces = self.files.values().flat_map(BTreeMap::values);
        let needed: BTreeSet<&str> = pieces.map(|piece| piece.place.record.as_str()).collect();
        self.records.retain(|name, _| needed.contains(name.as_str()));
        let circles: BTreeSet<u64> = self.records.values().map(|record| record.to).collect();
        self.circles.retain(|circle, _| circles.contains(circle));
    }

    /// Another one of the same shelf, in which nothing is.
    pub(crate) fn empty(&self) -> Self {
        let (id, secret) = (self.id, self.secret);
        let (canary, founders) = (self.canary.clone(), self.founders.clone());
        Self { id, secret, canary, founders, ..Self::default() }
    }

    /// What nobody can give another shelf: its id, and a digest of what it began with. A shelf that nobody has signed has its
    /// id alone.
    pub(crate) fn name(&self, is_signed: bool) -> String {
        let began = postcard::to_stdvec(&(&self.id, &self.canary, &self.founders));
        let digest = blake3::keyed_hash(&self.secret, &began.unwrap_or_default());
        let digest = if is_signed { &digest.as_bytes()[..16] } else { &[] };
        random::hex(&[&self.id, digest].concat())
    }

    /// Who made a piece, as far as it is known.
    pub(crate) fn author(&self, session: u64) -> Option<Signer> {
        self.authors.iter().find(|(_, all)| all.contains(&session)).map(|(author, _)| *author)
    }

    /// Whether an operation that somebody else has written names what we name: records by names that we give, and pieces that end.
    pub(crate) fn is_sound(&self) -> bool {
        let mut pieces = self.files.values().flat_map(BTreeMap::values);
        self.records.keys().all(|name| is_record(name))
            && pieces.all(|piece| {
                let place = &piece.place;
                place.from.checked_add(place.length).is_some()
                    && (place.record.is_empty() || self.records.contains_key(&place.record))
            })
    }
}

/// A circle of readers, by a digest of their keys.
pub(crate) fn circle(readers: &[Recipient]) -> (u64, BTreeSet<String>) {
    let keys: BTreeSet<String> = readers.iter().map(ToString::to_string).collect();
    let hash =
        blake3::hash(keys.iter().map(String::as_str).collect::<Vec<_>>().join("\n").as_bytes());
    (number(hash.as_bytes()), keys)
}

/// The number that the first bytes of a digest are.
pub(crate) fn number(bytes: &[u8; 32]) -> u64 {
    bytes.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Whether a name is one that records have.
pub(crate) fn is_record(name: &str) -> bool {
    name.len() == 32 && random::unhex::<16>(name).is_some()
}
