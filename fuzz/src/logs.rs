//! The laws of an answer log, whatever lies in its folder.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use storymill_core::{Answer, Digest, RequestKey};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, mend};

use crate::afresh;

/// Begins a frame.
const MARK: &[u8] = b"\x9esm\x1a";
/// Bytes before a frame's payload, and of a pack's foot.
const HEAD: usize = 18;
const FOOT: usize = 64;
const ROW: usize = 48;

/// Opens a log of one file, as it is and with the checksums that its bytes should have: without those, bent bytes would
/// come no farther than the first check.
pub fn open(folder: &Path, name: &str, bytes: &[u8]) {
    laws(folder, name, bytes);
    let sound = with_checksums(bytes);
    if sound != bytes {
        laws(folder, name, &sound);
    }
}

fn laws(folder: &Path, name: &str, bytes: &[u8]) {
    afresh(folder, [(name, bytes)]);
    let Ok(before) = Held::of(folder) else { return };
    // Nothing is lost by setting damage aside, nor by sealing, and neither leaves damage that it was told of.
    let told = mend(folder, &RealDisk).expect("a log that can be opened can be mended");
    let after = Held::of(folder).expect("a mended log opens");
    // What a bent index hid may be found again, and what a forged frame covers may be lost, if that is told.
    let lost = before.answers.keys().filter(|key| !after.answers.contains_key(key)).count();
    assert!(lost as u64 <= before.lost, "{lost} answers lost by mending {told:?}");
    for (key, answer) in &after.answers {
        let other = before.answers.get(key).filter(|before| *before != answer);
        assert_eq!(other, None, "another answer after mending {told:?}");
    }
    let log = AnswerLog::open(folder, &[], Arc::new(RealDisk)).expect("a mended log opens");
    log.seal().expect("a mended log can be sealed");
    drop(log);
    assert_eq!(
        Held::of(folder).expect("a sealed log opens").answers,
        after.answers,
        "other answers after sealing"
    );
}

/// What a log gives to whoever asks.
struct Held {
    answers: BTreeMap<RequestKey, Answer>,
    /// How many are told to be lost.
    lost: u64,
}

impl Held {
    fn of(folder: &Path) -> Result<Self, storymill_core::Fault> {
        let log = AnswerLog::open(folder, &[], Arc::new(RealDisk))?;
        let mut answers = BTreeMap::new();
        for key in log.keys() {
            if let Ok(Some(answer)) = log.get(&key) {
                let _ = log.written(&key);
                answers.insert(key, answer);
            }
        }
        let lost = log.damage()?.iter().map(|damage| damage.lost).sum();
        Ok(Self { answers, lost })
    }
}

/// The bytes with the checksum of every frame, and of a pack's index, put right.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut at = 0;
    while at + HEAD <= bytes.len() {
        let said =
            u32::from_le_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
        let end = at.saturating_add(HEAD).saturating_add(said);
        if !bytes[at..].starts_with(MARK) || end > bytes.len() {
            at += 1;
            continue;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes[at + 4..at + 10]).update(&bytes[at + HEAD..end]);
        bytes[at + 10..at + HEAD].copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        at = end;
    }
    let rows = bytes.len().checked_sub(FOOT).and_then(|foot| {
        let count =
            usize::try_from(u64::from_le_bytes(bytes[foot + 8..foot + 16].try_into().ok()?))
                .ok()?;
        Some((foot.checked_sub(count.checked_mul(ROW)?)?, foot))
    });
    if let Some((rows, foot)) = rows {
        let digest = Digest::of(&bytes[rows..foot]);
        bytes[foot + 16..foot + 48].copy_from_slice(digest.as_bytes());
    }
    bytes
}
