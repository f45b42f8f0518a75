//! The answer log: every answer that a model ever gave us, in append-only files of our own.
//!
//! One folder holds *segments* (one writer each, still growing or left by a run), *packs*
//! (sealed: sorted, indexed, key and answer only) and *notes* (requests and costs, never
//! published). Several processes may read and write one folder at once: each writes a segment
//! of its own, and the log is the union of all files. There is no database.
//!
//! On a store of objects a segment is uploaded whole ([`upload`]). There a file may go while others read it, once another
//! one holds its answers ([`seal`]): who misses it gathers the log again.

mod conflict;
mod damage;
mod file;
pub(crate) mod frame;
mod gather;
mod gone;
mod index;
pub(crate) mod pack;
pub(crate) mod record;
pub(crate) mod seal;
mod upload;
pub(crate) mod walk;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use storymill_core::{Answer, Changes, Digest, Disk, Fault, FaultKind, RequestKey, Written};

pub use conflict::keep;
pub(crate) use damage::Took;
pub use damage::{Damage, mend};
pub(crate) use gather::Opened;
pub(crate) use pack::MAX_PACK;
pub use record::{Note, Record};
pub use writer::Ticket;

use file::LogFile;
pub(crate) use file::{FIRST, PACK, Role, lock_folder, role, try_lock};
use frame::Frame;
pub(crate) use gather::files;
pub(crate) use index::short_tag as short;
use index::{Entry, Index};
use writer::Writer;

/// What is known of a log's files.
#[derive(Debug)]
pub(crate) struct State {
    index: Index,
    files: Vec<Arc<LogFile>>,
    /// Whether what is lost to damage counts as never answered: somebody was told, or nothing is lost.
    passes_over_damage: bool,
}

/// A log of answers.
///
/// ```
/// use std::sync::Arc;
/// use storymill_core::{Answer, Digest, RequestKey};
/// use storymill_disk::RealDisk;
/// use storymill_llm::{AnswerLog, Record};
///
/// let folder = tempfile::tempdir().unwrap();
/// let log = AnswerLog::open(folder.path(), &[], Arc::new(RealDisk)).unwrap();
/// let key = RequestKey(Digest::of(b"a request"));
/// let answer = Answer { text: "Call me Ishmael.".into(), finish_reason: "stop".into() };
/// log.append(Record { key, answer: answer.clone(), note: None }).unwrap().wait().unwrap();
/// assert_eq!(log.get(&key).unwrap(), Some(answer));
/// ```
#[derive(Debug)]
pub struct AnswerLog {
    folder: PathBuf,
    /// Packs, and folders of packs, that are only read.
    packs: Vec<PathBuf>,
    disk: Arc<dyn Disk>,
    state: Arc<RwLock<State>>,
    writer: Mutex<Option<Writer>>,
    opened: Opened,
}

/// An answer, and what of its request was refused.
type Sent = (Answer, Changes);

impl AnswerLog {
    /// Opens the log in a folder, which need not be there yet, together with packs, or folders
    /// of packs, that are only read. Nothing is written before the first request is sent.
    pub fn open(folder: &Path, packs: &[PathBuf], disk: Arc<dyn Disk>) -> Result<Self, Fault> {
        let gather::Gathered { index, files, opened } =
            gather::gather(&*disk, &places(folder, packs))?;
        let state = Arc::new(RwLock::new(State { index, files, passes_over_damage: false }));
        let (folder, packs) = (folder.to_owned(), packs.to_vec());
        Ok(Self { folder, packs, disk, state, writer: Mutex::new(None), opened })
    }

    /// Looks again where answers stand: another machine has sealed files that we knew.
    fn gather_again(&self) -> Result<(), Fault> {
        // What we upload meanwhile waits, so that it is in the listing or behind it.
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let gathered = gather::gather(&*self.disk, &places(&self.folder, &self.packs))?;
        state.index.renew(gathered.index);
        state.files = gathered.files;
        Ok(())
    }

    /// What was found on opening.
    pub fn opened(&self) -> Opened {
        self.opened
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The disk that it is on.
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// The answer under a key. If there are several, the one that a lock has read
    /// ([`favour`](Self::favour)) wins, else the one with the smallest digest.
    pub fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(self.sent(key)?.map(|(answer, _)| answer))
    }

