//! Where each answer stands: 56 bytes a record, sorted, with the few new ones beside.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Digest, RequestKey};

/// Where an answer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) key: [u8; 32],
    /// The first eight bytes of the answer's digest; they sort as the digest does.
    pub(crate) tag: u64,
    pub(crate) file: u32,
    pub(crate) at: u32,
    pub(crate) length: u32,
}

/// The first bytes of a digest, sorting as it does.
pub(crate) fn short_tag(tag: &Digest) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&tag.as_bytes()[..8]);
    u64::from_be_bytes(first)
}

/// The index of a log.
#[derive(Debug, Default)]
pub(crate) struct Index {
    sorted: Vec<Entry>,
    /// Further copies of answers that stand in `sorted`, sorted too: for when the first is damaged.
    copies: Vec<Entry>,
    fresh: BTreeMap<([u8; 32], u64), Entry>,
    /// Of keys with several answers, the one that something has read.
    favoured: BTreeMap<[u8; 32], u64>,
    /// Keys of which something has read an answer that is not here.
    gone: BTreeSet<[u8; 32]>,
}

impl Index {
    /// An index of entries in any order. Equal answers under one key count once.
    pub(crate) fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort();
        let mut copies = Vec::new();
        entries.dedup_by(|copy, first| {
            let is_copy = copy.key == first.key && copy.tag == first.tag;
            copies.extend(is_copy.then_some(*copy));
            is_copy
        });
        Self { sorted: entries, copies, ..Self::default() }
    }

    /// Takes over where answers stand by now. What was noted of reads stays.
    pub(crate) fn renew(&mut self, now: Self) {
        self.sorted = now.sorted;
        self.copies = now.copies;
        self.fresh.clear();
    }

    /// Where else the same answer stands.
    pub(crate) fn copies(&self, of: &Entry) -> impl Iterator<Item = &Entry> {
        let of = (of.key, of.tag);
        let from = self.copies.partition_point(|entry| (entry.key, entry.tag) < of);
        self.copies[from..].iter().take_while(move |entry| (entry.key, entry.tag) == of)
    }

    /// Adds one answer, unless it is there.
    pub(crate) fn add(&mut self, entry: Entry) {
        if !self.all(&entry.key).any(|known| known.tag == entry.tag) {
            self.fresh.insert((entry.key, entry.tag), entry);
        }
    }

    /// All answers under a key, by digest among those of one age.
    pub(crate) fn all(&self, key: &[u8; 32]) -> impl Iterator<Item = &Entry> {
        let from = self.sorted.partition_point(|entry| entry.key < *key);
        let key = *key;
        let sorted = self.sorted[from..].iter().take_while(move |entry| entry.key == key);
        sorted.chain(self.fresh.range((key, 0)..=(key, u64::MAX)).map(|(_, entry)| entry))
    }

    /// The answer that counts: the one that something has read, else the smallest digest.
    pub(crate) fn get(&self, key: &[u8; 32]) -> Option<Entry> {
        let favoured = self.favoured.get(key);
        self.all(key).min_by_key(|entry| (Some(&entry.tag) != favoured, entry.tag)).copied()
    }

    /// Notes which answers were read by a lock, so that they win over later ones.
    pub(crate) fn favour(&mut self, reads: impl IntoIterator<Item = (RequestKey, Digest)>) {
        for (key, digest) in reads {
            let (key, tag) = (key.0.as_bytes(), short_tag(&digest));
            if self.all(key).nth(1).is_some() {
                self.favoured.insert(*key, tag);
            }
            if self.all(key).any(|entry| entry.tag == tag) {
                self.gone.remove(key);
            } else {
                self.gone.insert(*key);
            }
        }
    }

    /// Whether something has read an answer under a key that is not here.
    pub(crate) fn is_gone(&self, key: &[u8; 32]) -> bool {
        self.gone.contains(key)
    }

    /// Every answer, sorted by key and digest.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut all = self.sorted.clone();
        all.extend(self.fresh.values().copied());
        all.sort();
        all
    }

    pub(crate) fn len(&self) -> usize {
        self.sorted.len() + self.fresh.len()
    }

    /// How many answers stand under a key that has another answer too, beyond the first.
    pub(crate) fn conflicts(&self) -> u64 {
        let old = self.sorted.windows(2).filter(|pair| pair[0].key == pair[1].key).count();
        let mut new = 0;
        let mut before: Option<&[u8; 32]> = None;
        for (key, _) in self.fresh.keys() {
            let from = self.sorted.partition_point(|entry| entry.key < *key);
            let older = self.sorted.get(from).is_some_and(|entry| entry.key == *key);
            new += u64::from(older || before == Some(key));
            before = Some(key);
        }
        old as u64 + new
    }
}
