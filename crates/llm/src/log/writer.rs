//! The writer of a segment: one thread that stores whatever has come in since its last sync, and
//! syncs once for all of it. Nobody is told of an answer before it is safe.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock, mpsc},
    thread::JoinHandle,
};

use storymill_core::{Disk, DiskFile, Fault, Held};
use tokio::sync::oneshot;

use super::{
    State,
    file::{self, FIRST, LogFile},
    gone::{self, Gone, Own},
    index::{Entry, short_tag},
    record::{self, Placed, Record},
    seal, upload,
};

/// A segment is sealed when it has grown to this.
pub(super) const MAX_SEGMENT: usize = 64 << 20;

/// Says when a record is safe.
#[derive(Debug)]
pub struct Ticket(oneshot::Receiver<Result<(), Fault>>);

impl Ticket {
    /// Waits until the record would survive a power cut; on a store of objects, until it is taken to be uploaded.
    pub async fn safe(self) -> Result<(), Fault> {
        self.0.await.unwrap_or_else(|_| Err(closed()))
    }

    /// The same for code that is not async; inside async code it panics.
    pub fn wait(self) -> Result<(), Fault> {
        self.0.blocking_recv().unwrap_or_else(|_| Err(closed()))
    }
}

fn closed() -> Fault {
    Fault::new(storymill_core::FaultKind::Io, "the answer log is closed")
}

/// A record to store; none to be told whether all before is safe, and the next one has a place.
pub(super) struct Job {
    pub(super) record: Option<Record>,
    pub(super) safe: oneshot::Sender<Result<(), Fault>>,
}

