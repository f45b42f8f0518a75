//! Shelves as they were before they had a log: one index, sealed, that named every file. It is read as an operation of who
//! signed it last, and goes once somebody has changed the shelf.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    Recipient, Signer,
    log::{self, Id, Kind, Known, Piece, Place, Record, State},
    operation::{Operation, Unfit, signed_by},
    people::Person,
};

/// The file of the index.
pub(crate) const INDEX: &str = "index";

/// How a signed index begins. An unsigned one begins with 32 random bytes.
const HEAD: &[u8; 18] = b"storymill index 2\n";
const PURPOSE: &str = "storymill 2026 signature of a shelf's index v1";

#[derive(Serialize, Deserialize)]
struct Extent {
    record: String,
    length: u64,
    digest: [u8; 32],
}

#[derive(Serialize, Deserialize)]
struct Session {
    tag: u64,
    by: Signer,
    last: u64,
}

#[derive(Serialize, Deserialize)]
struct Index {
    id: [u8; 16],
    generation: u64,
    sessions: Vec<Session>,
    secret: [u8; 32],
    maintainers: Vec<Person>,
    canary: String,
    files: BTreeMap<String, Vec<Extent>>,
}

/// An index as it was before shelves were signed.
#[derive(Serialize, Deserialize)]
struct Unsigned {
    secret: [u8; 32],
    recipients: Vec<String>,
    canary: String,
    files: BTreeMap<String, Vec<Extent>>,
}

/// Reads what stands in a sealed index. `sealed` is a digest of that.
pub(crate) fn parse(bytes: &[u8], sealed: &[u8; 32]) -> Result<Operation, Unfit> {
    let Some(signed) = bytes.strip_prefix(HEAD) else {
        let old: Unsigned = postcard::from_bytes(bytes).map_err(|_| Unfit::Damaged)?;
        let mut id = [0; 16];
        id.copy_from_slice(&blake3::hash(&old.secret).as_bytes()[..16]);
        let recipients = old.recipients.into_iter();
        let index = Index {
            id,
            generation: 0,
            sessions: Vec::new(),
            secret: old.secret,
            maintainers: recipients.map(|key| Person { key, signer: None }).collect(),
            canary: old.canary,
            files: old.files,
        };
        return operation(index, None, sealed);
    };
    let (signer, body) = signed_by(signed, PURPOSE)?;
    let index: Index = postcard::from_bytes(body).map_err(|_| Unfit::Damaged)?;
    if !index.maintainers.iter().any(|one| one.signer == Some(signer)) {
        return Err(Unfit::Forged);
    }
    operation(index, Some(signer), sealed)
}

/// The operation that an index is. Whoever reads the same index gives its pieces the same ids.
fn operation(index: Index, author: Option<Signer>, sealed: &[u8; 32]) -> Result<Operation, Unfit> {
    let session = index.sessions.last().map_or(log::number(sealed), |last| last.tag);
    let step = index.generation.max(1);
    let mut state = State {
        id: index.id,
        secret: index.secret,
        canary: index.canary,
        known: Known { upto: [(session, step)].into(), also: BTreeSet::new() },
        ..State::default()
    };
    for one in &index.sessions {
        state.known.upto.insert(one.tag, one.last);
        state.authors.entry(one.by).or_default().insert(one.tag);
    }
    let readers: Vec<Recipient> =
        index.maintainers.iter().filter_map(|one| one.key.parse().ok()).collect();
    let (to, keys) = log::circle(&readers);
    state.circles.insert(to, keys);
    state.founders = index.maintainers;
    for (name, extents) in index.files {
        let first = Id { session, step, n: 0 };
        let mut pieces = BTreeMap::new();
        for (n, extent) in (0..).zip(extents) {
            let mut what = [0; 16];
            what.copy_from_slice(&extent.digest[..16]);
            let (kind, saw) =
                if n == 0 { (Kind::Whole, Vec::new()) } else { (Kind::Added, vec![first]) };
            let record = Record { digest: extent.digest, to };
            let place = Place { turn: 0, record: extent.record, from: 0, length: extent.length };
            state.records.insert(place.record.clone(), record);
            let (key, at) = (String::new(), u64::from(n));
            pieces.insert(Id { n, ..first }, Piece { kind, key, at, place, what, saw });
        }
        state.files.insert(name, pieces);
    }
    if !state.is_sound() {
        return Err(Unfit::Damaged);
    }
    Ok(Operation { name: INDEX.to_owned(), author, state, seen: Known::default() })
}

#[cfg(feature = "age")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    const ONE: &str = "0123456789abcdef0123456789abcdef";

    fn files(extents: &[(&str, u64)]) -> BTreeMap<String, Vec<Extent>> {
        let extent = |(record, length): &(&str, u64)| Extent {
            record: (*record).to_owned(),
            length: *length,
            digest: [5; 32],
        };
        BTreeMap::from([("book/b".to_owned(), extents.iter().map(extent).collect())])
    }

    /// An index as shelves had it before they were signed: whoever knows a public key can seal one.
    fn unsigned(extents: &[(&str, u64)]) -> Vec<u8> {
        let (files, canary) = (files(extents), "c".to_owned());
        let index = Unsigned { secret: [0; 32], recipients: Vec::new(), canary, files };
        postcard::to_stdvec(&index).unwrap()
    }

    #[test]
    fn an_index_of_strangers_names_records_alone_and_lengths_that_end() {
        assert!(parse(&unsigned(&[(ONE, 7), (ONE, 8)]), &[0; 32]).is_ok());
        for bad in ["../../passwords", "", "0123456789ABCDEF0123456789abcdeg"] {
            let fault = parse(&unsigned(&[(bad, 7)]), &[0; 32]).unwrap_err();
            assert_eq!(fault, Unfit::Damaged, "{bad}");
        }
    }

    #[test]
    fn a_signed_index_is_the_operation_of_who_signed_it_last() {
        let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
        let of = |key: &Key| Person::from(&key.recipient());
        let signed = |last: u64, by: &Key| {
            let session = |tag, by: &Key, last| Session { tag, by: by.signing().signer(), last };
            let index = Index {
                id: [7; 16],
                generation: last,
                sessions: vec![session(1, &ann, 3), session(2, &bob, last)],
                secret: [0; 32],
                maintainers: vec![of(&ann), of(&bob)],
                canary: "c".to_owned(),
                files: files(&[(ONE, 7), ("fedcba9876543210fedcba9876543210", last)]),
            };
            let body = postcard::to_stdvec(&index).unwrap();
            let signature = by.signing().sign(PURPOSE, &body);
            [&HEAD[..], &by.signing().signer().0, &signature, &body].concat()
        };
        let (older, newer) = (signed(4, &bob), signed(5, &bob));
        let [older, newer] = [older, newer].map(|bytes| parse(&bytes, &[0; 32]).unwrap());
        assert_eq!(newer.author, bob.recipient().signer());
        assert_eq!(newer.state.recipients(), [ann.recipient(), bob.recipient()]);
        assert_eq!(newer.own(), BTreeMap::from([(2, 5)]));
        // The older of two that follow each other says nothing that the newer one does not.
        let mut both = older.state.clone();
        both.join(&newer.state);
        assert_eq!(both.files, newer.state.files);
        assert!(newer.state.known.covers(&older.state.known));
        assert_eq!(parse(&signed(5, &Key::mint().unwrap()), &[0; 32]).unwrap_err(), Unfit::Forged);
    }
}
