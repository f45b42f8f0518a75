//! Who works on a store: one whole run alone, or several shards side by side.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use storymill_core::{Fault, FaultKind};

use crate::Shard;

/// What a run claims of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The whole store, alone.
    Whole,
    /// One shard; other shards may run beside it.
    Shard(Shard),
}

/// Locks that last as long as this lives, and end with the process however it ends.
#[derive(Debug)]
pub(super) struct Held {
    alone: bool,
    _files: Vec<File>,
}

impl Held {
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }
}

impl Claim {
    pub(super) fn hold(self, root: &Path) -> Result<Held, Fault> {
        match self {
            Self::Whole => {
                let file = open(root, "lock")?;
                took(root, file.try_lock())?;
                Ok(Held { alone: true, _files: vec![file] })
            }
            Self::Shard(shard) => {
                let common = open(root, "lock")?;
                took(root, common.try_lock_shared())?;
                let own = open(
                    root,
                    &format!("tmp/shard-{}.lock", shard.to_string().replace('/', "-of-")),
                )?;
                took(root, own.try_lock())?;
                Ok(Held { alone: false, _files: vec![common, own] })
            }
        }
    }
}

fn open(root: &Path, name: &str) -> Result<File, Fault> {
    let path = root.join(name);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    file.map_err(|error| Fault::io("cannot open the store's lock", path, error))
}

fn took(root: &Path, result: Result<(), TryLockError>) -> Result<(), Fault> {
    match result {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Fault::new(FaultKind::Again, "another run is working on this store")
                .at(root)
                .hint("wait for it to end, or name another folder with `--store`"))
        }
        Err(TryLockError::Error(error)) => Err(Fault::io("cannot lock the store", root, error)),
    }
}
