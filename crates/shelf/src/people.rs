//! Who is in: what maintainers have said of each other. Each saying is signed for itself, and sayings are only ever added, so
//! that who has the same ones comes to the same answer, whoever carried them and in whatever order.
//!
//! A saying counts if its author is in as of those that it saw, and nobody who counts has let its author out without having
//! seen it. Of those who let each other out, who came first is heard.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Recipient, Signer, log::State, sign::Signing};

const PURPOSE: &str = "storymill 2026 signature of who is in a shelf v1";

/// The public key of somebody, and the one that their signatures are checked with: without it they read and do not write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Person {
    pub(crate) key: String,
    pub(crate) signer: Option<Signer>,
}

impl From<&Recipient> for Person {
    fn from(one: &Recipient) -> Self {
        Self { key: one.to_string(), signer: one.signer() }
    }
}

/// Somebody let in or out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Saying {
    about: Person,
    is_in: bool,
    by: Signer,
    /// The names of the latest sayings that its author knew.
    saw: BTreeSet<Name>,
    signature: Vec<u8>,
}

/// What names a saying: a digest of it.
type Name = [u8; 32];

impl Saying {
    fn name(&self) -> Name {
        let said = postcard::to_stdvec(&(&self.about, self.is_in, self.by, &self.saw));
        *blake3::hash(&said.unwrap_or_default()).as_bytes()
    }

    fn message(&self, shelf: &[u8; 16]) -> Vec<u8> {
        [&shelf[..], &self.name()].concat()
    }

    /// Whether its author has signed it, for this shelf.
    pub(crate) fn is_signed(&self, shelf: &[u8; 16]) -> bool {
        let signature = self.signature.as_slice().try_into();
        signature.is_ok_and(|signature| self.by.signed(PURPOSE, &self.message(shelf), signature))
    }
}

/// What follows from the sayings on a shelf.
pub(crate) struct People<'s> {
    founders: &'s [Person],
    /// Those by people whom the founders lead to by letting in, whoever is out by now; each after those that it saw.
    pub(crate) all: Vec<&'s Saying>,
    names: BTreeMap<Name, usize>,
    /// What each had seen.
    past: Vec<BTreeSet<usize>>,
    /// Whether it counts, once that is known.
    counts: Vec<Option<bool>>,
}

impl State {
    pub(crate) fn people(&self) -> People<'_> {
        let (all, names) = (Vec::new(), BTreeMap::new());
        let (past, counts) = (Vec::new(), Vec::new());
        let mut people = People { founders: &self.founders, all, names, past, counts };
        let mut left: Vec<(Name, &Saying)> =
            self.sayings.iter().map(|said| (said.name(), said)).collect();
        left.sort();
        loop {
            let is_ready = |(_, said): &(Name, &Saying)| {
                people.key_of(said.by).is_some()
                    && said.saw.iter().all(|saw| people.names.contains_key(saw))
            };
            let (ready, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_ready);
            if ready.is_empty() {
                people.decide();
                return people;
            }
            for (name, said) in ready {
                let saw: BTreeSet<usize> = said.saw.iter().map(|saw| people.names[saw]).collect();
                let further = saw.iter().flat_map(|at| &people.past[*at]);
                let past = further.chain(&saw).copied().collect();
                people.past.push(past);
                people.names.insert(name, people.all.len());
                people.all.push(said);
                people.counts.push(None);
            }
            left = others;
        }
    }

    /// The maintainers, in the order in which they came.
    pub(crate) fn recipients(&self) -> Vec<Recipient> {
        let people = self.people();
        let whole = people.whole();
        let mut all = Vec::<Recipient>::new();
        for (_, one) in people.let_in(&whole).filter(|(_, one)| people.is_in(&one.key, &whole)) {
            let Ok(new) = one.key.parse::<Recipient>() else { continue };
            match all.iter_mut().find(|old| **old == new) {
                Some(old) => *old = old.clone().or_signer(one.signer),
                None => all.push(new.or_signer(one.signer)),
            }
        }
        all
    }

    /// Says of somebody that they are in or out.
    pub(crate) fn say(&mut self, about: Person, is_in: bool, by: &Signing) {
        let people = self.people();
        let is_latest = |at: &usize| !people.past.iter().any(|past| past.contains(at));
        let latest = people.names.iter().filter(|(_, at)| is_latest(at));
        let saw = latest.map(|(name, _)| *name).collect();
        let mut said = Saying { about, is_in, by: by.signer(), saw, signature: Vec::new() };
        said.signature = by.sign(PURPOSE, &said.message(&self.id)).to_vec();
        self.sayings.insert(said);
    }
}

