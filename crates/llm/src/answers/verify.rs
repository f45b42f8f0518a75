//! Reading every byte of a log and believing none of it.

use std::path::{Path, PathBuf};

use serde::Serialize;
use storymill_core::{Disk, Fault, plural};

use crate::log::{self, Role, frame::Kind, pack, record, walk::walk};

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Files read.
    pub files: usize,
    /// Sound answers.
    pub answers: u64,
    /// Sound notes.
    pub notes: u64,
    /// Answers that are damaged, whether or not another file has them too.
    pub lost: u64,
    /// Bytes behind the last record of segments: no damage, a writer was killed.
    pub torn_bytes: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The file.
    pub path: PathBuf,
    /// A fragment.
    pub what: String,
}

/// Verifies all files of some folders or packs: frames, checksums, digests, order, indexes, names.
pub fn verify(places: &[&Path], disk: &dyn Disk) -> Result<Verified, Fault> {
    let mut found = Verified::default();
    for place in places {
        for path in log::files(disk, place)? {
            let bytes = disk
                .read(&path)
                .map_err(|error| Fault::io("cannot read a file of the answers", &path, error))?;
            found.files += 1;
            one(&path, &bytes, &mut found);
        }
    }
    Ok(found)
}

fn one(path: &Path, bytes: &[u8], found: &mut Verified) {
    let mut findings = Vec::new();
    let Some(role) = log::role(path) else { return };
    let walked = walk(role, bytes);
    if walked.strange {
        findings.push("it does not begin as such a file does, or a newer version wrote it".into());
    }
    let mut rows = Vec::new();
    let mut last = None;
    for frame in &walked.frames {
        let sound = match frame.kind {
            Kind::Answer => record::answer(frame).is_some(),
            Kind::Note => record::note(frame).is_some(),
        };
        if !sound {
            findings
                .push(format!("the record at byte {} is not what its digest says", frame.start));
            continue;
        }
        match frame.kind {
            Kind::Answer => found.answers += 1,
            Kind::Note => found.notes += 1,
        }
        if role == Role::Pack {
            let order = (frame.key(), frame.tag());
            if frame.kind == Kind::Note {
                findings.push("a pack holds a note".to_owned());
            }
            if last.is_some_and(|last| last >= order) {
                findings.push(format!("the record at byte {} is out of order", frame.start));
            }
            last = Some(order);
            pack::push_row(&mut rows, frame);
        }
    }
    if walked.damaged > 0 {
        findings.push(format!("{} are damaged", plural(walked.damaged, "byte")));
    }
    if !walked.lost.is_empty() {
        findings.push(format!("{} lost", plural(walked.lost.len() as u64, "answer")));
    }
    found.lost += walked.lost.len() as u64;
    found.torn_bytes += walked.torn;
    if role == Role::Pack && !pack::index_is(bytes, &rows) {
        findings.push("its index does not belong to its records".to_owned());
    }
    let named = path.file_stem().and_then(|stem| stem.to_str());
    if role != Role::Segment && named != Some(pack::name_of(bytes).as_str()) {
        findings.push("its name is not its digest: it was changed".to_owned());
    }
    let finding = |what| Finding { path: path.to_owned(), what };
    found.findings.extend(findings.into_iter().map(finding));
}
