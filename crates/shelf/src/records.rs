//! The files of a shelf: records and operations, written beside and renamed into place, the operation last.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Private, Recipient, Shelf,
    before::INDEX,
    letter,
    log::{Piece, State, is_record},
    random,
};

/// Where records lie.
pub(crate) const RECORDS: &str = "records";
/// Where operations lie, each under the digest of its bytes.
pub(crate) const LOG: &str = "log";
/// The operation of a change that is being made.
pub(crate) const SCRATCH: &str = "operation.new";
/// How the records of such a change end.
const NEW: &str = ".new";

impl Shelf {
    fn record(&self, name: &str) -> PathBuf {
        self.root.join(RECORDS).join(name)
    }

    /// Writes a sealed record beside. It counts once an operation that names it is in place.
    pub(crate) fn seal(
        &self,
        bytes: &[u8],
        to: &[Recipient],
        secret: &[u8; 32],
    ) -> Result<(String, [u8; 32]), Fault> {
        let sealed = letter::seal(bytes, to)?;
        let record = record_of(&sealed);
        let path = self.record(&(record.clone() + NEW));
        let write = || {
            let mut file = self.disk.create(&path)?;
            file.write_all(&sealed)?;
            file.sync()
        };
        if let Err(error) = write() {
            let _ = self.disk.remove(&path);
            return Err(Fault::io("cannot write a record of the shelf", path, error));
        }
        Ok((record, *blake3::keyed_hash(secret, &sealed).as_bytes()))
    }

    /// The bytes of some pieces, one after the other.
    pub(crate) fn gather(
        &self,
        pieces: &[&Piece],
        state: &State,
    ) -> Result<Private<Vec<u8>>, Fault> {
        // Opened first: an operation that somebody else wrote may claim any length.
        let mut opened = BTreeMap::new();
        for place in pieces.iter().map(|piece| &piece.place).filter(|place| place.length > 0) {
            if !opened.contains_key(&place.record) {
                opened.insert(&place.record, self.opened(&place.record, state)?);
            }
        }
        let mut parts = Vec::with_capacity(pieces.len());
        for place in pieces.iter().map(|piece| &piece.place).filter(|place| place.length > 0) {
            let whole = opened[&place.record].expose();
            let part = usize::try_from(place.from).ok().zip(usize::try_from(place.length).ok());
            let part = part.and_then(|(from, length)| whole.get(from..from.checked_add(length)?));
            let shorter = || damaged(&self.record(&place.record), "is shorter than the log says");
            parts.push(part.ok_or_else(shorter)?);
        }
        // A buffer that grew would leave copies behind.
        let length = parts.iter().map(|part| part.len()).sum();
        let mut whole = Private::new(Vec::with_capacity(length));
        for part in parts {
            whole.expose_mut().extend_from_slice(part);
        }
        Ok(whole)
    }

