//! Joining copies of a shelf: a file of one is a file of the other under the same name.

use std::path::Path;

use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Shelf,
    before::INDEX,
    records::{LOG, RECORDS, operation_of},
};

impl Shelf {
    /// Copies what another copy of a shelf has and this one has not: records first, so that no operation comes before what it
    /// needs. How many files they were. What came counts when the shelf is opened next.
    ///
    /// # Errors
    ///
    /// There is no shelf with a log in that folder; a file of its log is damaged; or the disk fails.
    pub fn copy_from(root: &Path, disk: &dyn Disk, other: &Path) -> Result<usize, Fault> {
        disk.refuse_links(root, LOG)?;
        disk.refuse_links(root, RECORDS)?;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| Fault::io("cannot copy a file of the shelf", path, error)
        };
        let list = |folder: &Path| disk.list(folder).map_err(failed(folder));
        if list(&other.join(LOG))?.is_empty() {
            let fault = Fault::new(
                FaultKind::Input,
                "there is no copy of a shelf with a log in this folder",
            );
            let is_old = disk.len(&other.join(INDEX)).is_ok_and(|length| length.is_some());
            let hint = if is_old {
                "it was written by an older version, which had no log: whoever has it changes something with this version first"
            } else if disk.list(&other.join("shelf").join(LOG)).is_ok_and(|all| !all.is_empty()) {
                "there is one in the folder `shelf` below it"
            } else {
                "name the folder of the other shelf"
            };
            return Err(fault.at(other).hint(hint));
        }
        let mut copied = 0;
        for folder in [RECORDS, LOG] {
            let (from, to) = (other.join(folder), root.join(folder));
            disk.create_dir_all(&to).map_err(failed(&to))?;
            let here = list(&to)?;
            for name in list(&from)? {
                // What is being written there is no part of it yet.
                if here.contains(&name) || name.contains('.') {
                    continue;
                }
                let bytes = disk.read(&from.join(&name)).map_err(failed(&from.join(&name)))?;
                if folder == LOG && operation_of(&bytes) != name {
                    return Err(crate::records::damaged(
                        &from.join(&name),
                        "is damaged or cut off",
                    ));
                }
                let scratch = root.join("copy.new");
                disk.put(&to.join(&name), &scratch, &bytes).map_err(failed(&to.join(&name)))?;
                copied += 1;
            }
        }
        Ok(copied)
    }
}
