//! Packing the answers that a lock needs: what is published so that anybody can rebuild.

use std::path::{Path, PathBuf};

use serde::Serialize;
use storymill_core::{Fault, RequestKey};

use crate::{
    AnswerLog,
    log::{MAX_PACK, frame::Frame, pack::Packer},
};

/// What a packing gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Packed {
    /// The packs, named by their digests.
    pub files: Vec<PathBuf>,
    /// Answers in them.
    pub answers: u64,
    /// Bytes of the packs.
    pub bytes: u64,
    /// Keys that the log has no answer for.
    pub missing: Vec<RequestKey>,
}

/// Packs the answers under some keys, in any order, into files of at most 90 MB: key and answer,
/// nothing else. Of several answers under one key the one that counts is packed.
pub fn pack(
    log: &AnswerLog,
    keys: impl IntoIterator<Item = RequestKey>,
    folder: &Path,
) -> Result<Packed, Fault> {
    pack_up_to(log, keys, folder, MAX_PACK)
}

pub(crate) fn pack_up_to(
    log: &AnswerLog,
    keys: impl IntoIterator<Item = RequestKey>,
    folder: &Path,
    max: usize,
) -> Result<Packed, Fault> {
    let mut keys: Vec<RequestKey> = keys.into_iter().collect();
    keys.sort_unstable();
    keys.dedup();
    let disk = log.disk();
    disk.create_dir_all(folder)
        .map_err(|error| Fault::io("cannot make the folder of the packs", folder, error))?;
    let mut packer = Packer::new(&**disk, folder, max);
    let mut packed = Packed::default();
    for key in keys {
        match log.frame(&key)? {
            Some(bytes) => {
                if let Some(frame) = Frame::at(&bytes, 0) {
                    packer.push(&frame)?;
                    packed.answers += 1;
                }
            }
            None => packed.missing.push(key),
        }
    }
    (packed.files, packed.bytes) = packer.finish()?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use storymill_core::{Answer, Digest};

    use super::*;
    use storymill_disk::RealDisk;

    use crate::log::Record;

    #[test]
    fn packs_keep_to_their_size_and_hold_everything() {
        let folder = tempfile::tempdir().unwrap();
        let log = AnswerLog::open(folder.path(), &[], Arc::new(RealDisk)).unwrap();
        let key = |number: u32| RequestKey(Digest::of(&number.to_le_bytes()));
        let answer = |number: u32| Answer {
            text: format!("answer {number}"),
            finish_reason: "stop".to_owned(),
        };
        for number in 0..100 {
            let record = Record { key: key(number), answer: answer(number), note: None };
            log.append(record).unwrap().wait().unwrap();
        }
        let out = tempfile::tempdir().unwrap();
        let wanted = (0..101).map(key);
        let packed = pack_up_to(&log, wanted, out.path(), 2000).unwrap();
        assert_eq!((packed.answers, &packed.missing[..]), (100, &[key(100)][..]));
        assert!(packed.files.len() > 5);
        for file in &packed.files {
            assert!(std::fs::metadata(file).unwrap().len() <= 2000);
        }
        let none = tempfile::tempdir().unwrap();
        let packs = [out.path().to_owned()];
        let again = AnswerLog::open(none.path(), &packs, Arc::new(RealDisk)).unwrap();
        assert_eq!(again.len(), 100);
        assert_eq!(again.get(&key(7)).unwrap(), Some(answer(7)));
        let found = crate::answers::verify(&[out.path()], &RealDisk).unwrap();
        assert_eq!((found.answers, found.findings.len()), (100, 0), "{found:?}");
    }
}
