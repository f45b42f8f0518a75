//! What is damaged in a log: which files, how many answers are lost with them, and what these took.
//!
//! Nothing is asked again because of damage before somebody has heard of it. A damaged file stays as
//! it is until then; [`mend`] sets it aside and keeps what is sound of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::PoisonError,
};

use serde::Serialize;
use storymill_core::{Disk, Fault, FaultKind};

use super::{
    AnswerLog, Role, file, gather,
    index::{Entry, Index},
    lock_folder, seal, try_lock,
    walk::{Name, Walk, walk},
};
use crate::{Usage, answers::notes};

/// A file of a log of which something is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// How many answers cannot be read any more, and are in no other file.
    pub lost: u64,
    /// Whether these may be more: the end of the file is gone.
    pub and_more: bool,
    /// What those of them took that have notes, by the id of the model.
    pub took: BTreeMap<String, Took>,
    /// Whether nothing of it can be read, for its first bytes are not those of such a file.
    pub strange: bool,
}

/// What some answers took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Took {
    /// Answers.
    pub answers: u64,
    /// Tokens, as far as the servers said.
    pub usage: Usage,
}

type Key = [u8; 32];
/// The id of the model and the tokens of an answer, by its note.
type Told = (String, Usage);

/// What reading every file of a log found.
struct Walked {
    entries: Vec<Entry>,
    damage: Vec<Damage>,
    /// Whether any file is damaged, though other files may have all that it has lost.
    any: bool,
}

impl AnswerLog {
    /// Reads every file and tells which have lost answers. Files of which nothing is lost but an index
    /// are not among them.
    pub fn damage(&self) -> Result<Vec<Damage>, Fault> {
        Ok(self.walked()?.damage)
    }

    /// The same, and from now on what is lost counts as never answered: for whoever was told.
    pub fn pass_over_damage(&self) -> Result<Vec<Damage>, Fault> {
        let walked = self.walked()?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if walked.any {
            state.index = Index::new(walked.entries);
        }
        state.passes_over_damage = true;
        Ok(walked.damage)
    }

    /// What is lost, if nobody has decided about that.
    pub(crate) fn undecided_damage(&self) -> Result<Vec<Damage>, Fault> {
        if self.opened.damaged_files == 0 || self.state().passes_over_damage {
            return Ok(Vec::new());
        }
        let damage = self.damage()?;
        if damage.is_empty() {
            // Other files have all of it, so there is nothing to decide.
            self.state.write().unwrap_or_else(PoisonError::into_inner).passes_over_damage = true;
        }
        Ok(damage)
    }

    fn walked(&self) -> Result<Walked, Fault> {
        let paths: Vec<PathBuf> = self.state().files.iter().map(|file| file.path.clone()).collect();
        let (mut entries, mut lost, mut damage) = (Vec::new(), Vec::new(), Vec::new());
        for (path, number) in paths.into_iter().zip(0..) {
            let Some(role) = file::role(&path) else { continue };
            let bytes = match self.disk.read(&path) {
                Ok(bytes) => bytes,
                // Another run has sealed it: what it held stands elsewhere.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => {
                    return Err(Fault::io("cannot read a file of the answers", path, error));
                }
            };
            let walked = walk(role, &bytes);
            gather::enter(&walked, number, &mut entries);
            if walked.is_damaged() {
                let Walk { and_more, strange, .. } = walked;
                lost.push(walked.lost);
                damage.push(Damage { path, and_more, strange, ..Damage::default() });
            }
        }
        let any = !damage.is_empty();
        if any {
            let there: BTreeSet<Name> =
                entries.iter().map(|entry| (entry.key, entry.tag)).collect();
            for lost in &mut lost {
                lost.retain(|name| name.is_none_or(|name| !there.contains(&name)));
            }
            self.tell(&mut damage, &lost, &there)?;
            damage.retain(|damage| damage.lost > 0);
        }
        Ok(Walked { entries, damage, any })
    }

    /// Tells how many answers each damaged file has lost, and what these took.
    fn tell(
        &self,
        damage: &mut [Damage],
        lost: &[Vec<Option<Name>>],
        there: &BTreeSet<Name>,
    ) -> Result<(), Fault> {
        let named: BTreeSet<Key> = lost.iter().flatten().flatten().map(|(key, _)| *key).collect();
        let there = |key: &Key| there.range((*key, 0)..=(*key, u64::MAX)).next().is_some();
        let mut notes = self.notes_of(|key| named.contains(key) || !there(key))?;
        let told: Vec<Vec<Option<Told>>> = lost
            .iter()
            .map(|lost| lost.iter().map(|name| notes.remove(&(*name)?.0)).collect())
            .collect();
        // Who has no name any more is one of those that have a note and no answer, if these are not too many.
        notes.retain(|key, _| !there(key));
        let few = notes.len() <= told.iter().flatten().filter(|note| note.is_none()).count();
        let mut others = notes.into_values().filter(|_| few).fuse();
        for (damage, told) in damage.iter_mut().zip(told) {
            damage.lost = told.len() as u64;
            for (model, usage) in told.into_iter().filter_map(|note| note.or_else(|| others.next()))
            {
                let took = damage.took.entry(model).or_default();
                took.answers += 1;
                took.usage += usage;
            }
        }
        Ok(())
    }

    /// What the notes tell of some answers.
    fn notes_of(&self, wanted: impl Fn(&Key) -> bool) -> Result<BTreeMap<Key, Told>, Fault> {
        let mut found = BTreeMap::new();
        if self.disk.list(&self.folder).is_ok_and(|names| !names.is_empty()) {
            notes(&self.folder, &*self.disk, None, |key, note| {
                if wanted(key.0.as_bytes()) {
                    let usage = note.usage.unwrap_or_default();
                    found.insert(*key.0.as_bytes(), (note.model_id, usage));
                }
            })?;
        }
        Ok(found)
    }
}

/// Sets aside the damaged files of a folder, which may not be there, and keeps what is sound of them in
/// packs: what is lost can then be asked for again. What it set aside: the names before and now.
///
/// # Errors
///
/// If another run is writing into a damaged file (kind `Again`).
pub fn mend(folder: &Path, disk: &dyn Disk) -> Result<Vec<(PathBuf, PathBuf)>, Fault> {
    if !disk.list(folder).is_ok_and(|names| !names.is_empty()) {
        return Ok(Vec::new());
    }
    let _lock = lock_folder(disk, folder)?;
    let (mut damaged, mut locks) = (Vec::new(), Vec::new());
    for path in gather::files(disk, folder)? {
        let Some(role) = file::role(&path).filter(|role| *role != Role::Notes) else { continue };
        let bytes = disk
            .read(&path)
            .map_err(|error| Fault::io("cannot read a file of the answers", &path, error))?;
        let is_ours = role != Role::Segment || file::is_segment_name(&path);
        if !is_ours || !walk(role, &bytes).is_damaged() || file::is_newer(role, &bytes) {
            continue;
        }
        if role == Role::Segment {
            let lock = try_lock(disk, &path)
                .map_err(|error| Fault::io("cannot lock a segment of the answers", &path, error))?;
            locks.push(lock.ok_or_else(|| {
                let message = "another run is writing into a damaged file of the answers";
                Fault::new(FaultKind::Again, message).at(&path).hint("wait for it to end")
            })?);
        }
        damaged.push(path);
    }
    seal::set_aside(disk, folder, &damaged)
}
