//! Answers whose files are gone: somebody removed or replaced the folder, or a file in it, while answers came.
//!
//! Such a file is open still, and what it holds can be read. So it is written once more, into the folder or, where that is
//! none any more, beside it; then the run ends.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use storymill_core::{Disk, Fault, FaultKind, plural};

use super::{
    State,
    file::{self, FIRST, LogFile},
    index::Entry,
    writer::{MAX_SEGMENT, Segment},
};

/// So many bytes of answers are put together before they are written.
const TOGETHER: usize = 4 << 20;

/// What became of the answers.
pub(super) struct Gone {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    state: Arc<RwLock<State>>,
    /// Where answers are written now; none as long as no place takes them.
    out: Option<Segment>,
    kept: usize,
    lost: usize,
}

/// A segment of this run: its file, how many of its bytes are answers and notes, and how many answers these are.
pub(super) type Own = (u32, usize, usize);

impl Gone {
    /// Writes once more what this run has stored, and what else the log knows of files that are gone.
    pub(super) fn rescue(
        folder: &Path,
        disk: &Arc<dyn Disk>,
        state: &Arc<RwLock<State>>,
        own: &[Own],
    ) -> Self {
        let (folder, disk, state) = (folder.to_owned(), Arc::clone(disk), Arc::clone(state));
        let mut gone = Self { folder, disk, state, out: None, kept: 0, lost: 0 };
        let (files, entries) = {
            let state = gone.state.read().unwrap_or_else(PoisonError::into_inner);
            (state.files.clone(), state.index.entries())
        };
        for (number, length, answers) in own {
            match files.get(*number as usize).map(|file| file.read(FIRST as u64, length - FIRST)) {
                Some(Ok(bytes)) => gone.take(&bytes, *answers),
                _ => gone.lost += answers,
            }
        }
        let others = entries.into_iter().filter(|entry| own.iter().all(|one| one.0 != entry.file));
        gone.others(&files, others);
        gone
    }

    /// Answers of other runs, where their files are gone too.
    fn others(&mut self, files: &[Arc<LogFile>], entries: impl Iterator<Item = Entry>) {
        let mut missing: BTreeMap<u32, bool> = BTreeMap::new();
        let (mut bytes, mut answers) = (Vec::new(), 0);
        for entry in entries {
            let Some(file) = files.get(entry.file as usize) else { continue };
            let is_missing = || is_missing(self.disk.len(&file.path).map(|len| len.is_some()));
            if !*missing.entry(entry.file).or_insert_with(is_missing) {
                continue;
            }
            match file.read(u64::from(entry.at), entry.length as usize) {
                Ok(frame) => {
                    bytes.extend(frame);
                    answers += 1;
                }
                Err(_) => self.lost += 1,
            }
            if bytes.len() >= TOGETHER {
                self.take(&bytes, answers);
                (bytes, answers) = (Vec::new(), 0);
            }
        }
        self.take(&bytes, answers);
    }

    /// Takes answers that had no place, or have none any more.
    pub(super) fn take(&mut self, bytes: &[u8], answers: usize) {
        if bytes.is_empty() {
            return;
        }
        if self.out.as_ref().is_none_or(|out| out.length >= MAX_SEGMENT) {
            self.out = self.begin();
        }
        if self.out.as_mut().is_some_and(|out| out.write(bytes).is_ok()) {
            self.kept += answers;
        } else {
            self.out = None;
            self.lost += answers;
        }
    }

    /// A segment in the first place that takes one.
    fn begin(&self) -> Option<Segment> {
        let above = self.folder.parent().filter(|above| above.file_name().is_some());
        let beside = [Some(&*self.folder), above].into_iter().flatten();
        let beside = beside.map(|path| path.with_added_extension("rescued"));
        std::iter::once(self.folder.clone()).chain(beside).find_map(|place| {
            self.disk.create_dir_all(&place).ok()?;
            let _lock = file::lock_folder(&*self.disk, &place).ok()?;
            Segment::begin(&place, &*self.disk, &self.state).ok()
        })
    }

    /// What to say of it.
    pub(super) fn fault(&self) -> Fault {
        let mut message =
            "the folder of the answers, or a file in it, was removed or replaced during the run"
                .to_owned();
        let place = self.out.as_ref().and_then(|out| out.path.parent());
        let place = place.filter(|place| *place != self.folder);
        if self.kept > 0 {
            let into =
                place.map_or("there".to_owned(), |place| format!("into `{}`", place.display()));
            message += &format!("; {} written again {into}", counted(self.kept));
        }
        if self.lost > 0 {
            message += &format!("; {} lost", counted(self.lost));
        }
        let hint = match place {
            Some(place) => format!(
                "nothing more was asked: move the files of `{}` into the folder of the answers, and run the same command again",
                place.display()
            ),
            None => "nothing more was asked: run the same command again to go on".to_owned(),
        };
        Fault::new(FaultKind::Io, message).at(&self.folder).hint(hint)
    }
}

/// `1 answer was`, `3 answers were`.
pub(super) fn counted(answers: usize) -> String {
    let verb = if answers == 1 { "was" } else { "were" };
    format!("{} {verb}", plural(answers as u64, "answer"))
}

/// Whether a file is gone, by what came of looking for it. One that cannot be looked at may be there.
pub(super) fn is_missing(there: io::Result<bool>) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, StaleNetworkFileHandle};
    match there {
        Ok(there) => !there,
        Err(error) => matches!(error.kind(), NotFound | NotADirectory | StaleNetworkFileHandle),
    }
}
