//! A change of the shelf: several files at once, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::Fault;

use crate::{
    Private, Recipient, Shelf, fold,
    log::{Id, Kind, Piece, Place, Record, State, circle},
    people::Person,
    rows::{self, Shape},
};

/// A change that is being made ready. Nothing counts before [`Shelf::change`] has returned.
#[expect(missing_debug_implementations, reason = "it holds names of private files")]
pub struct Change<'s> {
    shelf: &'s Shelf,
    /// The shelf as it would be.
    pub(crate) next: Private<State>,
    /// What is new in it.
    pub(crate) news: Private<State>,
    /// What is replaced next has this id.
    id: Id,
    /// Records written for it.
    pub(crate) fresh: Vec<String>,
    /// Whether all that others did becomes a part of the author's own operation.
    pub(crate) adopts: bool,
}

impl<'s> Change<'s> {
    pub(crate) fn new(shelf: &'s Shelf, next: State, step: u64) -> Self {
        let news = Private::new(next.empty());
        let id = Id { session: shelf.tag, step, n: 0 };
        let next = Private::new(next);
        Self { shelf, next, news, id, fresh: Vec::new(), adopts: false }
    }

    /// Keeps a file, in place of one of that name.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        match rows::shape(name) {
            Shape::Whole => {
                let place = self.seal(bytes)?;
                let old = self.ids(name, |_| true);
                let piece = self.piece(Kind::Whole, place, bytes);
                self.add(name, &piece, &old);
                Ok(())
            }
            shape => self.put_rows(name, shape, bytes, true),
        }
    }

    /// Whether there would be a file of that name if the change were made.
    pub fn has(&self, name: &str) -> bool {
        fold::read(&self.next.expose().files, name).is_some()
    }

    /// Adds to the end of a file.
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let shape = rows::shape(name);
        if shape != Shape::Whole {
            return self.put_rows(name, shape, bytes, false);
        }
        let read = fold::read(&self.next.expose().files, name).unwrap_or_default();
        let at = read.last().map_or(0, |last| last.at + 1);
        let begins = self.heads(name, "").first().copied().filter(|_| !read.is_empty());
        let Some(begins) = begins else { return self.put(name, bytes) };
        let place = self.seal(bytes)?;
        let piece = self.piece(Kind::Added, place, bytes);
        self.add(name, &Piece { at, saw: vec![begins], ..piece }, &[]);
        Ok(())
    }

    /// Takes a file away; whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let was = self.has(name);
        let old = self.ids(name, |_| true);
        if was && !rows::is_made_again(name) {
            let piece = self.piece(Kind::Gone, Place::default(), b"");
            self.add(name, &piece, &old);
        } else {
            self.replace(name, &old);
        }
        was
    }

    /// Gives a file another name, in place of one of that name; whether it was there.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<bool, Fault> {
        let Some(bytes) = self.read(from)? else { return Ok(false) };
        let own = self.ids(from, |id| id.session != self.id.session).is_empty();
        let places = fold::read(&self.next.expose().files, from).unwrap_or_default();
        let places: Vec<_> = places.into_iter().cloned().collect();
        self.remove(from);
        // What this process wrote nobody else names: it moves as it is.
        if own && rows::shape(to) == Shape::Whole && !places.is_empty() {
            let old = self.ids(to, |_| true);
            let mut begins = Vec::new();
            for piece in places {
                let saw = begins.clone();
                let id = self.add(to, &Piece { saw, ..piece }, &old);
                begins = if begins.is_empty() { vec![id] } else { begins };
            }
            return Ok(true);
        }
        self.put(to, bytes.expose())?;
        Ok(true)
    }

    /// What a file would hold if the change were made.
    pub fn read(&self, name: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        let next = self.next.expose();
        let pieces = fold::read(&next.files, name);
        pieces.map(|pieces| self.shelf.gather(&pieces, next)).transpose()
    }

    /// Who opens the shelf from now on. What is known of their signatures stays known; what people said otherwise of each other
    /// is settled.
    pub(crate) fn seal_to(&mut self, recipients: &[Recipient]) {
        let next = self.next.expose();
        let (now, people) = (next.recipients(), next.people());
        let open = people.unsettled();
        let is_said = |one: &&Recipient| {
            let is_known =
                one.signer().is_none() || now.iter().any(|old| old.signer() == one.signer());
            is_known && now.contains(one) && !open.contains(&*one.to_string())
        };
        let came = recipients.iter().filter(|one| !is_said(one));
        let mut said: Vec<_> = came.map(|one| (Person::from(one), true)).collect();
        let open = open.into_iter().map(str::to_owned);
        let keys: BTreeSet<String> = now.iter().map(ToString::to_string).chain(open).collect();
        for key in keys {
            if !recipients.iter().any(|one| one.to_string() == key) {
                said.push((Person { key, signer: None }, false));
            }
        }
        for (about, is_in) in said {
            self.next.expose_mut().say(about, is_in, self.shelf.key.signing());
        }
        self.adopts = true;
    }

    /// Makes known how the holder of the key signs, in a shelf that nobody has signed.
    pub(crate) fn sign_for(&mut self, own: &Recipient) {
        let founders = self.next.expose_mut().founders.iter_mut();
        founders.filter(|one| one.key == own.to_string()).for_each(|one| one.signer = own.signer());
    }

    /// Seals some records anew, to those who open the shelf, with what is still needed of them.
    pub(crate) fn seal_anew(&mut self, records: &[String]) -> Result<(), Fault> {
        self.adopts = true;
        for old in records {
            let next = self.next.expose();
            let mut pieces = Vec::new();
            for (name, all) in &next.files {
                let of = all.iter().filter(|(_, piece)| piece.place.record == *old);
                pieces.extend(of.map(|(id, piece)| (name.clone(), *id, piece.clone())));
            }
            let all: Vec<&Piece> = pieces.iter().map(|(_, _, piece)| piece).collect();
            let bytes = self.shelf.gather(&all, next)?;
            let place = self.seal(bytes.expose())?;
            let mut from = 0;
            for (name, id, mut piece) in pieces {
                let (turn, length) = (piece.place.turn + 1, piece.place.length);
                piece.place = Place { turn, from, length, record: place.record.clone() };
                from += length;
                let next = self.next.expose_mut().files.entry(name).or_default();
                next.insert(id, piece);
            }
        }
        Ok(())
    }

    /// Takes a version of a file or row for what it is from now on.
    pub(crate) fn settle(&mut self, name: &str, key: &str, version: Id) -> Result<(), Fault> {
        let pieces = self.next.expose().files.get(name);
        let Some(mut piece) = pieces.and_then(|all| all.get(&version)).cloned() else {
            return Ok(());
        };
        let next = self.next.expose();
        let added = pieces
            .into_iter()
            .flatten()
            .filter(|(_, one)| one.saw.contains(&version) && one.kind == Kind::Added);
        let all: Vec<&Piece> = [&piece].into_iter().chain(added.map(|(_, one)| one)).collect();
        let bytes = self.shelf.gather(&all, next)?;
        let old = match piece.kind {
            _ if key.is_empty() => self.ids(name, |_| true),
            _ => self.heads(name, key),
        };
        if piece.kind == Kind::Whole {
            piece.what = self.what(bytes.expose());
        }
        piece.place =
            if piece.kind == Kind::Gone { Place::default() } else { self.seal(bytes.expose())? };
        piece.saw = self.decisions(name, key);
        self.add(name, &piece, &old);
        Ok(())
    }

    /// The pieces that begin a file or a row; of a file of rows that still lies there in one piece, that.
    pub(crate) fn heads(&self, name: &str, key: &str) -> Vec<Id> {
        let Some(pieces) = self.next.expose().files.get(name) else { return Vec::new() };
        let heads = fold::heads(pieces);
        let of = heads.get(key).map(|heads| fold::sorted(pieces, heads));
        of.unwrap_or_default()
    }

    pub(crate) fn ids(&self, name: &str, which: impl Fn(&Id) -> bool) -> Vec<Id> {
        let ids = self.next.expose().files.get(name).into_iter().flat_map(BTreeMap::keys);
        ids.filter(|id| which(id)).copied().collect()
    }

    fn next_id(&mut self) -> Id {
        self.id.n += 1;
        self.id
    }

    pub(crate) fn what(&self, bytes: &[u8]) -> [u8; 16] {
        let mut what = [0; 16];
        let hash = blake3::keyed_hash(&self.next.expose().secret, bytes);
        what.copy_from_slice(&hash.as_bytes()[..16]);
        what
    }

    pub(crate) fn piece(&self, kind: Kind, place: Place, bytes: &[u8]) -> Piece {
        let what = self.what(bytes);
        Piece { kind, key: String::new(), at: 0, place, what, saw: Vec::new() }
    }

    /// Adds a piece in place of others.
    pub(crate) fn add(&mut self, name: &str, piece: &Piece, old: &[Id]) -> Id {
        self.replace(name, old);
        let id = self.next_id();
        self.news.expose_mut().known.also.insert(id);
        for state in [self.next.expose_mut(), self.news.expose_mut()] {
            state.files.entry(name.to_owned()).or_default().insert(id, piece.clone());
        }
        id
    }

    pub(crate) fn replace(&mut self, name: &str, old: &[Id]) {
        for state in [self.next.expose_mut(), self.news.expose_mut()] {
            if let Some(all) = state.files.get_mut(name) {
                all.retain(|id, _| !old.contains(id));
                if all.is_empty() {
                    state.files.remove(name);
                }
            }
        }
        self.news.expose_mut().known.also.extend(old);
    }

    /// Writes bytes into a record of their own.
    pub(crate) fn seal(&mut self, bytes: &[u8]) -> Result<Place, Fault> {
        if bytes.is_empty() {
            return Ok(Place::default());
        }
        let next = self.next.expose();
        let recipients = next.recipients();
        let (circle, keys) = circle(&recipients);
        let (record, digest) = self.shelf.seal(bytes, &recipients, &next.secret)?;
        self.fresh.push(record.clone());
        for state in [self.next.expose_mut(), self.news.expose_mut()] {
            state.circles.insert(circle, keys.clone());
            state.records.insert(record.clone(), Record { digest, to: circle });
        }
        Ok(Place { turn: 0, record, from: 0, length: bytes.len() as u64 })
    }
}
