//! Who works on a store: one whole run alone, or several shards side by side.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use storymill_core::{Disk, Fault, FaultKind, Held as Lock, Hold};

use super::{JobId, Store, jobs};
use crate::Shard;

/// What a run claims of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The whole store, alone.
    Whole,
    /// One shard; other shards may run beside it.
    Shard(Shard),
    /// A shard of a job, beside others. Where it pays for answers no other run may do the same at once.
    Job {
        /// Which one.
        id: JobId,
        /// Whether it pays for answers.
        pays: bool,
    },
    /// Nothing but that nobody has the whole store alone.
    Beside,
}

/// Locks that last as long as this lives, and end with the process however it ends.
#[derive(Debug)]
pub(super) struct Held {
    alone: bool,
    /// The file that shows that this run is at a shard of a job.
    shown: Option<PathBuf>,
    _locks: Vec<Box<dyn Lock>>,
}

/// How often, and how long each time, a shard waits for its turn: a minute in all. One that hangs does not
/// hold up the others for longer.
const TURNS: u32 = 1200;
const PAUSE: Duration = Duration::from_millis(50);

impl Held {
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    pub(super) fn shown(&self) -> Option<&Path> {
        self.shown.as_deref()
    }
}

impl Store {
    /// Locks something against other shards, and waits a while for the one that holds it: so two do not do the
    /// same work. A run that has the store alone needs no lock.
    pub(crate) fn turn(&self, at: &str) -> Result<Option<Box<dyn Lock>>, Fault> {
        if self.claim.as_ref().is_none_or(Held::is_alone) {
            return Ok(None);
        }
        let path = self.root.join(format!("tmp/{at}.lock"));
        for _ in 0..TURNS {
            let held = self.disk.lock(&path, Hold::TryAlone);
            match held.map_err(|error| Fault::io("cannot lock the store", &path, error))? {
                Some(lock) => return Ok(Some(lock)),
                None => std::thread::sleep(PAUSE),
            }
        }
        Ok(None)
    }
}

impl Claim {
    pub(super) fn hold(self, root: &Path, disk: &dyn Disk) -> Result<Held, Fault> {
        match self {
            Self::Whole => {
                let lock = take(root, disk, "lock", Hold::TryAlone)?;
                Ok(Held { alone: true, shown: None, _locks: vec![lock] })
            }
            Self::Shard(shard) => {
                let common = take(root, disk, "lock", Hold::TryShared)?;
                let own = format!("tmp/shard-{}.lock", shard.to_string().replace('/', "-of-"));
                let own = take(root, disk, &own, Hold::TryAlone)?;
                Ok(Held { alone: false, shown: None, _locks: vec![common, own] })
            }
            Self::Job { id, pays } => {
                let mut locks = vec![take(root, disk, "lock", Hold::TryShared)?];
                if pays {
                    locks.push(jobs::take_alone(root, disk, &id)?);
                }
                let (path, lock) = jobs::show(root, disk, &id)?;
                locks.push(lock);
                Ok(Held { alone: false, shown: Some(path), _locks: locks })
            }
            Self::Beside => {
                let lock = take(root, disk, "lock", Hold::TryShared)?;
                Ok(Held { alone: false, shown: None, _locks: vec![lock] })
            }
        }
    }
}

/// Whether a file in `tmp` has the name of a shard's lock.
pub(super) fn is_lock_of_a_shard(name: &str) -> bool {
    let shard = name.strip_prefix("shard-").and_then(|rest| rest.strip_suffix(".lock"));
    shard.is_some_and(|shard| shard.replace("-of-", "/").parse::<Shard>().is_ok())
}

pub(super) fn take(
    root: &Path,
    disk: &dyn Disk,
    name: &str,
    hold: Hold,
) -> Result<Box<dyn Lock>, Fault> {
    let path = root.join(name);
    let lock =
        disk.lock(&path, hold).map_err(|error| Fault::io("cannot lock the store", &path, error))?;
    lock.ok_or_else(|| {
        Fault::new(FaultKind::Again, "another run is working on this store")
            .at(root)
            .hint("wait for it to end, or name another folder with `--store`")
    })
}
