//! Who is at which shard of a job, and what came of those that ended.
//!
//! A run that begins makes an empty file of its own beside the record of its shard and holds a lock on it; one that
//! ends removes it. So a file that nobody holds was left by a run that died: that shard is lost. None of this
//! decides what is made: parts and markers do.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Disk, Fault, FaultKind, Held, Hold};

use super::{Store, mark};
use crate::Shard;

/// The folder of a store.
pub(super) const FOLDER: &str = "jobs";
/// The file of a shard with what came of it.
const RECORD: &str = "ended.json";
/// The file that a run locks which pays for answers.
const ALONE: &str = "lock";

/// A shard of some steps of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId {
    workflow: String,
    /// The numbers of its steps, and its shard: `3-5.2-of-8`.
    name: String,
}

impl JobId {
    /// A shard of steps, or all units of them. Steps are numbered from 1, in order.
    pub fn new(workflow: &str, steps: &[usize], shard: Option<Shard>) -> Self {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for step in steps {
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == *step => *to = *step,
                _ => ranges.push((*step, *step)),
            }
        }
        let range = |(from, to): &(usize, usize)| {
            if from == to { from.to_string() } else { format!("{from}-{to}") }
        };
        let mut name = ranges.iter().map(range).collect::<Vec<_>>().join("+");
        if let Some(shard) = shard {
            name += &format!(".{}", shard.to_string().replace('/', "-of-"));
        }
        Self { workflow: workflow.to_owned(), name }
    }

    fn folder(&self) -> PathBuf {
        Path::new(FOLDER).join(&self.workflow).join(&self.name)
    }
}

/// How a run of a shard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// All of it is made.
    Done,
    /// It needs what others make.
    Waits,
    /// It stopped with a fault, or was stopped.
    Failed,
}

/// What came of the last run of a shard that ended by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// The steps, by name.
    pub steps: Vec<String>,
    /// `2/8`; none for all units.
    pub shard: Option<String>,
    /// How it ended.
    pub state: JobState,
    /// Why, if it failed.
    pub message: Option<String>,
    /// What it used of models.
    pub used: Value,
}

/// What is known of a shard of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shards {
    /// How many runs are at it now, as far as locks of this store tell.
    pub in_flight: usize,
    /// How many runs died at it since one last began.
    pub lost: usize,
    /// What came of the last one that ended.
    pub ended: Option<JobRecord>,
}

/// Locks a shard against a second run of it.
pub(super) fn take_alone(root: &Path, disk: &dyn Disk, id: &JobId) -> Result<Box<dyn Held>, Fault> {
    let path = folder(root, disk, id)?.join(ALONE);
    let failed = |error| Fault::io("cannot lock the store", &path, error);
    disk.lock(&path, Hold::TryAlone).map_err(failed)?.ok_or_else(|| {
        let message = "another run is at the same shard, and would pay for the same answers";
        Fault::new(FaultKind::Again, message)
            .at(&path)
            .hint("wait for it to end; what it has paid for is read from the log then")
    })
}

/// Shows that a run is at a shard, and takes away what dead runs left there.
pub(super) fn show(
    root: &Path,
    disk: &dyn Disk,
    id: &JobId,
) -> Result<(PathBuf, Box<dyn Held>), Fault> {
    let folder = folder(root, disk, id)?;
    for (path, is_held) in runs(disk, &folder)? {
        if !is_held {
            // Another run may have done so.
            let _ = disk.remove(&path);
        }
    }
    loop {
        let path = folder.join(format!("{:016x}.run", mark()));
        let failed = |error| Fault::io("cannot lock the store", &path, error);
        if let Some(held) = disk.lock(&path, Hold::TryAlone).map_err(failed)? {
            return Ok((path, held));
        }
        // Somebody looks at it this moment, and takes it for a dead run's.
        disk.remove(&path).map_err(failed)?;
    }
}

fn folder(root: &Path, disk: &dyn Disk, id: &JobId) -> Result<PathBuf, Fault> {
    let below = id.folder();
    disk.refuse_links(root, &below)?;
    let folder = root.join(below);
    disk.create_dir_all(&folder)
        .map_err(|error| Fault::io("cannot make a folder of the store", &folder, error))?;
    Ok(folder)
}

/// The files of runs in a shard's folder, and whether each is held.
fn runs(disk: &dyn Disk, folder: &Path) -> Result<Vec<(PathBuf, bool)>, Fault> {
    let names = disk.list(folder).map_err(|error| Fault::io("cannot list", folder, error))?;
    let mut runs = Vec::new();
    for name in names.iter().filter(|name| name.strip_suffix(".run").is_some()) {
        let path = folder.join(name);
        match disk.lock(&path, Hold::Look) {
            Ok(free) => runs.push((path, free.is_none())),
            // It has ended by now.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Fault::io("cannot look at a lock", &path, error)),
        }
    }
    Ok(runs)
}

impl Store {
    /// Writes down what came of a run of a shard, which is over.
    ///
    /// # Errors
    ///
    /// The disk fails.
    pub fn job_ended(&self, id: &JobId, record: &JobRecord) -> Result<(), Fault> {
        let mut text = serde_json::to_string_pretty(record).unwrap_or_default();
        text.push('\n');
        self.put(id.folder().join(RECORD), text.as_bytes())
    }

    /// Takes away the sign that this run is at a shard. Whoever does not is taken for dead.
    pub fn job_over(&self) {
        if let Some(path) = self.claim.as_ref().and_then(super::claim::Held::shown) {
            // It is held still, so it is ours; where it stays, the next run of the shard removes it.
            let _ = self.disk.remove(path);
        }
    }

    /// What is known of the shards of a workflow's jobs, by the name of their folder (`3-5.2-of-8`).
    ///
    /// # Errors
    ///
    /// The disk fails.
    pub fn jobs(&self, workflow: &str) -> Result<BTreeMap<String, Shards>, Fault> {
        let folder = self.path(FOLDER).join(workflow);
        let disk: &Arc<dyn Disk> = &self.disk;
        let names = disk.list(&folder).map_err(|error| Fault::io("cannot list", &folder, error))?;
        let mut jobs = BTreeMap::new();
        for name in names {
            let folder = folder.join(&name);
            let runs = runs(&**disk, &folder)?;
            let in_flight = runs.iter().filter(|(_, is_held)| *is_held).count();
            let bytes = disk.read(&folder.join(RECORD)).unwrap_or_default();
            let ended = serde_json::from_slice(&bytes).ok();
            jobs.insert(name, Shards { in_flight, lost: runs.len() - in_flight, ended });
        }
        Ok(jobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_named_by_the_numbers_of_its_steps() {
        let name = |steps: &[usize], shard: Option<&str>| {
            JobId::new("mine", steps, shard.map(|shard| shard.parse().unwrap())).name
        };
        assert_eq!(name(&[2], None), "2");
        assert_eq!(name(&[3, 4, 5, 8], Some("2/8")), "3-5+8.2-of-8");
    }
}
