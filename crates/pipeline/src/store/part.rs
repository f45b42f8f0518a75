//! Parts: rows in canonical bytes, compressed, under the digest of those bytes.

use std::sync::PoisonError;

use storymill_core::{Digest, Fault, FaultKind, PartRef, Parts};

use super::{
    Store,
    packing::{pack, unpack},
};

/// The most bytes that the rows of one part may take: they are in memory as a whole, once as bytes and once as rows.
pub(crate) const MOST_BYTES: usize = 256 << 20;

pub(super) fn name(digest: &Digest) -> String {
    let digest = digest.to_string();
    format!("parts/{}/{digest}", &digest[..2])
}

impl Store {
    /// Keeps rows and returns their digest. Bytes that are there already are not written again.
    pub(crate) fn put_part(&self, rows: &[u8]) -> Result<Digest, Fault> {
        let digest = Digest::of(rows);
        if self.has_part(&digest)? {
            return Ok(digest);
        }
        let packed = pack(rows).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot compress rows").because(error)
        })?;
        let name = name(&digest);
        let below = &name[..name.len() - 65];
        let folder = self.path(below);
        self.disk.refuse_links(&self.root, below)?;
        self.disk
            .create_dir_all(&folder)
            .map_err(|error| Fault::io("cannot make a folder of the store", folder, error))?;
        self.put(name, &packed)?;
        Ok(digest)
    }

    /// The rows under a digest, checked against it.
    ///
    /// # Errors
    ///
    /// Of kind `Again`, if the part was damaged and is set aside, or is gone: it can be made anew.
    pub(crate) fn get_part(&self, digest: &Digest) -> Result<Vec<u8>, Fault> {
        if let Ok(rows) = self.unpack(digest)? {
            return Ok(rows);
        }
        // Somebody else may have set it aside since, and have made it anew.
        let _turn = self.setting_aside.lock().unwrap_or_else(PoisonError::into_inner);
        let why = match self.unpack(digest)? {
            Ok(rows) => return Ok(rows),
            Err(why) => why,
        };
        let path = self.path(name(digest));
        self.set_aside(&path, &why)?;
        let message = format!("a file of the store is damaged ({why}) and cannot be made anew yet");
        Err(Fault::new(FaultKind::Again, message)
            .at(path)
            .hint("it was moved to the store's folder `damaged`; run the same command again"))
    }

    /// The rows under a digest, or why they cannot be right.
    fn unpack(&self, digest: &Digest) -> Result<Result<Vec<u8>, String>, Fault> {
        let path = self.path(name(digest));
        let packed = self.disk.read(&path).map_err(|error| {
            let gone = error.kind() == std::io::ErrorKind::NotFound;
            let fault = Fault::io("cannot read a part of the store", &path, error);
            // Somebody else has found it damaged and set it aside.
            if gone {
                Fault { kind: FaultKind::Again, ..fault }.hint("run the same command again")
            } else {
                fault
            }
        })?;
        Ok(match unpack(&packed, MOST_BYTES) {
            Err(error) => Err(error.to_string()),
            Ok(rows) if Digest::of(&rows) != *digest => {
                Err("its rows do not have its digest".to_owned())
            }
            Ok(rows) => Ok(rows),
        })
    }
}

impl Parts for Store {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        self.get_part(&part.digest)
    }
}
