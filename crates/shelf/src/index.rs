//! The index: which sealed records a file is made of, for whom, and what came before. Signed by who wrote it, and
//! sealed like everything else.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use storymill_core::Fault;
use zeroize::Zeroize;

use crate::{Key, Private, Recipient, Signer, journal::is_record};

/// The file of the shelf that says what it is: signed, and as it was before shelves were signed.
pub(crate) const FORMAT: &str = "storymill shelf 2\n";
pub(crate) const UNSIGNED_FORMAT: &str = "storymill shelf 1\n";

/// How a signed index begins. An unsigned one begins with 32 random bytes.
const HEAD: &[u8; 18] = b"storymill index 2\n";
const PURPOSE: &str = "storymill 2026 signature of a shelf's index v1";
/// So many sessions are remembered, the latest ones.
const REMEMBERED: usize = 4096;

/// One sealed record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Extent {
    /// Its random name.
    pub(crate) record: String,
    /// Bytes inside.
    pub(crate) length: u64,
    /// The keyed digest of the sealed bytes: `age` says nothing of who sealed.
    pub(crate) digest: [u8; 32],
}

/// A run of changes by one process. Within it each change follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// Drawn at random at its first change.
    pub(crate) tag: u64,
    /// The key that signed it.
    pub(crate) by: Signer,
    /// The generation of its last change.
    pub(crate) last: u64,
}

/// Somebody who opens the shelf.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Maintainer {
    pub(crate) key: String,
    /// Without it they read and do not write.
    pub(crate) signer: Option<Signer>,
}

/// Everything that a shelf knows of itself.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Index {
    /// The shelf's own name, drawn at random; zeros while it is not signed.
    pub(crate) id: [u8; 16],
    /// How many changes were made.
    pub(crate) generation: u64,
    /// The runs of changes that led here, in their order.
    pub(crate) sessions: Vec<Session>,
    /// The secret under which digests are taken.
    pub(crate) secret: [u8; 32],
    pub(crate) maintainers: Vec<Maintainer>,
    /// The canary of the family of datasets that is made from the shelf.
    pub(crate) canary: String,
    /// The files, each a run of records.
    pub(crate) files: BTreeMap<String, Vec<Extent>>,
}

/// An index as it was before shelves were signed.
#[derive(Serialize, Deserialize)]
pub(crate) struct Unsigned {
    pub(crate) secret: [u8; 32],
    pub(crate) recipients: Vec<String>,
    pub(crate) canary: String,
    pub(crate) files: BTreeMap<String, Vec<Extent>>,
}

/// Why an index cannot be used.
#[derive(Debug)]
pub(crate) enum Unfit {
    Damaged,
    /// It is not signed by one of those it names, or not at all by whom it says.
    Forged,
}

impl Zeroize for Index {
    fn zeroize(&mut self) {
        self.secret.zeroize();
        self.canary.zeroize();
        for (mut name, _) in std::mem::take(&mut self.files) {
            name.zeroize();
        }
    }
}

impl Index {
    /// Reads what stands in a sealed index; who signed it, if anybody did.
    pub(crate) fn parse(bytes: &[u8]) -> Result<(Self, Option<Signer>), Unfit> {
        let Some(signed) = bytes.strip_prefix(HEAD) else {
            let old: Unsigned = postcard::from_bytes(bytes).map_err(|_| Unfit::Damaged)?;
            let maintainers = old.recipients.into_iter();
            let index = Self {
                id: [0; 16],
                generation: 0,
                sessions: Vec::new(),
                secret: old.secret,
                maintainers: maintainers.map(|key| Maintainer { key, signer: None }).collect(),
                canary: old.canary,
                files: old.files,
            };
            return if index.is_sound() { Ok((index, None)) } else { Err(Unfit::Damaged) };
        };
        let (signer, rest) = signed.split_first_chunk::<32>().ok_or(Unfit::Damaged)?;
        let (signature, body) = rest.split_first_chunk::<64>().ok_or(Unfit::Damaged)?;
        let signer = Signer(*signer);
        let index: Self = postcard::from_bytes(body).map_err(|_| Unfit::Damaged)?;
        let known = index.maintainers.iter().any(|one| one.signer == Some(signer));
        if !known || !signer.signed(PURPOSE, body, signature) {
            return Err(Unfit::Forged);
        }
        if index.is_sound() { Ok((index, Some(signer))) } else { Err(Unfit::Damaged) }
    }

