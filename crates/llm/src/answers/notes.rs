//! Walking the notes of a log.

use std::path::Path;

use storymill_core::{Disk, Fault, RequestKey, UnitId};

use crate::log::{
    self, FIRST, Note, Role,
    frame::{Kind, Scan},
    record,
};

/// Reads the notes of a log one after another: of one unit, or of all. Notes are sorted within a
/// file only; those that cannot be read are left out.
pub fn notes(
    folder: &Path,
    disk: &dyn Disk,
    unit: Option<&UnitId>,
    mut each: impl FnMut(RequestKey, Note),
) -> Result<(), Fault> {
    let tag = unit.map(|unit| record::unit_tag(unit.as_str()));
    for path in log::files(disk, folder)? {
        if log::role(&path) == Some(Role::Pack) {
            continue;
        }
        let bytes = disk
            .read(&path)
            .map_err(|error| Fault::io("cannot read the notes of the answers", &path, error))?;
        let frames = Scan::new(&bytes, FIRST).filter(|frame| frame.kind == Kind::Note);
        for frame in frames.filter(|frame| tag.is_none_or(|tag| frame.tag() == tag)) {
            if let Some(note) = record::note(&frame) {
                each(RequestKey(frame.key().into()), note);
            }
        }
    }
    Ok(())
}
