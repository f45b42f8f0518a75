//! The writer of a log on a store of objects, where nothing can be appended: answers wait in memory and are
//! uploaded as whole segments.
//!
//! An answer is in the log, and so can be read, once its segment is uploaded. What a kill loses is what waits:
//! fewer than [`ANSWERS`] answers, none older than [`LONGEST`], and those that arrive while a segment is uploaded.
//!
//! What was uploaded is looked for before more is sent. What somebody has removed from the store is uploaded again, as far
//! back as it is remembered ([`REMEMBERED`]); what was sealed stands elsewhere.

use std::{
    collections::{BTreeSet, VecDeque},
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use storymill_core::{Disk, Fault, plural};

use super::{
    State,
    file::{self, LogFile},
    gather,
    index::{Entry, short_tag},
    record::{self, Placed, Record},
    writer::Job,
};

/// A segment is uploaded when it holds so many answers,
const ANSWERS: usize = 200;
/// or so many bytes,
const BYTES: usize = 8 << 20;
/// or when the first of them has waited so long.
const LONGEST: Duration = Duration::from_secs(10);
/// How many names are tried. A name that another writer has is next to impossible.
const NAMES: usize = 3;
/// So many bytes of what was uploaded are kept in memory.
const REMEMBERED: usize = 64 << 20;

pub(super) struct Uploads {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    state: Arc<RwLock<State>>,
    /// The segment that is to be uploaded next.
    bytes: Vec<u8>,
    stored: Vec<([u8; 32], Placed)>,
    /// Since when its first answer waits, or since when uploading it has failed.
    since: Instant,
    uploaded: VecDeque<Uploaded>,
}

/// A segment that was uploaded.
struct Uploaded {
    path: PathBuf,
    bytes: Vec<u8>,
    keys: Vec<[u8; 32]>,
}

impl Uploads {
    pub(super) fn new(folder: PathBuf, disk: Arc<dyn Disk>, state: Arc<RwLock<State>>) -> Self {
        let (bytes, stored, since) = (file::SEGMENT.to_vec(), Vec::new(), Instant::now());
        Self { folder, disk, state, bytes, stored, since, uploaded: VecDeque::new() }
    }

    pub(super) fn run(&mut self, inbox: &mpsc::Receiver<Job>) {
        loop {
            let job = if self.stored.is_empty() {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                inbox.recv_timeout(LONGEST.saturating_sub(self.since.elapsed()))
            };
            match job {
                Ok(Job { record: None, safe }) => {
                    let _ = safe.send(self.upload());
                }
                Ok(Job { record: Some(record), safe }) => {
                    // Whoever sends on after a failure would pay for what may be lost.
                    let _ = safe.send(self.take(&record));
                }
                // Where it fails, those who wait for all to be safe will hear of it.
                Err(RecvTimeoutError::Timeout) => drop(self.upload()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        drop(self.upload());
    }

    fn take(&mut self, record: &Record) -> Result<(), Fault> {
        if self.stored.is_empty() {
            self.since = Instant::now();
        }
        let placed = record::write(&mut self.bytes, record)?;
        self.stored.push((*record.key.0.as_bytes(), placed));
        let full = self.stored.len() >= ANSWERS || self.bytes.len() >= BYTES;
        if full { self.upload() } else { Ok(()) }
    }

    fn upload(&mut self) -> Result<(), Fault> {
        self.restore()?;
        if self.stored.is_empty() {
            return Ok(());
        }
        self.since = Instant::now();
        let path = self.put().map_err(|error| self.fault(self.stored.len(), error))?;
        let open = LogFile::open(&*self.disk, &path)
            .map_err(|error| Fault::io("cannot read what was uploaded", &path, error))?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let file = number(state.files.len());
        state.files.push(Arc::new(open));
        let keys = self.stored.iter().map(|(key, _)| *key).collect();
        for (key, placed) in self.stored.drain(..) {
            let (tag, at, length) =
                (short_tag(&placed.tag), number(placed.start), number(placed.length));
            state.index.add(Entry { key, tag, file, at, length });
        }
        drop(state);
        let fresh = file::SEGMENT.to_vec();
        self.uploaded.push_back(Uploaded {
            path,
            bytes: std::mem::replace(&mut self.bytes, fresh),
            keys,
        });
        while self.uploaded.iter().map(|one| one.bytes.len()).sum::<usize>() > REMEMBERED {
            self.uploaded.pop_front();
        }
        Ok(())
    }

    /// Uploads again what was removed from the store.
    fn restore(&mut self) -> Result<(), Fault> {
        if self.uploaded.is_empty() {
            return Ok(());
        }
        let (disk, folder) = (&*self.disk, &*self.folder);
        let there: BTreeSet<_> = gather::files(disk, folder)?.into_iter().collect();
        let is_there = |one: &Uploaded| there.contains(&one.path);
        if self.uploaded.iter().all(is_there) {
            return Ok(());
        }
        // What stands elsewhere was sealed.
        let now = gather::gather(disk, &[folder])?.index;
        let is_lost = |key: &[u8; 32]| now.get(key).is_none();
        self.uploaded.retain(|one| is_there(one) || one.keys.iter().any(is_lost));
        let missing: Vec<_> = self.uploaded.iter().filter(|one| !is_there(one)).collect();
        let answers = missing.iter().map(|one| one.keys.len()).sum();
        for one in missing {
            let scratch = folder.join(file::scratch_name());
            disk.put_new(&one.path, &scratch, &one.bytes)
                .map_err(|error| self.fault(answers, error))?;
        }
        Ok(())
    }

    fn fault(&self, answers: usize, error: std::io::Error) -> Fault {
        let what = format!("cannot upload {}", plural(answers as u64, "answer"));
        let hint = "they are kept as long as this run lasts, and lost at its end";
        Fault::io(what, &self.folder, error).hint(hint)
    }

    fn put(&self) -> std::io::Result<PathBuf> {
        for _ in 0..NAMES {
            let path = self.folder.join(format!("{}.log", file::fresh_name()));
            let scratch = self.folder.join(file::scratch_name());
            if self.disk.put_new(&path, &scratch, &self.bytes)? {
                return Ok(path);
            }
        }
        Err(std::io::ErrorKind::AlreadyExists.into())
    }
}
