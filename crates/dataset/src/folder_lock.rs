//! Builds that publish into one folder at the same time: one after the other.

use std::{io, path::Path, time::Duration};

use storymill_core::{Disk, Fault, FaultKind, Held, Hold};

use crate::folder::{Folder, LOCK, SCRATCH, change};

/// Whether to go on: a fault once somebody wants a stop.
pub type GoOn<'g> = &'g dyn Fn() -> Result<(), Fault>;

/// How often, and how long each time, a build waits for another one to have published: ten minutes in all.
const TURNS: u32 = 12_000;
const PAUSE: Duration = Duration::from_millis(50);

impl<'a> Folder<'a> {
    /// Looks at a folder that another build may be publishing into. What is refused then is looked at once more after
    /// that.
    pub(crate) fn look(disk: &'a dyn Disk, out: &'a Path, go_on: GoOn<'_>) -> Result<Self, Fault> {
        let lock = out.join(SCRATCH).join(LOCK);
        let mut is_certain = false;
        for _ in 0..TURNS {
            match Self::open(disk, out) {
                Err(_) if !is_certain => {}
                looked => return looked,
            }
            // Nobody publishes, or has the right to: then what is seen next is so.
            is_certain = !matches!(disk.lock(&lock, Hold::Look), Ok(None));
            if !is_certain {
                go_on()?;
                std::thread::sleep(PAUSE);
            }
        }
        Err(taken(out))
    }

    /// Keeps other builds from publishing into a folder that [`look`](Self::look) has seen, until this is dropped;
    /// none where nothing can be locked. The file goes with the rest of the scratch folder.
    pub(crate) fn lock(
        disk: &dyn Disk,
        out: &Path,
        go_on: GoOn<'_>,
    ) -> Result<Option<Box<dyn Held>>, Fault> {
        let (scratch, lock) = (out.join(SCRATCH), out.join(SCRATCH).join(LOCK));
        if disk.has_objects(&lock) {
            return Ok(None);
        }
        disk.refuse_links(out, SCRATCH)?;
        for _ in 0..TURNS {
            change(&scratch, |path| disk.create_dir_all(path))?;
            let held = match disk.lock(&lock, Hold::TryAlone) {
                Ok(held) => held,
                // Whoever had it has just removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(None),
                Err(error) => return Err(Fault::io("cannot lock the output folder", lock, error)),
            };
            // One that was removed between opening and locking it keeps nobody out: then its name can be locked again.
            if held.is_some() && matches!(disk.lock(&lock, Hold::TryAlone), Ok(None)) {
                return Ok(held);
            }
            if held.is_none() {
                go_on()?;
                std::thread::sleep(PAUSE);
            }
        }
        Err(taken(out))
    }
}

fn taken(out: &Path) -> Fault {
    Fault::new(FaultKind::Again, "another build is publishing into this folder")
        .at(out)
        .hint("wait for it to end, or name another folder with `--out`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::TestDisk;

    #[test]
    fn who_waits_for_another_build_can_be_stopped() {
        let (disk, folder) = (TestDisk::sound(), tempfile::TempDir::new().unwrap());
        let held = Folder::lock(&disk, folder.path(), &|| Ok(())).unwrap();
        assert!(held.is_some());
        let stop = || Err(Fault::new(FaultKind::Interrupted, "stopped"));
        let waits = Folder::lock(&disk, folder.path(), &stop).map(|_| ());
        assert_eq!(waits.unwrap_err().kind, FaultKind::Interrupted);
    }
}