    /// The same with what of its request the endpoint refused.
    pub(crate) fn sent(&self, key: &RequestKey) -> Result<Option<(Answer, Changes)>, Fault> {
        Ok(self.sound(key)?.map(|(_, sent)| sent))
    }

    /// How much the model wrote for the answer under a key, where that is known.
    ///
    /// # Errors
    ///
    /// As of [`get`](Self::get).
    pub fn written(&self, key: &RequestKey) -> Result<Option<Written>, Fault> {
        let bytes = self.frame(key)?;
        let frame = bytes.as_ref().and_then(|bytes| Frame::at(bytes, 0));
        Ok(frame.and_then(|frame| record::written(&frame)))
    }

    /// Whether there is an answer under a key, without reading it.
    pub fn has(&self, key: &RequestKey) -> bool {
        self.state().index.get(key.0.as_bytes()).is_some()
    }

    /// The answer that counts, with the bytes of its frame: of several copies the first that is sound.
    fn sound(&self, key: &RequestKey) -> Result<Option<(Vec<u8>, Sent)>, Fault> {
        for round in 0..SEALED {
            match self.sound_now(key) {
                Err(Unread::Gone(_)) => self.gather_again()?,
                Err(Unread::Fault(fault)) => return Err(fault),
                // Whoever takes it for unanswered pays again.
                Ok(None) if round > 0 => {
                    let message = "an answer was removed from the store during the run";
                    return Err(Fault::new(FaultKind::Io, message).at(&self.folder));
                }
                Ok(found) => return Ok(found),
            }
        }
        self.sound_now(key).map_err(|unread| match unread {
            Unread::Gone(fault) | Unread::Fault(fault) => fault,
        })
    }