/// The thread and the way to it.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Begins a new segment.
    pub(crate) fn start(
        folder: PathBuf,
        disk: Arc<dyn Disk>,
        state: Arc<RwLock<State>>,
    ) -> Result<Self, Fault> {
        let (jobs, inbox) = mpsc::channel();
        if disk.has_objects(&folder) {
            let mut uploads = upload::Uploads::new(folder, disk, state);
            return Self::on_thread(jobs, move || uploads.run(&inbox));
        }
        disk.create_dir_all(&folder)
            .map_err(|error| Fault::io("cannot make the folder of the answers", &folder, error))?;
        let lock = file::lock_folder(&*disk, &folder)?;
        seal::stale(&*disk, &folder, seal::When::Many)?;
        let segment = Segment::begin(&folder, &*disk, &state)?;
        drop(lock);
        let mut desk = Reviews { folder, disk, state, segment, before: Vec::new(), broken: None };
        Self::on_thread(jobs, move || desk.run(&inbox))
    }

    fn on_thread(
        jobs: mpsc::Sender<Job>,
        run: impl FnOnce() + Send + 'static,
    ) -> Result<Self, Fault> {
        let thread = std::thread::Builder::new()
            .name("answer-log".to_owned())
            .spawn(run)
            .map_err(|error| Fault::io("cannot start the writer of the answers", "", error))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    pub(crate) fn append(&self, record: Option<Record>) -> Ticket {
        let (safe, ticket) = oneshot::channel();
        if let Some(jobs) = &self.jobs {
            // If the thread is gone, the ticket says so.
            let _ = jobs.send(Job { record, safe });
        }
        Ticket(ticket)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A segment that is being written.
pub(super) struct Segment {
    pub(super) path: PathBuf,
    out: Box<dyn DiskFile>,
    /// Its number among the files of the log.
    number: u32,
    pub(super) length: usize,
    answers: usize,
    _lock: Option<Box<dyn Held>>,
}

impl Segment {
    /// A new segment, locked as ours. The folder's lock is held meanwhile, so that nobody takes
    /// it for one that a dead writer left.
    pub(super) fn begin(
        folder: &Path,
        disk: &dyn Disk,
        state: &RwLock<State>,
    ) -> Result<Self, Fault> {
        let path = folder.join(format!("{}.log", file::fresh_name()));
        let begin = || {
            let mut out = disk.create(&path)?;
            let lock = file::try_lock(disk, &path)?;
            out.write_all(file::SEGMENT)?;
            out.sync()?;
            disk.sync_dir(folder)?;
            Ok((out, lock, LogFile::open(disk, &path)?))
        };
        let (out, lock, open) = begin()
            .map_err(|error| Fault::io("cannot begin a segment of the answers", &path, error))?;
        let mut state = state.write().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(state.files.len()).unwrap_or(u32::MAX);
        state.files.push(Arc::new(open));
        drop(state);
        Ok(Self { path, out, number, length: FIRST, answers: 0, _lock: lock })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.sync()?;
        self.length += bytes.len();
        Ok(())
    }

    /// Whether its name leads elsewhere, or to less of it.
    fn is_gone(&self, disk: &dyn Disk) -> bool {
        let holds_all = |len: Option<u64>| len.is_some_and(|len| len >= self.length as u64);
        gone::is_missing(self.out.is_at(&self.path))
            || gone::is_missing(disk.len(&self.path).map(holds_all))
    }

    fn own(&self) -> Own {
        (self.number, self.length, self.answers)
    }
}

struct Reviews {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    state: Arc<RwLock<State>>,
    segment: Segment,
    /// The segments before this one.
    before: Vec<Own>,
    broken: Option<Broken>,
}

/// Why no answer goes the usual way any more.
enum Broken {
    /// After a failed write the end of the segment is unknown, so nothing more is written.
    Write {
        message: String,
        full: bool,
        lost: usize,
    },
    Gone(Gone),
}

impl Reviews {
    fn run(&mut self, inbox: &mpsc::Receiver<Job>) {
        while let Ok(first) = inbox.recv() {
            let mut jobs = vec![first];
            jobs.extend(inbox.try_iter());
            let mut bytes = Vec::new();
            let (mut stored, mut waiting) = (Vec::new(), Vec::new());
            for Job { record, safe } in jobs {
                let Some(record) = record else {
                    waiting.push(safe);
                    continue;
                };
                match record::write(&mut bytes, &record) {
                    Ok(placed) => stored.push((record.key, placed, safe)),
                    Err(fault) => {
                        let _ = safe.send(Err(fault));
                    }
                }
            }
            let at = self.segment.length;
            self.commit(&bytes, stored.len());
            if self.broken.is_none() {
                self.enter(at, stored.iter().map(|(key, placed, _)| (*key.0.as_bytes(), *placed)));
            }
            waiting.extend(stored.into_iter().map(|(_, _, safe)| safe));
            for safe in waiting {
                let _ = safe.send(self.fault().map_or(Ok(()), Err));
            }
            if self.broken.is_none() && self.segment.length >= MAX_SEGMENT {
                self.next_segment();
            }
        }
        self.commit(&[], 0);
        if self.broken.is_none() && self.segment.length == FIRST {
            // Nothing was answered.
            let _ = self.disk.remove(&self.segment.path);
        }
    }

    /// Stores so many answers, and looks whether the segment is where it was: without any that alone.
    fn commit(&mut self, bytes: &[u8], answers: usize) {
        match &mut self.broken {
            Some(Broken::Write { lost, .. }) => *lost += answers,
            Some(Broken::Gone(gone)) => gone.take(bytes, answers),
            None => {
                let known = self.segment.own();
                let wrote = if bytes.is_empty() { Ok(()) } else { self.segment.write(bytes) };
                if self.segment.is_gone(&*self.disk) {
                    self.before.push(known);
                    let (disk, state) = (&self.disk, &self.state);
                    let mut gone = Gone::rescue(&self.folder, disk, state, &self.before);
                    gone.take(bytes, answers);
                    self.broken = Some(Broken::Gone(gone));
                } else if let Err(error) = wrote {
                    let full = error.kind() == io::ErrorKind::StorageFull;
                    let message = error.to_string();
                    self.broken = Some(Broken::Write { message, full, lost: answers });
                } else {
                    self.segment.answers += answers;
                }
            }
        }
    }

    /// Says where answers stand in the segment, which began to take them at a place.
    fn enter(&self, at: usize, stored: impl Iterator<Item = ([u8; 32], Placed)>) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for (key, placed) in stored {
            let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
            state.index.add(Entry {
                key,
                tag: short_tag(&placed.tag),
                file: self.segment.number,
                at: number(at + placed.start),
                length: number(placed.length),
            });
        }
    }

    /// Goes on in a new segment, and seals the full one. If that fails, the old one goes on
    /// until it cannot: what is stored is safe either way.
    fn next_segment(&mut self) {
        let Ok(_lock) = file::lock_folder(&*self.disk, &self.folder) else { return };
        if let Ok(next) = Segment::begin(&self.folder, &*self.disk, &self.state) {
            self.before.push(self.segment.own());
            self.segment = next;
            let _ = seal::stale(&*self.disk, &self.folder, seal::When::Always);
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self.broken.as_ref()? {
            Broken::Gone(gone) => Some(gone.fault()),
            Broken::Write { message, full, lost } => {
                let kind = if *full { io::ErrorKind::StorageFull } else { io::ErrorKind::Other };
                let error = io::Error::new(kind, message.clone());
                let lost = match lost {
                    0 => String::new(),
                    lost => format!("; {} lost", gone::counted(*lost)),
                };
                let what = format!("cannot write into the answer log{lost}");
                Some(Fault::io(what, &self.segment.path, error))
            }
        }
    }
}
