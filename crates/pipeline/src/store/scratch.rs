//! Files in `tmp`: their names, and what of them a run may remove.

use std::io::ErrorKind;

use storymill_core::Fault;

use super::{Store, claim};
use crate::clock;

impl Store {
    /// Leftovers of killed runs. What is written belongs to this run where it holds the store alone; in a store of
    /// objects, which nobody holds, nothing that is written has a temporary name. Whoever asks a store what it can do
    /// holds nothing either, so what is left of that goes by its age.
    pub(super) fn clear_scratch(&self) -> Result<(), Fault> {
        let folder = self.path("tmp");
        let (is_held, now) = (!self.disk.has_objects(&folder), clock::now());
        let names =
            self.disk.list(&folder).map_err(|error| Fault::io("cannot list", &folder, error))?;
        for name in
            names.iter().filter(|name| is_old_probe(name, now) || is_held && is_scratch(name))
        {
            let path = folder.join(name);
            match self.disk.remove(&path) {
                // Another run has done so.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed.map_err(|error| Fault::io("cannot remove", path, error))?,
            }
        }
        Ok(())
    }
}

pub(super) fn name(mark: u64, count: u64) -> String {
    format!("{mark:016x}-{count}")
}

/// Whether a run of ours may have left a file of this name. What else lies there is not ours.
fn is_scratch(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let hex = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    name.split_once('-').is_some_and(|(mark, count)| hex(mark) && digits(count))
        || claim::is_lock_of_a_shard(name)
}

/// Whether a file was written by somebody who asked a store what it can do, and is there no more: its name says when,
/// `probe-SECONDS-MARK`. Of one without a time nobody is left.
fn is_old_probe(name: &str, now: u64) -> bool {
    const DAY: u64 = 24 * 60 * 60;
    let Some(rest) = name.strip_prefix("probe-") else { return false };
    let rest = rest.split('.').next().unwrap_or(rest);
    let (seconds, mark) = rest.split_once('-').unwrap_or(("0", rest));
    let is_mark = mark.len() == 32 && mark.bytes().all(|b| b.is_ascii_hexdigit());
    let began = seconds.parse::<u64>().ok().filter(|_| is_mark);
    began.is_some_and(|began| began.saturating_add(DAY) < now)
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::Arc};

    use storymill_core::Disk;
    use storymill_disk::RealDisk;

    use crate::{Claim, Store, clock};

    #[test]
    fn a_run_removes_what_killed_runs_left_and_no_probe_of_today() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path(), Arc::new(RealDisk), Claim::Whole).unwrap();
        drop(open());
        let mark = "0123456789abcdef0123456789abcdef";
        let today = format!("probe-{}-{mark}.a", clock::now());
        let names = [
            &*today,
            "0123456789abcdef-7",
            &format!("probe-17-{mark}"),
            &format!("probe-{mark}.b"),
            "mine",
        ];
        for name in names {
            fs::write(folder.path().join("tmp").join(name), "x").unwrap();
        }
        drop(open());
        let mut left = RealDisk.list(&folder.path().join("tmp")).unwrap();
        left.sort();
        assert_eq!(left, ["mine", &*today]);
    }
}