    /// The same by what is known of the files.
    fn sound_now(&self, key: &RequestKey) -> Result<Option<(Vec<u8>, Sent)>, Unread> {
        let mut fault = None;
        for (entry, file) in self.find(key) {
            let bytes = match file.read(u64::from(entry.at), entry.length as usize) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    fault = Some(Unread::Gone(unreadable(&file, error)));
                    continue;
                }
                read => read.map_err(|error| Unread::Fault(unreadable(&file, error)))?,
            };
            let frame = Frame::at(&bytes, 0).filter(|frame| frame.key() == entry.key);
            if let Some(sent) = frame.and_then(|frame| record::answer_sent(&frame)) {
                return Ok(Some((bytes, sent)));
            }
            fault.get_or_insert_with(|| Unread::Fault(damaged(&file)));
        }
        fault.map_or(Ok(None), Err)
    }

    /// Where the answer that counts stands, and its copies.
    fn find(&self, key: &RequestKey) -> Vec<(Entry, Arc<LogFile>)> {
        let state = self.state();
        let Some(first) = state.index.get(key.0.as_bytes()) else { return Vec::new() };
        let file =
            |entry: &Entry| Some((*entry, Arc::clone(state.files.get(entry.file as usize)?)));
        std::iter::once(&first).chain(state.index.copies(&first)).filter_map(file).collect()
    }

    /// The first bytes of the digests of all answers under a key.
    pub(crate) fn digests(&self, key: &RequestKey) -> Vec<u64> {
        self.state().index.all(key.0.as_bytes()).map(|entry| entry.tag).collect()
    }

    /// The bytes of the frame that counts, for a pack.
    pub(crate) fn frame(&self, key: &RequestKey) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.sound(key)?.map(|(bytes, _)| bytes))
    }

    /// Whether something has read an answer under a key that is not in the log ([`favour`](Self::favour)).
    pub(crate) fn is_gone(&self, key: &RequestKey) -> bool {
        self.state().index.is_gone(key.0.as_bytes())
    }

    /// Notes which answers were read by a published lock or marker: they win over others under
    /// the same key.
    pub fn favour(&self, reads: impl IntoIterator<Item = (RequestKey, Digest)>) {
        self.state.write().unwrap_or_else(PoisonError::into_inner).index.favour(reads);
    }

    /// Stores an answer. The ticket says when it is safe; before that it is not in the log. On a store of objects it
    /// says that the answer is taken: it is safe, and in the log, after the next upload.
    pub fn append(&self, record: Record) -> Result<Ticket, Fault> {
        self.begin(Some(record))
    }

    /// Hands something to the writer, which begins a segment if it has none.
    fn begin(&self, record: Option<Record>) -> Result<Ticket, Fault> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = match &mut *writer {
            Some(writer) => writer,
            none => none.insert(Writer::start(
                self.folder.clone(),
                Arc::clone(&self.disk),
                Arc::clone(&self.state),
            )?),
        };
        Ok(writer.append(record))
    }

    /// Returns once the next answer has a place: no request is paid for before. On a store of objects that is the
    /// memory.
    pub(crate) async fn has_room(&self) -> Result<(), Fault> {
        if self.disk.has_objects(&self.folder) {
            return Ok(());
        }
        self.begin(None)?.safe().await
    }

    /// Asks the writer, if there is one, whether all is safe.
    fn is_safe(&self) -> Option<Ticket> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().map(|writer| writer.append(None))
    }

    /// Returns once everything appended so far is safe.
    pub(crate) async fn flush(&self) -> Result<(), Fault> {
        match self.is_safe() {
            Some(ticket) => ticket.safe().await,
            None => Ok(()),
        }
    }

    /// Says whether everything appended so far is safe, and there still. On a store of objects, what waits for it is
    /// uploaded.
    ///
    /// # Errors
    ///
    /// It could not be written, or somebody has removed or replaced it since: how many answers, and where they are now.
    pub fn check(&self) -> Result<(), Fault> {
        self.is_safe().map_or(Ok(()), Ticket::wait)
    }

    /// Whether this log has appended anything since it was opened or sealed.
    pub fn is_growing(&self) -> bool {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.state().index.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many answers stand under a key that has another answer too, beyond the first.
    pub fn conflicts(&self) -> u64 {
        self.state().index.conflicts()
    }

    /// All keys, sorted.
    pub fn keys(&self) -> Vec<RequestKey> {
        let entries = self.state().index.entries();
        let mut keys: Vec<_> =
            entries.into_iter().map(|entry| RequestKey(Digest::from(entry.key))).collect();
        keys.dedup();
        keys
    }

    /// Ends our own segment and seals it, with those that dead writers left, into packs; on a store of objects only
    /// where there are many. How many it sealed.
    pub fn seal(&self) -> Result<usize, Fault> {
        self.check()?;
        drop(self.writer.lock().unwrap_or_else(PoisonError::into_inner).take());
        if self.disk.has_objects(&self.folder) {
            return seal::stale(&*self.disk, &self.folder, seal::When::Many);
        }
        if self.disk.list(&self.folder).is_ok_and(|names| names.is_empty()) {
            return Ok(0);
        }
        let _lock = lock_folder(&*self.disk, &self.folder)?;
        seal::stale(&*self.disk, &self.folder, seal::When::Always)
    }

    fn state(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a log is gathered again for one answer. Sealing takes longer than that.
const SEALED: usize = 4;

/// Why an answer was not read.
enum Unread {
    /// Its file is not there any more.
    Gone(Fault),
    Fault(Fault),
}

/// A folder and the packs beside it.
fn places<'p>(folder: &'p Path, packs: &'p [PathBuf]) -> Vec<&'p Path> {
    std::iter::once(folder).chain(packs.iter().map(PathBuf::as_path)).collect()
}

fn read(file: &LogFile, entry: &Entry) -> Result<Vec<u8>, Fault> {
    file.read(u64::from(entry.at), entry.length as usize).map_err(|error| unreadable(file, error))
}

fn unreadable(file: &LogFile, error: std::io::Error) -> Fault {
    Fault::io("cannot read an answer", &file.path, error)
}

fn damaged(file: &LogFile) -> Fault {
    Fault::new(FaultKind::Damage, "an answer is damaged")
        .at(&file.path)
        .hint("`storymill answers verify` lists what is damaged; restore the file from a copy")
}