impl People<'_> {
    /// Whether an operation counts, by its author and the sayings in it. What was done before its author was let out, and was
    /// known to who did so, is a part of what that one says.
    pub(crate) fn heeds(&self, author: Signer, knew: &BTreeSet<Saying>) -> bool {
        let knew = self.whole().into_iter().filter(|at| knew.contains(self.all[*at])).collect();
        self.is_heard(author, &knew)
            && !self.against(author).any(|at| self.holds(at) && !knew.contains(&at))
    }

    /// The key of somebody who was let in at some time.
    pub(crate) fn key_of(&self, signer: Signer) -> Option<&str> {
        self.known().find(|one| one.signer == Some(signer)).map(|one| one.key.as_str())
    }

    /// Of whom something was said that does not hold and that nobody knew who has spoken of them since.
    pub(crate) fn unsettled(&self) -> BTreeSet<&str> {
        let whole = self.whole();
        let is_open = |at: &usize| {
            let key = &self.all[*at].about.key;
            let later = |on: &usize| self.speaks(*on, key) && self.past[*on].contains(at);
            self.all[*at].is_in != self.is_in(key, &whole) && !whole.iter().any(later)
        };
        whole.iter().filter(|at| is_open(at)).map(|at| &*self.all[*at].about.key).collect()
    }

    /// Who said last whether somebody is in.
    pub(crate) fn last(&self, key: &str) -> Option<Signer> {
        self.heads(key, &self.whole()).last().map(|at| self.all[*at].by)
    }

    /// Whether somebody is in as of what was seen.
    pub(crate) fn is_in(&self, key: &str, seen: &BTreeSet<usize>) -> bool {
        let heads = self.heads(key, seen);
        heads.iter().all(|at| self.all[*at].is_in)
            && (!heads.is_empty() || self.founders.iter().any(|one| one.key == key))
    }

    pub(crate) fn whole(&self) -> BTreeSet<usize> {
        (0..self.all.len()).collect()
    }

    fn holds(&self, at: usize) -> bool {
        self.counts[at] == Some(true)
    }

    /// Whether a saying counts and is about somebody.
    fn speaks(&self, at: usize, key: &str) -> bool {
        self.holds(at) && self.all[at].about.key == key
    }

    /// The latest sayings about somebody that count, among those that were seen.
    fn heads(&self, key: &str, seen: &BTreeSet<usize>) -> Vec<usize> {
        let all: Vec<usize> = seen.iter().copied().filter(|at| self.speaks(*at, key)).collect();
        let is_last = |at: &usize| !all.iter().any(|on| self.past[*on].contains(at));
        all.iter().copied().filter(is_last).collect()
    }

    fn known(&self) -> impl Iterator<Item = &Person> {
        let let_in = self.all.iter().filter(|said| said.is_in).map(|said| &said.about);
        self.founders.iter().chain(let_in)
    }

    /// Those who were let in as of what was seen, each with a number that says how early.
    fn let_in(&self, seen: &BTreeSet<usize>) -> impl Iterator<Item = (usize, &Person)> {
        let said = seen.iter().filter(|at| self.holds(**at) && self.all[**at].is_in);
        let said = said.map(|at| (self.founders.len() + at, &self.all[*at].about));
        self.founders.iter().enumerate().chain(said)
    }

    fn is_heard(&self, author: Signer, seen: &BTreeSet<usize>) -> bool {
        let mut own = self.let_in(seen).filter(|(_, one)| one.signer == Some(author));
        own.any(|(_, one)| self.is_in(&one.key, seen))
    }

    /// The sayings that let somebody out.
    fn against(&self, author: Signer) -> impl Iterator<Item = usize> {
        let own = self.known().filter(move |one| one.signer == Some(author));
        let own: BTreeSet<&str> = own.map(|one| one.key.as_str()).collect();
        (0..self.all.len())
            .filter(move |at| !self.all[*at].is_in && own.contains(&*self.all[*at].about.key))
    }

    /// Decides which sayings count, each once all that it saw are decided, and all that let its author out without having seen it.
    /// Where these wait for each other, the one by who came first counts.
    fn decide(&mut self) {
        let apart = |at: usize| {
            let knew = |a: usize, b: usize| a == b || self.past[a].contains(&b);
            let against = self.against(self.all[at].by);
            against.filter(|on| !knew(at, *on) && !knew(*on, at)).collect()
        };
        let against: Vec<Vec<usize>> = (0..self.all.len()).map(apart).collect();
        let is_open = |all: &Self, on: &usize| all.counts[*on].is_none();
        loop {
            let (mut is_stuck, mut waiting) = (true, Vec::new());
            for at in 0..self.all.len() {
                let (by, past, against) = (self.all[at].by, &self.past[at], &against[at]);
                if !is_open(self, &at) || past.iter().any(|on| is_open(self, on)) {
                    continue;
                }
                let is_void = against.iter().any(|on| self.holds(*on)) || !self.is_heard(by, past);
                if !is_void && against.iter().any(|on| is_open(self, on)) {
                    let came = self.let_in(past).find(|(_, one)| one.signer == Some(by));
                    waiting.push((came.map(|(came, _)| came), at));
                } else {
                    self.counts[at] = Some(!is_void);
                    is_stuck = false;
                }
            }
            if is_stuck {
                let Some((_, first)) = waiting.into_iter().min() else { return };
                against[first].iter().for_each(|on| self.counts[*on] = Some(false));
                self.counts[first] = Some(true);
            }
        }
    }
}

#[cfg(test)]
#[path = "people_tests.rs"]
mod tests;
