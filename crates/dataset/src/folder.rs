//! The output folder: whose it is, what it held before, and the switch from old to new.
//!
//! New files are written whole beside the old ones, under `.tmp`. Only then the old manifest
//! goes, the files are renamed into place, what is no longer produced goes, and the new manifest
//! comes. So a manifest never lists files that are not there. The journal in `.tmp` names all
//! files that are ours while there is no manifest to name them. One build publishes into a folder at a time: it holds a
//! lock beside the journal, and others wait.
//!
//! Only what has a name that we give is removed, and nothing is reached over a symbolic link.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Disk, Fault, FaultKind};
use storymill_disk::{most, read_from};

use crate::manifest::{MANIFEST, Manifest, is_inside};

pub(crate) const SCRATCH: &str = ".tmp";
const JOURNAL: &str = "journal.json";
const JOURNAL_BEGUN: &str = "journal.json.new";
pub(crate) const LOCK: &str = "lock";

/// What the names of files end with that are not yet in their place.
pub(crate) const BEGUN: &str = ".begun";

/// An output folder that may be written to.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    disk: &'a dyn Disk,
    out: &'a Path,
    /// The manifest that stands there.
    pub(crate) previous: Option<Manifest>,
    /// The name of the dataset that stands there, or was about to.
    pub(crate) name: Option<String>,
    /// Files that we have put there or were about to.
    ours: BTreeSet<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Journal {
    files: BTreeSet<String>,
    #[serde(default)]
    name: Option<String>,
}

impl<'a> Folder<'a> {
    /// Whether something is left of a build that publishes, or was killed while it did.
    pub(crate) fn has_scratch(&self) -> Result<bool, Fault> {
        Ok(look(self.out, |path| self.disk.list(path))?.iter().any(|name| name == SCRATCH))
    }

    /// Looks at a folder and refuses one that holds something else.
    pub(crate) fn open(disk: &'a dyn Disk, out: &'a Path) -> Result<Self, Fault> {
        let mut folder = Self { disk, out, previous: None, name: None, ours: BTreeSet::new() };
        disk.refuse_links(out, SCRATCH)?;
        let journal = folder.read_journal()?;
        let manifest = out.join(MANIFEST);
        let previous = if look(&manifest, |path| disk.len(path))?.is_some() {
            let bytes = look(&manifest, |path| read_from(disk, path, most::RECORD))?;
            Some(Manifest::read(&bytes).map_err(|fault| with_hint(fault.at(&manifest)))?)
        } else {
            None
        };
        if previous.as_ref().is_some_and(|manifest| manifest.release.is_some()) {
            let message = "this folder is a release, and releases are never changed";
            return Err(Fault::new(FaultKind::Store, message)
                .at(out)
                .hint("publish into another folder: `--out DIR`"));
        }
        if journal.is_none() && previous.is_none() {
            folder.refuse_what_is_not_ours()?;
        }
        let listed = previous.iter().flat_map(Manifest::listed).map(|file| file.path.to_owned());
        let (begun, name) = journal.map_or_else(Default::default, |one| (one.files, one.name));
        folder.ours = listed.chain(begun).collect();
        folder.name = previous.as_ref().map(|manifest| manifest.name.clone()).or(name);
        folder.previous = previous;
        folder.ours.iter().try_for_each(|path| folder.refuse_links_to(path))?;
        Ok(folder)
    }

    /// Refuses a place of a file that is reached over a link.
    pub(crate) fn refuse_links_to(&self, path: &str) -> Result<(), Fault> {
        Path::new(path).parent().map_or(Ok(()), |above| self.disk.refuse_links(self.out, above))
    }

    /// Whether every file that the manifest lists is there with its length.
    pub(crate) fn is_whole(&self, manifest: &Manifest) -> Result<bool, Fault> {
        for file in manifest.listed() {
            let length = look(&self.out.join(file.path), |path| self.disk.len(path))?;
            if length != Some(file.bytes) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the scratch folder, empty and marked as ours.
    pub(crate) fn begin(&mut self, name: &str) -> Result<(), Fault> {
        change(&self.out.join(SCRATCH), |path| self.disk.create_dir_all(path))?;
        self.remove_begun(&[JOURNAL, LOCK])?;
        self.name = Some(name.to_owned());
        self.write_journal(&self.ours)
    }

    /// The path of a temporary file.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.out.join(SCRATCH).join(name)
    }

    /// Writes a whole file under a temporary name.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Fault> {
        let path = self.scratch(&format!("{name}{BEGUN}"));
        change(&path, |path| {
            let mut file = self.disk.create(path)?;
            file.write_all(bytes)?;
            file.sync()
        })?;
        Ok(path)
    }

