//! The journal: which records a change writes and which it leaves behind. A record that no file needs is removed by
//! its word alone; any other one that the index does not know is set aside.

use std::{io, io::Write, path::Path};

use storymill_core::{Disk, DiskFile};

use crate::random::hex;

/// The journal's file.
pub(crate) const JOURNAL: &str = "journal";

/// The journal of a change that is being made.
pub(crate) struct Journal(Box<dyn DiskFile>);

impl Journal {
    /// Begins one. `here` tells this copy of the shelf from others, `base` is the digest of the sealed index.
    pub(crate) fn begin(
        disk: &dyn Disk,
        root: &Path,
        here: &str,
        base: &[u8; 32],
    ) -> io::Result<Self> {
        let mut journal = Self(disk.create(&root.join(JOURNAL))?);
        journal.0.write_all(format!("here {here}\nbase {}\n", hex(base)).as_bytes())?;
        Ok(journal)
    }

    /// A record that is about to be written.
    pub(crate) fn fresh(&mut self, record: &str) -> io::Result<()> {
        self.0.write_all(format!("fresh {record}\n").as_bytes())
    }

    /// Records that nobody needs once the index of this digest is in place.
    pub(crate) fn gone<'r>(
        &mut self,
        records: impl Iterator<Item = &'r str>,
        next: &[u8; 32],
    ) -> io::Result<()> {
        let mut text = String::new();
        for record in records {
            text += &format!("gone {record}\n");
        }
        text += &format!("next {}\n", hex(next));
        self.0.write_all(text.as_bytes())
    }
}

/// What a journal that was left behind lets go, with this index in place. A torn one lets go less.
pub(crate) fn let_go(text: &[u8], here: &str, index: &[u8; 32]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let of = |word: &str| {
        let lines = text.lines();
        lines.filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect::<Vec<_>>()
    };
    let index = hex(index);
    // A journal that was copied here speaks of a change that goes on elsewhere.
    let which = if of("next").contains(&&*index) {
        "gone"
    } else if of("base").contains(&&*index) && of("here") == [here] {
        "fresh"
    } else {
        return Vec::new();
    };
    of(which).into_iter().filter(|name| is_record(name)).map(str::to_owned).collect()
}

/// Whether a name is one that records have.
pub(crate) fn is_record(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
