//! Published folders that were found whole, and what they looked like then: a build with nothing to do reads their
//! files again only where they look otherwise.
//!
//! It is only a memory, and speaks of one machine's folders: without it they are read. `verify` never asks it.

use std::{collections::BTreeMap, path::Path};

use storymill_core::{Digest, Stamp};

use super::Store;
use crate::clock;

/// The file of a store that holds it.
const FILE: &str = "whole";

/// The looks of folders, by their paths.
type Folders = BTreeMap<String, Digest>;

impl Store {
    /// Whether a folder looks as it did when it was found whole.
    pub fn knows_as_whole(&self, folder: &Path, looks: &Stamp) -> bool {
        self.folders().get(&*folder.to_string_lossy()) == Some(&looks.digest)
    }

    /// Remembers that a folder is whole, unless it changed a moment ago: then another change might not show. Where that
    /// fails, nothing is lost.
    pub fn remember_as_whole(&self, folder: &Path, looks: &Stamp) {
        if self.is_looked_at() || !clock::has_settled(looks, clock::now()) {
            return;
        }
        let mut folders = self.folders();
        folders.insert(folder.to_string_lossy().into_owned(), looks.digest);
        let _ = self.put_checked(FILE.as_ref(), &folders);
    }

    fn folders(&self) -> Folders {
        self.checked(FILE.as_ref(), |_| true).ok().flatten().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use storymill_disk::RealDisk;

    use super::*;
    use crate::Claim;

    #[test]
    fn a_folder_is_known_while_it_looks_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path(), Arc::new(RealDisk), Claim::Whole).unwrap();
        let looks = |text: &str, changed| Stamp { digest: Digest::of(text.as_bytes()), changed };
        let (one, other) = (Path::new("/one"), Path::new("/other"));
        let store = open();
        store.remember_as_whole(one, &looks("first", clock::now()));
        assert!(!store.knows_as_whole(one, &looks("first", 0)), "it changed a moment ago");
        store.remember_as_whole(one, &looks("first", 0));
        store.remember_as_whole(other, &looks("second", 0));
        drop(store);
        let store = open();
        assert!(store.knows_as_whole(one, &looks("first", 0)));
        assert!(store.knows_as_whole(other, &looks("second", 0)));
        assert!(!store.knows_as_whole(one, &looks("second", 0)));
        assert!(!store.knows_as_whole(Path::new("/third"), &looks("first", 0)));
    }
}
