//! Votes and answers that a private set keeps, with the words of the claims that they were about; what went out of the
//! set, and what of all that counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;
use storymill::retired_pairs;
use storymill_claims::{
    import::Set,
    pair::{Half, Pair},
    set::lines,
    standing::{Stands, words_of},
};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{
    Private,
    sets::{self, Sets},
};

use super::{remove::REMOVED, set_store::Sealed};

/// The words of a claim, by a digest.
#[derive(Serialize, Deserialize)]
struct Noted {
    pair: String,
    claim: Half,
    words: Digest,
}

/// Claims by what they were said of.
pub(super) type Known = BTreeMap<(String, Half), Digest>;

/// Where it is noted which words some votes or answers (`votes/NAME`, `said/NAME`) are about.
pub(super) fn place(what: &str) -> String {
    format!("words/{what}")
}

/// The words that some claims have, or had when their pairs went; as it is kept.
pub(super) fn noted<'c>(
    claims: impl Iterator<Item = (&'c str, Half)>,
    stands: &Stands<'_>,
    removed: &BTreeMap<String, Removed>,
) -> String {
    let claims: BTreeSet<(&str, Half)> = claims.collect();
    let words = claims.into_iter().filter_map(|(pair, claim)| {
        let gone = || removed.get(pair)?.words.as_ref()?.get(usize::from(claim == Half::False));
        let words = stands.words(pair, claim).or_else(|| gone().copied())?;
        Some(Noted { pair: pair.to_owned(), claim, words })
    });
    lines(&words.collect::<Vec<_>>())
}

/// The words that some votes or answers are about, as far as they were noted.
pub(super) fn known(sealed: &Sealed, what: &str) -> Result<Known, Fault> {
    read(sealed.read(&place(what))?.expose())
}

/// The same, as it is kept.
pub(super) fn read(kept: &[u8]) -> Result<Known, Fault> {
    let lines = kept.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = |line| {
        let Noted { pair, claim, words } = serde_json::from_slice(line).map_err(|_| {
            Fault::new(FaultKind::Store, "what is kept of the set was written by another version")
        })?;
        Ok(((pair, claim), words))
    };
    lines.map(read).collect()
}

/// A pair that went.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Removed {
    pub(super) pair: String,
    pub(super) date: String,
    /// The words of its true and of its false claim; none where nobody noted them.
    pub(super) words: Option<[Digest; 2]>,
}

/// The line that is kept of a pair that goes.
pub(super) fn line_of(pair: &Pair, reason: &str, date: &str) -> String {
    let words = Half::BOTH.map(|half| words_of(pair.claim(half)));
    json!({ "pair": pair.id, "reason": reason, "date": date, "words": words }).to_string() + "\n"
}

/// The pairs that went, as their lines say; of one that went twice the last.
pub(super) fn removed(bytes: &[u8]) -> BTreeMap<String, Removed> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let all = lines.filter_map(|line| serde_json::from_slice::<Removed>(line).ok());
    all.map(|one| (one.pair.clone(), one)).collect()
}

/// The pairs that went out of a private set.
pub(super) fn removed_from(sealed: &Sealed) -> Result<BTreeMap<String, Removed>, Fault> {
    Ok(removed(sealed.read(REMOVED)?.expose()))
}

/// How what is said of a private set stands, its retired pairs among it.
pub(super) fn stands<'s>(sealed: &Sealed, set: &'s Set) -> Result<Stands<'s>, Fault> {
    Ok(Stands::new(set, retired_pairs(&sealed.shelf, &sealed.name)?))
}

/// Keeps some votes or answers with the words that they are about, in one step. What is kept under this name already
/// is about the words that were noted then.
pub(super) fn keep(
    sealed: &Sealed,
    what: &str,
    content: &[u8],
    words: &str,
    others: &[String],
) -> Result<(), Fault> {
    let inside = |name: &str| sets::place(&sealed.name, name);
    let is_new = Sets(&sealed.shelf).file(&sealed.name, what)?.is_none();
    let words = Private::new(words.as_bytes().to_vec());
    sealed.shelf.change(|change| {
        for other in others.iter().filter(|other| *other != what) {
            change.remove(&inside(other));
            change.remove(&inside(&place(other)));
        }
        if is_new {
            change.put(&inside(&place(what)), words.expose())?;
        }
        change.put(&inside(what), content)
    })
}