    /// Puts the new files in the place of the old ones. Returns what is no longer produced.
    pub(crate) fn switch(
        &self,
        files: &[(PathBuf, String)],
        manifest: &Manifest,
    ) -> Result<Vec<String>, Fault> {
        let new: BTreeSet<_> = files.iter().map(|(_, path)| path.clone()).collect();
        // What is refused is refused while all that was published still stands.
        new.iter().try_for_each(|path| self.refuse_links_to(path))?;
        self.write_journal(&self.ours.union(&new).cloned().collect())?;
        if self.previous.is_some() {
            change(&self.out.join(MANIFEST), |path| self.disk.remove(path))?;
            change(self.out, |path| self.disk.sync_dir(path))?;
        }
        for (from, path) in files {
            let to = self.out.join(path);
            if let Some(above) = to.parent() {
                change(above, |above| self.disk.create_dir_all(above))?;
            }
            change(&to, |to| self.disk.rename(from, to))?;
        }
        let stale = self.remove_stale(&new)?;
        let folders: BTreeSet<_> = new.iter().filter_map(|path| Path::new(path).parent()).collect();
        for folder in folders {
            change(&self.out.join(folder), |path| self.disk.sync_dir(path))?;
        }
        let bytes = manifest.to_bytes()?;
        let path = self.out.join(MANIFEST);
        let begun = self.scratch(&format!("{MANIFEST}{BEGUN}"));
        change(&path, |path| self.disk.put(path, &begun, &bytes))?;
        self.sweep()?;
        Ok(stale)
    }

    /// Removes what is ours in the scratch folder, and the folder if nothing else is in it.
    pub(crate) fn sweep(&self) -> Result<(), Fault> {
        self.remove_begun(&[])?;
        let scratch = self.out.join(SCRATCH);
        if self.has_scratch()? {
            change(&scratch, |path| self.disk.remove_empty_dir(path))?;
        }
        Ok(())
    }

    fn remove_begun(&self, keep: &[&str]) -> Result<(), Fault> {
        let scratch = self.out.join(SCRATCH);
        for name in look(&scratch, |path| self.disk.list(path))? {
            let ours = name.ends_with(BEGUN) || [JOURNAL, JOURNAL_BEGUN, LOCK].contains(&&*name);
            if ours && !keep.contains(&name.as_str()) {
                change(&scratch.join(name), |path| self.disk.remove(path))?;
            }
        }
        Ok(())
    }

    fn remove_stale(&self, new: &BTreeSet<String>) -> Result<Vec<String>, Fault> {
        let mut removed = Vec::new();
        for path in self.ours.difference(new) {
            let full = self.out.join(path);
            if look(&full, |path| self.disk.len(path))?.is_some() {
                change(&full, |path| self.disk.remove(path))?;
                removed.push(path.clone());
            }
        }
        let folder = |path: &String| Some(Path::new(path).parent()?.to_owned());
        let kept: BTreeSet<_> = new.iter().filter_map(folder).collect();
        let left: BTreeSet<_> = self.ours.difference(new).filter_map(folder).collect();
        for left in left.difference(&kept) {
            change(&self.out.join(left), |path| self.disk.remove_empty_dir(path))?;
        }
        Ok(removed)
    }

    fn read_journal(&self) -> Result<Option<Journal>, Fault> {
        let path = self.scratch(JOURNAL);
        if look(&path, |path| self.disk.len(path))?.is_none() {
            return Ok(None);
        }
        let bytes = look(&path, |path| read_from(self.disk, path, most::RECORD))?;
        let journal: Option<Journal> = serde_json::from_slice(&bytes).ok();
        match journal.filter(|journal| journal.files.iter().all(|path| is_inside(path))) {
            Some(journal) => Ok(Some(journal)),
            None => {
                Err(Fault::new(FaultKind::Store, "the journal of an interrupted build is damaged")
                    .at(path)
                    .hint("remove the folder, or publish into another one"))
            }
        }
    }

    fn write_journal(&self, files: &BTreeSet<String>) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(&Journal { files: files.clone(), name: self.name.clone() })
            .map_err(|error| {
                Fault::new(FaultKind::Internal, "the journal cannot be JSON").because(error)
            })?;
        change(&self.scratch(JOURNAL), |path| {
            self.disk.put(path, &self.scratch(JOURNAL_BEGUN), &bytes)
        })
    }

    /// An empty folder may be used, and one that other tools have only marked: `.git`.
    fn refuse_what_is_not_ours(&self) -> Result<(), Fault> {
        let names = look(self.out, |path| self.disk.list(path))?;
        let scratch = look(&self.out.join(SCRATCH), |path| self.disk.list(path))?;
        let stranger = names.iter().find(|name| !name.starts_with('.'));
        let ours = |name: &&String| [JOURNAL_BEGUN, LOCK].contains(&name.as_str());
        let stranger = stranger.or_else(|| scratch.iter().find(|name| !ours(name)));
        match stranger {
            None => Ok(()),
            Some(name) => {
                let message =
                    format!("the output folder holds `{}` and no dataset", name.escape_debug());
                Err(with_hint(Fault::new(FaultKind::Store, message).at(self.out)))
            }
        }
    }
}

fn look<T>(path: &Path, f: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, Fault> {
    f(path).map_err(|error| Fault::io("cannot read the output folder", path, error))
}

pub(crate) fn change<T>(path: &Path, f: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, Fault> {
    f(path).map_err(|error| Fault::io("cannot write the dataset", path, error))
}

fn with_hint(fault: Fault) -> Fault {
    if fault.hint.is_some() {
        return fault;
    }
    fault.hint(
        "nothing was changed: publish into an empty folder, or one that storymill published into",
    )
}
