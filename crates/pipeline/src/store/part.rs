//! Parts: rows in canonical bytes, compressed, under the digest of those bytes.

use std::io::Read;

use storymill_core::{Digest, Fault, FaultKind, PartRef, Parts};

use super::Store;

/// The most bytes that the rows of one part may take.
pub(crate) const MOST_BYTES: usize = 64 << 20;

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
        let packed = zstd::bulk::compress(rows, 3).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot compress rows").because(error)
        })?;
        let name = name(&digest);
        let folder = self.path(&name[..name.len() - 65]);
        self.disk
            .create_dir_all(&folder)
            .map_err(|error| Fault::io("cannot make a folder of the store", folder, error))?;
        self.put(name, &packed)?;
        Ok(digest)
    }

    /// The rows under a digest, checked against it.
    pub(crate) fn get_part(&self, digest: &Digest) -> Result<Vec<u8>, Fault> {
        let path = self.path(name(digest));
        let packed = self.disk.read(&path).map_err(|error| {
            let gone = error.kind() == std::io::ErrorKind::NotFound;
            let fault = Fault::io("cannot read a part of the store", &path, error);
            // Another run of this store has found it damaged and set it aside.
            if gone {
                Fault { kind: FaultKind::Again, ..fault }.hint("run the same command again")
            } else {
                fault
            }
        })?;
        let mut rows = Vec::new();
        let unpacked = zstd::stream::Decoder::new(&packed[..])
            .and_then(|decoder| decoder.take(MOST_BYTES as u64 + 1).read_to_end(&mut rows));
        match unpacked {
            Err(error) => Err(self.set_aside(&path, &error.to_string())),
            Ok(_) if Digest::of(&rows) != *digest => {
                Err(self.set_aside(&path, "its rows do not have its digest"))
            }
            Ok(_) => Ok(rows),
        }
    }
}

impl Parts for Store {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        self.get_part(&part.digest)
    }
}
