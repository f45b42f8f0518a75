//! The records of a shelf: written, read, removed by the journal's word, and set aside.

use std::path::{Path, PathBuf};

use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Private, Shelf,
    index::{Extent, Index},
    journal::{self, JOURNAL, is_record},
    random, seal,
};

/// Where records lie, and those that no file needs and no journal lets go.
const RECORDS: &str = "records";
const ASIDE: &str = "aside";

/// Whether an index that could not be written lies there all the same.
pub(crate) enum Written {
    Not,
    Perhaps,
}

impl Shelf {
    fn record(&self, name: &str) -> PathBuf {
        self.root.join(RECORDS).join(name)
    }

    /// Writes a sealed record. It counts once an index names it.
    pub(crate) fn seal(
        &self,
        record: String,
        bytes: &[u8],
        index: &Index,
    ) -> Result<Extent, Fault> {
        let sealed = seal::seal(bytes, &index.recipients()?)?;
        let path = self.record(&record);
        let write = || {
            let mut file = self.disk.create(&path)?;
            file.write_all(&sealed)?;
            file.sync()
        };
        if let Err(error) = write() {
            let _ = self.disk.remove(&path);
            return Err(Fault::io("cannot write a record of the shelf", path, error));
        }
        let digest = *blake3::keyed_hash(&index.secret, &sealed).as_bytes();
        Ok(Extent { record, length: bytes.len() as u64, digest })
    }

    pub(crate) fn gather(
        &self,
        extents: &[Extent],
        secret: &[u8; 32],
    ) -> Result<Private<Vec<u8>>, Fault> {
        // Opened first: an index that somebody else wrote may claim any length.
        let mut pieces = Vec::with_capacity(extents.len());
        for extent in extents {
            let path = self.record(&extent.record);
            let missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
            let sealed = match self.disk.read(&path) {
                Err(error) if missing(&error) => {
                    self.disk.read(&self.root.join(ASIDE).join(&extent.record))
                }
                read => read,
            };
            let sealed = sealed.map_err(|error| {
                if missing(&error) {
                    damaged(&path, "is missing")
                } else {
                    Fault::io("cannot read a record of the shelf", &path, error)
                }
            })?;
            if *blake3::keyed_hash(secret, &sealed).as_bytes() != extent.digest {
                return Err(damaged(&path, "is damaged, cut off or another one"));
            }
            let bytes =
                seal::open(&sealed, &self.key).map_err(|_| damaged(&path, "cannot be opened"))?;
            if bytes.expose().len() as u64 != extent.length {
                return Err(damaged(&path, "is not as long as the index says"));
            }
            pieces.push(bytes);
        }
        if let [_] = &pieces[..] {
            return Ok(pieces.remove(0));
        }
        let length = pieces.iter().map(|piece| piece.expose().len()).sum();
        // A buffer that grew would leave copies behind.
        let mut whole = Private::new(Vec::with_capacity(length));
        for piece in &pieces {
            whole.expose_mut().extend_from_slice(piece.expose());
        }
        Ok(whole)
    }

    /// An index, signed and sealed, and the digest of that.
    pub(crate) fn sealed(&self, index: &Index) -> Result<(Vec<u8>, [u8; 32]), Fault> {
        let bytes = index.signed(&self.key).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot sign the shelf's index").because(error)
        })?;
        let sealed = seal::seal(bytes.expose(), &index.recipients()?)?;
        let digest = *blake3::hash(&sealed).as_bytes();
        Ok((sealed, digest))
    }

    pub(crate) fn write_index(&self, sealed: &[u8]) -> Result<(), (Fault, Written)> {
        let path = self.root.join("index");
        // The names of new records must survive before the index that needs them.
        let records = self.root.join(RECORDS);
        let write = self
            .disk
            .sync_dir(&records)
            .and_then(|()| self.disk.put(&path, &self.root.join("index.new"), sealed));
        write.map_err(|error| {
            // Nobody seals the same bytes twice: an index that is ours was renamed into place.
            let there = self.disk.read(&path);
            let is_old = there.as_ref().is_ok_and(|there| there != sealed)
                || there.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
            let written = if is_old { Written::Not } else { Written::Perhaps };
            (Fault::io("cannot write the shelf's index", path, error), written)
        })
    }

    /// The digest of the sealed index that lies there, if it can be read.
    pub(crate) fn lies(&self) -> Option<[u8; 32]> {
        let sealed = self.disk.read(&self.root.join("index")).ok()?;
        Some(*blake3::hash(&sealed).as_bytes())
    }

    /// Removes records that no file needs any more. Where that fails, the next one who changes the
    /// shelf does it.
    pub(crate) fn drop_records(&self, records: &[String]) {
        for record in records {
            let _ = self.disk.remove(&self.record(record));
        }
    }

    /// Removes what a killed run left, by the word of its journal. Records that the index does not know are set aside: it may
    /// be the index that was put back. Those that it knows are fetched from there.
    pub(crate) fn clear(&mut self) -> Result<(), Fault> {
        let (folder, aside) = (self.root.join(RECORDS), self.root.join(ASIDE));
        let list = |folder: &Path| {
            self.disk
                .list(folder)
                .map_err(|error| Fault::io("cannot list the shelf", folder, error))
        };
        let (names, set_aside) = (list(&folder)?, list(&aside)?);
        let path = self.root.join(JOURNAL);
        let journal = match self.disk.read(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Fault::io("cannot read the shelf's journal", path, error)),
        };
        let state = self.state();
        let kept = state.index.expose().records();
        let text = journal.as_deref().unwrap_or_default();
        let let_go = journal::let_go(text, &self.here, &state.sealed);
        let unknown = |name: &&String| is_record(name) && !kept.contains(name.as_str());
        let (left, unknown): (Vec<String>, Vec<String>) =
            names.iter().filter(unknown).cloned().partition(|name| let_go.contains(name));
        self.drop_records(&left);
        let moved = |error| Fault::io("cannot set records of the shelf aside", &aside, error);
        if !unknown.is_empty() {
            self.disk.create_dir_all(&aside).map_err(moved)?;
        }
        for name in &unknown {
            self.disk.rename(&self.record(name), &aside.join(name)).map_err(moved)?;
        }
        for name in
            set_aside.iter().filter(|name| kept.contains(name.as_str()) && !names.contains(name))
        {
            self.disk.rename(&aside.join(name), &self.record(name)).map_err(moved)?;
        }
        drop(state);
        if journal.is_some() {
            self.disk
                .remove(&path)
                .map_err(|error| Fault::io("cannot remove the shelf's journal", path, error))?;
        }
        if !unknown.is_empty() {
            self.notes.push(format!(
                "records that the shelf's index does not know were set aside in {}, and not removed: {}. A change that was not finished leaves such, and so                  does an older index that was put in place of a newer one",
                aside.display(),
                unknown.join(", ")
            ));
        }
        Ok(())
    }
}

/// What we write and remove below a shelf's folder has to lie there.
pub(crate) fn refuse_links(root: &Path, disk: &dyn Disk) -> Result<(), Fault> {
    [RECORDS, ASIDE, JOURNAL, "index.new"].iter().try_for_each(|name| disk.refuse_links(root, name))
}

pub(crate) fn damaged(path: &Path, how: &str) -> Fault {
    Fault::new(FaultKind::Store, format!("a record of the shelf {how}"))
        .at(path)
        .hint("put the shelf's folder back from a copy; nothing was changed")
}

/// A new record's name.
pub(crate) fn name() -> Result<String, Fault> {
    Ok(random::hex(&random::bytes::<16>()?))
}