    /// Whether records have names that we give, which lead nowhere else, and every file has a length.
    fn is_sound(&self) -> bool {
        let length = |extents: &Vec<Extent>| {
            extents.iter().try_fold(0_u64, |sum, extent| sum.checked_add(extent.length))
        };
        self.records().into_iter().all(is_record)
            && self.files.values().all(|file| length(file).is_some())
    }

    /// The index as it is sealed, signed.
    pub(crate) fn signed(&self, key: &Key) -> Result<Private<Vec<u8>>, postcard::Error> {
        let body = postcard::to_stdvec(self).map(Private::new)?;
        let signature = key.signing().sign(PURPOSE, body.expose());
        let mut bytes = Private::new(Vec::with_capacity(body.expose().len() + 128));
        for part in [&HEAD[..], &key.signing().signer().0, &signature, body.expose()] {
            bytes.expose_mut().extend_from_slice(part);
        }
        Ok(bytes)
    }

    /// The public keys of the maintainers.
    pub(crate) fn recipients(&self) -> Result<Vec<Recipient>, Fault> {
        let recipient = |one: &Maintainer| Ok(one.key.parse::<Recipient>()?.or_signer(one.signer));
        self.maintainers.iter().map(recipient).collect()
    }

    /// Whom it is to be sealed to from now on. What is known of their signatures stays known.
    pub(crate) fn seal_to(&mut self, recipients: &[Recipient]) {
        let known = std::mem::take(&mut self.maintainers);
        let entry = |recipient: &Recipient| {
            let key = recipient.to_string();
            let before = known.iter().find(|one| one.key == key).and_then(|one| one.signer);
            Maintainer { key, signer: recipient.signer().or(before) }
        };
        self.maintainers = recipients.iter().map(entry).collect();
    }

    /// Counts a change of a session.
    pub(crate) fn step(&mut self, tag: u64, by: Signer) {
        self.generation += 1;
        let last = self.generation;
        match self.sessions.last_mut() {
            Some(session) if session.tag == tag => session.last = last,
            _ => self.sessions.push(Session { tag, by, last }),
        }
        let over = self.sessions.len().saturating_sub(REMEMBERED);
        self.sessions.drain(..over);
    }

    pub(crate) fn length(&self, name: &str) -> Option<u64> {
        Some(self.files.get(name)?.iter().map(|extent| extent.length).sum())
    }

    /// The records that some file needs.
    pub(crate) fn records(&self) -> BTreeSet<&str> {
        self.files.values().flatten().map(|extent| extent.record.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of one file, as shelves had it before they were signed: whoever knows a public key can seal one.
    fn unsigned(extents: &[(&str, u64)]) -> Vec<u8> {
        let extent = |(record, length): &(&str, u64)| Extent {
            record: (*record).to_owned(),
            length: *length,
            digest: [0; 32],
        };
        let files = BTreeMap::from([("book/b".to_owned(), extents.iter().map(extent).collect())]);
        let index =
            Unsigned { secret: [0; 32], recipients: Vec::new(), canary: "c".to_owned(), files };
        postcard::to_stdvec(&index).unwrap()
    }

    #[test]
    fn an_index_of_strangers_names_records_alone_and_lengths_that_add_up() {
        let (one, two) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210");
        let (index, _) = Index::parse(&unsigned(&[(one, 7), (two, 8)])).ok().unwrap();
        assert_eq!(index.length("book/b"), Some(15));
        for bad in [&[("../../passwords", 7)][..], &[("", 7)], &[(one, u64::MAX), (two, 1)]] {
            assert!(matches!(Index::parse(&unsigned(bad)), Err(Unfit::Damaged)), "{bad:?}");
        }
    }
}