    /// What a record holds.
    pub(crate) fn opened(&self, name: &str, state: &State) -> Result<Private<Vec<u8>>, Fault> {
        let path = self.record(name);
        let known = state.records.get(name).ok_or_else(|| damaged(&path, "is not in the log"))?;
        let mut read = self.disk.read(&path);
        // A process that was killed has not yet renamed what its operation names.
        if read.is_err() {
            read = self.disk.read(&self.record(&(name.to_owned() + NEW))).or(read);
        }
        let sealed = read.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => damaged(&path, "is missing"),
            _ => Fault::io("cannot read a record of the shelf", &path, error),
        })?;
        if *blake3::keyed_hash(&state.secret, &sealed).as_bytes() != known.digest {
            return Err(damaged(&path, "is damaged, cut off or another one"));
        }
        letter::open(&sealed, &self.key).map_err(|_| {
            Fault::new(FaultKind::Store, "a file of the shelf is not sealed to your key")
                .at(&path)
                .hint("a maintainer who opens it seals it to you: `storymill shelf rekey`")
        })
    }

    /// Puts an operation in place, and the records that it needs before it. On a fault whether it lies there all the same.
    pub(crate) fn commit(
        &self,
        name: &str,
        sealed: &[u8],
        fresh: &[String],
    ) -> Result<(), (Fault, bool)> {
        let (scratch, log) = (self.root.join(SCRATCH), self.root.join(LOG));
        let write = || {
            let mut file = self.disk.create(&scratch)?;
            file.write_all(sealed)?;
            file.sync()?;
            drop(file);
            self.finish(name, fresh)
        };
        write().map_err(|error| {
            let is_there = !matches!(self.disk.len(&log.join(name)), Ok(None));
            if !is_there && self.disk.remove(&scratch).is_ok() {
                self.undo(fresh);
            }
            (Fault::io("cannot write an operation of the shelf", log, error), is_there)
        })
    }

    fn finish(&self, name: &str, fresh: &[String]) -> std::io::Result<()> {
        for record in fresh {
            self.disk.rename(&self.record(&format!("{record}{NEW}")), &self.record(record))?;
        }
        // The names of new records must survive before the operation that needs them.
        if !fresh.is_empty() {
            self.disk.sync_dir(&self.root.join(RECORDS))?;
        }
        self.disk.rename(&self.root.join(SCRATCH), &self.root.join(LOG).join(name))?;
        self.disk.sync_dir(&self.root.join(LOG))
    }

    /// Removes the records of a change that is not made.
    pub(crate) fn undo(&self, fresh: &[String]) {
        for record in fresh {
            let _ = self.disk.remove(&self.record(&format!("{record}{NEW}")));
            let _ = self.disk.remove(&self.record(record));
        }
    }

    /// Finishes the change of a process that was killed, if its operation is whole, and else removes what it left.
    pub(crate) fn clear(
        &self,
        records_of: impl Fn(&[u8]) -> Option<Vec<String>>,
    ) -> Result<bool, Fault> {
        let failed = |error| Fault::io("cannot go on with the shelf", &self.root, error);
        let names = self.disk.list(&self.root.join(RECORDS)).map_err(failed)?;
        let left: Vec<&str> = names
            .iter()
            .filter_map(|name| name.strip_suffix(NEW))
            .filter(|name| is_record(name))
            .collect();
        let scratch = self.root.join(SCRATCH);
        let sealed = match self.disk.read(&scratch) {
            Ok(sealed) => Some(sealed),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let whole = sealed.as_deref().and_then(|sealed| Some((sealed, records_of(sealed)?)));
        if let Some((sealed, needed)) = whole {
            let fresh: Vec<String> = left
                .iter()
                .filter(|name| needed.iter().any(|one| one == *name))
                .map(|name| (*name).to_owned())
                .collect();
            self.finish(&operation_of(sealed), &fresh).map_err(failed)?;
            return Ok(true);
        }
        for name in left {
            self.disk.remove(&self.record(&format!("{name}{NEW}"))).map_err(failed)?;
        }
        if sealed.is_some() {
            self.disk.remove(&scratch).map_err(failed)?;
        }
        Ok(false)
    }

    /// Removes records, then the operation that needed them. Where that fails, the next one who changes the shelf does it.
    pub(crate) fn drop_operation<'r>(&self, name: &str, records: impl Iterator<Item = &'r String>) {
        let mut is_done = true;
        for record in records {
            let gone = self.disk.remove(&self.record(record));
            is_done &= gone.is_ok_and(|()| true)
                || matches!(self.disk.len(&self.record(record)), Ok(None));
        }
        if is_done {
            let path =
                if name == INDEX { self.root.join(name) } else { self.root.join(LOG).join(name) };
            let _ = self.disk.remove(&path);
        }
    }
}

/// What we write and remove below a shelf's folder has to lie there.
pub(crate) fn refuse_links(root: &Path, disk: &dyn Disk) -> Result<(), Fault> {
    [RECORDS, LOG, SCRATCH].iter().try_for_each(|name| disk.refuse_links(root, name))
}

pub(crate) fn damaged(path: &Path, how: &str) -> Fault {
    Fault::new(FaultKind::Store, format!("a file of the shelf {how}"))
        .at(path)
        .hint("put the file back from a copy of the shelf; nothing was changed")
}

/// The name of a record with these bytes.
pub(crate) fn record_of(sealed: &[u8]) -> String {
    random::hex(&blake3::hash(sealed).as_bytes()[..16])
}

/// The name of an operation with these bytes.
pub(crate) fn operation_of(sealed: &[u8]) -> String {
    blake3::hash(sealed).to_hex().to_string()
}
