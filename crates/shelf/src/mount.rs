//! The inside of a shelf as a disk: what is written below [`MOUNT`] is sealed, and nothing is written
//! elsewhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, Weak},
};

use storymill_core::{Disk, DiskFile, DiskReader, Fault, Held, Hold};

use crate::{Private, Shelf};

/// Where the inside of the shelf begins: no path of the system.
pub const MOUNT: &str = "shelf:";

/// A disk that keeps what lies below [`MOUNT`] in the shelf. Other paths can be read (packs of public
/// answers, say) and not written: what is made from private text has one place to go.
#[derive(Clone)]
pub struct Mount {
    shelf: Arc<Shelf>,
    open: Arc<Mutex<BTreeMap<String, Weak<Content>>>>,
    locks: Arc<Locks>,
}

/// What an open file holds, in memory only.
type Content = RwLock<Private<Vec<u8>>>;

#[derive(Default)]
struct Locks {
    taken: Mutex<BTreeSet<String>>,
    freed: Condvar,
}

impl std::fmt::Debug for Mount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mount").field("shelf", &self.shelf).finish_non_exhaustive()
    }
}

impl Mount {
    /// The inside of a shelf that was opened to be changed.
    pub fn new(shelf: Arc<Shelf>) -> Self {
        Self { shelf, open: Arc::default(), locks: Arc::default() }
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<String, Weak<Content>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is open under a name already, or what the shelf holds.
    fn content(&self, name: &str) -> io::Result<Arc<Content>> {
        let mut open = self.opened();
        if let Some(content) = open.get(name).and_then(Weak::upgrade) {
            return Ok(content);
        }
        let content = Arc::new(RwLock::new(self.load(name)?));
        open.insert(name.to_owned(), Arc::downgrade(&content));
        Ok(content)
    }

    fn load(&self, name: &str) -> io::Result<Private<Vec<u8>>> {
        self.shelf.read(name).map_err(failed)?.ok_or_else(missing)
    }
}

/// The name inside the shelf, if the path lies there.
fn inside(path: &Path) -> Option<String> {
    let rest = path.strip_prefix(MOUNT).ok()?;
    let parts: Option<Vec<&str>> = rest.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

fn writable(path: &Path) -> io::Result<String> {
    inside(path).ok_or_else(|| {
        let message = "what is made from private text is written into the shelf only";
        io::Error::new(io::ErrorKind::PermissionDenied, message)
    })
}

fn missing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

/// A fault of the shelf as a fault of the disk that it is here.
fn failed(fault: Fault) -> io::Error {
    let beneath = fault.source.as_ref().and_then(|source| source.downcast_ref::<io::Error>());
    io::Error::new(beneath.map_or(io::ErrorKind::Other, io::Error::kind), fault)
}

struct Reader(Arc<Content>);

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}

impl DiskReader for Reader {
    fn read_at(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let content = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let at = usize::try_from(at).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let end = at.checked_add(length).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(content.expose().get(at..end).ok_or(io::ErrorKind::UnexpectedEof)?.to_vec())
    }
}

/// A file being written. What was synced is sealed; the rest is in memory.
struct File {
    mount: Mount,
    name: String,
    content: Arc<Content>,
    pending: Private<Vec<u8>>,
    begun: bool,
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.expose_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        let (name, bytes) = (&self.name, self.pending.expose());
        if bytes.is_empty() && self.begun {
            return Ok(());
        }
        let begun = self.begun;
        let change = |change: &mut crate::Change<'_>| {
            if begun { change.append(name, bytes) } else { change.put(name, bytes) }
        };
        self.mount.shelf.change(change).map_err(failed)?;
        let mut content = self.content.write().unwrap_or_else(PoisonError::into_inner);
        content.expose_mut().extend_from_slice(bytes);
        drop(content);
        self.begun = true;
        self.pending = Private::new(Vec::new());
        Ok(())
    }
}

/// A lock inside the shelf: the shelf itself is locked against other processes.
struct Taken {
    locks: Arc<Locks>,
    name: String,
}

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Taken")
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.locks.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
        self.locks.freed.notify_all();
    }
}

impl Disk for Mount {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match inside(path) {
            Some(name) => self.load(&name).map(Private::into_inner),
            None => self.shelf.disk.read(path),
        }
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        match inside(path) {
            Some(name) => Ok(Box::new(Reader(self.content(&name)?))),
            None => self.shelf.disk.open(path),
        }
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        let name = writable(path)?;
        let mut taken = self.locks.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while taken.contains(&name) {
            if hold != Hold::Alone {
                return Ok(None);
            }
            taken = self.locks.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        taken.insert(name.clone());
        drop(taken);
        Ok(Some(Box::new(Taken { locks: Arc::clone(&self.locks), name })))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let name = writable(path)?;
        self.shelf.change(|change| change.put(&name, b"")).map_err(failed)?;
        let content = Arc::new(RwLock::new(Private::new(Vec::new())));
        self.opened().insert(name.clone(), Arc::downgrade(&content));
        let pending = Private::new(Vec::new());
        Ok(Box::new(File { mount: self.clone(), name, content, pending, begun: false }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (writable(from)?, writable(to)?);
        if !self.shelf.change(|change| change.rename(&from, &to)).map_err(failed)? {
            return Err(missing());
        }
        let mut open = self.opened();
        open.remove(&to);
        if let Some(content) = open.remove(&from) {
            open.insert(to, content);
        }
        Ok(())
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(()) // Every change of the index is synced.
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        writable(path).map(drop)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let name = writable(path)?;
        if !self.shelf.change(|change| Ok(change.remove(&name))).map_err(failed)? {
            return Err(missing());
        }
        self.opened().remove(&name);
        Ok(())
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        writable(path).map(drop) // There are names in a shelf, and no folders.
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let Some(name) = inside(path) else { return self.shelf.disk.list(path) };
        let folder = if name.is_empty() { name } else { format!("{name}/") };
        let names = self.shelf.names(&folder);
        let first = |name: &String| name[folder.len()..].split('/').next().map(str::to_owned);
        Ok(names.iter().filter_map(first).collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        match inside(path) {
            Some(name) => Ok(self.shelf.len_of(&name)),
            None => self.shelf.disk.len(path),
        }
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        match inside(path) {
            Some(_) => Ok(false),
            None => self.shelf.disk.is_link(path),
        }
    }

    /// One change instead of three: the shelf has its own way to be whole or unchanged.
    fn put(&self, path: &Path, _: &Path, bytes: &[u8]) -> io::Result<()> {
        let name = writable(path)?;
        self.shelf.change(|change| change.put(&name, bytes)).map_err(failed)?;
        self.opened().remove(&name);
        Ok(())
    }

    fn put_new(&self, path: &Path, _: &Path, bytes: &[u8]) -> io::Result<bool> {
        let name = writable(path)?;
        if self.shelf.len_of(&name).is_some() {
            return Ok(false);
        }
        let put = |change: &mut crate::Change<'_>| {
            let fresh = !change.has(&name);
            if fresh {
                change.put(&name, bytes)?;
            }
            Ok(fresh)
        };
        let fresh = self.shelf.change(put).map_err(failed)?;
        if fresh {
            self.opened().remove(&name);
        }
        Ok(fresh)
    }
}
